/// What the passes cost. Views are visited more often than anything else happens, so their price is noted here and charged to the
/// engine in larger amounts, and when a pass ends.
extension UpdateCycle {
    /// Units that are charged at once, about twenty microseconds' worth.
    private static let chargedAtOnce: UInt64 = 4096

    /// Notes work of the pass at hand, and ends the pass if it was too much.
    ///
    /// - Throws: `LayoutError.tooExpensive`.
    @inline(__always)
    func spend(_ units: UInt64) throws(LayoutError) {
        unchargedWork &+= units
        if unchargedWork >= Self.chargedAtOnce { try settleWork() }
    }

    /// Notes work of the pass at hand, which goes on.
    @inline(__always)
    func charge(_ units: UInt64) { unchargedWork &+= units }

    /// Charges what was noted, and ends the pass at hand if that was too much.
    ///
    /// - Throws: `LayoutError.tooExpensive`.
    func settleWork() throws(LayoutError) {
        let units = unchargedWork
        unchargedWork = 0
        try engine.spend(units)
    }

    /// Ends the pass at hand if the solver gave up. What it took without that is looked at when the next views were visited: to
    /// add it up takes a hundredth of a short cycle.
    ///
    /// - Throws: `LayoutError.tooExpensive`.
    @inline(__always)
    func stopIfExhausted() throws(LayoutError) {
        if engine.isExhausted { try settleWork() }
    }

    /// Charges what was noted when a pass ends, for whatever reason.
    @inline(__always)
    func chargeWork() {
        guard unchargedWork > 0 else { return }
        engine.charge(unchargedWork)
        unchargedWork = 0
    }
}
