public import LayoutValues

/// Properties of layout that few views have, kept apart so that the many others stay small.
public struct RareProperties: Sendable, Hashable {
    /// How far the rectangle that constraints speak of lies within the frame, in points.
    public var alignmentInsets: EdgeInsets?
    /// Free space around a scroll view's content, in points.
    public var contentInset: EdgeInsets?
    /// Along which axes a scroll view takes its safe area as insets.
    public var contentInsetAdjustmentBehavior: ContentInsetAdjustmentBehavior?
    /// Whether margins leave no more than the width that is good to read.
    public var layoutMarginsFollowReadableWidth: Bool?
    /// Whether a column's gaps are measured between baselines.
    public var baselineRelativeArrangement: Bool?

    /// Makes properties of which none is given.
    public init() {}
}

extension RareProperties {
    /// Visits one of its keys. Those of others are the caller's.
    mutating func visit<Visitor: ViewPropertyVisitor>(
        _ key: ViewKey, besides other: RareProperties, _ visitor: inout Visitor
    ) throws(Visitor.Failure) {
        switch key {
        case .alignmentInsets:
            try visitor.visit(key, &alignmentInsets, other.alignmentInsets, .insets)
        case .contentInset: try visitor.visit(key, &contentInset, other.contentInset, .insets)
        case .contentInsetAdjustmentBehavior:
            try visitor.visit(
                key, &contentInsetAdjustmentBehavior, other.contentInsetAdjustmentBehavior,
                .choice())
        case .layoutMarginsFollowReadableWidth:
            try visitor.visit(
                key, &layoutMarginsFollowReadableWidth, other.layoutMarginsFollowReadableWidth,
                .bool)
        case .baselineRelativeArrangement:
            try visitor.visit(
                key, &baselineRelativeArrangement, other.baselineRelativeArrangement, .bool)
        case .kind, .text, .lines, .align, .preferredWidth, .background, .foreground, .border,
            .opacity, .hidden, .clips, .contentMode, .collapses, .intrinsic, .hugging, .compression,
            .baseline, .margins, .safeArea, .frame, .frameIn, .autoresizing, .axis, .distribution,
            .alignment, .spacing, .customSpacing, .arranged, .contentOffset,
            .layoutMarginsRelativeArrangement, .dynamicType, .traits, .variations,
            .insetsLayoutMarginsFromSafeArea, .preservesSuperviewLayoutMargins,
            .keyboardUsesBottomSafeArea, .minimumContentSizeCategory, .maximumContentSizeCategory,
            .installed, .events, .enabled, .focusable, .selected, .continuous, .scrolls, .label,
            .role, .hint, .value, .minimum, .maximum, .step, .placeholder, .segments:
            break
        }
    }
}
