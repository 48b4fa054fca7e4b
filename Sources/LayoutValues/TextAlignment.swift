/// Where the lines of a label lie within its width. Apple, `NSTextAlignment`.
public enum TextAlignment: String, CaseIterable, Sendable {
    /// At the left edge.
    case left
    /// In the middle.
    case center
    /// At the right edge.
    case right
    /// At the leading edge.
    case natural
    /// As `natural`: the character grid leaves nothing to stretch.
    case justified
}
