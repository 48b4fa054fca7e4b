/// How much room there is along an axis. Apple, `UIUserInterfaceSizeClass`.
public enum SizeClass: String, CaseIterable, Sendable {
    /// Unspecified.
    case unspecified
    /// Little, as across a phone held upright.
    case compact
    /// Much, as on a tablet or a desk.
    case regular
}

/// How large people want text. Apple, `UIContentSizeCategory`.
public enum ContentSizeCategory: String, CaseIterable, Sendable, Comparable {
    /// Unspecified; text has the size of `large`.
    case unspecified
    /// Body text of 14 points.
    case extraSmall
    /// 15 points.
    case small
    /// 16 points.
    case medium
    /// 17 points: what people have who set nothing.
    case large
    /// 19 points.
    case extraLarge
    /// 21 points.
    case extraExtraLarge
    /// 23 points.
    case extraExtraExtraLarge
    /// 28 points.
    case accessibilityMedium
    /// 33 points.
    case accessibilityLarge
    /// 40 points.
    case accessibilityExtraLarge
    /// 47 points.
    case accessibilityExtraExtraLarge
    /// 53 points.
    case accessibilityExtraExtraExtraLarge

    /// The size of body text, in points; Apple's Human Interface Guidelines, "Typography".
    public var bodySize: Double {
        switch self {
        case .extraSmall: 14
        case .small: 15
        case .medium: 16
        case .unspecified, .large: 17
        case .extraLarge: 19
        case .extraExtraLarge: 21
        case .extraExtraExtraLarge: 23
        case .accessibilityMedium: 28
        case .accessibilityLarge: 33
        case .accessibilityExtraLarge: 40
        case .accessibilityExtraExtraLarge: 47
        case .accessibilityExtraExtraExtraLarge: 53
        }
    }

    /// The cell of a text grid at this size: the one at `large`, scaled like body text and rounded
    /// half up to whole points.
    ///
    /// UIKit scales fonts by a curve for each style; a grid has one cell, which follows body text.
    public func scaled(_ cell: Size) -> Size {
        guard bodySize != Self.large.bodySize else { return cell }
        let factor = bodySize / Self.large.bodySize
        return Size(
            width: max(1, (cell.width * factor + 0.5).rounded(.down)),
            height: max(1, (cell.height * factor + 0.5).rounded(.down)))
    }

    /// Smaller text before larger; `unspecified` counts as `large`.
    public static func < (left: Self, right: Self) -> Bool { left.bodySize < right.bodySize }
}

/// How wide a window is, in more steps than UIKit's two. Android, "Use window size classes".
public enum WindowClass: String, CaseIterable, Sendable, Comparable {
    /// Unspecified.
    case unspecified
    /// Under 600 points.
    case compact
    /// From 600 points on.
    case medium
    /// From 840 points on.
    case expanded
    /// From 1,200 points on.
    case large
    /// From 1,600 points on.
    case extraLarge

    /// The class of a width, in points.
    public init(width: Double) {
        self = Self.allCases.last { $0.leastWidth <= width } ?? .compact
    }

    /// The width from which on windows are of the class, in points.
    public var leastWidth: Double {
        switch self {
        case .unspecified: -.infinity
        case .compact: 0
        case .medium: 600
        case .expanded: 840
        case .large: 1200
        case .extraLarge: 1600
        }
    }

    /// Narrower before wider; `unspecified` is the narrowest.
    public static func < (left: Self, right: Self) -> Bool { left.leastWidth < right.leastWidth }
}

/// Light or dark colours. Apple, `UIUserInterfaceStyle`.
public enum UserInterfaceStyle: String, CaseIterable, Sendable {
    /// Unspecified.
    case unspecified
    /// Dark text on a light ground.
    case light
    /// Light text on a dark ground.
    case dark
}

/// How far colours stand apart. Apple, `UIAccessibilityContrast`.
public enum AccessibilityContrast: String, CaseIterable, Sendable {
    /// Unspecified.
    case unspecified
    /// As designed.
    case normal
    /// Further apart, for people who asked for that.
    case high
}

/// What kind of device shows a scene. Apple, `UIUserInterfaceIdiom`, and the renderers that UIKit
/// does not know.
public enum UserInterfaceIdiom: String, CaseIterable, Sendable {
    /// Unspecified.
    case unspecified
    /// A phone.
    case phone
    /// A tablet.
    case pad
    /// A computer on a desk.
    case desktop
    /// A television.
    case tv
    /// A watch.
    case watch
    /// The screen of a car.
    case car
    /// Glasses.
    case vision
    /// A text terminal.
    case terminal
    /// A browser.
    case web
}

/// The traits by which layouts differ; in the order of Apple's `UITraitCollection`. The raw values
/// are those of conditions.
public enum Trait: String, CaseIterable, Sendable {
    /// How much room there is across.
    case horizontalSizeClass
    /// How much room there is from top to bottom.
    case verticalSizeClass
    /// Pixels in a point.
    case displayScale
    /// Which way text runs.
    case layoutDirection
    /// How large people want text.
    case contentSizeCategory
    /// Light or dark colours.
    case userInterfaceStyle
    /// What kind of device it is.
    case idiom
    /// How wide the window is, in more steps than the size class.
    case windowClass
    /// How text is measured.
    case typography
    /// How far colours stand apart.
    case accessibilityContrast

    /// The words for the trait's values, smallest first where they have an order; none for numbers.
    public var words: [String] {
        switch self {
        case .horizontalSizeClass, .verticalSizeClass: Self.sizeClasses
        case .displayScale: []
        case .layoutDirection: Self.directions
        case .contentSizeCategory: Self.categories
        case .userInterfaceStyle: Self.styles
        case .idiom: Self.idioms
        case .windowClass: Self.windowClasses
        case .typography: Self.typographies
        case .accessibilityContrast: Self.contrasts
        }
    }

    // Kept, since each clause of a condition asks.
    private static let sizeClasses = SizeClass.allCases.map { $0.rawValue }
    private static let directions = [unspecifiedWord] + LayoutDirection.allCases.map { $0.rawValue }
    private static let categories = ContentSizeCategory.allCases.map { $0.rawValue }
    private static let styles = UserInterfaceStyle.allCases.map { $0.rawValue }
    private static let idioms = UserInterfaceIdiom.allCases.map { $0.rawValue }
    private static let windowClasses = WindowClass.allCases.map { $0.rawValue }
    private static let typographies = Typography.allCases.map { $0.rawValue }
    private static let contrasts = AccessibilityContrast.allCases.map { $0.rawValue }

    /// Where a value stands among those of the trait, if these have an order and words.
    public func rank(of word: String) -> Double? {
        switch self {
        case .contentSizeCategory: ContentSizeCategory(rawValue: word)?.bodySize
        case .windowClass: WindowClass(rawValue: word)?.leastWidth
        case .horizontalSizeClass, .verticalSizeClass, .displayScale, .layoutDirection,
            .userInterfaceStyle, .idiom, .typography, .accessibilityContrast:
            nil
        }
    }

    /// The word for what nobody says.
    static let unspecifiedWord = "unspecified"
}

/// A value for each trait; those that nobody set are `unspecified`, a scale of 0, and no direction.
public struct TraitValues: Hashable, Sendable {
    /// How much room there is across.
    public var horizontalSizeClass = SizeClass.unspecified
    /// How much room there is from top to bottom.
    public var verticalSizeClass = SizeClass.unspecified
    /// Pixels in a point; 0 where nobody says.
    public var displayScale = 0.0
    /// Which way text runs.
    public var layoutDirection: LayoutDirection?
    /// How large people want text.
    public var contentSizeCategory = ContentSizeCategory.unspecified
    /// Light or dark colours.
    public var userInterfaceStyle = UserInterfaceStyle.unspecified
    /// What kind of device it is.
    public var idiom = UserInterfaceIdiom.unspecified
    /// How wide the window is.
    public var windowClass = WindowClass.unspecified
    /// How text is measured.
    public var typography = Typography.unspecified
    /// How far colours stand apart.
    public var accessibilityContrast = AccessibilityContrast.unspecified

    /// Makes values of which none is specified.
    public init() {}

    /// Whether none is specified.
    public var isEmpty: Bool { self == TraitValues() }

    /// Takes over what `later` specifies. Apple, `UITraitCollection.init(traitsFrom:)`.
    public mutating func merge(_ later: TraitValues) {
        for trait in Trait.allCases where later.specifies(trait) { copy(trait, of: later) }
    }

    /// Whether a trait has a value.
    public func specifies(_ trait: Trait) -> Bool {
        switch trait {
        case .horizontalSizeClass: horizontalSizeClass != .unspecified
        case .verticalSizeClass: verticalSizeClass != .unspecified
        case .displayScale: displayScale != 0
        case .layoutDirection: layoutDirection != nil
        case .contentSizeCategory: contentSizeCategory != .unspecified
        case .userInterfaceStyle: userInterfaceStyle != .unspecified
        case .idiom: idiom != .unspecified
        case .windowClass: windowClass != .unspecified
        case .typography: typography != .unspecified
        case .accessibilityContrast: accessibilityContrast != .unspecified
        }
    }

    /// Takes one trait from others.
    public mutating func copy(_ trait: Trait, of other: TraitValues) {
        switch trait {
        case .horizontalSizeClass: horizontalSizeClass = other.horizontalSizeClass
        case .verticalSizeClass: verticalSizeClass = other.verticalSizeClass
        case .displayScale: displayScale = other.displayScale
        case .layoutDirection: layoutDirection = other.layoutDirection
        case .contentSizeCategory: contentSizeCategory = other.contentSizeCategory
        case .userInterfaceStyle: userInterfaceStyle = other.userInterfaceStyle
        case .idiom: idiom = other.idiom
        case .windowClass: windowClass = other.windowClass
        case .typography: typography = other.typography
        case .accessibilityContrast: accessibilityContrast = other.accessibilityContrast
        }
    }

    /// The traits in which two collections differ, in the order of the list.
    public func differences(from other: TraitValues) -> [Trait] {
        guard self != other else { return [] }
        return Trait.allCases.filter { trait in
            var copied = self
            copied.copy(trait, of: other)
            return copied != self
        }
    }

    /// The word for a trait's value; `displayScale` has none, being a number.
    public func word(for trait: Trait) -> String? {
        switch trait {
        case .horizontalSizeClass: horizontalSizeClass.rawValue
        case .verticalSizeClass: verticalSizeClass.rawValue
        case .displayScale: nil
        case .layoutDirection: layoutDirection?.rawValue ?? Trait.unspecifiedWord
        case .contentSizeCategory: contentSizeCategory.rawValue
        case .userInterfaceStyle: userInterfaceStyle.rawValue
        case .idiom: idiom.rawValue
        case .windowClass: windowClass.rawValue
        case .typography: typography.rawValue
        case .accessibilityContrast: accessibilityContrast.rawValue
        }
    }

    /// Where a trait's value stands among all of them, if these have an order and words.
    public func rank(of trait: Trait) -> Double? { word(for: trait).flatMap(trait.rank) }
}
