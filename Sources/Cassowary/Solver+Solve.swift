extension Solver {
    /// Optimises the constraints that are not required and publishes the values.
    ///
    /// - Returns: The variables whose published value differs from the last time, ascending by
    ///   index; none if solving cost more than `workLimit` allows: the solver then `isExhausted`,
    ///   and the published values are those of before.
    /// - Complexity: O(what changed), plus the pivots that optimising takes; every so many changes
    ///   also O(size of the tableau), to clear rounding.
    public mutating func solve() -> [Variable] {
        var changed = Buffer<Variable>()
        solve(noting: &changed)
        return changed.indices.map { changed[$0] }
    }

    /// Does what `solve` does, and notes the variables in memory that is used again and again.
    ///
    /// - Parameter changed: Becomes the variables whose published value differs.
    package mutating func solve(noting changed: inout Buffer<Variable>) {
        changed.removeAll()
        if solveUnpublished() { publish { changed.append($0) } }
    }

    /// Does what `solve` does.
    ///
    /// - Returns: How many variables' published value differs.
    package mutating func solveCountingChanges() -> UInt64 {
        var count: UInt64 = 0
        if solveUnpublished() { publish { _ in count &+= 1 } }
        return count
    }

    /// Optimises the constraints that are not required.
    ///
    /// - Returns: Whether there may be something to publish.
    private mutating func solveUnpublished() -> Bool {
        guard needsSolve, !isExhausted else { return false }
        note(.changed)
        let isRefreshDue = movesSinceRefresh > 1000 + rowCount
        var isGood = (!isRefreshDue || refresh()) && optimiseWithinBounds()
        let isCheckDue = hasPivoted || movesSinceRefresh & 255 == 0
        if isGood, isCheckDue, !touchedResidualsAreSmall() {
            isGood = refresh() && optimiseWithinBounds() && touchedResidualsAreSmall()
        }
        if !isGood {
            isGood = refactor() && optimiseWithinBounds() && touchedResidualsAreSmall()
        }
        if !isGood {
            rebuild(around: outstanding)
            // A second failure leaves a feasible point that is short of the optimum, the best there
            // is.
            if !optimiseWithinBounds() {
                clearUnpriced()
                clearSuspects()
            }
        }
        clearRounding()
        guard !isExhausted else {
            abandon()
            needsSolve = false
            return false
        }
        hasPivoted = false
        needsSolve = false
        checkInvariantsIfSmall()
        carryColumn()
        // A first solution has everything to price, and no later one.
        uncharged.release(beyond: Self.queueMaximum)
        unpriced.release(beyond: Self.queueMaximum)
        return true
    }

    /// For how many symbols to price memory is kept.
    private static var queueMaximum: Int { 4096 }

    /// Ends with a basis factored anew if this one misleads.
    private mutating func clearRounding() {
        for _ in 0..<4 {
            guard isBlurred || isOvershot() else { break }
            guard isBlurred ? refactor() : (refresh() || refactor()) else {
                rebuild(around: outstanding)
                if !optimiseWithinBounds() { clearUnpriced() }
                break
            }
            if !optimiseWithinBounds() { clearUnpriced() }
        }
        peak = 0
    }

    /// Whether values were so large on the way to where they are that their rounding shows.
    @inline(__always)
    mutating func isOvershot() -> Bool {
        peak > Tolerance.overshoot && peak > Tolerance.overshoot * extent && isFarBeyondExtent()
    }

    /// Looks for the variable that is the farthest away now: that one may have come nearer since,
    /// and another may be farther away.
    private mutating func isFarBeyondExtent() -> Bool {
        var variable = touched.next(after: -1)
        while variable >= 0 {
            if values[variable &* 2].magnitude > extent { farthest = variable }
            variable = touched.next(after: variable)
        }
        return peak > Tolerance.overshoot * extent
    }

    /// How far the variable that was the farthest away is from zero; no less than one point.
    var extent: Double {
        farthest < 0 ? 1 : max(1, values[farthest &* 2].magnitude)
    }

    /// Optimises, and mends required rows that rounding pushed over their bound on the way.
    private mutating func optimiseWithinBounds() -> Bool {
        for _ in 0..<4 {
            guard optimise() else { return false }
            if suspects.isEmpty { return true }
            guard case .feasible = repair() else { return false }
        }
        return unpriced.isEmpty && uncharged.isEmpty
    }

    /// Publishes the values of the variables that moved, and forgets that they did.
    ///
    /// Rounding alone is no change; otherwise a move there and back would be one. A parametric
    /// variable is not rounded.
    ///
    /// - Parameter note: Called with each variable whose value changed.
    @inline(__always)
    private mutating func publish(noting note: (Variable) -> Void) {
        // The array is taken out, so that the loop need not ask at every write whether it is
        // shared.
        var latest: ContiguousArray<Double> = []
        Swift.swap(&latest, &published)
        unsafe latest.withUnsafeMutableBufferPointer { latest in
            var walk = VariableSet.Walk()
            while let (word, taken) = touched.takeWord(&walk) {
                var members = taken
                while members != 0 {
                    let variable =
                        word << 6 | Int32(truncatingIfNeeded: members.trailingZeroBitCount)
                    members &= members &- 1
                    if unsafe publish(variable, in: latest) {
                        note(Variable(index: variable))
                    }
                }
            }
        }
        Swift.swap(&latest, &published)
    }

    /// - Returns: Whether the variable's value changed.
    @inline(__always)
    private mutating func publish(
        _ variable: Int32, in published: UnsafeMutableBufferPointer<Double>
    ) -> Bool {
        precondition(Int(variable) < published.count)
        let symbol = variable &* 2
        let old = unsafe published[Int(variable)]
        // Adding zero turns a negative zero into zero.
        let new = values[symbol] + 0
        let distance = (new - old).magnitude
        guard
            distance > Tolerance.publication * max(1, old.magnitude)
                || (distance > 0 && isOutside(symbol))
        else { return false }
        unsafe published[Int(variable)] = new
        return true
    }

    private mutating func clearUnpriced() {
        for index in unpriced.indices { symbols[unpriced[index]].queues.remove(.unpriced) }
        unpriced.removeAll()
    }

    /// Holds the required constraints of every variable that moved against its row.
    private mutating func touchedResidualsAreSmall() -> Bool {
        if haveMostMoved {
            meter &+= 3 &* UInt64(terms.cellCount)
            return residualsAreSmall(ofRequiredAlone: true)
        }
        var variable: Int32 = -1
        while true {
            variable = touched.next(after: variable)
            guard variable >= 0 else { return true }
            var index = terms.head(ofColumn: variable)
            meter &+= UInt64(UInt32(bitPattern: 4 &* terms.count(ofColumn: variable)))
            while index >= 0 {
                let cell = terms.cells[index]
                index = cell.nextInColumn
                let source = sources[cell.row]
                guard source.isActive, source.isRequired, !movedBefore(cell) else { continue }
                guard residualIsSmall(cell.row) else { return false }
            }
        }
    }

    /// Whether more than half of the variables moved, so that it is quicker to go through the
    /// constraints than through those of each.
    private var haveMostMoved: Bool {
        touched.wordCount &* 128 > variables.count && touched.count &* 2 > variables.count
    }

    /// Whether a variable of a smaller number in the same row moved: the row was looked at for that
    /// one.
    @inline(__always)
    private func movedBefore(_ term: TermTable.Term) -> Bool {
        var next = terms.head(ofRow: term.row)
        while next >= 0 {
            let other = terms.cells[next]
            next = other.nextInRow(after: next)
            if other.column < term.column, touched.contains(other.column) { return true }
        }
        return false
    }

    /// Whether a row says of its constraint what the variables say, and a required one holds by
    /// both.
    mutating func residualIsSmall(_ row: Int32) -> Bool {
        let sum = sourceSum(row)
        let state = symbols[Symbol.marker(ofRow: row)]
        let kink = kinkValues[row]
        let value = values[Symbol.marker(ofRow: row)]
        let limit =
            Tolerance.residual * max(1, kink.magnitude) + 10 * Tolerance.rounding * sum.size
        guard (sum.value - value).magnitude <= limit else { return false }
        guard !state.shape.isSoft else { return true }
        var excess = 0.0
        if state.shape.above == .infinity { excess = max(excess, sum.value - kink) }
        if state.shape.below == .infinity { excess = max(excess, kink - sum.value) }
        let forgiven =
            Tolerance.satisfaction / sources[row].scale
            + Tolerance.rounding * (sum.size + kink.magnitude)
        // Publication leaves out changes that are rounding, which takes a part of the allowance.
        return excess <= forgiven / 4
    }
}
