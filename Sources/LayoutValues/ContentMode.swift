/// What happens to a view's ready content when its bounds change. Apple, `UIView.ContentMode`.
public enum ContentMode: String, CaseIterable, Sendable {
    /// Stretched to the new bounds.
    case scaleToFill
    /// Scaled, keeping its proportions, to lie within.
    case scaleAspectFit
    /// Scaled, keeping its proportions, to cover.
    case scaleAspectFill
    /// Drawn anew.
    case redraw
    /// Kept in size, in the middle.
    case center
    /// Kept in size, at the middle of the top edge.
    case top
    /// Kept in size, at the middle of the bottom edge.
    case bottom
    /// Kept in size, at the middle of the left edge.
    case left
    /// Kept in size, at the middle of the right edge.
    case right
    /// Kept in size, in the top left corner.
    case topLeft
    /// Kept in size, in the top right corner.
    case topRight
    /// Kept in size, in the bottom left corner.
    case bottomLeft
    /// Kept in size, in the bottom right corner.
    case bottomRight
}
