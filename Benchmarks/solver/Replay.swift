import Cassowary
import Foundation

/// What a solver took for a script, and where it ended.
struct Replay {
    struct Section {
        var name: String
        var seconds: Double
        /// The sum of the values read, so that no read can be left out by a compiler.
        var checksum: Double
        /// Violation at each level after the section, from the source constraints and the solver's values.
        var objective: [Double]
    }

    var sections: [Section] = []
}

extension Replay {
    /// Replays a script on our own solver.
    init(_ script: Script) throws {
        var solver = Solver()
        let strengths = [Strength.required, Strength(900), Strength(750), Strength(250)]
        var variables: [Variable] = []
        var ids = [ConstraintID?](repeating: nil, count: script.constraints.count)
        for section in script.sections {
            var checksum = 0.0
            let start = processorTime()
            if variables.isEmpty {
                var isNonNegative = [Bool](repeating: false, count: script.variableCount)
                for variable in script.nonNegative { isNonNegative[variable] = true }
                for flag in isNonNegative {
                    variables.append(solver.makeVariable(isNonNegative: flag))
                }
            }
            for operation in section.operations {
                switch operation {
                case .add(let index):
                    let constraint = script.constraints[index]
                    var expression = Expression(constant: constraint.constant)
                    expression.terms.reserveCapacity(constraint.terms.count)
                    for term in constraint.terms {
                        expression.terms.append(
                            Term(variables[term.variable], term.coefficient))
                    }
                    let relation: Relation =
                        switch constraint.relation {
                        case .lessThanOrEqual: .lessThanOrEqual
                        case .equal: .equal
                        case .greaterThanOrEqual: .greaterThanOrEqual
                        }
                    ids[index] = try solver.addConstraint(
                        expression, relation, strength: strengths[constraint.level])
                case .remove(let index):
                    if let id = ids[index] { try solver.removeConstraint(id) }
                case .constant(let index, let value):
                    if let id = ids[index] { try solver.setConstant(-value, of: id) }
                case .solve: _ = solver.solve()
                case .read(let variable): checksum += solver.value(of: variables[variable])
                case .readAll:
                    for variable in variables { checksum += solver.value(of: variable) }
                }
            }
            let seconds = processorTime() - start
            sections.append(
                Section(
                    name: section.name, seconds: seconds, checksum: checksum,
                    objective: []))
            sections[sections.count - 1].objective = script.objective(
                after: sections.count, values: variables.map { solver.value(of: $0) })
        }
    }
}

extension Script {
    /// Violation at each level once the first `sectionCount` sections were replayed.
    func objective(after sectionCount: Int, values: [Double]) -> [Double] {
        var isActive = [Bool](repeating: false, count: constraints.count)
        var constants = constraints.map(\.constant)
        for section in sections.prefix(sectionCount) {
            for operation in section.operations {
                switch operation {
                case .add(let index): isActive[index] = true
                case .remove(let index): isActive[index] = false
                case .constant(let index, let value): constants[index] = -value
                case .solve, .read, .readAll: break
                }
            }
        }
        var result = [Double](repeating: 0, count: Self.levelCount)
        for (index, constraint) in constraints.enumerated() where isActive[index] {
            var sum = constants[index]
            for term in constraint.terms { sum += term.coefficient * values[term.variable] }
            switch constraint.relation {
            case .lessThanOrEqual: result[constraint.level] += max(0, sum)
            case .equal: result[constraint.level] += abs(sum)
            case .greaterThanOrEqual: result[constraint.level] += max(0, -sum)
            }
        }
        return result
    }
}

/// Seconds of processor time that this process has used; other processes' work does not count.
private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
