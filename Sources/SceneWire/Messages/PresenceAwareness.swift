import ConstraintLanguage

/// What a member attends to, and what they want of the others.
public struct PresenceAwareness: Sendable, Hashable {
    /// The device of the scene that they watch it on; empty for the main device, and for one of
    /// their own. At most 64 bytes.
    public var device = ""
    /// Their client has had no input of theirs for 60 seconds.
    public var isIdle = false
    /// They want to say something.
    public var isHandRaised = false
    /// They ask everybody to follow them. A server passes it on for members whose role edits, and
    /// at most one new one of a room in 10 seconds.
    public var isSpotlight = false

    /// Makes the awareness of a member who watches the main device.
    public init() {}
}

extension PresenceAwareness: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.text("device", &device, maximum: Identifier.byteMaximum)
        try coder.bool("idle", &isIdle)
        try coder.bool("handRaised", &isHandRaised)
        try coder.bool("spotlight", &isSpotlight)
    }
}
