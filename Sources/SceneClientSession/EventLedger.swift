import SceneDocument
public import SceneWire

/// The events of a client that are not finished: those sent and without a result, and those
/// received and not answered.
///
/// After a reconnect the client sends its unfinished events again, and the server recognizes
/// duplicates by their numbers. If the server has no memory of the client, because its process or
/// the room was restarted, events that were already sent end as `unknown`.
struct EventLedger: Sendable {
    private struct Waiting: Sendable {
        var event: SentEvent
        /// Whether the event was sent over any connection.
        var isSent: Bool
    }

    /// The identity of the client on the server. Event numbers and results are valid only within
    /// one identity.
    private struct Identity: Equatable, Sendable {
        var session: String
        /// The incarnation rather than the epoch, which also changes when a room recovers from a
        /// disk failure without losing its clients.
        var incarnation: UInt64?
    }

    /// The largest number of events without a result; the same as the server's limit.
    static let unansweredMaximum = 256
    /// The number of answers kept for duplicates; the server's limit of unanswered deliveries to
    /// one client.
    private static let answerMaximum = 1024

    private var waiting: [Waiting] = []
    private var nextSequence: UInt64 = 1
    private var identity: Identity?
    private var generation = 0
    /// The subtrees that the client handles; `nil` before the first request.
    private var roots: [String]?
    /// The highest number of a received delivery.
    private var lastNumber: UInt64 = 0
    private var open: Set<UInt64> = []
    private var answers: [HandledEvents.Answer] = []

    /// Begins a connection.
    ///
    /// - Returns: The messages to send, and an `unknown` result for each event that the server no
    ///   longer knows.
    mutating func admit(_ welcome: Welcome) -> [ClientSession.Output] {
        let present = Identity(
            session: welcome.session, incarnation: welcome.incarnation)
        var lost: [SentEvent] = []
        if present != identity {
            identity = present
            generation += 1
            lastNumber = 0
            open.removeAll()
            answers.removeAll()
            lost = waiting.filter(\.isSent).map(\.event)
            waiting.removeAll(where: \.isSent)
        }
        var outputs = lost.map { event in
            var result = EventResults.Result()
            result.eventSequence = event.eventSequence
            result.outcome = .unknown
            return ClientSession.Output.event(.eventResult(result))
        }
        guard welcome.capabilities & Capability.events != 0 else { return outputs }
        if let roots { outputs.append(.send(.handle(Self.request(roots)))) }
        for index in waiting.indices {
            waiting[index].isSent = true
            outputs.append(.send(.event(waiting[index].event)))
        }
        return outputs
    }

    // MARK: Sending

    /// Adds an event. It is sent now, or after the next welcome.
    ///
    /// - Parameter now: Whether the connection is ready for events.
    mutating func send(
        _ event: UserEvent, to client: UInt32, now: Bool
    ) -> (sequence: UInt64, outputs: [ClientSession.Output]) {
        var sent = SentEvent()
        sent.eventSequence = nextSequence
        sent.to = client
        sent.event = event
        nextSequence += 1
        guard waiting.count < Self.unansweredMaximum else {
            var result = EventResults.Result()
            result.eventSequence = sent.eventSequence
            result.outcome = .refused
            result.code = RefusalCode.limit.rawValue
            result.message = "\(Self.unansweredMaximum) events wait for their results; await some"
            return (sent.eventSequence, [.event(.eventResult(result))])
        }
        waiting.append(Waiting(event: sent, isSent: now))
        return (sent.eventSequence, now ? [.send(.event(sent))] : [])
    }

    /// Removes the events that have a result, and reports their results.
    mutating func take(_ message: EventResults) -> [ClientSession.Output] {
        message.results.compactMap { result in
            let index = waiting.firstIndex {
                $0.event.eventSequence == result.eventSequence
            }
            // A duplicate result is reported once.
            guard let index else { return nil }
            waiting.remove(at: index)
            return .event(.eventResult(result))
        }
    }

    // MARK: Handling

    /// Sets the subtrees that the client handles, on this connection and on later ones.
    mutating func handle(_ roots: [String], now: Bool) -> [ClientSession.Output] {
        self.roots = roots
        return now ? [.send(.handle(Self.request(roots)))] : []
    }

    private static func request(_ roots: [String]) -> HandleRequest {
        var request = HandleRequest()
        request.roots = roots
        return request
    }

    /// Receives a delivery. A duplicate is not reported; if it was answered before, the answer is
    /// sent again.
    mutating func receive(_ event: DeliveredEvent) -> [ClientSession.Output] {
        let number = event.sequence
        let received = ClientSession.ReceivedEvent(delivered: event, generation: generation)
        guard number > 0 else { return [.event(.event(received))] }
        guard number <= lastNumber else {
            lastNumber = number
            open.insert(number)
            return [.event(.event(received))]
        }
        guard let known = answers.last(where: { $0.sequence == number }) else { return [] }
        return [.send(.handled(Self.message(known)))]
    }

    /// Answers a delivery. A second answer has no effect.
    mutating func answer(
        _ event: ClientSession.ReceivedEvent, isHandled: Bool, now: Bool
    ) -> [ClientSession.Output] {
        guard event.generation == generation, open.remove(event.delivered.sequence) != nil else {
            return []
        }
        var answer = HandledEvents.Answer()
        answer.sequence = event.delivered.sequence
        answer.isHandled = isHandled
        answers.append(answer)
        if answers.count >= 2 * Self.answerMaximum {
            answers.removeFirst(answers.count - Self.answerMaximum)
        }
        return now ? [.send(.handled(Self.message(answer)))] : []
    }

    private static func message(_ answer: HandledEvents.Answer) -> HandledEvents {
        var message = HandledEvents()
        message.answers = [answer]
        return message
    }
}

extension ClientSession {
    /// A delivered event, which expects one answer.
    public struct ReceivedEvent: Sendable, Equatable {
        /// The event and its sender.
        public let delivered: DeliveredEvent
        /// The generation of the identity that the number belongs to.
        let generation: Int
    }

    // MARK: Events

    /// Sends an event. It is sent again after a reconnect until it has a result; the server passes
    /// it on at most once. Requires `Capability.events`.
    ///
    /// - Parameter client: The recipient of a message: a number in presence, `SentEvent.everyone`,
    ///   or 0 for the handler of the view.
    /// - Returns: The number that the result refers to, and the outputs to carry out.
    public mutating func send(
        _ event: UserEvent, to client: UInt32 = 0
    ) -> (sequence: UInt64, outputs: [Output]) {
        events.send(event, to: client, now: exchangesEvents)
    }

    /// Handles the events of subtrees, on this connection and later ones. Requires
    /// `Capability.events` and the role `editor`.
    public mutating func handle(_ roots: [String]) -> [Output] {
        events.handle(roots, now: exchangesEvents)
    }

    /// Answers a delivered event. A second answer to the same event has no effect.
    public mutating func answer(_ event: ReceivedEvent, isHandled: Bool = true) -> [Output] {
        events.answer(event, isHandled: isHandled, now: exchangesEvents)
    }
}
