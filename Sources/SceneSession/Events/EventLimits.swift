/// The limits of events in a room.
public struct EventLimits: Sendable, Equatable {
    /// Events without a result, of one client.
    public var unansweredMaximum = 256
    /// Deliveries without an answer, to one handler.
    public var deliveredMaximum = 1024
    /// Approximate bytes of all events without a result.
    public var byteMaximum = 8 << 20
    /// Members that handle events or receive messages at one time.
    public var handlerMaximum = 256
    /// Events of one client in a second.
    public var perSecond = 5_000
    /// Bytes of the copies of one client's messages to everyone, in a second, with bursts of as
    /// many.
    public var copiedBytesPerSecond = 16 << 20
    /// Seconds that a disconnected handler has to reconnect.
    public var absenceSeconds = 5

    /// Makes the standard limits.
    public init() {}
}
