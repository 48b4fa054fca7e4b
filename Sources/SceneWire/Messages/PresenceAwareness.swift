import ConstraintLanguage

/// A member's device and attention, and their requests to the others.
public struct PresenceAwareness: Sendable, Hashable {
    /// The name of the device on which the member watches the scene; empty for the main device and
    /// for an unnamed one. At most 64 bytes.
    public var device = ""
    /// Whether the client has had no input for 60 seconds.
    public var isIdle = false
    /// Whether the member raises a hand.
    public var isHandRaised = false
    /// Whether the member asks all others to follow. The server forwards requests of editors alone,
    /// and at most one new request in 10 seconds for each room.
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
