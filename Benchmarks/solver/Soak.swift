import Cassowary
import SeededRandom

/// A long life: a million edits, then a hundred thousand constraints taken out and put back, each
/// followed by a solve. In the end every value has to be that of a solver which was given the final
/// constraints afresh.
struct Soak {
    var edits = 1_000_000
    var pairs = 100_000

    /// - Returns: Whether the values agree within 1e-9 and nothing was refused.
    func run() throws -> Bool {
        for workload in [Workload.cells, .tree] {
            print("\(workload.rawValue) of 100 views")
            guard try run(workload.script(views: 100)) else { return false }
        }
        return true
    }

    private func run(_ script: Script) throws -> Bool {
        var generator = SplitMix64(seed: 7)
        var constants = script.constraints.map(\.constant)
        var lived = try Life(script, constants)
        let editable = script.constraints.indices.filter {
            script.constraints[$0].level > Script.required
        }
        for round in 1...(edits + pairs) {
            let index = editable[generator.below(editable.count)]
            if round <= edits {
                constants[index] = -generator.number(10, 200)
                try lived.solver.setConstant(constants[index], of: lived.ids[index])
            } else {
                let any = generator.below(script.constraints.count)
                try lived.solver.removeConstraint(lived.ids[any])
                if generator.below(2) == 0 { _ = lived.solver.solve() }
                lived.ids[any] = try lived.add(script.constraints[any], constants[any])
            }
            _ = lived.solver.solve()
            if round % 100_000 == 0 {
                let worst = try lived.distance(to: Life(script, constants))
                print("after \(round) changes: \(worst) from a fresh solve, \(lived.solver.counts)")
                guard worst <= 1e-9 else { return false }
            }
        }
        return lived.solver.counts.rebuilds == 0
    }
}

/// A solver that holds all constraints of a script.
private struct Life: ~Copyable {
    var solver = Solver()
    var variables: [Variable] = []
    var ids: [ConstraintID] = []

    init(_ script: Script, _ constants: [Double]) throws {
        var isNonNegative = [Bool](repeating: false, count: script.variableCount)
        for variable in script.nonNegative { isNonNegative[variable] = true }
        for flag in isNonNegative { variables.append(solver.makeVariable(isNonNegative: flag)) }
        for (constraint, constant) in zip(script.constraints, constants) {
            ids.append(try add(constraint, constant))
        }
        _ = solver.solve()
    }

    mutating func add(_ constraint: Script.Constraint, _ constant: Double) throws -> ConstraintID {
        let strengths = [Strength.required, Strength(900), Strength(750), Strength(250)]
        let terms = constraint.terms.map { Term(variables[$0.variable], $0.coefficient) }
        let relation: Relation =
            switch constraint.relation {
            case .lessThanOrEqual: .lessThanOrEqual
            case .equal: .equal
            case .greaterThanOrEqual: .greaterThanOrEqual
            }
        return try solver.addConstraint(
            Expression(terms: terms, constant: constant), relation,
            strength: strengths[constraint.level])
    }

    /// The largest difference between values that are unique.
    mutating func distance(to other: consuming Life) -> Double {
        var worst = 0.0
        for (left, right) in zip(variables, other.variables)
        where solver.isUnique(left) && other.solver.isUnique(right) {
            worst = max(worst, abs(solver.value(of: left) - other.solver.value(of: right)))
        }
        return worst
    }
}
