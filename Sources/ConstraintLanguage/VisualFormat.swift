/// A text in Apple's Visual Format Language: `H:|-[sidebar(>=120)]-[main]-|`.
///
/// There are no metrics: a name in a view's predicate is a view, a name between views is an error.
///
/// - Source: Apple, "Auto Layout Guide", appendix "Visual Format Language".
public struct VisualFormat: Hashable, Sendable, CustomStringConvertible {
    /// The direction in which the views follow one another.
    public enum Orientation: String, Sendable {
        /// Along x; the default.
        case horizontal = "H"
        /// Along y.
        case vertical = "V"
    }

    /// `==100@750`, `>=other`: one demand on a gap or on a view's extent.
    struct Predicate: Hashable, Sendable {
        enum Object: Hashable, Sendable {
            case constant(Double)
            case view(String)
        }
        var relation: LayoutRelation
        var object: Object
        var priority: Double
    }

    /// What stands between two neighbours.
    enum Connection: Hashable, Sendable {
        case flush
        case standard
        case predicates([Predicate])
    }

    /// A view with its demands.
    struct Element: Hashable, Sendable {
        var name: String
        var predicates: [Predicate]
    }

    /// The text that was parsed.
    public let source: String
    /// Along which axis the views follow one another.
    public let orientation: Orientation
    let leading: Connection?
    let elements: [Element]
    /// One fewer than `elements`; the k-th stands after the k-th view.
    let between: [Connection]
    let trailing: Connection?

    /// Whether a text is meant to be a visual format: it begins with `H:`, `V:`, `|` or `[`, none
    /// of which begins a rule.
    public static func isVisualFormat(_ text: String) -> Bool {
        var scalars = text.unicodeScalars.makeIterator()
        var first = scalars.next()
        while let space = first, Scanner.isSpace(space) { first = scalars.next() }
        return switch first {
        case "|", "[": true
        case "H", "V": scalars.next() == ":"
        default: false
        }
    }

    /// Reads a visual format.
    ///
    /// - Throws: `LanguageError` at the first place that cannot be right.
    /// - Complexity: O(length of the text).
    public static func parse(_ text: String) throws(LanguageError) -> VisualFormat {
        var parser = VisualFormatParser(source: text)
        return try parser.format()
    }

    /// The views that stand in brackets, in order, each once; those that `|` is the common
    /// superview of.
    public var elementNames: [String] { Self.unique(elements.map { $0.name }) }

    /// All views that are named, predicates included, in order, each once.
    public var viewNames: [String] {
        var names: [String] = []
        for element in elements {
            names.append(element.name)
            for case .view(let name) in element.predicates.map({ $0.object }) { names.append(name) }
        }
        return Self.unique(names)
    }

    /// Whether `|` stands anywhere in the text.
    public var usesSuperview: Bool { leading != nil || trailing != nil }

    /// The text that was parsed.
    public var description: String { source }

    private static func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}

extension VisualFormat {
    /// How the views are aligned across the format's axis, and which way it runs.
    public struct Options: OptionSet, Hashable, Sendable {
        /// The bits, as in the order of `names`.
        public let rawValue: UInt16

        /// Makes options from their bits.
        public init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// Left edges are flush.
        public static let alignAllLeft = Options(rawValue: 1 << 0)
        /// Right edges are flush.
        public static let alignAllRight = Options(rawValue: 1 << 1)
        /// Top edges are flush.
        public static let alignAllTop = Options(rawValue: 1 << 2)
        /// Bottom edges are flush.
        public static let alignAllBottom = Options(rawValue: 1 << 3)
        /// Leading edges are flush.
        public static let alignAllLeading = Options(rawValue: 1 << 4)
        /// Trailing edges are flush.
        public static let alignAllTrailing = Options(rawValue: 1 << 5)
        /// Horizontal centres are the same.
        public static let alignAllCenterX = Options(rawValue: 1 << 6)
        /// Vertical centres are the same.
        public static let alignAllCenterY = Options(rawValue: 1 << 7)
        /// Last baselines are the same.
        public static let alignAllLastBaseline = Options(rawValue: 1 << 8)
        /// First baselines are the same.
        public static let alignAllFirstBaseline = Options(rawValue: 1 << 9)
        /// A horizontal format runs as text does; the default, so it has no bit.
        public static let directionLeadingToTrailing: Options = []
        /// A horizontal format runs from left to right, whatever the direction of text.
        public static let directionLeftToRight = Options(rawValue: 1 << 10)
        /// A horizontal format runs from right to left.
        public static let directionRightToLeft = Options(rawValue: 1 << 11)

        static let alignments: [(name: String, option: Options, attribute: LayoutAttribute)] = [
            ("alignAllLeft", .alignAllLeft, .left), ("alignAllRight", .alignAllRight, .right),
            ("alignAllTop", .alignAllTop, .top), ("alignAllBottom", .alignAllBottom, .bottom),
            ("alignAllLeading", .alignAllLeading, .leading),
            ("alignAllTrailing", .alignAllTrailing, .trailing),
            ("alignAllCenterX", .alignAllCenterX, .centerX),
            ("alignAllCenterY", .alignAllCenterY, .centerY),
            ("alignAllLastBaseline", .alignAllLastBaseline, .lastBaseline),
            ("alignAllFirstBaseline", .alignAllFirstBaseline, .firstBaseline),
        ]

        private static let directions: [(name: String, option: Options)] = [
            ("directionLeadingToTrailing", .directionLeadingToTrailing),
            ("directionLeftToRight", .directionLeftToRight),
            ("directionRightToLeft", .directionRightToLeft),
        ]

        /// Every name that `init(name:)` knows, in the order of the bits.
        public static var allNames: [String] {
            alignments.map { $0.name } + directions.map { $0.name }
        }

        /// The option of UIKit's name without its prefix, such as `alignAllTop`; nil if there is
        /// none.
        public init?(name: String) {
            let all =
                Self.alignments.map { ($0.name, $0.option) }
                + Self.directions.map { ($0.name, $0.option) }
            guard let match = all.first(where: { $0.0 == name }) else { return nil }
            self = match.1
        }

        /// The names of the options that are set, in the order of the bits.
        public var names: [String] {
            Self.alignments.filter { contains($0.option) }.map { $0.name }
                + Self.directions.filter { !$0.option.isEmpty && contains($0.option) }.map {
                    $0.name
                }
        }
    }
}
