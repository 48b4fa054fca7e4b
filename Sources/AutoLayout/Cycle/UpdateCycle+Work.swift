/// What the passes cost. Views are visited more often than anything else happens, so their price is
/// noted here and charged to the engine in larger amounts, and when a pass ends.
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

    /// Charges what was noted between two passes, and ends the cycle if that was too much. Without
    /// a limit there is nothing to compare with, and it can wait: to add the solver's work up takes
    /// a hundredth of a short cycle.
    ///
    /// - Throws: `LayoutError.tooExpensive`.
    @inline(__always)
    func settleWorkIfLimited() throws(LayoutError) {
        if engine.workLimit < .max { try settleWork() }
    }

    /// Charges what was noted when a pass ends, for whatever reason.
    @inline(__always)
    func chargeWork() { chargeWork(to: engine) }

    /// The same, by a reference that is at hand: each reading of it counts references.
    @inline(__always)
    func chargeWork(to engine: LayoutEngine) {
        guard unchargedWork > 0 else { return }
        engine.charge(unchargedWork)
        unchargedWork = 0
    }
}
