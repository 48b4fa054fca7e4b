/// Constraints that enter by a variable that nothing else holds: no row has to be computed, nor a
/// column.
extension Solver {
    /// Solves a new constraint for a variable that no other constraint holds, if it has one: the
    /// subject of section 2.5 of the paper. Nothing else that has a price moves past its kink, so
    /// no row has to be computed.
    mutating func takesFreshVariable(_ id: ConstraintID) -> Bool {
        let marker = Symbol(id).index
        guard isOutside(marker) else { return false }
        let state = symbols[marker]
        let kink = kink(of: marker)
        let need = kink - values[marker]
        let isNeeded =
            need > 0 ? state.shape.below != 0 : need < 0 ? state.shape.above != 0 : false
        guard isNeeded || sources[id.index].relation == .equal else { return false }
        var best: Int32 = -1
        var coefficient = 0.0
        // Its move; a division takes as long as the rest of the loop.
        var step = 0.0
        var next = terms.head(ofRow: id.index)
        while next >= 0 {
            let cell = terms.cells[next]
            next = cell.nextInRow(after: next)
            let variable = cell.column * 2
            guard symbols[variable].status == .parametric,
                cell.value.magnitude >= Tolerance.pivotShare
            else { continue }
            let delta = need / cell.value
            guard
                symbols[variable].shape.below == 0
                    || values[variable] + delta >= self.kink(of: variable),
                isFresh(cell.column, movingBy: delta, for: id.index)
            else { continue }
            let isLarger = cell.value.magnitude > coefficient.magnitude
            let isTie = cell.value.magnitude == coefficient.magnitude
            if isLarger || (isTie && variable < best) {
                best = variable
                coefficient = cell.value
                step = delta
            }
        }
        guard best >= 0 else { return false }
        setValue(best, values[best] + step)
        if terms.count(ofColumn: best >> 1) > 1 { moveOthers(of: best >> 1, by: step, than: id) }
        setValue(marker, kink)
        basis.enter(id.index, pivot: best, value: coefficient)
        symbols[best].status = .basic
        symbols[best].side = 1
        symbols[marker].status = .parametric
        if objective.hasRates(of: marker) { markUnpriced(marker) }
        invalidate()
        return true
    }

    /// How many other constraints of a variable are looked at to find whether it is fresh: a size
    /// has two from its view's content, while a variable of many constraints is seldom free of them
    /// all.
    private static let freshNeighbours = 3

    /// Whether a variable has no more constraints than are looked at.
    @inline(__always)
    mutating func mayBeFresh(_ variable: Int32) -> Bool {
        terms.count(ofColumn: variable) <= Self.freshNeighbours + 1
    }

    /// Whether no constraint but `id` holds a variable or is paid for, and none is when it moves by
    /// `delta`.
    ///
    /// - Parameter holder: Another constraint that may hold it; -1 for none.
    mutating func isFresh(
        _ variable: Int32, movingBy delta: Double, for id: Int32, besides holder: Int32 = -1
    ) -> Bool {
        let count = terms.count(ofColumn: variable)
        guard count > 1 else { return true }
        guard count <= Self.freshNeighbours + 1 else { return false }
        var next = terms.head(ofColumn: variable)
        while next >= 0 {
            let cell = terms.cells[next]
            next = cell.nextInColumn
            guard cell.row != id, cell.row != holder else { continue }
            let marker = Symbol.marker(ofRow: cell.row)
            let state = symbols[marker]
            guard state.status == .basic, isOutside(marker), state.gradient == 0, state.charged == 0
            else { return false }
            let value = values[marker] + cell.value * delta
            let kink = kink(of: marker)
            guard state.shape.isSoft, state.side < 0 ? value <= kink : value >= kink
            else { return false }
        }
        return true
    }

    /// Brings the markers of a fresh variable's other constraints up to its move.
    mutating func moveOthers(of variable: Int32, by delta: Double, than id: ConstraintID) {
        guard delta != 0 else { return }
        var next = terms.head(ofColumn: variable)
        while next >= 0 {
            let cell = terms.cells[next]
            next = cell.nextInColumn
            guard cell.row != id.index else { continue }
            let marker = Symbol.marker(ofRow: cell.row)
            setValue(marker, values[marker] + cell.value * delta)
        }
    }
}
