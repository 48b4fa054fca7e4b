public import LayoutValues

extension Trait {
    /// The trait of a word in a condition: UIKit's longer names count as well as ours, and those
    /// that devices of documents have.
    public init?(word: String) {
        guard let trait = Self.named[word] else { return nil }
        self = trait
    }

    /// All words for traits, in a table: going through them takes ten times as long, and each word
    /// of a condition may be one.
    private static let named: [String: Trait] = {
        var named: [String: Trait] = [
            "preferredContentSizeCategory": .contentSizeCategory, "userInterfaceIdiom": .idiom,
            "direction": .layoutDirection, "scale": .displayScale,
        ]
        for trait in allCases { named[trait.rawValue] = trait }
        return named
    }()

    /// Whether a value can be asked to be smaller or larger, besides equal.
    var isOrdered: Bool {
        switch self {
        case .displayScale, .contentSizeCategory, .windowClass: true
        case .horizontalSizeClass, .verticalSizeClass, .layoutDirection, .userInterfaceStyle,
            .idiom, .typography, .accessibilityContrast:
            false
        }
    }
}
