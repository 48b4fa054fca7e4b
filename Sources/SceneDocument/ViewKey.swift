/// The keys of a view in a document and in ops, but its name and its place in the tree, in the
/// order of the documentation.
///
/// The list that everything else is held against: `ViewProperties.visit` switches over it without a
/// default, and so do the places of the model that set a property and put it back.
public enum ViewKey: String, CaseIterable, Sendable {
    case kind
    case text
    case lines
    case align
    case preferredWidth
    case background
    case foreground
    case border
    case opacity
    case hidden
    case clips
    case contentMode
    case collapses
    case intrinsic
    case hugging
    case compression
    case baseline
    case margins
    case safeArea
    case frame
    case frameIn
    case autoresizing
    case axis
    case distribution
    case alignment
    case spacing
    case customSpacing
    case arranged
    case contentOffset
    case layoutMarginsRelativeArrangement
    case dynamicType
    case traits
    case variations
    case insetsLayoutMarginsFromSafeArea
    case preservesSuperviewLayoutMargins
    case keyboardUsesBottomSafeArea
    case minimumContentSizeCategory
    case maximumContentSizeCategory
    case installed
    case alignmentInsets
    case contentInset
    case contentInsetAdjustmentBehavior
    case layoutMarginsFollowReadableWidth
    case baselineRelativeArrangement
    case textStyle
    case fontSize
    case fontWeight
    case lineBreakMode
    case minimumScaleFactor
    case cornerRadius
    case maskedCorners
    case borderWidth
    case borderColor
    case shadow
    case gradient
    case tint
    case transform
    case image
    case symbol
    case chart
    case events
    case enabled
    case focusable
    case selected
    case continuous
    case scrolls
    case label
    case role
    case hint
    case value
    case minimum
    case maximum
    case step
    case placeholder
    case segments

    /// The first of the keys that `InteractionProperties` have; all after it are theirs too.
    private static let firstOfInteraction = ViewKey.events

    /// The first of the keys that `LookProperties` have, which end before those of interaction.
    private static let firstOfLook = ViewKey.cornerRadius

    /// The keys that `InteractionProperties` have.
    static let ofInteraction = Array(
        allCases.drop { $0 != firstOfInteraction })
    /// The keys that `LookProperties` have.
    static let ofLook = Array(
        allCases.drop { $0 != firstOfLook }.prefix { $0 != firstOfInteraction })
    /// The keys that neither have.
    static let ofViews = Array(allCases.prefix { $0 != firstOfLook })
    /// The keys that `InteractionProperties` do not have.
    static let ofViewsAndLook = ofViews + ofLook
    /// The keys that `LookProperties` do not have.
    static let ofViewsAndInteraction = ofViews + ofInteraction

    /// Whether `InteractionProperties` have it.
    public var isOfInteraction: Bool { Self.ofInteraction.contains(self) }

    /// Whether `LookProperties` have it.
    public var isOfLook: Bool { Self.ofLook.contains(self) }
}

/// Does one thing with each property of a view: reads it, writes it, merges it.
protocol ViewPropertyVisitor {
    associatedtype Failure: Error

    /// - Parameters:
    ///   - own: The property of the properties that are visited.
    ///   - other: The same property of those that are held against them.
    ///   - format: How the property is read and written; made only for visitors that ask.
    mutating func visit<Value>(
        _ key: ViewKey, _ own: inout Value?, _ other: Value?,
        _ format: @autoclosure () -> PropertyFormat<Value>
    ) throws(Failure)
}

extension ViewProperties {
    /// The one place that says which property a key means and how it is written.
    mutating func visit<Visitor: ViewPropertyVisitor>(
        _ key: ViewKey, besides other: ViewProperties, _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        switch key {
        case .kind: try visitor.visit(key, &kind, other.kind, .choice())
        case .text: try visitor.visit(key, &text, other.text, .text)
        case .lines: try visitor.visit(key, &lines, other.lines, .integer(0...1_000_000))
        case .align: try visitor.visit(key, &align, other.align, .choice())
        case .preferredWidth:
            try visitor.visit(
                key, &preferredWidth, other.preferredWidth, .number(0...Limits.numberMaximum))
        case .background: try visitor.visit(key, &background, other.background, .color)
        case .foreground: try visitor.visit(key, &foreground, other.foreground, .color)
        case .border: try visitor.visit(key, &border, other.border, .choice())
        case .opacity: try visitor.visit(key, &opacity, other.opacity, .number(0...1))
        case .hidden: try visitor.visit(key, &hidden, other.hidden, .bool)
        case .clips: try visitor.visit(key, &clips, other.clips, .bool)
        case .contentMode: try visitor.visit(key, &contentMode, other.contentMode, .choice())
        case .collapses: try visitor.visit(key, &collapses, other.collapses, .collapse)
        case .intrinsic: try visitor.visit(key, &intrinsic, other.intrinsic, .intrinsicSize)
        case .hugging: try visitor.visit(key, &hugging, other.hugging, .priorities)
        case .compression: try visitor.visit(key, &compression, other.compression, .priorities)
        case .baseline: try visitor.visit(key, &baseline, other.baseline, .baseline)
        case .margins: try visitor.visit(key, &margins, other.margins, .insets)
        case .safeArea: try visitor.visit(key, &safeArea, other.safeArea, .insets)
        case .frame: try visitor.visit(key, &frame, other.frame, .frame)
        case .frameIn: try visitor.visit(key, &frameIn, other.frameIn, .size)
        case .autoresizing:
            try visitor.visit(key, &autoresizing, other.autoresizing, .autoresizing)
        case .axis: try visitor.visit(key, &axis, other.axis, .choice())
        case .distribution: try visitor.visit(key, &distribution, other.distribution, .choice())
        case .alignment: try visitor.visit(key, &alignment, other.alignment, .choice())
        case .spacing: try visitor.visit(key, &spacing, other.spacing, .anyNumber)
        case .customSpacing:
            try visitor.visit(key, &customSpacing, other.customSpacing, .customSpacing)
        case .arranged: try visitor.visit(key, &arranged, other.arranged, .identifiers)
        case .contentOffset: try visitor.visit(key, &contentOffset, other.contentOffset, .point)
        case .layoutMarginsRelativeArrangement:
            try visitor.visit(
                key, &layoutMarginsRelativeArrangement, other.layoutMarginsRelativeArrangement,
                .bool)
        case .dynamicType: try visitor.visit(key, &dynamicType, other.dynamicType, .bool)
        case .traits: try visitor.visit(key, &traits, other.traits, .traits)
        case .variations: try visitor.visit(key, &variations, other.variations, .variations)
        case .insetsLayoutMarginsFromSafeArea:
            try visitor.visit(
                key, &insetsLayoutMarginsFromSafeArea, other.insetsLayoutMarginsFromSafeArea, .bool)
        case .preservesSuperviewLayoutMargins:
            try visitor.visit(
                key, &preservesSuperviewLayoutMargins, other.preservesSuperviewLayoutMargins, .bool)
        case .keyboardUsesBottomSafeArea:
            try visitor.visit(
                key, &keyboardUsesBottomSafeArea, other.keyboardUsesBottomSafeArea, .bool)
        case .minimumContentSizeCategory:
            try visitor.visit(
                key, &minimumContentSizeCategory, other.minimumContentSizeCategory, .choice())
        case .maximumContentSizeCategory:
            try visitor.visit(
                key, &maximumContentSizeCategory, other.maximumContentSizeCategory, .choice())
        case .installed: try visitor.visit(key, &installed, other.installed, .bool)
        case .alignmentInsets:
            try visitor.visit(key, &rare.alignmentInsets, other.rare.alignmentInsets, .insets)
        case .contentInset:
            try visitor.visit(key, &rare.contentInset, other.rare.contentInset, .insets)
        case .contentInsetAdjustmentBehavior:
            try visitor.visit(
                key, &rare.contentInsetAdjustmentBehavior,
                other.rare.contentInsetAdjustmentBehavior, .choice())
        case .layoutMarginsFollowReadableWidth:
            try visitor.visit(
                key, &rare.layoutMarginsFollowReadableWidth,
                other.rare.layoutMarginsFollowReadableWidth, .bool)
        case .baselineRelativeArrangement:
            try visitor.visit(
                key, &rare.baselineRelativeArrangement, other.rare.baselineRelativeArrangement,
                .bool)
        case .textStyle:
            try visitor.visit(key, &rare.textStyle, other.rare.textStyle, .choice())
        case .fontSize:
            try visitor.visit(
                key, &rare.fontSize, other.rare.fontSize, .number(Limits.fontSizeRange))
        case .fontWeight:
            try visitor.visit(key, &rare.fontWeight, other.rare.fontWeight, .choice())
        case .lineBreakMode:
            try visitor.visit(key, &rare.lineBreakMode, other.rare.lineBreakMode, .choice())
        case .minimumScaleFactor:
            try visitor.visit(
                key, &rare.minimumScaleFactor, other.rare.minimumScaleFactor, .number(0...1))
        case .cornerRadius, .maskedCorners, .borderWidth, .borderColor, .shadow, .gradient, .tint,
            .transform, .image, .symbol, .chart:
            var own = look
            try own.visit(key, besides: other.look, &visitor)
            look = own
        case .events, .enabled, .focusable, .selected, .continuous, .scrolls, .label, .role, .hint,
            .value, .minimum, .maximum, .step, .placeholder, .segments:
            var own = interaction
            try own.visit(key, besides: other.interaction, &visitor)
            interaction = own
        }
    }

    /// The keys that one of two may have: all but those of interaction and of the look where
    /// neither has any, which is most often.
    static func keys(_ one: ViewProperties, _ other: ViewProperties) -> [ViewKey] {
        if one.hasLook || other.hasLook {
            one.hasInteraction || other.hasInteraction ? ViewKey.allCases : ViewKey.ofViewsAndLook
        } else if one.hasInteraction || other.hasInteraction {
            ViewKey.ofViewsAndInteraction
        } else {
            ViewKey.ofViews
        }
    }
}

extension InteractionProperties {
    /// The same for the keys that are theirs; of the others they have none.
    mutating func visit<Visitor: ViewPropertyVisitor>(
        _ key: ViewKey, besides other: InteractionProperties, _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        switch key {
        case .events: try visitor.visit(key, &events, other.events, .events)
        case .enabled: try visitor.visit(key, &enabled, other.enabled, .bool)
        case .focusable: try visitor.visit(key, &focusable, other.focusable, .bool)
        case .selected: try visitor.visit(key, &selected, other.selected, .bool)
        case .continuous: try visitor.visit(key, &continuous, other.continuous, .bool)
        case .scrolls: try visitor.visit(key, &scrolls, other.scrolls, .choice())
        case .label:
            try visitor.visit(key, &label, other.label, .text(byteMaximum: Self.textByteMaximum))
        case .role: try visitor.visit(key, &role, other.role, .choice())
        case .hint:
            try visitor.visit(key, &hint, other.hint, .text(byteMaximum: Self.textByteMaximum))
        case .value: try visitor.visit(key, &value, other.value, .controlValue)
        case .minimum: try visitor.visit(key, &minimum, other.minimum, .anyNumber)
        case .maximum: try visitor.visit(key, &maximum, other.maximum, .anyNumber)
        case .step:
            try visitor.visit(key, &step, other.step, .number(0...Limits.numberMaximum))
        case .placeholder:
            try visitor.visit(
                key, &placeholder, other.placeholder, .text(byteMaximum: Self.textByteMaximum))
        case .segments: try visitor.visit(key, &segments, other.segments, .segments)
        case .kind, .text, .lines, .align, .preferredWidth, .background, .foreground, .border,
            .opacity, .hidden, .clips, .contentMode, .collapses, .intrinsic, .hugging, .compression,
            .baseline, .margins, .safeArea, .frame, .frameIn, .autoresizing, .axis, .distribution,
            .alignment, .spacing, .customSpacing, .arranged, .contentOffset,
            .layoutMarginsRelativeArrangement, .dynamicType, .traits, .variations,
            .insetsLayoutMarginsFromSafeArea, .preservesSuperviewLayoutMargins,
            .keyboardUsesBottomSafeArea, .minimumContentSizeCategory, .maximumContentSizeCategory,
            .installed, .alignmentInsets, .contentInset, .contentInsetAdjustmentBehavior,
            .layoutMarginsFollowReadableWidth, .baselineRelativeArrangement,
            .textStyle, .fontSize, .fontWeight, .lineBreakMode, .minimumScaleFactor, .cornerRadius,
            .maskedCorners, .borderWidth, .borderColor, .shadow, .gradient, .tint, .transform,
            .image, .symbol, .chart:
            break
        }
    }
}
