import ConstraintLanguage
public import JSON
public import SceneDocument

/// The modifier keys held during an event: bits of `UserEvent.modifiers`.
public enum EventModifiers {
    /// Shift.
    public static let shift: UInt8 = 1 << 0
    /// Control.
    public static let control: UInt8 = 1 << 1
    /// Alt, or Option.
    public static let alt: UInt8 = 1 << 2
    /// Meta: Command, or the Windows key.
    public static let meta: UInt8 = 1 << 3
    /// All of them; other bits mean nothing.
    public static let all: UInt8 = shift | control | alt | meta
}

/// The part of an event that its sender and its handler see alike.
public struct UserEvent: Sendable, Equatable {
    /// The kind.
    public var kind = EventKind.tap
    /// The id of the view; empty for a message about no view.
    public var view = ""
    /// The tick of the scene that the sender saw.
    public var tick: UInt64 = 0
    /// The horizontal position in points from the left edge of the view.
    public var x = 0.0
    /// The vertical position in points from the top edge of the view.
    public var y = 0.0
    /// Modifier keys, a combination of `EventModifiers`.
    public var modifiers: UInt8 = 0
    /// The value, whose form depends on the kind; see `EventKind`.
    public var value = JSONValue.null

    /// The largest `value`, in bytes of JSON text.
    public static let valueByteMaximum = 4096

    /// Creates a tap without a view.
    public init() {}

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.choice("kind", &kind)
        try coder.text("view", &view, maximum: Identifier.byteMaximum)
        try coder.u64("tick", &tick)
        var place = [x, y]
        try coder.doubles("place", &place)
        (x, y) = (place[0], place[1])
        try coder.u8("modifiers", &modifiers)
        if modifiers > EventModifiers.all { try coder.invalid("modifiers", "bits of four keys") }
        try coder.json("value", &value)
        if value.text().utf8.count > Self.valueByteMaximum {
            try coder.invalid("value", "JSON of at most \(Self.valueByteMaximum) bytes")
        }
    }
}

/// An event as a client sends it to the server.
public struct SentEvent: Sendable, Equatable {
    /// The number of the event. A client counts its events from 1, across its connections.
    public var eventSequence: UInt64 = 0
    /// The recipient of a message: a member's number in presence, `everyone`, or 0 for the handler
    /// of the view. 0 for all other kinds.
    public var to: UInt32 = 0
    /// The event.
    public var event = UserEvent()

    /// As a recipient: every other member with `Capability.events`.
    public static let everyone = UInt32.max

    /// Creates an empty event.
    public init() {}
}

extension SentEvent: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("eventSequence", &eventSequence)
        try coder.u32("to", &to)
        try event.code(&coder)
    }
}

/// An event as the server delivers it to the member that handles it.
public struct DeliveredEvent: Sendable, Equatable {
    /// The number of the delivery. The server counts deliveries to a client from 1, across its
    /// connections; 0 marks a message to everyone, which needs no answer.
    public var sequence: UInt64 = 0
    /// The sender's number in presence.
    public var client: UInt32 = 0
    /// The subject of the sender's token, at most `subjectByteMaximum` bytes; empty on a server
    /// without tokens.
    public var subject = ""
    /// The event.
    public var event = UserEvent()

    /// The longest `subject`, in bytes.
    public static let subjectByteMaximum = 256

    /// Creates an empty event.
    public init() {}
}

extension DeliveredEvent: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("sequence", &sequence)
        try coder.u32("client", &client)
        try coder.text("subject", &subject, maximum: Self.subjectByteMaximum)
        try event.code(&coder)
    }
}

/// Sets the subtrees whose events the client handles; replaces its previous request.
public struct HandleRequest: Sendable, Equatable {
    /// The ids of the topmost views of the subtrees; empty to handle no events.
    public var roots: [String] = []

    /// The largest number of subtrees.
    public static let rootMaximum = 64

    /// Creates a request to handle no events.
    public init() {}
}

extension HandleRequest: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.texts(
            "roots", &roots, maximum: Self.rootMaximum, textMaximum: Identifier.byteMaximum)
    }
}

/// The outcome of an event.
public enum EventOutcome: String, CaseIterable, Sendable {
    /// The handler processed the event.
    case handled
    /// No handler processed the event, and none will.
    case unhandled
    /// The event was delivered, but its handler disconnected without an answer; the handler may
    /// have processed it.
    case unknown
    /// The server rejected the event.
    case refused
}

/// A handler's answers to events that were delivered to it.
public struct HandledEvents: Sendable, Equatable {
    /// The answer to one event.
    public struct Answer: Sendable, Equatable {
        /// The number of the delivery.
        public var sequence: UInt64 = 0
        /// Whether the handler processed the event.
        public var isHandled = true

        /// Creates an answer without a number.
        public init() {}
    }

    /// The answers, one for each event.
    public var answers: [Answer] = []

    /// The largest number of answers in a message.
    public static let answerMaximum = 1024

    /// Creates an empty message.
    public init() {}
}

extension HandledEvents: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.list("answers", &answers, maximum: Self.answerMaximum)
    }
}

extension HandledEvents.Answer: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("sequence", &sequence)
        try coder.bool("handled", &isHandled)
    }
}

/// The outcomes of events, for the client that sent them.
public struct EventResults: Sendable, Equatable {
    /// The outcome of one event.
    public struct Result: Sendable, Equatable {
        /// The number that the client gave to the event.
        public var eventSequence: UInt64 = 0
        /// The outcome.
        public var outcome = EventOutcome.handled
        /// The refusal code; empty unless the event was refused.
        public var code = ""
        /// The reason for a refusal, for people.
        public var message = ""

        /// Creates a result without a number.
        public init() {}
    }

    /// The results, one for each event.
    public var results: [Result] = []

    /// The largest number of results in a message.
    public static let resultMaximum = 1024

    /// Creates an empty message.
    public init() {}
}

extension EventResults: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.list("results", &results, maximum: Self.resultMaximum)
    }
}

extension EventResults.Result: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("eventSequence", &eventSequence)
        try coder.choice("outcome", &outcome)
        try coder.text("code", &code, maximum: 64)
        try coder.text("message", &message, maximum: coder.limits.textBytesMaximum)
    }
}
