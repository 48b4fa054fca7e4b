/// Constraints that enter where a weaker one nearby gives way: contents are stretched to what is
/// around them.
///
/// A repair works out the row of the new constraint, what each symbol in it would cost, and how all
/// that depends on the chosen one moves. Most of that is not needed where a content gives way to
/// the side on which it holds more weakly. That it is the cheapest is not certain; `solve()` goes
/// on from whatever was chosen.
extension Solver {
    /// Solves a new required constraint for a variable that a single weaker one holds, if that
    /// gives way: a view's content that is stretched to the height of its row.
    ///
    /// Nothing else moves but constraints of the variable that cost nothing, so neither a row nor a
    /// column is computed.
    ///
    /// - Returns: Whether the constraint holds now.
    /// - Complexity: O(number of its terms).
    mutating func takesHeldVariable(_ id: ConstraintID) -> Bool {
        let marker = Symbol(id).index
        guard isOutside(marker),
            symbols[marker].isInfeasible(at: values[marker], kink: kink(of: marker))
        else { return false }
        let need = kink(of: marker) - values[marker]
        var next = terms.head(ofRow: id.index)
        while next >= 0 {
            let cell = terms.cells[next]
            next = cell.nextInRow(after: next)
            charge(2)
            guard cell.value.magnitude >= Tolerance.pivotShare else { continue }
            let step = need / cell.value
            guard let holder = holder(of: cell.column, givingWayTo: step, for: id.index) else {
                continue
            }
            let variable = Symbol.variable(cell.column)
            setValue(variable, values[variable] + step)
            moveOthers(of: cell.column, by: step, than: id)
            setValue(marker, kink(of: marker))
            exchangeRoles(
                leaving: marker, entering: Symbol.marker(ofRow: holder.row), side: holder.side,
                isPriced: false)
            basis.letGo(of: holder.row)
            basis.enter(id.index, pivot: variable, value: cell.value)
            hasPivoted = true
            invalidate()
            return true
        }
        return false
    }

    /// The constraint that alone holds a variable, if it gives way when the variable moves by
    /// `delta`, and to which side of its kink.
    private mutating func holder(
        of variable: Int32, givingWayTo delta: Double, for id: Int32
    ) -> (row: Int32, side: Int8)? {
        let symbol = Symbol.variable(variable)
        let row = basis.equationOf[symbol]
        guard row >= 0, mayBeFresh(variable), basis.holdsAlone(row, in: terms) else { return nil }
        let marker = Symbol.marker(ofRow: row)
        charge(4)
        guard symbols[marker].status == .parametric,
            !objective.hasRates(of: marker),
            symbols[symbol].shape.below == 0 || values[symbol] + delta >= kink(of: symbol),
            isFresh(variable, movingBy: delta, for: id, besides: row)
        else { return nil }
        let isUp = (delta > 0) == (basis.equations[row].value > 0)
        return givesWay(symbols[marker].shape, isUp: isUp) ? (row, isUp ? 1 : -1) : nil
    }

    /// Whether a price is nothing on one side, or weaker than on the other one.
    private mutating func givesWay(_ shape: Shape, isUp: Bool) -> Bool {
        guard (isUp ? shape.above : shape.below) != 0 else { return true }
        guard shape.isSoft, shape.sides == [.below, .above] else { return false }
        let below = objective.strength(of: shape.levelBelow)
        let above = objective.strength(of: shape.levelAbove)
        return isUp ? above < below : below < above
    }

    /// How many equations are looked at for one that gives way. Where there is none among them, a
    /// row is quicker.
    private static let nearby = 96

    /// A branch of a search that is yet to be gone into.
    struct Branch {
        /// The term by which it goes on, the last of so many.
        var cell: Int32
        var count: Int32
        /// How much the symbol that the search began with changes per unit of what the cell's
        /// equation is solved for.
        var coefficient: Double
    }

    /// Moves what gives way near a new required constraint, so that it holds.
    mutating func stretchNearby(_ marker: Int32) {
        let kink = kink(of: marker)
        let need = kink - values[marker]
        guard symbols[marker].isInfeasible(at: values[marker], kink: kink),
            let choice = nearbyHolder(of: marker, need: need)
        else { return }
        move(choice.column, by: need / choice.coefficient)
        setValue(marker, kink)
        swap(
            leaving: marker, entering: choice.column,
            side: (need > 0) == (choice.coefficient > 0) ? 1 : -1)
    }

    /// The first weaker constraint, among those that one outside the kernel depends on, that gives
    /// way to it.
    ///
    /// To compare the prices of all takes the whole row. Until `solve()` brings the objective up to
    /// date these are no more than the symbols' own, so that the first one will do.
    ///
    /// - Parameters:
    ///   - marker: The marker of the one outside the kernel.
    ///   - need: By how much it is to move.
    /// - Returns: The other one's marker, and how much `marker` moves with it; nil where there is
    ///   none nearby, or prices are known.
    /// - Complexity: O(number of the terms of the one, and of what depends on the other).
    mutating func nearbyHolder(
        of marker: Int32, need: Double
    ) -> (column: Int32, coefficient: Double)? {
        guard !uncharged.isEmpty, isOutside(marker), !basis.hasReduced else { return nil }
        var patience = Self.nearby
        var next = terms.head(ofRow: marker >> 1)
        while next >= 0 {
            let cell = terms.cells[next]
            next = cell.nextInRow(after: next)
            let equation = basis.equationOf[Symbol.variable(cell.column)]
            guard equation >= 0 else { continue }
            if let found = holder(from: equation, cell.value, need: need, patience: &patience) {
                return isOnlyWay(from: found.column, to: marker, found.coefficient) ? found : nil
            }
        }
        return nil
    }

    /// Whether a basic marker moves with a parametric one by as much as was found along one way, so
    /// that there is no other way. Its column is then at hand.
    private mutating func isOnlyWay(
        from holder: Int32, to marker: Int32, _ coefficient: Double
    ) -> Bool {
        loadColumn(holder)
        charge(column.entries.count)
        guard let whole = column.value(of: marker) else { return false }
        return (whole - coefficient).magnitude
            <= Tolerance.pivotAgreement * coefficient.magnitude
    }

    /// Searches what an equation depends on, depth first; `patience` is how many equations may be
    /// looked at.
    private mutating func holder(
        from first: Int32, _ factor: Double, need: Double, patience: inout Int
    ) -> (column: Int32, coefficient: Double)? {
        branches.removeAll()
        var equation = first
        var factor = factor
        while patience > 0 {
            patience -= 1
            charge(3)
            let coefficient = factor.divided(by: basis.equations[equation].value)
            if givesWay(equation, coefficient, need: need) {
                return (Symbol.marker(ofRow: equation), coefficient)
            }
            let last = terms.last(ofRow: equation)
            let first = terms.head(ofRow: equation)
            charge(Int(last &- first))
            branches.append(
                Branch(cell: last, count: last &- first &+ 1, coefficient: coefficient))
            guard let next = followBranch() else { return nil }
            (equation, factor) = next
        }
        return nil
    }

    /// The next equation that one gone through so far depends on, the latest first, and what it is
    /// to be multiplied by. The markers that equations have for pivots are left out; there are
    /// seldom any.
    private mutating func followBranch() -> (equation: Int32, factor: Double)? {
        while let branch = branches.popLast() {
            charge(1)
            let cell = terms.cells[branch.cell]
            if branch.count > 1 {
                branches.append(
                    Branch(
                        cell: branch.cell &- 1, count: branch.count &- 1,
                        coefficient: branch.coefficient))
            }
            let equation = basis.equationOf[Symbol.variable(cell.column)]
            if equation >= 0, equation != cell.row {
                return (equation, -cell.value * branch.coefficient)
            }
        }
        return nil
    }

    /// Whether the constraint of an equation gives way as far as something needs that moves
    /// `coefficient` times as far as its marker.
    private mutating func givesWay(_ row: Int32, _ coefficient: Double, need: Double) -> Bool {
        let marker = Symbol.marker(ofRow: row)
        guard symbols[marker].status == .parametric,
            coefficient.magnitude >= Tolerance.comfortablePivot,
            !objective.hasRates(of: marker)
        else { return false }
        return givesWay(symbols[marker].shape, isUp: (need > 0) == (coefficient > 0))
            && isFreeToMove(row, by: need / coefficient)
    }

    /// For how many constraints of a variable it is looked at what they would cost.
    private static let fewConstraints: Int32 = 8

    /// Whether no price outside the kernel rises when the marker of a constraint, and with it the
    /// variable that its equation is solved for, moves by `delta`.
    private mutating func isFreeToMove(_ row: Int32, by delta: Double) -> Bool {
        let pivot = basis.equations[row].pivot
        guard pivot & 1 == 0, terms.count(ofColumn: pivot >> 1) <= Self.fewConstraints else {
            return false
        }
        let step = delta.divided(by: basis.equations[row].value)
        charge(Int(terms.count(ofColumn: pivot >> 1)))
        var next = terms.head(ofColumn: pivot >> 1)
        while next >= 0 {
            let cell = terms.cells[next]
            next = cell.nextInColumn
            let marker = Symbol.marker(ofRow: cell.row)
            let state = symbols[marker]
            guard state.status == .basic, isOutside(marker) else { continue }
            let distance = values[marker] - kink(of: marker)
            let moved = distance + cell.value * step
            let price = moved > 0 ? state.shape.above : state.shape.below
            if price != 0, moved.magnitude > distance.magnitude { return false }
        }
        return true
    }
}
