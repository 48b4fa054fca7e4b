extension Solver {
    /// Ends a change: a tableau that a pivot on a small coefficient has blurred is made anew first.
    mutating func finishChange() {
        for _ in 0..<3 where isBlurred {
            if !refactor() { rebuild() }
        }
        if isOvershot, !refresh(), !refactor() { rebuild() }
        checkInvariantsIfSmall()
    }

    /// Debug builds check small tableaux after every change; larger ones would make them unusable.
    func checkInvariantsIfSmall() {
        assert(rowCount > 40 || invariantFailure() == nil, invariantFailure() ?? "")
    }

    /// The first broken promise of the tableau, in words; nil when all hold.
    func invariantFailure() -> String? {
        if !suspects.isEmpty || isJournaling { return "a repair was not finished" }
        return tableau.linkFailure() ?? objective.matrix.linkFailure() ?? terms.linkFailure()
            ?? statusFailure() ?? valueFailure() ?? objectiveFailure()
    }

    private func statusFailure() -> String? {
        var basicCount = 0
        for index in symbols.indices {
            let symbol = Symbol(index: Int32(index))
            let isBasic = symbols[index].status == .basic
            if isBasic { basicCount += 1 }
            if !isBasic, tableau.rows[index].count > 0 { return "row of no basic \(symbol)" }
            if symbols[index].status != .parametric, tableau.columns[index].count > 0 {
                return "column of no parametric \(symbol)"
            }
            if let id = symbol.constraint, id.index < sources.count,
                sources[Int(id.index)].isActive != (symbols[index].status != .absent)
            {
                return "activity of \(id) disagrees with the tableau"
            }
        }
        return basicCount == rowCount ? nil : "\(rowCount) rows counted, \(basicCount) found"
    }

    private func valueFailure() -> String? {
        for index in symbols.indices {
            let state = symbols[index]
            switch state.status {
            case .absent: continue
            case .parametric:
                if state.value != state.kink { return "parametric \(index) is off its kink" }
            case .basic:
                if state.isInfeasible { return "required row \(index) is violated" }
                var sum = 0.0
                var size = 1.0
                var next = tableau.rows[index].head
                while next >= 0 {
                    let cell = tableau.cells[Int(next)]
                    let term = cell.value * symbols[Int(cell.column)].value
                    sum += term
                    size += term.magnitude
                    next = cell.nextInRow
                }
                if (sum - state.value).magnitude > 1e-8 * size {
                    return "value \(state.value) of row \(index) should be \(sum)"
                }
                if state.shape.level >= 0 {
                    let excess = state.value - state.kink
                    if excess * Double(state.side) < -2 * state.tolerance {
                        return "row \(index) is priced by the wrong side"
                    }
                }
            }
        }
        return nil
    }

    private func objectiveFailure() -> String? {
        for slot in objective.order {
            var expected = ContiguousArray(repeating: 0.0, count: symbols.count)
            var size = 1.0
            for index in symbols.indices
            where symbols[index].status == .basic && symbols[index].shape.level == slot {
                let gradient = symbols[index].gradient
                var next = tableau.rows[index].head
                while next >= 0 {
                    let cell = tableau.cells[Int(next)]
                    expected[Int(cell.column)] += gradient * cell.value
                    size = max(size, (gradient * cell.value).magnitude)
                    next = cell.nextInRow
                }
            }
            for index in symbols.indices {
                let stored = objective.matrix.value(row: slot, column: Int32(index))
                if (stored - expected[index]).magnitude > 1e-8 * size {
                    return "cost \(stored) of \(index) at \(slot) should be \(expected[index])"
                }
            }
        }
        return nil
    }
}

extension SparseMatrix {
    /// The first wrong link or count, in words; nil when all are right.
    func linkFailure() -> String? {
        var inRows = 0
        for row in rows.indices {
            var previous: Int32 = -1
            var count: Int32 = 0
            var index = rows[row].head
            while index >= 0 {
                let cell = cells[Int(index)]
                if cell.row != row || cell.previousInRow != previous { return "link in row \(row)" }
                previous = index
                count += 1
                index = cell.nextInRow
            }
            if count != rows[row].count { return "count of row \(row)" }
            inRows += Int(count)
        }
        var inColumns = 0
        for column in columns.indices {
            var previous: Int32 = -1
            var count: Int32 = 0
            var index = columns[column].head
            while index >= 0 {
                let cell = cells[Int(index)]
                if cell.column != column || cell.previousInColumn != previous {
                    return "link in column \(column)"
                }
                previous = index
                count += 1
                index = cell.nextInColumn
            }
            if count != columns[column].count { return "count of column \(column)" }
            inColumns += Int(count)
        }
        return inRows == cellCount && inColumns == cellCount ? nil : "count of cells"
    }
}
