extension Solver {
    /// Ends a change: a basis that misleads is factored anew first.
    @inline(__always)
    mutating func finishChange() {
        if isExhausted || isBlurred || isOvershot() { clearUp() }
        checkInvariantsIfSmall()
    }

    /// Has nothing mislead the next change.
    private mutating func clearUp() {
        guard !isExhausted else { return abandon() }
        for _ in 0..<3 where isBlurred && !isExhausted {
            if !refactor() { rebuild(around: outstanding) }
        }
        guard !isExhausted else { return abandon() }
        if isOvershot(), !refresh(), !refactor() { rebuild(around: outstanding) }
    }

    /// Debug builds check small systems after every change; larger ones would make them unusable.
    mutating func checkInvariantsIfSmall() {
        assert(
            isExhausted || !checksInvariants || rowCount > 40
                || unmeteredInvariantFailure() == nil,
            "broken invariant: \(unmeteredInvariantFailure() ?? "")")
    }

    /// The same as `invariantFailure()`, without a trace in `work`: the price of a change has to be
    /// the same in all builds.
    private mutating func unmeteredInvariantFailure() -> String? {
        let before = (meter, basis.cellsTouched, objective.meter)
        defer {
            (meter, objective.meter) = (before.0, before.2)
            basis.meter &-= basis.cellsTouched &- before.1
        }
        return invariantFailure()
    }

    /// The first broken promise of the basis, in words; nil when all hold.
    mutating func invariantFailure() -> String? {
        if !suspects.isEmpty || isJournaling { return "a repair was not finished" }
        return basis.reduced.linkFailure() ?? objective.matrix.linkFailure() ?? terms.linkFailure()
            ?? statusFailure() ?? valueFailure() ?? objectiveFailure()
    }

    private func statusFailure() -> String? {
        var basicCount = 0
        for index in symbols.indices {
            let symbol = Symbol(index: Int32(index))
            let status = symbols[index].status
            let isPivot = basis.equationOf[index] >= 0
            if let id = symbol.constraint, id.index < sources.count {
                let source = sources[id.index]
                if status == .basic, !source.hasDeparted { basicCount += 1 }
                if (source.isActive || source.hasDeparted) != (status != .absent) {
                    return "activity of \(id) disagrees with the basis"
                }
                if source.hasDeparted, status != .basic { return "departed \(id) is not basic" }
                if status == .parametric, !basis.isInKernel(id.index) {
                    return "parametric \(id) is outside the kernel"
                }
            } else if status == .basic {
                basicCount += 1
                if !isPivot { return "basic variable \(index) has no equation" }
            }
            if isPivot, status != .basic { return "pivot \(index) is not basic" }
            if !isPivot, basis.hasReduced, basis.reduced.count(ofColumn: Int32(index)) > 0 {
                return "column of no pivot \(index)"
            }
        }
        return basicCount == rowCount ? nil : "\(rowCount) rows counted, \(basicCount) found"
    }

    /// The first value that differs from what its constraint says, in words; nil when all agree.
    mutating func valueFailure() -> String? {
        // A symbol that is near its kink is put on it, and what depends on it is not: by so much
        // values and rows may differ.
        var nearness = 0.0
        for index in symbols.indices {
            nearness = max(nearness, Tolerance.around(kink(of: Int32(index))))
        }
        for index in symbols.indices {
            let state = symbols[index]
            let kink = kink(of: Int32(index))
            switch state.status {
            case .absent: continue
            case .parametric:
                if values[index] != kink { return "parametric \(index) is off its kink" }
            case .basic:
                if state.isInfeasible(at: values[index], kink: kink) {
                    return "required row \(index) is violated: \(values[index])"
                }
                loadRow(Int32(index), isWhole: true)
                var sum = 0.0
                var size = 1.0
                var steepness = 1.0
                for position in row.entries.indices {
                    let entry = row.entries[position]
                    let term = entry.value * values[entry.symbol]
                    sum += term
                    size += term.magnitude
                    steepness += entry.value.magnitude
                }
                // `isOvershot()` lets pass what the rounding of values 10,000 times as large as the
                // largest leaves.
                let rounding = 10 * Tolerance.rounding * extent
                // The others are within a tolerance of where they are to be, which a row of small
                // coefficients multiplies.
                let slack = 10 * nearness * steepness
                let noise = slack + rounding
                if (sum - values[index]).magnitude > 1e-8 * size + noise {
                    return "value \(values[index]) of row \(index) should be \(sum)"
                }
                if state.shape.isSoft {
                    let excess = values[index] - kink
                    if excess * Double(state.side) < -2 * Tolerance.around(kink) - noise {
                        return
                            "row \(index) is priced by the wrong side: \(values[index]), kink \(kink)"
                    }
                }
            }
        }
        return nil
    }

    private mutating func objectiveFailure() -> String? {
        for slot in objective.order {
            var expected = ContiguousArray(repeating: 0.0, count: symbols.count)
            var size = 1.0
            for index in symbols.indices
            where symbols[index].status == .basic {
                let gradient = symbols[index].charged
                guard gradient != 0, symbols[index].level(of: gradient) == slot else { continue }
                loadRow(Int32(index))
                for position in row.entries.indices {
                    let entry = row.entries[position]
                    expected[Int(entry.symbol)] += gradient * entry.value
                    size = max(size, (gradient * entry.value).magnitude)
                }
            }
            for index in symbols.indices {
                if symbols[index].isFixed { expected[index] = 0 }
                let cell = objective.matrix.cell(row: slot, column: Int32(index))
                let stored = cell < 0 ? 0 : objective.matrix.cells[cell].value
                // Rates are carried from pivot to pivot and summed anew with each factorisation
                // only: rounding adds up in between. Codes for linear programs allow as much as
                // this.
                if (stored - expected[index]).magnitude > 1e-7 * size {
                    return "cost \(stored) of \(index) at \(slot) should be \(expected[index])"
                }
            }
        }
        return nil
    }
}
