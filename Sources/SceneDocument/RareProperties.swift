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

    /// The role of a text, by which it has its size in faces.
    public var textStyle: TextStyle?
    /// The size of text in faces, in points at the category `large`.
    public var fontSize: Double?
    /// How heavy text in faces is.
    public var fontWeight: FontWeight?
    /// What becomes of text in faces that is wider than its label.
    public var lineBreakMode: LineBreakMode?
    /// The smallest size that text in faces shrinks to, as a share of its own.
    public var minimumScaleFactor: Double?

    /// Makes properties of which none is given.
    public init() {}
}
