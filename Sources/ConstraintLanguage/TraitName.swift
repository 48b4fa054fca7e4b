/// The traits that a condition can ask for, with the words that they can be compared with.
///
/// The words are those of the layout engine's own lists, which a test holds against these: this module imports nothing.
public enum TraitName: String, CaseIterable, Sendable {
    /// How much room there is across.
    case horizontalSizeClass
    /// How much room there is from top to bottom.
    case verticalSizeClass
    /// Pixels in a point, a number.
    case displayScale
    /// Which way text runs.
    case layoutDirection
    /// How large people want text, an ordered trait.
    case contentSizeCategory
    /// Light or dark colours.
    case userInterfaceStyle
    /// What kind of device it is.
    case idiom

    /// The trait of a word: UIKit's longer names count as well, and those that devices of documents have.
    public init?(word: String) {
        switch word {
        case "preferredContentSizeCategory": self = .contentSizeCategory
        case "userInterfaceIdiom": self = .idiom
        case "direction": self = .layoutDirection
        case "scale": self = .displayScale
        default: self.init(rawValue: word)
        }
    }

    /// The words that the trait can be compared with, smallest first where they have an order; none for numbers.
    public var values: [String] {
        switch self {
        case .horizontalSizeClass, .verticalSizeClass: ["unspecified", "compact", "regular"]
        case .displayScale: []
        case .layoutDirection: ["unspecified", "ltr", "rtl"]
        case .contentSizeCategory:
            [
                "unspecified", "extraSmall", "small", "medium", "large", "extraLarge",
                "extraExtraLarge", "extraExtraExtraLarge", "accessibilityMedium",
                "accessibilityLarge", "accessibilityExtraLarge", "accessibilityExtraExtraLarge",
                "accessibilityExtraExtraExtraLarge",
            ]
        case .userInterfaceStyle: ["unspecified", "light", "dark"]
        case .idiom:
            [
                "unspecified", "phone", "pad", "desktop", "tv", "watch", "car", "vision",
                "terminal", "web",
            ]
        }
    }

    /// Whether a value can be asked to be smaller or larger, besides equal.
    public var isOrdered: Bool { self == .displayScale || self == .contentSizeCategory }
}
