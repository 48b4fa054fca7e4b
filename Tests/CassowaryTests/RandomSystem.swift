import Cassowary
import SceneTestSupport
import SeededRandom

/// Draws small systems whose numbers are round, so that degenerate and redundant cases are common.
struct RandomSystem {
    var generator: SplitMix64
    /// How many times as large as the second variable the first one is by a quarter of the
    /// constraints.
    var steepness: Double?
    let isNonNegative: [Bool]

    init(seed: UInt64, variableMaximum: Int = 6) {
        var generator = SplitMix64(seed: seed)
        let count = 1 + generator.below(variableMaximum)
        isNonNegative = (0..<count).map { _ in generator.chance(1, of: 4) }
        self.generator = generator
    }

    mutating func strength() -> Strength {
        generator.chance(2, of: 5)
            ? .required : Strength(generator.pick([1, 250, 250, 750, 999.5]))
    }

    mutating func constant() -> Double { Double(generator.below(21) - 10) * 5 }

    mutating func constraint() -> PlainConstraint {
        var coefficients = [Double](repeating: 0, count: isNonNegative.count)
        if let steepness, coefficients.count > 1, generator.chance(1, of: 4) {
            coefficients[0] = 1
            coefficients[1] = -steepness
            return PlainConstraint(
                coefficients: coefficients, constant: 0,
                relation: generator.pick([.equal, .greaterThanOrEqual]), strength: strength())
        }
        for _ in 0..<(1 + generator.below(3)) {
            coefficients[generator.below(coefficients.count)] =
                generator.pick([1, 1, 1, -1, -1, 2, -2, 0.5, 3])
        }
        return PlainConstraint(
            coefficients: coefficients, constant: constant(),
            relation: generator.pick([.equal, .lessThanOrEqual, .greaterThanOrEqual]),
            strength: strength())
    }
}

extension PlainConstraint {
    func expression(_ variables: [Variable]) -> Expression {
        var terms: [Term] = []
        for (variable, coefficient) in zip(variables, coefficients) where coefficient != 0 {
            terms.append(Term(variable, coefficient))
        }
        return Expression(terms: terms, constant: constant)
    }
}

/// The sums of violations by strength, strongest first, as the oracle gives them.
func violationsByStrength(_ constraints: [PlainConstraint], at values: [Double]) -> [Double] {
    let strengths = Set(constraints.map(\.strength)).filter { !$0.isRequired }.sorted(by: >)
    return strengths.map { strength in
        constraints.filter { $0.strength == strength }
            .reduce(0) { $0 + $1.violation(at: values) }
    }
}

func areClose(_ left: [Double], _ right: [Double], within tolerance: Double) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { abs($0 - $1) <= tolerance }
}
