import ConstraintLanguage

/// What people do with a view, and what members tell one another.
public enum EventKind: String, CaseIterable, Sendable {
    /// A button was pressed and let go over the view, or Enter or Space while it had the focus.
    case tap
    /// A button or finger went down on the view, and up: `"began"`, `"ended"`, `"cancelled"`. Another view on which it was
    /// let go gets `"dropped"` before.
    case press
    /// The pointer came (`true`) or went (`false`).
    case hover
    /// A key, while the view had the focus: its name in the words of UI Events, such as `"Enter"` or `"a"`.
    case key
    /// How far the view was scrolled, in points: `[x, y]`.
    case scroll
    /// A control's new value: a flag, a number or a text.
    case input
    /// Words between programs, whatever they are; no view has to ask for it.
    case message

    /// The kinds that a view can ask for.
    public static let asked: [EventKind] = [.tap, .press, .hover, .key, .scroll, .input]
}

/// Keys that were held during an event: bits of `UserEvent.modifiers`.
public enum EventModifiers {
    /// Shift.
    public static let shift: UInt8 = 1 << 0
    /// Control.
    public static let control: UInt8 = 1 << 1
    /// Alt, or Option.
    public static let alt: UInt8 = 1 << 2
    /// Meta: Command, or the Windows key.
    public static let meta: UInt8 = 1 << 3
}

/// What happened to a view, as its sender tells it and as its handler hears it.
public struct UserEvent: Sendable, Equatable {
    /// What happened.
    public var kind = EventKind.tap
    /// The view; empty for a message that is about none.
    public var view = ""
    /// The tick that the sender's screen showed.
    public var tick: UInt64 = 0
    /// Where in the view, in points from its top left corner.
    public var x = 0.0
    /// The same, down.
    public var y = 0.0
    /// Keys that were held, see `EventModifiers`.
    public var modifiers: UInt8 = 0
    /// What comes with it, see `EventKind`; `null` for nothing.
    public var value = JSONValue.null

    /// Bytes of `value` as a JSON text.
    public static let valueByteMaximum = 4096

    /// Makes a tap on nothing.
    public init() {}

    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.choice("kind", &kind)
        try coder.text("view", &view, maximum: Identifier.byteMaximum)
        try coder.u64("tick", &tick)
        var place = [x, y]
        try coder.doubles("place", &place)
        (x, y) = (place[0], place[1])
        try coder.u8("modifiers", &modifiers)
        try coder.json("value", &value)
        if value.text().utf8.count > Self.valueByteMaximum {
            try coder.invalid("value", "JSON of at most \(Self.valueByteMaximum) bytes")
        }
    }
}

/// A member's event, on its way to whoever handles the view.
public struct SentEvent: Sendable, Equatable {
    /// Counts the client's events up, from 1, over all its connections.
    public var eventSequence: UInt64 = 0
    /// For messages: the number of the member that is meant, `everyone`, or 0 for whoever handles the view.
    public var to: UInt32 = 0
    /// What happened.
    public var event = UserEvent()

    /// All members that understand events, but the sender.
    public static let everyone = UInt32.max

    /// Makes an event of nothing.
    public init() {}
}

extension SentEvent: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.u64("eventSequence", &eventSequence)
        try coder.u32("to", &to)
        try event.code(&coder)
    }
}

/// An event for the member that handles it.
public struct DeliveredEvent: Sendable, Equatable {
    /// Counts the events for this client up, from 1, over all its connections; 0 for a message to everyone, which needs
    /// no answer.
    public var sequence: UInt64 = 0
    /// The sender's number in presence.
    public var client: UInt32 = 0
    /// Who the sender proved to be, in at most `subjectByteMaximum` bytes; empty where nobody asked.
    public var subject = ""
    /// What happened.
    public var event = UserEvent()

    /// Bytes of `subject`.
    public static let subjectByteMaximum = 256

    /// Makes an event of nothing.
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

/// Says which subtrees the member handles the events of, in place of what it said before.
public struct HandleRequest: Sendable, Equatable {
    /// The subtrees' views; none for no events.
    public var roots: [String] = []

    /// The subtrees that a member may handle.
    public static let rootMaximum = 64

    /// Asks for no events.
    public init() {}
}

extension HandleRequest: WireValue {
    mutating func code<Coder: FieldCoder>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.texts(
            "roots", &roots, maximum: Self.rootMaximum, textMaximum: Identifier.byteMaximum)
    }
}

/// What became of an event.
public enum EventOutcome: String, CaseIterable, Sendable {
    /// Its handler dealt with it.
    case handled
    /// Nobody did, and nobody will.
    case unhandled
    /// Its handler was told and went away before it said anything: it may have dealt with it.
    case unknown
    /// It was not taken in.
    case refused
}

/// What a handler made of events.
public struct HandledEvents: Sendable, Equatable {
    /// One of them.
    public struct Answer: Sendable, Equatable {
        /// The event's number.
        public var sequence: UInt64 = 0
        /// Whether it was dealt with.
        public var isHandled = true

        /// Makes an answer to nothing.
        public init() {}
    }

    /// Each event's answer.
    public var answers: [Answer] = []

    /// The answers that a message may have.
    public static let answerMaximum = 1024

    /// Makes an empty message.
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

/// Tells a sender what became of its events.
public struct EventResults: Sendable, Equatable {
    /// What became of one of them.
    public struct Result: Sendable, Equatable {
        /// The event's number.
        public var eventSequence: UInt64 = 0
        /// What became of it.
        public var outcome = EventOutcome.handled
        /// Why it was refused, as a code of ops; empty otherwise.
        public var code = ""
        /// The same for people.
        public var message = ""

        /// Makes the result of nothing.
        public init() {}
    }

    /// Each event's result.
    public var results: [Result] = []

    /// The results that a message may have.
    public static let resultMaximum = 1024

    /// Makes an empty message.
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
