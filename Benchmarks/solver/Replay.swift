import Cassowary
import Measuring

/// What a solver took for a script, and where it ended.
struct Replay {
    struct Section {
        var name: String
        /// Processor time, in seconds.
        var seconds: Double
        /// The sum of the values read, so that no read can be left out by a compiler.
        var checksum: Double
        /// Bytes of memory in use afterwards that were not in use before the first section.
        var bytes: Int
        var values: [Double]
    }

    var sections: [Section] = []

    /// One line a section: name, seconds, checksum, bytes, then the value of each variable.
    var text: String {
        sections.map { section in
            let fields = [section.seconds, section.checksum, Double(section.bytes)]
            return section.name + " "
                + (fields + section.values).map { String($0) }.joined(separator: " ") + "\n"
        }.joined()
    }

    /// Reads what a driver printed.
    init(text: String) throws {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            let numbers = fields.dropFirst().compactMap { Double($0) }
            guard numbers.count >= 3, numbers.count == fields.count - 1 else {
                throw DriverError.unreadable(String(line.prefix(80)))
            }
            sections.append(
                Section(
                    name: String(fields[0]), seconds: numbers[0], checksum: numbers[1],
                    bytes: Int(numbers[2]), values: Array(numbers[3...])))
        }
    }
}

extension Replay {
    /// Replays a script on our own solver.
    init(_ script: Script) throws {
        let emptyBytes = Int(residentBytes())
        var solver = Solver()
        let strengths =
            [Strength.required]
            + [900, 750, 250, 999, 990, 980, 500, 400, 100].map { Strength($0) }
        var variables: [Variable] = []
        var batch: [(constraint: ConstraintID, constant: Double)] = []
        var ids = [ConstraintID?](repeating: nil, count: script.constraints.count)
        for section in script.sections {
            var checksum = 0.0
            if section.isNew {
                solver = Solver()
                variables.removeAll(keepingCapacity: true)
            }
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
                    guard let id = ids[index] else { continue }
                    if section.name == "batch" {
                        batch.append((id, -value))
                    } else {
                        try solver.setConstant(-value, of: id)
                    }
                case .solve:
                    if !batch.isEmpty {
                        try solver.setConstants(batch)
                        batch.removeAll(keepingCapacity: true)
                    }
                    _ = solver.solve()
                case .read(let variable): checksum += solver.value(of: variables[variable])
                case .readAll:
                    for variable in variables { checksum += solver.value(of: variable) }
                case .restart: break
                }
            }
            let seconds = processorTime() - start
            sections.append(
                Section(
                    name: section.name, seconds: seconds, checksum: checksum,
                    bytes: Int(residentBytes()) - emptyBytes,
                    values: variables.map { solver.value(of: $0) }))
        }
    }
}

extension Script {
    /// Violation at each level once the first `sectionCount` sections were replayed.
    func objective(after sectionCount: Int, values: [Double]) -> [Double] {
        var isActive = [Bool](repeating: false, count: constraints.count)
        var constants = constraints.map(\.constant)
        let replayed = sections.prefix(sectionCount)
        for section in replayed[(replayed.lastIndex(where: \.isNew) ?? 0)...] {
            for operation in section.operations {
                switch operation {
                case .add(let index): isActive[index] = true
                case .remove(let index): isActive[index] = false
                case .constant(let index, let value): constants[index] = -value
                case .solve, .read, .readAll, .restart: break
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
