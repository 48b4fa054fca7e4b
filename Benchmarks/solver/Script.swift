import SeededRandom

/// What every solver replays: variables, constraints and timed sections of operations, all prepared
/// in memory, so that no solver's time includes making up the work.
///
/// The text form has one record a line, fields separated by blanks:
///
///     v COUNT                                  so many variables, numbered from 0
///     n VARIABLE                               the variable is never negative
///     c LEVEL RELATION CONSTANT (VARIABLE COEFFICIENT)…    a constraint, numbered from 0
///     e LEVEL VARIABLE CONSTANT                an edit: variable == constant, its constant to be
///         changed
///     s NAME COUNT                             a section begins; COUNT operations for the figure
///         per operation
///     a CONSTRAINT · r CONSTRAINT · k CONSTRAINT CONSTANT      add, remove, change the constant
///     u · g VARIABLE · G                       solve, read one value, read all values
///     x                                        a section's first: it begins with a new solver,
///         which is not timed
struct Script {
    /// How a constraint's expression relates to zero.
    enum Relation: Int { case lessThanOrEqual = -1, equal, greaterThanOrEqual }

    /// One constraint, not yet in any solver.
    struct Constraint {
        /// 0 is required, then ever weaker.
        var level: Int
        var relation: Relation
        var constant: Double
        var terms: [(variable: Int, coefficient: Double)]
        /// Whether a solver with edit variables should hold it by one.
        var isEdit = false
    }

    enum Operation {
        case add(Int), remove(Int), constant(Int, Double), solve, read(Int), readAll, restart
    }

    /// Operations that are timed together.
    struct Section {
        var name: String
        var count: Int
        var operations: [Operation] = []

        /// Whether it has a solver of its own.
        var isNew: Bool { if case .restart? = operations.first { true } else { false } }
    }

    var variableCount = 0
    var nonNegative: [Int] = []
    var constraints: [Constraint] = []
    var sections: [Section] = []

    /// The levels in use: required, edits, then what resists compression, then what hugs.
    static let required = 0
    static let edit = 1
    static let compression = 2
    static let hugging = 3
    /// Those of ratatui's layout besides required: the first spacer is empty, so are the others but
    /// the last, least sizes, then what fills the area, what grows alike, and neighbours of equal
    /// size.
    enum Split: Int { case firstSpacer = 4, spacer, leastSize, fill, grow, even }
    static let levelCount = 10

    mutating func variable(isNonNegative: Bool = false) -> Int {
        variableCount += 1
        if isNonNegative { nonNegative.append(variableCount - 1) }
        return variableCount - 1
    }

    @discardableResult
    mutating func constrain(
        _ terms: [(variable: Int, coefficient: Double)], _ relation: Relation, _ constant: Double,
        level: Int = required
    ) -> Int {
        constraints.append(
            Constraint(level: level, relation: relation, constant: -constant, terms: terms))
        return constraints.count - 1
    }

    mutating func edit(_ variable: Int, _ value: Double) -> Int {
        constraints.append(
            Constraint(
                level: Self.edit, relation: .equal, constant: -value, terms: [(variable, 1)],
                isEdit: true))
        return constraints.count - 1
    }

    /// The text that the peers' drivers read.
    var text: String {
        var lines = ["v \(variableCount)"]
        for variable in nonNegative { lines.append("n \(variable)") }
        for constraint in constraints {
            if constraint.isEdit {
                lines.append(
                    "e \(constraint.level) \(constraint.terms[0].variable) \(-constraint.constant)")
                continue
            }
            let terms = constraint.terms.map { "\($0.variable) \($0.coefficient)" }
            lines.append(
                "c \(constraint.level) \(constraint.relation.rawValue) \(constraint.constant) "
                    + terms.joined(separator: " "))
        }
        for section in sections {
            lines.append("s \(section.name) \(section.count)")
            for operation in section.operations { lines.append(Self.text(operation)) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func text(_ operation: Operation) -> String {
        switch operation {
        case .add(let constraint): "a \(constraint)"
        case .remove(let constraint): "r \(constraint)"
        case .constant(let constraint, let value): "k \(constraint) \(value)"
        case .solve: "u"
        case .read(let variable): "g \(variable)"
        case .readAll: "G"
        case .restart: "x"
        }
    }
}

extension SplitMix64 {
    /// A number from `low` to `high` with ten binary places, so that its text loses nothing.
    mutating func number(_ low: Double, _ high: Double) -> Double {
        let share = Double(next() >> 11) / 0x1p53
        return ((low + (high - low) * share) * 1024).rounded() / 1024
    }
}
