import Bytes
public import LayoutValues

/// When a constraint set applies: `root.width < 600 and root.idiom == terminal`. All clauses must
/// hold.
public struct Condition: Hashable, Sendable, CustomStringConvertible {
    /// How a value compares with another.
    public enum Comparison: String, CaseIterable, Sendable {
        /// Strictly smaller.
        case lessThan = "<"
        /// Smaller or the same.
        case lessThanOrEqual = "<="
        /// Strictly larger.
        case greaterThan = ">"
        /// Larger or the same.
        case greaterThanOrEqual = ">="
        /// The same; for traits.
        case equal = "=="
        /// Another; for traits.
        case notEqual = "!="

        /// Whether `value` stands in this relation to `bound`.
        public func holds<Value: Comparable>(_ value: Value, _ bound: Value) -> Bool {
            switch self {
            case .lessThan: value < bound
            case .lessThanOrEqual: value <= bound
            case .greaterThan: value > bound
            case .greaterThanOrEqual: value >= bound
            case .equal: value == bound
            case .notEqual: value != bound
            }
        }

        /// Longer signs first, or "<" would take half of "<=".
        fileprivate static let orders: [Self] = [
            .lessThanOrEqual, .greaterThanOrEqual, .lessThan, .greaterThan,
        ]
        fileprivate static let equalities: [Self] = [.equal, .notEqual]
    }

    /// What a clause asks of its item.
    public enum Test: Hashable, Sendable {
        /// Its extent, in points: `width` or `height`, which the engine finds.
        case size(LayoutAttribute, Comparison, Double)
        /// A trait that has words for values.
        case trait(Trait, Comparison, String)
        /// Pixels in a point.
        case scale(Comparison, Double)
    }

    /// One comparison of an item's extent or trait.
    public struct Clause: Hashable, Sendable, CustomStringConvertible {
        /// The item that is asked.
        public var item: ItemReference
        /// What of it, and what it is compared with.
        public var test: Test

        /// Makes a clause from its parts.
        public init(item: ItemReference, test: Test) {
            self.item = item
            self.test = test
        }

        /// The clause as it stands in a condition.
        public var description: String {
            let subject = item.id.isEmpty ? "" : "\(item)."
            return switch test {
            case .size(let dimension, let comparison, let value):
                "\(subject)\(dimension.rawValue) \(comparison.rawValue) \(NumberText.of(value))"
            case .trait(let trait, let comparison, let value):
                "\(subject)\(trait.rawValue) \(comparison.rawValue) \(value)"
            case .scale(let comparison, let value):
                "\(subject)\(Trait.displayScale.rawValue) \(comparison.rawValue) "
                    + NumberText.of(value)
            }
        }
    }

    /// The clauses in order; a parsed condition has at least one.
    public var clauses: [Clause]

    /// Makes a condition from its clauses.
    public init(clauses: [Clause]) {
        self.clauses = clauses
    }

    /// Reads a condition. A trait that stands without an item is that of `root`.
    ///
    /// - Throws: `LanguageError` at the first place that cannot be right.
    /// - Complexity: O(length of the text).
    public static func parse(_ text: String) throws(LanguageError) -> Condition {
        try parse(text, of: "root")
    }

    /// Reads a condition about the traits of whatever it belongs to: clauses without items, none of
    /// them about a size. Their item has no name.
    ///
    /// - Throws: `LanguageError` at the first place that cannot be right.
    public static func parseTraits(_ text: String) throws(LanguageError) -> Condition {
        try parse(text, of: "")
    }

    private static func parse(
        _ text: String, of subject: String
    ) throws(LanguageError) -> Condition {
        var scanner = Scanner(text)
        var clauses: [Clause] = []
        repeat {
            clauses.append(try clause(&scanner, subject))
        } while scanner.take("and")
        try scanner.requireEnd(["\"and\""])
        return Condition(clauses: clauses)
    }

    private static func clause(
        _ scanner: inout Scanner, _ subject: String
    ) throws(LanguageError) -> Clause {
        scanner.skipSpaces()
        let start = scanner.place
        if let trait = bareTrait(&scanner) {
            return Clause(
                item: ItemReference(id: subject), test: try test(of: trait, &scanner))
        }
        guard !subject.isEmpty else {
            throw scanner.error("a trait is missing", expected: Trait.allCases.map { $0.rawValue })
        }
        let anchor: AnchorReference
        switch itemWord(&scanner) {
        case .trait(let item, let trait):
            return Clause(item: item, test: try test(of: trait, &scanner))
        case .size(let found): anchor = found
        case .other: anchor = try RuleParser.anchor(&scanner)
        }
        guard anchor.attribute.isSize else {
            throw scanner.error(
                "a condition cannot ask for \"\(anchor.attribute.rawValue)\"",
                expected: ["width", "height"] + Trait.allCases.map { $0.rawValue }, at: start)
        }
        let sign = scanner.place
        guard let comparison = comparison(&scanner), !Comparison.equalities.contains(comparison)
        else {
            scanner.place = sign
            scanner.skipSpaces()
            throw scanner.unexpected(Comparison.orders.map { "\"\($0.rawValue)\"" })
        }
        return Clause(
            item: anchor.item, test: .size(anchor.attribute, comparison, try scanner.number()))
    }

    /// Takes the trait whose name stands here without an item before it.
    private static func bareTrait(_ scanner: inout Scanner) -> Trait? {
        let start = scanner.place
        // An item may have such a name, or one that goes on: `idiom.width`, `idiom-2.width`.
        guard let trait = Trait(word: scanner.word().text), !scanner.goesOnAsItem else {
            scanner.place = start
            return nil
        }
        return trait
    }

    /// What an item and a word after its dot may be.
    private enum ItemWord {
        case trait(ItemReference, Trait)
        case size(AnchorReference)
        case other
    }

    /// Takes `ITEM.TRAIT`, `ITEM.width` or `ITEM.height` if one of them stands here, and nothing
    /// otherwise.
    private static func itemWord(_ scanner: inout Scanner) -> ItemWord {
        let start = scanner.place
        if let id = try? scanner.identifier("an item"), scanner.takeSign(".") {
            let word = scanner.word().text
            let item = ItemReference(id: id)
            if let trait = Trait(word: word) { return .trait(item, trait) }
            if let attribute = LayoutAttribute(word: word), attribute.isSize {
                return .size(AnchorReference(item: item, attribute: attribute))
            }
        }
        scanner.place = start
        return .other
    }

    private static func test(
        of trait: Trait, _ scanner: inout Scanner
    ) throws(LanguageError) -> Test {
        let start = scanner.place
        guard let comparison = comparison(&scanner),
            trait.isOrdered || Comparison.equalities.contains(comparison)
        else {
            scanner.place = start
            scanner.skipSpaces()
            let comparisons = Comparison.equalities + (trait.isOrdered ? Comparison.orders : [])
            throw scanner.unexpected(comparisons.map { "\"\($0.rawValue)\"" })
        }
        guard trait != .displayScale else { return .scale(comparison, try scanner.number()) }
        let (word, place) = scanner.word()
        guard trait.words.contains(word) else {
            throw scanner.error(
                word.isEmpty
                    ? "the value of \"\(trait.rawValue)\" is missing"
                    : "\"\(trait.rawValue)\" is never \"\(word.prefix(80))\"",
                expected: trait.words, at: place)
        }
        return .trait(trait, comparison, word)
    }

    /// Takes a sign that compares, the longer before the one that it begins with.
    private static func comparison(_ scanner: inout Scanner) -> Comparison? {
        if scanner.takeSign("<", "=") { return .lessThanOrEqual }
        if scanner.takeSign(">", "=") { return .greaterThanOrEqual }
        if scanner.takeSign("<") { return .lessThan }
        if scanner.takeSign(">") { return .greaterThan }
        if scanner.takeSign("=", "=") { return .equal }
        return scanner.takeSign("!", "=") ? .notEqual : nil
    }

    /// Whether the canonical text of a condition that was read from a text has more than so many
    /// bytes.
    ///
    /// - Complexity: O(1) for a text of at most a fifth of that: spaces, `root.` and the digits of
    ///   an exponent are all that is added.
    public func isLonger(than byteCount: Int, readFrom text: String) -> Bool {
        text.utf8.count > byteCount / 5 && description.utf8.count > byteCount
    }

    /// The canonical text; `parse` reads it back as an equal value.
    public var description: String {
        clauses.map { $0.description }.joined(separator: " and ")
    }
}
