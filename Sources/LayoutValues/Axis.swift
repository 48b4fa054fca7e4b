/// One of the two directions in which views have an extent. Apple, `NSLayoutConstraint.Axis`.
public enum Axis: String, CaseIterable, Sendable {
    /// Along x: left, right, width.
    case horizontal
    /// Along y: top, bottom, height.
    case vertical
}
