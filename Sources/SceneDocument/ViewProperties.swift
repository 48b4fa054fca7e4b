/// While a view is hidden, which of its extents are 0.
public struct Collapse: Hashable, Sendable {
    /// The width is 0, and the gap on the leading side goes.
    public var width: Bool
    /// The height is 0, and the gap above goes.
    public var height: Bool

    /// Makes a value.
    public init(width: Bool, height: Bool) {
        self.width = width
        self.height = height
    }
}

/// Where a view's baselines are. JSON: `[fromTop, fromBottom]`.
public struct BaselineOffsets: Hashable, Sendable {
    /// From the top edge down to the first baseline, in points.
    public var fromTop: Double
    /// From the bottom edge up to the last baseline, in points.
    public var fromBottom: Double

    /// Makes offsets.
    public init(fromTop: Double, fromBottom: Double) {
        self.fromTop = fromTop
        self.fromBottom = fromBottom
    }
}

/// The gap after one arranged view of a stack, in place of the stack's spacing.
public struct CustomSpacing: Hashable, Sendable {
    /// The view that the gap follows.
    public var id: String
    /// In points.
    public var value: Double

    /// Makes a gap.
    public init(id: String, value: Double) {
        self.id = id
        self.value = value
    }
}

/// Every key of a view but its name and its place in the tree; nil means not given.
public struct ViewProperties: Sendable, Equatable {
    /// What the view is.
    public var kind: ViewKind?
    /// A label's text.
    public var text: String?
    /// A label's most lines; 0 for as many as needed.
    public var lines: Int?
    /// Where a label's lines stand.
    public var align: TextAlignment?
    /// The width at which a label wraps, in points.
    public var preferredWidth: Double?
    /// The colour of the area.
    public var background: DynamicColor?
    /// The colour of text and border.
    public var foreground: DynamicColor?
    /// The line around the view.
    public var border: BorderStyle?
    /// 0...1
    public var opacity: Double?
    /// Whether it is not shown.
    public var hidden: Bool?
    /// Whether subviews are cut at its edges.
    public var clips: Bool?
    /// How its drawing follows its size.
    public var contentMode: ContentMode?
    /// Which extents are 0 while it is hidden.
    public var collapses: Collapse?
    /// The content size in place of the measured one; −1 for none.
    public var intrinsic: Size?
    /// How strongly it resists being larger than its content.
    public var hugging: PriorityByAxis?
    /// How strongly it resists being smaller than its content.
    public var compression: PriorityByAxis?
    /// Where its baselines are.
    public var baseline: BaselineOffsets?
    /// The insets of the guide `margins`.
    public var margins: EdgeInsets?
    /// The insets of the guide `safeArea`.
    public var safeArea: EdgeInsets?
    /// The place of a view that has no constraints.
    public var frame: Rect?
    /// The superview's size that the frame belongs to, in points; without it, the size that the
    /// superview has.
    public var frameIn: Size?
    /// How that place follows the superview's size.
    public var autoresizing: AutoresizingMask?
    /// A stack's direction.
    public var axis: Axis?
    /// How a stack shares its length.
    public var distribution: StackDistribution?
    /// How a stack places its views across its axis.
    public var alignment: StackAlignment?
    /// A stack's gaps, in points.
    public var spacing: Double?
    /// A stack's other gaps, in order.
    public var customSpacing: [CustomSpacing]?
    /// The views that a stack arranges, in order.
    public var arranged: [String]?
    /// What a scroll view's top left corner shows.
    public var contentOffset: Point?

    /// Whether a stack arranges its views within its margins.
    public var layoutMarginsRelativeArrangement: Bool?
    /// Whether a label's text is as large as people want it; true where it is not given.
    public var dynamicType: Bool?
    /// Traits that the view sets for itself and all below it.
    public var traits: TraitValues?
    /// What is different under some traits.
    public var variations: [Variation]?
    /// Whether margins begin where the safe area ends; true where it is not given.
    public var insetsLayoutMarginsFromSafeArea: Bool?
    /// Whether margins are at least as far in as the superview's.
    public var preservesSuperviewLayoutMargins: Bool?
    /// Whether the guide `keyboard` ends at the safe area while no keyboard is there; true where it
    /// is not given.
    public var keyboardUsesBottomSafeArea: Bool?
    /// The smallest text that the view and all below it have, whatever people want; unspecified for
    /// none.
    public var minimumContentSizeCategory: ContentSizeCategory?
    /// The largest.
    public var maximumContentSizeCategory: ContentSizeCategory?
    /// Whether it takes part in the layout; true where it is not given.
    public var installed: Bool?

    private var sharedRare: Shared<RareProperties>?
    /// Properties of layout that few views have, in memory of their own.
    public var rare: RareProperties {
        get { sharedRare?.value ?? RareProperties() }
        set {
            guard newValue != rare else { return }
            sharedRare = newValue == RareProperties() ? nil : Shared(newValue)
        }
    }

    private var sharedLook: Shared<LookProperties>?
    /// Properties of the look that few views have, in memory of their own.
    public var look: LookProperties {
        get { sharedLook?.value ?? LookProperties() }
        set { sharedLook = newValue == LookProperties() ? nil : Shared(newValue) }
    }
    /// Whether one of these is given.
    ///
    /// - Complexity: O(1).
    public var hasLook: Bool { sharedLook != nil }

    /// In memory of its own, because few views have any; nil for those.
    private var sharedInteraction: Shared<InteractionProperties>?
    /// The view's properties for interaction and for accessibility.
    public var interaction: InteractionProperties {
        get { sharedInteraction?.value ?? InteractionProperties() }
        set {
            sharedInteraction =
                newValue == InteractionProperties() ? nil : Shared(newValue)
        }
    }
    /// Whether one of these is given.
    ///
    /// - Complexity: O(1).
    public var hasInteraction: Bool { sharedInteraction != nil }

    /// Makes properties of which none is given.
    public init() {}

    /// Whether none is given.
    public var isEmpty: Bool { self == ViewProperties() }
}

/// A view of a document.
public struct ViewSpec: Sendable, Equatable {
    /// Its name.
    public var id: String
    /// The name of its superview.
    public var parent: String
    /// Its place among the superview's subviews, from 0; nil for the last.
    public var index: Int?
    /// Everything else, which copies have in common.
    public var sharedProperties: Shared<ViewProperties>
    /// Everything else.
    public var properties: ViewProperties {
        _read { yield sharedProperties.value }
        set { sharedProperties.value = newValue }
    }

    /// Makes a view.
    public init(
        id: String, parent: String = "root", index: Int? = nil,
        properties: ViewProperties = ViewProperties()
    ) {
        self.init(id: id, parent: parent, index: index, sharedProperties: Shared(properties))
    }

    /// Makes a view with properties that others have too.
    public init(
        id: String, parent: String, index: Int? = nil, sharedProperties: Shared<ViewProperties>
    ) {
        self.id = id
        self.parent = parent
        self.index = index
        self.sharedProperties = sharedProperties
    }
}
