import SeededRandom

@testable import Cassowary

/// Trees of stacks of `fan` children; every view has a position and a length along its axis.
struct NestedLayout: ~Copyable {
    var solver = Solver()
    private(set) var lengths: [Variable] = []
    private(set) var positions: [Variable] = []
    /// The constraints that give views their lengths, each with a strength of its own, so that the
    /// optimum is unique.
    var preferred: [ConstraintID] = []
    /// The lengths that they ask for.
    var constants: [Double] = []

    /// Creates a layout that was not solved yet.
    ///
    /// - Parameter treeSize: Views of each tree; trees share nothing.
    init(count: Int, fan: Int, treeSize: Int = .max, constants given: [Double]? = nil) throws {
        for index in 0..<count {
            let position = solver.makeVariable()
            let length = solver.makeVariable(isNonNegative: true)
            constants.append(given?[index] ?? Double(20 + index * 37 % 61))
            let indexInTree = index % treeSize
            if indexInTree == 0 {
                _ = try solver.addConstraint(Expression(terms: [Term(position, 1)]), .equal)
            } else {
                let isFirst = (indexInTree - 1) % fan == 0
                let parent = index - indexInTree + (indexInTree - 1) / fan
                _ = try solver.addConstraint(
                    isFirst
                        ? Expression(terms: [Term(position, 1)], constant: -8)
                        : Expression(
                            terms: [
                                Term(position, 1), Term(positions[index - 1], -1),
                                Term(lengths[index - 1], -1),
                            ], constant: -8), .equal)
                _ = try solver.addConstraint(
                    Expression(
                        terms: [Term(position, 1), Term(length, 1), Term(lengths[parent], -1)],
                        constant: 8), .lessThanOrEqual)
            }
            preferred.append(
                try solver.addConstraint(
                    Expression(terms: [Term(length, 1)], constant: -constants[index]), .equal,
                    strength: Strength(100 + Double(index))))
            positions.append(position)
            lengths.append(length)
        }
    }

    /// The lengths as they were last solved.
    var values: [Double] {
        var result: [Double] = []
        for length in lengths { result.append(solver.value(of: length)) }
        return result
    }

    /// Changes one preferred length, or removes its constraint and adds it again, once in ten
    /// times.
    mutating func change(_ generator: inout SplitMix64) throws {
        let index = generator.below(lengths.count)
        if generator.chance(1, of: 10) {
            try solver.removeConstraint(preferred[index])
            if generator.chance(1, of: 2) { _ = solver.solve() }
            preferred[index] = try solver.addConstraint(
                Expression(terms: [Term(lengths[index], 1)], constant: -constants[index]), .equal,
                strength: Strength(100 + Double(index)))
        } else {
            constants[index] = Double(generator.below(400)) / 4
            try solver.setConstant(-constants[index], of: preferred[index])
        }
        if generator.chance(1, of: 3) { _ = solver.solve() }
    }
}
