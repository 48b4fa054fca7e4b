/// One call that a pass made, or one mark that the engine set, in the order in which they happened.
public struct TraceEvent: Equatable, Sendable, CustomStringConvertible {
    /// What was called or marked.
    public enum Kind: String, Sendable {
        /// `updateProperties` was called.
        case updateProperties
        /// The update-constraints pass called `updateConstraints`.
        case updateConstraints
        /// The engine marked a view because a frame variable of one of its subviews changed.
        case setNeedsLayout
        /// The layout pass called `layoutSubviews`.
        case layoutSubviews
        /// The display pass called `draw`.
        case draw
    }

    /// What happened.
    public let kind: Kind
    /// The view's identifier.
    public let view: String

    /// The trace line, such as `layoutSubviews container`.
    public var description: String { "\(kind.rawValue) \(view)" }
}
