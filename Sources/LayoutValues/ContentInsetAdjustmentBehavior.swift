/// Along which axes a scroll view takes its safe area as insets of its content. Apple,
/// `UIScrollView.ContentInsetAdjustmentBehavior`.
public enum ContentInsetAdjustmentBehavior: String, CaseIterable, Sendable {
    /// Along the axes in which the content is not as long as the view. Content that is as long, as
    /// most is across, has the safe area itself. UIKit adjusts for short content only where a
    /// navigation controller shows it.
    case automatic
    /// The same.
    case scrollableAxes
    /// Along none: the content has the safe area as any view's subviews do, measured from the
    /// content's edges.
    case never
    /// Along both.
    case always
}
