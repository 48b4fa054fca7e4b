/// What a view knows about the device and the people that it is shown on and to. Apple,
/// `UITraitCollection`.
///
/// Values flow down the hierarchy: a view has its superview's, and its own overrides on top. A
/// collection that a view hands out inside `updateProperties`, `updateConstraints`,
/// `layoutSubviews` or `draw` notes which of its traits are read there, so that their change calls
/// that method again (Apple, "Automatic trait tracking", iOS 18).
public struct TraitCollection: Equatable {
    /// The values as such; to read them notes nothing.
    public let values: TraitValues
    /// Where reads are noted.
    private let reads: TraitReads?

    /// Makes a collection of values; those that are not given are unspecified.
    public init(_ values: TraitValues = TraitValues()) {
        self.init(values, reads: nil)
    }

    init(_ values: TraitValues, reads: TraitReads?) {
        self.values = values
        self.reads = reads
    }

    func note(_ trait: Trait) { reads?.note(trait) }

    private func noting(_ trait: Trait) -> TraitValues {
        reads?.note(trait)
        return values
    }

    /// How much room there is across.
    public var horizontalSizeClass: SizeClass { noting(.horizontalSizeClass).horizontalSizeClass }
    /// How much room there is from top to bottom.
    public var verticalSizeClass: SizeClass { noting(.verticalSizeClass).verticalSizeClass }
    /// Pixels in a point; 0 where unspecified.
    public var displayScale: Double { noting(.displayScale).displayScale }
    /// The direction of text; `nil` where unspecified.
    public var layoutDirection: LayoutDirection? { noting(.layoutDirection).layoutDirection }
    /// How large people want text.
    public var preferredContentSizeCategory: ContentSizeCategory {
        noting(.contentSizeCategory).contentSizeCategory
    }
    /// Light or dark colours.
    public var userInterfaceStyle: UserInterfaceStyle {
        noting(.userInterfaceStyle).userInterfaceStyle
    }
    /// What kind of device it is.
    public var userInterfaceIdiom: UserInterfaceIdiom { noting(.idiom).idiom }
    /// How wide the window is, in more steps than the size class. UIKit has no such trait.
    public var windowClass: WindowClass { noting(.windowClass).windowClass }
    /// How text is measured. UIKit has no such trait.
    public var typography: Typography { noting(.typography).typography }
    /// How far colours stand apart.
    public var accessibilityContrast: AccessibilityContrast {
        noting(.accessibilityContrast).accessibilityContrast
    }

    /// Whether both have the same values.
    public static func == (left: Self, right: Self) -> Bool { left.values == right.values }
}

/// Traits, as a set of bits.
struct TraitSet: OptionSet {
    var rawValue: UInt16

    init(rawValue: UInt16) { self.rawValue = rawValue }

    init(_ traits: [Trait]) {
        self.init(rawValue: 0)
        for trait in traits { insert(Self(trait)) }
    }

    init(_ trait: Trait) {
        let bit: UInt16 =
            switch trait {
            case .horizontalSizeClass: 0
            case .verticalSizeClass: 1
            case .displayScale: 2
            case .layoutDirection: 3
            case .contentSizeCategory: 4
            case .userInterfaceStyle: 5
            case .idiom: 6
            case .windowClass: 7
            case .typography: 8
            case .accessibilityContrast: 9
            }
        self.init(rawValue: 1 << bit)
    }
}

/// The traits that a view's method reads while it runs; afterwards reads count no more.
final class TraitReads {
    private(set) var traits: TraitSet = []
    private var isOpen = true

    func note(_ trait: Trait) {
        if isOpen { traits.insert(TraitSet(trait)) }
    }

    func close() { isOpen = false }
}

/// Traits that a view sets for itself and all below it. Apple, `UITraitOverrides`.
///
/// What was never set is `nil`; setting `nil` removes an override, and the inherited value counts
/// again.
public struct TraitOverrides: Equatable {
    /// Those that are set; the others are unspecified.
    public var values = TraitValues()

    /// Makes overrides of which none is set.
    public init() {}

    /// Makes overrides of what is specified.
    public init(_ values: TraitValues) { self.values = values }

    /// Whether an override is set.
    public func contains(_ trait: Trait) -> Bool { values.specifies(trait) }

    /// Drops an override.
    public mutating func remove(_ trait: Trait) { values.copy(trait, of: TraitValues()) }

    /// How much room there is across.
    public var horizontalSizeClass: SizeClass? {
        get { contains(.horizontalSizeClass) ? values.horizontalSizeClass : nil }
        set { values.horizontalSizeClass = newValue ?? .unspecified }
    }

    /// How much room there is from top to bottom.
    public var verticalSizeClass: SizeClass? {
        get { contains(.verticalSizeClass) ? values.verticalSizeClass : nil }
        set { values.verticalSizeClass = newValue ?? .unspecified }
    }

    /// Pixels in a point.
    public var displayScale: Double? {
        get { contains(.displayScale) ? values.displayScale : nil }
        set { values.displayScale = newValue ?? 0 }
    }

    /// Which way text runs: leading and trailing edges of the view and all in it follow.
    public var layoutDirection: LayoutDirection? {
        get { values.layoutDirection }
        set { values.layoutDirection = newValue }
    }

    /// How large people want text.
    public var preferredContentSizeCategory: ContentSizeCategory? {
        get { contains(.contentSizeCategory) ? values.contentSizeCategory : nil }
        set { values.contentSizeCategory = newValue ?? .unspecified }
    }

    /// Light or dark colours.
    public var userInterfaceStyle: UserInterfaceStyle? {
        get { contains(.userInterfaceStyle) ? values.userInterfaceStyle : nil }
        set { values.userInterfaceStyle = newValue ?? .unspecified }
    }

    /// What kind of device it is.
    public var userInterfaceIdiom: UserInterfaceIdiom? {
        get { contains(.idiom) ? values.idiom : nil }
        set { values.idiom = newValue ?? .unspecified }
    }

    /// How wide the window is, in more steps than the size class.
    public var windowClass: WindowClass? {
        get { contains(.windowClass) ? values.windowClass : nil }
        set { values.windowClass = newValue ?? .unspecified }
    }

    /// How text is measured.
    public var typography: Typography? {
        get { contains(.typography) ? values.typography : nil }
        set { values.typography = newValue ?? .unspecified }
    }

    /// How far colours stand apart.
    public var accessibilityContrast: AccessibilityContrast? {
        get { contains(.accessibilityContrast) ? values.accessibilityContrast : nil }
        set { values.accessibilityContrast = newValue ?? .unspecified }
    }
}
