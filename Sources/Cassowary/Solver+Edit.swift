extension Solver {
    /// Replaces the constant of a constraint's expression.
    ///
    /// The row keeps its coefficients: only values move, then the dual simplex restores what must
    /// hold, as for an edit variable in section 2.6 of the paper.
    ///
    /// - Throws: `notFinite`, `outOfRange`, `unknownConstraint`, or `unsatisfiable` with the other
    ///   members of a minimal conflict. The solver is then as it was.
    /// - Complexity: O(rows that mention the constraint), plus the pivots that restoring takes.
    public mutating func setConstant(
        _ constant: Double, of id: ConstraintID
    ) throws(SolverError) {
        try change { (solver) throws(SolverError) in
            try solver.replaceConstant(constant, of: id)
        }
    }

    private mutating func replaceConstant(
        _ constant: Double, of id: ConstraintID
    ) throws(SolverError) {
        guard constant.isFinite else { throw .notFinite }
        guard constant.magnitude <= 1e9 else { throw .outOfRange(constant) }
        guard isKnown(id) else { throw .unknownConstraint(id) }
        let old = self.constant(of: id.index)
        guard constant != old else { return }
        guard sources[id.index].isActive else {
            setConstant(constant, ofSource: id.index)
            return
        }
        if symbols[Symbol(id).position].shape == .free {
            // A rebuild set the constraint aside; the new constant gives it another chance.
            leaveRow(id)
            setConstant(constant, ofSource: id.index)
            sources[id.index].isActive = true
            do throws(SolverError) {
                try enterRow(id)
            } catch {
                setConstant(old, ofSource: id.index)
                insertRow(id)
                setShape(Symbol(id).index, .free, side: 1)
                throw error
            }
        } else {
            try moveKink(of: id, to: constant)
        }
        needsSolve = true
        finishChange()
    }

    /// Replaces the constants of several constraints at once: all move, then one pass of the dual
    /// simplex restores what must hold.
    ///
    /// The way to follow a resize or a drag that changes much: cheaper than one call for each, and
    /// the states between the old state and the new one cannot be refused. Of several changes of
    /// one constraint the last counts.
    ///
    /// - Throws: `notFinite`, `outOfRange`, `unknownConstraint`, or `unsatisfiable` with a minimal
    ///   conflict, in which all members are named. The solver is then as it was.
    /// - Complexity: O(rows that mention any of the constraints), plus the pivots that restoring
    ///   takes.
    public mutating func setConstants(
        _ changes: [(constraint: ConstraintID, constant: Double)]
    ) throws(SolverError) {
        try change { (solver) throws(SolverError) in
            try solver.replaceConstants(changes)
        }
    }

    private mutating func replaceConstants(
        _ changes: [(constraint: ConstraintID, constant: Double)]
    ) throws(SolverError) {
        for change in changes {
            guard change.constant.isFinite else { throw .notFinite }
            guard change.constant.magnitude <= 1e9 else { throw .outOfRange(change.constant) }
            guard isKnown(change.constraint) else { throw .unknownConstraint(change.constraint) }
        }
        let old = changes.map { constant(of: $0.constraint.index) }
        moves.begin(-2)
        for change in changes { place(change.constraint, constant: change.constant) }
        beginJournal()
        moveKinks()
        for change in changes where symbols[Symbol(change.constraint).index].status == .basic {
            crossKink(Symbol(change.constraint).index)
        }
        switch repairChecked(offered: nil) {
        case .feasible:
            // What a rebuild once set aside gets another chance.
            let isAside = changes.contains {
                sources[$0.constraint.index].isActive
                    && symbols[Symbol($0.constraint).index].shape == .free
            }
            if isAside { rebuild(around: changes.map { Symbol($0.constraint).index }) }
            needsSolve = true
        case .conflict(let members):
            takeBack(changes.map { $0.constraint }, to: old, isWhole: rollBack())
            throw .unsatisfiable(conflict: members)
        case .trouble:
            endJournal()
            let active = changes.map { $0.constraint }.filter { sources[$0.index].isActive }
            rebuild(around: active.map { Symbol($0).index })
            let failed = active.filter { symbols[Symbol($0).index].shape == .free }
            if !failed.isEmpty {
                takeBack(changes.map { $0.constraint }, to: old, isWhole: false)
                throw .unsatisfiable(conflict: failed.sorted())
            }
        }
        finishChange()
    }

    /// Gives a constraint its new constant and kink, and notes the move that its marker has yet to
    /// make.
    private mutating func place(_ id: ConstraintID, constant: Double) {
        let symbol = Symbol(id).index
        let oldKink = kinkValues[id.index]
        setConstant(constant, ofSource: id.index)
        guard sources[id.index].isActive else { return }
        let delta = kinkValues[id.index] - oldKink
        if symbols[symbol].status == .parametric, delta != 0 { moves.append(symbol, delta) }
    }

    private mutating func moveKinks() {
        guard moves.entries.count > 0 else { return }
        loadCombinedColumn()
        moveColumn(by: 1)
        for index in moves.entries.indices {
            let symbol = moves.entries[index].symbol
            setValue(symbol, kink(of: symbol))
        }
    }

    private mutating func takeBack(
        _ constraints: [ConstraintID], to constants: [Double], isWhole: Bool
    ) {
        for (id, constant) in zip(constraints, constants).reversed() {
            setConstant(constant, ofSource: id.index)
        }
        if !isWhole { rebuild(around: constraints.map { Symbol($0).index }) }
        finishChange()
    }

    private mutating func moveKink(
        of id: ConstraintID, to constant: Double
    ) throws(SolverError) {
        let symbol = Symbol(id).index
        let oldKink = kinkValues[id.index]
        setConstant(constant, ofSource: id.index)
        let kink = kinkValues[id.index]
        if symbols[symbol].status == .parametric {
            loadColumn(symbol)
            let canFail = mayBreakBound(movingBy: kink - oldKink)
            if canFail { beginJournal() }
            moveColumn(by: kink - oldKink, mayBreakBound: canFail)
            setValue(symbol, kink)
            if !canFail { return }
        } else {
            beginJournal()
            crossKink(symbol)
        }
        switch repairChecked(offered: id) {
        case .feasible: return
        case .conflict(let members):
            let isWhole = rollBack()
            kinkValues[id.index] = oldKink
            if !isWhole { rebuild(around: [symbol]) }
            finishChange()
            throw .unsatisfiable(conflict: members)
        case .trouble:
            endJournal()
            try replace(id) { $0.kinkValues[id.index] = oldKink }
        }
    }

    /// Changes the strength of a constraint, also from or to required.
    ///
    /// - Throws: `unknownConstraint`, `tooManyStrengths`, or `unsatisfiable` when it becomes
    ///   required and cannot hold. The solver is then as it was.
    /// - Complexity: O(length of its row), plus the pivots that a newly required one needs.
    public mutating func setStrength(
        _ strength: Strength, of id: ConstraintID
    ) throws(SolverError) {
        try change { (solver) throws(SolverError) in
            try solver.replaceStrengths(Strengths(strength), of: id)
        }
    }

    /// Changes at which strengths a constraint gives way to either side.
    ///
    /// - Parameters:
    ///   - below: How much it matters that the expression is not below zero; less than required.
    ///   - above: How much it matters that it is not above zero; less than required.
    ///   - id: A constraint that its expression is zero.
    /// - Throws: `unknownConstraint`, `tooManyStrengths`.
    /// - Complexity: O(length of its row).
    public mutating func setStrengths(
        below: Strength, above: Strength, of id: ConstraintID
    ) throws(SolverError) {
        precondition(!below.isRequired && !above.isRequired, "sides that give way")
        try change { (solver) throws(SolverError) in
            try solver.replaceStrengths(Strengths(below: below, above: above), of: id)
        }
    }

    private mutating func replaceStrengths(
        _ strengths: Strengths, of id: ConstraintID
    ) throws(SolverError) {
        guard isKnown(id) else { throw .unknownConstraint(id) }
        let old = sources[id.index].strengths
        guard strengths != old else { return }
        guard objective.hasRoom || strengths.below.isRequired else { throw .tooManyStrengths }
        sources[id.index].strengths = strengths
        guard sources[id.index].isActive else { return }
        try reshape(id, from: old)
        needsSolve = true
        finishChange()
    }

    private mutating func reshape(
        _ id: ConstraintID, from old: Strengths
    ) throws(SolverError) {
        let symbol = Symbol(id).index
        let before = symbols[symbol]
        let shape = makeShape(sources[id.index])
        let isBasic = before.status == .basic
        setShape(symbol, shape, side: isBasic ? side(of: symbol, shape: shape) : 1)
        guard isBasic, !shape.isSoft else {
            objective.release(before.shape)
            return
        }
        beginJournal()
        crossKink(symbol)
        let outcome = repairChecked(offered: id)
        if case .feasible = outcome {
            objective.release(before.shape)
            return
        }
        var members: [ConstraintID] = []
        if case .conflict(let found) = outcome { members = found }
        if case .trouble = outcome {
            endJournal()
            try replace(id) { $0.sources[id.index].strengths = old }
            return
        }
        let isWhole = rollBack()
        setShape(symbol, before.shape, side: before.side)
        sources[id.index].strengths = old
        if !isWhole { rebuild(around: [symbol]) }
        finishChange()
        throw .unsatisfiable(conflict: members)
    }

    /// Activates or deactivates a constraint. An inactive one keeps its id and source but holds
    /// nothing.
    ///
    /// - Throws: `unknownConstraint`, `tooManyStrengths`, or `unsatisfiable` when it is required
    ///   and cannot hold. The solver is then as it was.
    /// - Complexity: As adding or removing it.
    public mutating func setActive(_ active: Bool, of id: ConstraintID) throws(SolverError) {
        try change { (solver) throws(SolverError) in
            try solver.switchActive(active, of: id)
        }
    }

    private mutating func switchActive(_ active: Bool, of id: ConstraintID) throws(SolverError) {
        guard isKnown(id) else { throw .unknownConstraint(id) }
        guard sources[id.index].isActive != active else { return }
        if active {
            sources[id.index].isActive = true
            do throws(SolverError) {
                try enterRow(id)
            } catch {
                sources[id.index].isActive = false
                finishChange()
                throw error
            }
        } else {
            leaveRow(id)
        }
        needsSolve = true
        finishChange()
    }

    /// Puts a changed constraint in anew after arithmetic gave out; if it cannot hold, `undo`
    /// restores it.
    private mutating func replace(
        _ id: ConstraintID, undo: (inout Solver) -> Void
    ) throws(SolverError) {
        sources[id.index].isActive = false
        rebuild(around: [Symbol(id).index])
        sources[id.index].isActive = true
        do throws(SolverError) {
            try enterRow(id)
        } catch {
            undo(&self)
            rebuild(around: [Symbol(id).index])
            throw error
        }
    }
}
