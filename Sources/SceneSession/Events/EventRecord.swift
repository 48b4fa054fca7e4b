public import SceneWire

/// One step in the life of an event, for a record that outlives the room; see
/// `SessionOptions.recordsEvents`.
///
/// An event has one `received`, a `delivered` for each time that it is sent to a handler (again
/// after a reconnect), and one `ended`. An event without an `ended` still waited when the room left
/// memory.
public struct EventRecord: Sendable, Equatable {
    /// A member, as of this step.
    public struct Party: Sendable, Equatable {
        /// The number in presence.
        public var client: UInt32
        /// The subject that the member's token proves; empty without tokens.
        public var subject: String

        /// Makes a party.
        public init(client: UInt32, subject: String) {
            self.client = client
            self.subject = subject
        }
    }

    /// A step.
    public enum Step: Sendable, Equatable {
        /// The room received the event for the first time. `to` is the member that a message names;
        /// 0 for the view's handler.
        case received(from: Party, to: UInt32, UserEvent)
        /// The event was sent to the member that handles it.
        case delivered(to: Party)
        /// A message was sent to every other member that understands events.
        case broadcast(members: Int)
        /// The event's result. `code` is empty unless it was refused.
        case ended(EventOutcome, code: String)
    }

    /// The session of the sender. With `eventSequence` it identifies the event.
    public var session: String
    /// The number that the sender gave to the event.
    public var eventSequence: UInt64
    /// What happened.
    public var step: Step

    /// Makes a record.
    public init(session: String, eventSequence: UInt64, _ step: Step) {
        self.session = session
        self.eventSequence = eventSequence
        self.step = step
    }
}
