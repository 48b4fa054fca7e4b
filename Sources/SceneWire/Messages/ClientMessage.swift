/// What clients send.
public enum ClientMessage: Sendable, Equatable {
    /// The first message.
    case hello(Hello)
    /// What was applied.
    case ack(Ack)
    /// Changes.
    case ops(Ops)
    /// States differ.
    case resync(Resync)
    /// Asks for the time.
    case ping(Ping)
    /// Where the member is.
    case presence(Presence)
    /// Takes back.
    case undo(UndoRequest)
    /// Does again.
    case redo(UndoRequest)
    /// Changes what the member gets.
    case subscribe(Subscribe)
    /// Shows the past.
    case seek(Seek)
    /// Turns the trace on or off.
    case trace(TraceRequest)
    /// Asks what stands behind the frames.
    case inspect(Inspect)
    /// Asks for another device.
    case device(DeviceRequest)
    /// Turns the telling of records on or off.
    case follow(FollowRequest)
    /// A user's action on a view.
    case event(SentEvent)
    /// Says whose events the member handles.
    case handle(HandleRequest)
    /// What the member made of events.
    case handled(HandledEvents)
}
