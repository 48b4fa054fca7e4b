public import LayoutValues

extension Trait {
    /// The trait of a word in a condition: UIKit's longer names count as well as ours, and those that devices of documents
    /// have.
    public init?(word: String) {
        switch word {
        case "preferredContentSizeCategory": self = .contentSizeCategory
        case "userInterfaceIdiom": self = .idiom
        case "direction": self = .layoutDirection
        case "scale": self = .displayScale
        default: self.init(rawValue: word)
        }
    }

    /// Whether a value can be asked to be smaller or larger, besides equal.
    var isOrdered: Bool {
        switch self {
        case .displayScale, .contentSizeCategory, .windowClass: true
        case .horizontalSizeClass, .verticalSizeClass, .layoutDirection, .userInterfaceStyle,
            .idiom:
            false
        }
    }
}
