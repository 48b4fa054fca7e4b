/// When a constraint set applies: `root.width < 600 and sidebar.height >= 200`. All clauses must hold.
public struct Condition: Hashable, Sendable, CustomStringConvertible {
    /// How an extent compares with a number.
    public enum Comparison: String, CaseIterable, Sendable {
        /// Strictly smaller.
        case lessThan = "<"
        /// Smaller or the same.
        case lessThanOrEqual = "<="
        /// Strictly larger.
        case greaterThan = ">"
        /// Larger or the same.
        case greaterThanOrEqual = ">="

        /// Whether `value` stands in this relation to `bound`.
        public func holds(_ value: Double, _ bound: Double) -> Bool {
            switch self {
            case .lessThan: value < bound
            case .lessThanOrEqual: value <= bound
            case .greaterThan: value > bound
            case .greaterThanOrEqual: value >= bound
            }
        }
    }

    /// One comparison of an item's extent with a number.
    public struct Clause: Hashable, Sendable, CustomStringConvertible {
        /// The item that is measured.
        public var item: ItemReference
        /// `width` or `height`.
        public var dimension: LayoutAttribute
        /// How the extent compares with `value`.
        public var comparison: Comparison
        /// The bound, in points.
        public var value: Double

        /// Makes a clause from its parts.
        public init(
            item: ItemReference, dimension: LayoutAttribute, comparison: Comparison, value: Double
        ) {
            self.item = item
            self.dimension = dimension
            self.comparison = comparison
            self.value = value
        }

        /// The clause as it stands in a condition.
        public var description: String {
            "\(item).\(dimension.rawValue) \(comparison.rawValue) \(NumberText.of(value))"
        }
    }

    /// The clauses in order; a parsed condition has at least one.
    public var clauses: [Clause]

    /// Makes a condition from its clauses.
    public init(clauses: [Clause]) {
        self.clauses = clauses
    }

    /// Reads a condition.
    ///
    /// - Throws: `LanguageError` at the first place that cannot be right.
    /// - Complexity: O(length of the text).
    public static func parse(_ text: String) throws(LanguageError) -> Condition {
        var scanner = Scanner(text)
        var clauses: [Clause] = []
        repeat {
            clauses.append(try clause(&scanner))
        } while scanner.take("and")
        try scanner.requireEnd(["\"and\""])
        return Condition(clauses: clauses)
    }

    private static func clause(_ scanner: inout Scanner) throws(LanguageError) -> Clause {
        scanner.skipSpaces()
        let start = scanner.offset
        let anchor = try RuleParser.anchor(&scanner)
        guard anchor.attribute.isSize else {
            throw scanner.error(
                "a condition cannot ask for \"\(anchor.attribute.rawValue)\"",
                expected: ["width", "height"], at: start)
        }
        // Longer signs first, or "<" would take half of "<=".
        let comparisons: [Comparison] = [
            .lessThanOrEqual, .greaterThanOrEqual, .lessThan, .greaterThan,
        ]
        for comparison in comparisons where scanner.take(comparison.rawValue) {
            return Clause(
                item: anchor.item, dimension: anchor.attribute, comparison: comparison,
                value: try scanner.number())
        }
        throw scanner.unexpected(Comparison.allCases.map { "\"\($0.rawValue)\"" })
    }

    /// The canonical text; `parse` reads it back as an equal value.
    public var description: String {
        clauses.map(\.description).joined(separator: " and ")
    }
}
