/// What a room keeps and takes of events.
public struct EventLimits: Sendable, Equatable {
    /// Events of one client that may wait for their result.
    public var unansweredMaximum = 256
    /// Events that one handler may have been sent and not answered.
    public var deliveredMaximum = 1024
    /// Bytes, about, of all events of the room that wait for a result.
    public var byteMaximum = 8 << 20
    /// Members that may handle events, or be sent messages, at one time.
    public var handlerMaximum = 256
    /// Events of one client in a second.
    public var perSecond = 5_000
    /// Seconds for which a handler that is gone is waited for, before its events are answered.
    public var absenceSeconds = 5

    /// Makes the standard limits.
    public init() {}
}
