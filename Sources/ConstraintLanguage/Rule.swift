import Bytes

// This module turns texts into values and back: rules, Apple's Visual Format Language and the
// conditions of constraint sets. It must not know views, engines or messages: names are only names
// here. Everything is a value or a pure function, so any thread may call it.

/// One constraint, as people write it: `first relation multiplier × second + constant @priority`.
///
/// Without a second anchor the right side is `constant` alone and `multiplier` is 1.
public struct Rule: Hashable, Sendable, CustomStringConvertible {
    /// The anchor on the left side.
    public var first: AnchorReference
    /// How the sides compare.
    public var relation: LayoutRelation
    /// The anchor on the right side, if there is one.
    public var second: AnchorReference?
    /// What `second` is multiplied by.
    public var multiplier: Double
    /// What is added on the right side, in points.
    public var constant: Double
    /// Whether `constant` grows and shrinks with the size that people want text to have:
    /// `scaled(8)`.
    public var scalesConstant: Bool
    /// From 1 to 1000; 1000 must hold.
    public var priority: Double

    /// Makes a rule from its parts; nothing is checked, unlike in `parse`.
    public init(
        first: AnchorReference, relation: LayoutRelation, second: AnchorReference? = nil,
        multiplier: Double = 1, constant: Double = 0, scalesConstant: Bool = false,
        priority: Double = 1000
    ) {
        self.first = first
        self.relation = relation
        self.second = second
        self.multiplier = multiplier
        self.constant = constant
        self.scalesConstant = scalesConstant
        self.priority = priority
    }

    /// Reads a rule such as `a.left >= 2 * b.right + 8 @750`.
    ///
    /// - Throws: `LanguageError` at the first place that cannot be right: syntax, an unknown
    ///   attribute, a number that is not finite, a priority outside 1...1000, or sides that cannot
    ///   be compared (an extent with a place, a place along x with one along y).
    /// - Complexity: O(length of the text).
    public static func parse(_ text: String) throws(LanguageError) -> Rule {
        var parser = RuleParser(scanner: Scanner(text))
        return try parser.rule()
    }

    /// The canonical text: one space between tokens, nothing that could be left out. `parse` reads
    /// it back as an equal value.
    public var description: String {
        var text = "\(first) \(relation.rawValue) "
        if let second {
            if multiplier != 1 { text += "\(NumberText.of(multiplier)) * " }
            text += second.description
            if constant > 0 || scalesConstant && constant == 0 { text += " + \(length(constant))" }
            if constant < 0 { text += " - \(length(-constant))" }
        } else {
            text += length(constant)
        }
        if priority != 1000 { text += " @\(NumberText.of(priority))" }
        return text
    }

    private func length(_ value: Double) -> String {
        scalesConstant ? "\(Self.scaleWord)(\(NumberText.of(value)))" : NumberText.of(value)
    }

    /// What stands before the parenthesis of a constant that scales.
    static let scaleWord = "scaled"
}
