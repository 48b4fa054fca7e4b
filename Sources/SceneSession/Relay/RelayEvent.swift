public import SceneWire

/// The input of a `RelaySession`. Its behaviour follows from the list of events alone.
public enum RelayEvent: Sendable {
    /// A viewer was admitted.
    case joined(MemberID, Admission)
    /// A member sent a message.
    case received(MemberID, ClientMessage)
    /// A member left.
    case left(MemberID)
    /// Time has passed: about this many ticks.
    case elapsed(ticks: UInt64)
    /// The room's owner can be asked. What was asked of an earlier one is void.
    case attached
    /// The room's owner is gone.
    case detached
    /// The room's owner gave it to another one, which is to be asked with the next `attached`. What
    /// the former one sends is taken until that one has the room.
    case handedOver
    /// The former owner sends nothing more.
    case formerEnded
    /// The owner sent messages for a stream, as payloads in binary form.
    case delivered(stream: UInt64, [[UInt8]])
    /// The owner closed a stream.
    case ended(stream: UInt64, CloseCode, String)
}

/// The output of a `RelaySession`, to be executed in order.
public enum RelayEffect: Sendable, Equatable {
    /// Messages for some members, encoded once; each of `payloads` is one WebSocket message.
    case send(payloads: [[UInt8]], format: Subprotocol, to: [MemberID])
    /// Closes a connection.
    case close(MemberID, CloseCode, String)
    /// Asks the owner to admit a viewer on behalf of all that watch a stream; what it receives
    /// comes back as `delivered`.
    case watch(stream: UInt64, Hello)
    /// Sends the owner a message of a stream's viewer.
    case tell(stream: UInt64, ClientMessage)
    /// The stream's viewer leaves the room.
    case leave(stream: UInt64)
    /// A member needs more of the owner than a stream gives: it is no longer the session's, and the
    /// owner is to admit it with this hello, and then to be sent its message. It was welcomed
    /// already.
    case handOver(MemberID, Subprotocol, subject: String, Hello, ClientMessage)
}
