public import SceneWire

/// Counts frames until the next acknowledgement is due. SPEC.md, MSG-14.
public struct AcknowledgementCounter: Sendable {
    /// Frames from one acknowledgement to the next.
    public private(set) var interval = GrantedLimits().framesPerAcknowledgement
    private var count = 0

    /// Begins to count under the standard limits.
    public init() {}

    /// Begins to count under the limits of a welcome.
    public init(_ limits: GrantedLimits) { interval = limits.framesPerAcknowledgement }

    /// Counts a frame.
    ///
    /// - Returns: Whether an acknowledgement is due.
    public mutating func countFrame() -> Bool {
        count += 1
        return count >= interval
    }

    /// Begins to count anew, after an acknowledgement.
    ///
    /// - Parameter frames: Frames that count already.
    public mutating func restart(at frames: Int = 0) { count = frames }
}
