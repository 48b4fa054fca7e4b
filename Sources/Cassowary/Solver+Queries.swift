extension Solver {
    /// The value that the last `solve()` published; 0 for a variable that is new or in no
    /// constraint.
    ///
    /// - Complexity: O(1).
    @inlinable
    public func value(of variable: Variable) -> Double {
        variable.index >= 0 && variable.index < published.count
            ? published[Int(variable.index)] : 0
    }

    /// The value that a variable has at the moment, which the last `solve()` may not have
    /// published.
    ///
    /// - Complexity: O(1).
    package mutating func currentValue(of variable: Variable) -> Double {
        isKnown(variable) ? values[Symbol(variable).index] : 0
    }

    /// The published values of four variables that were made one after the other.
    ///
    /// - Complexity: O(1), in one load.
    @inlinable
    package func values(ofFourFrom first: Variable) -> SIMD4<Double> {
        let start = Int(first.index)
        precondition(start >= 0 && start + 4 <= published.count)
        return unsafe published.withUnsafeBufferPointer { values in
            unsafe UnsafeRawBufferPointer(values).loadUnaligned(
                fromByteOffset: start * MemoryLayout<Double>.stride, as: SIMD4<Double>.self)
        }
    }

    /// Whether a constraint holds at the published values, within 1e-6. Inactive ones are judged
    /// alike.
    ///
    /// - Complexity: O(terms).
    public func isSatisfied(_ id: ConstraintID) -> Bool {
        let measure = measure(id)
        // Rounding of large terms is no violation.
        return measure.violation
            <= Tolerance.satisfaction + Tolerance.rounding * measure.magnitude
    }

    /// How far a constraint is from holding at the published values, in units of its expression; 0
    /// if it holds or is unknown.
    ///
    /// - Complexity: O(terms).
    public func violation(of id: ConstraintID) -> Double { measure(id).violation }

    private func measure(_ id: ConstraintID) -> (violation: Double, magnitude: Double) {
        guard isKnown(id) else { return (0, 0) }
        let source = sources[id.index]
        var sum = constant(of: id.index)
        var magnitude = sum.magnitude
        var index = terms.head(ofRow: id.index)
        while index >= 0 {
            let cell = terms.cells[index]
            let term = cell.value * source.scale * published[Int(cell.column)]
            sum += term
            magnitude += term.magnitude
            index = cell.nextInRow(after: index)
        }
        switch source.relation {
        case .equal: return (sum.magnitude, magnitude)
        case .lessThanOrEqual: return (max(0, sum), magnitude)
        case .greaterThanOrEqual: return (max(0, -sum), magnitude)
        }
    }

    /// How a constraint's expression relates to zero, as it was stated.
    package mutating func relation(of id: ConstraintID) -> Relation { sources[id.index].relation }

    /// How much a constraint's two sides matter, as it was stated.
    package mutating func strengths(of id: ConstraintID) -> (below: Strength, above: Strength) {
        let strengths = sources[id.index].strengths
        return (strengths.below, strengths.above)
    }

    /// The constant of a constraint's expression, as it was stated.
    package mutating func constant(of id: ConstraintID) -> Double { constant(of: id.index) }

    /// How many variables and constraints there are, which what a copy takes grows with.
    package var size: Int { variableCount + constraintCount }

    /// How many variables a constraint has.
    package mutating func termCount(of id: ConstraintID) -> Int {
        Int(terms.count(ofRow: id.index))
    }

    /// A variable's coefficient in a constraint's expression, as it was stated: zero for a variable
    /// that it does not have.
    ///
    /// - Complexity: O(terms).
    package mutating func coefficient(of variable: Variable, in id: ConstraintID) -> Double {
        var index = terms.head(ofRow: id.index)
        while index >= 0 {
            let cell = terms.cells[index]
            if cell.column == variable.index { return cell.value * sources[id.index].scale }
            index = cell.nextInRow(after: index)
        }
        return 0
    }

    /// The variables of a constraint, in no particular order; none for a constraint that is
    /// unknown.
    ///
    /// - Complexity: O(terms).
    public func variables(in id: ConstraintID) -> [Variable] {
        guard isKnown(id) else { return [] }
        var result: [Variable] = []
        var index = terms.head(ofRow: id.index)
        while index >= 0 {
            result.append(Variable(index: terms.cells[index].column))
            index = terms.cells[index].nextInRow(after: index)
        }
        return result
    }

    /// The active constraints that together fix a variable's value where it is, ascending.
    ///
    /// They are the parametric markers of its row: moving any one's constant would move the
    /// variable. Call after `solve()`. Bounds of non-negative variables have no id and are left
    /// out.
    ///
    /// - Complexity: O(number of symbols that the variable depends on).
    public mutating func constraintsAffecting(_ variable: Variable) -> [ConstraintID] {
        guard isKnown(variable) else { return [] }
        let symbol = Symbol(variable).index
        guard symbols[symbol].status == .basic else { return [] }
        return leavingNoTrace { solver in
            solver.loadRow(symbol, isWhole: true)
            var result: [ConstraintID] = []
            for index in solver.row.entries.indices {
                let entry = solver.row.entries[index]
                if entry.value.magnitude > Tolerance.pivot,
                    let id = Symbol(index: entry.symbol).constraint
                {
                    result.append(id)
                }
            }
            result.sort()
            return result
        }
    }

    /// Whether a constraint keeps its expression from becoming greater: without it, weaker
    /// constraints would make it so.
    ///
    /// Of a constraint that holds for both sides it tells which side is needed. Call after
    /// `solve()`.
    ///
    /// - Complexity: O(strengths in use); of a required equation O(number of symbols that depend on
    ///   it).
    public mutating func isPressedFromBelow(_ id: ConstraintID) -> Bool {
        guard isKnown(id), sources[id.index].isActive else { return false }
        let marker = Symbol(id).index
        guard symbols[marker].status == .parametric else {
            return values[marker] > kink(of: marker)
        }
        var strongest: (strength: Double, rate: Double) = (0, 0)
        let rates =
            symbols[marker].isFixed
            ? leavingNoTrace { $0.ratesOfFixed(marker) } : ratesKept(of: marker)
        // No two levels have one strength, so that their order does not matter.
        for (level, rate) in rates {
            let strength = objective.strength(of: level)
            if rate.magnitude > objective.tolerance(of: level), strength > strongest.strength {
                strongest = (strength, rate)
            }
        }
        return strongest.rate < 0
    }

    /// What the objective has of a parametric symbol, by level.
    private mutating func ratesKept(of symbol: Int32) -> [Int32: Double] {
        var result: [Int32: Double] = [:]
        var index = objective.matrix.head(ofColumn: symbol)
        while index >= 0 {
            let cell = objective.matrix.cells[index]
            index = cell.nextInColumn
            result[cell.row] = cell.value
        }
        return result
    }

    /// How the objective would change with a parametric symbol that may not move, by level.
    private mutating func ratesOfFixed(_ symbol: Int32) -> [Int32: Double] {
        var result: [Int32: Double] = [:]
        forEachRate(of: symbol) { _, level, rate in
            result[level] = result[level].map { Objective.sum($0, rate) } ?? rate
            return true
        }
        return result
    }

    /// Answers a question that solves for rows and columns, so that later changes go on as if it
    /// had not been asked.
    ///
    /// When the basis is factored anew depends on what solves have cost since the last time, and
    /// where several solutions are as good, on the factors which one is found: a replay without the
    /// questions would come to another one.
    mutating func leavingNoTrace<Answer>(_ question: (inout Solver) -> Answer) -> Answer {
        let wear = basis.wear
        let isCarried = column.isCarried
        if isCarried { exchangeCarriedColumn() }
        invalidate()
        defer {
            basis.forgetWear(since: wear)
            invalidate()
            if isCarried { exchangeCarriedColumn() }
        }
        return question(&self)
    }

    /// Puts the column at hand aside, with the spike that belongs to it, or back.
    private mutating func exchangeCarriedColumn() {
        Swift.swap(&column, &asideColumn)
        Swift.swap(&basis.spike, &basis.asideSpike)
    }
}
