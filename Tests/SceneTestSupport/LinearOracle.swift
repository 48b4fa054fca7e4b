package import Cassowary

/// A constraint as plain numbers, for the oracle and for replaying.
package struct PlainConstraint {
    /// Coefficients by variable position.
    package var coefficients: [Double]
    /// What is added to the sum.
    package var constant: Double
    /// How the sum compares with zero.
    package var relation: Relation
    /// How much the constraint matters.
    package var strength: Strength

    /// Makes a constraint from its numbers.
    package init(
        coefficients: [Double], constant: Double, relation: Relation, strength: Strength
    ) {
        self.coefficients = coefficients
        self.constant = constant
        self.relation = relation
        self.strength = strength
    }

    /// How far the constraint is from holding.
    package func violation(at values: [Double]) -> Double {
        let sum = zip(coefficients, values).reduce(constant) { $0 + $1.0 * $1.1 }
        switch relation {
        case .equal: return abs(sum)
        case .lessThanOrEqual: return max(0, sum)
        case .greaterThanOrEqual: return max(0, -sum)
        }
    }
}

/// A slow lexicographic linear programme: dense two-phase simplex by Bland's rule, one level after
/// another.
///
/// It shares nothing with the solver: variables are split, every error has its own column, and a
/// level's optimum is kept by forbidding each column whose reduced cost is positive (complementary
/// slackness).
package struct Oracle {
    private var table: [[Double]] = []
    private var basis: [Int] = []
    private var isForbidden: [Bool] = []
    private let isNonNegative: [Bool]
    private let constraints: [PlainConstraint]
    private var positiveError: [Int] = []
    private var columnCount = 0
    /// Whether the required constraints can hold together.
    package private(set) var isFeasible = false

    /// Finds out whether the constraints can hold.
    package init(isNonNegative: [Bool], constraints: [PlainConstraint]) {
        self.isNonNegative = isNonNegative
        self.constraints = constraints
        build()
        isFeasible = findFeasiblePoint()
    }

    /// The optimal sum of violations of each strength, strongest first.
    package mutating func violations() -> [Double] {
        var result: [Double] = []
        let strengths = Set(constraints.map(\.strength)).filter { !$0.isRequired }.sorted(by: >)
        for strength in strengths {
            var costs = [Double](repeating: 0, count: columnCount)
            for (index, constraint) in constraints.enumerated()
            where constraint.strength == strength {
                if constraint.relation != .greaterThanOrEqual { costs[positiveError[index]] = 1 }
                if constraint.relation != .lessThanOrEqual { costs[positiveError[index] + 1] = 1 }
            }
            result.append(minimise(costs) ?? .nan)
        }
        return result
    }

    /// The least and greatest value of a variable over all optimal solutions; nil for no limit.
    package func range(of variable: Int) -> (least: Double?, greatest: Double?) {
        var coefficients = [Double](repeating: 0, count: isNonNegative.count)
        coefficients[variable] = 1
        return range(of: coefficients)
    }

    /// The least and greatest value of a sum of variables over all optimal solutions; nil for no
    /// limit.
    package func range(of coefficients: [Double]) -> (least: Double?, greatest: Double?) {
        var costs = [Double](repeating: 0, count: columnCount)
        for (variable, coefficient) in coefficients.enumerated() {
            costs[2 * variable] = coefficient
            costs[2 * variable + 1] = -coefficient
        }
        var lower = self
        let least = lower.minimise(costs)
        var upper = self
        let greatest = upper.minimise(costs.map { -$0 }).map { -$0 }
        return (least, greatest)
    }

    private mutating func build() {
        let variableColumns = 2 * isNonNegative.count
        columnCount = variableColumns
        for _ in constraints {
            positiveError.append(columnCount)
            columnCount += 2
        }
        let artificial = columnCount
        columnCount += constraints.count
        isForbidden = [Bool](repeating: false, count: columnCount)
        for (index, bounded) in isNonNegative.enumerated() where bounded {
            isForbidden[2 * index + 1] = true
        }
        for (index, constraint) in constraints.enumerated() {
            var row = [Double](repeating: 0, count: columnCount + 1)
            for (variable, coefficient) in constraint.coefficients.enumerated() {
                row[2 * variable] = coefficient
                row[2 * variable + 1] = -coefficient
            }
            // terms - positive + negative = -constant
            row[positiveError[index]] = -1
            row[positiveError[index] + 1] = 1
            row[columnCount] = -constraint.constant
            if constraint.strength.isRequired {
                isForbidden[positiveError[index]] = constraint.relation != .greaterThanOrEqual
                isForbidden[positiveError[index] + 1] = constraint.relation != .lessThanOrEqual
            }
            if row[columnCount] < 0 { row = row.map { -$0 } }
            row[artificial + index] = 1
            table.append(row)
            basis.append(artificial + index)
        }
    }

    private mutating func findFeasiblePoint() -> Bool {
        let artificial = columnCount - constraints.count
        var costs = [Double](repeating: 0, count: columnCount)
        for column in artificial..<columnCount { costs[column] = 1 }
        guard let shortfall = minimise(costs), shortfall < 1e-7 else { return false }
        for row in table.indices where basis[row] >= artificial {
            let usable = (0..<artificial).first {
                !isForbidden[$0] && abs(table[row][$0]) > 1e-7
            }
            if let usable { pivot(row: row, column: usable) }
        }
        for column in artificial..<columnCount { isForbidden[column] = true }
        return true
    }

    private mutating func minimise(_ costs: [Double]) -> Double? {
        while true {
            var reduced = costs
            var value = 0.0
            for row in table.indices where costs[basis[row]] != 0 {
                let cost = costs[basis[row]]
                for column in 0..<columnCount { reduced[column] -= cost * table[row][column] }
                value += cost * table[row][columnCount]
            }
            let entering = (0..<columnCount).first {
                !isForbidden[$0] && !basis.contains($0) && reduced[$0] < -1e-8
            }
            guard let entering else {
                for column in 0..<columnCount where reduced[column] > 1e-8 {
                    if !basis.contains(column) { isForbidden[column] = true }
                }
                return value
            }
            var leaving: Int?
            var least = Double.infinity
            for row in table.indices where table[row][entering] > 1e-8 {
                let ratio = table[row][columnCount] / table[row][entering]
                let isTie = abs(ratio - least) < 1e-10
                if isTie ? basis[row] < basis[leaving ?? row] : ratio < least {
                    least = ratio
                    leaving = row
                }
            }
            // Rows of a forbidden basic column stay at zero; a fall below would be infeasible.
            for row in table.indices where isForbidden[basis[row]] {
                if abs(table[row][entering]) > 1e-8, abs(table[row][columnCount]) < 1e-8 {
                    leaving = row
                    break
                }
            }
            guard let leaving else { return nil }
            pivot(row: leaving, column: entering)
        }
    }

    private mutating func pivot(row: Int, column: Int) {
        let divisor = table[row][column]
        for index in table[row].indices { table[row][index] /= divisor }
        for other in table.indices where other != row {
            let factor = table[other][column]
            guard factor != 0 else { continue }
            for index in table[other].indices { table[other][index] -= factor * table[row][index] }
        }
        basis[row] = column
    }
}
