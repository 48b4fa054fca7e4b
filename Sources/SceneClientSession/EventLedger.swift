public import SceneProtocol

/// A client's events, both ways: those that it sent and that have no result, and those that it handles.
///
/// An event is sent again after a cut for as long as the server that it was sent to remembers the client. Where another
/// server process, or one that forgot it, welcomes the client, nobody can tell what became of those that were sent.
struct EventLedger: Sendable {
    private struct Waiting: Sendable {
        var event: SentEvent
        /// Whether it was ever sent.
        var isSent: Bool
    }

    /// Who the server takes the client for; results and numbers are of use within one only.
    private struct Acquaintance: Equatable, Sendable {
        var session: String
        /// Not the epoch: a room that goes on after its disk failed has another one, and forgets nobody.
        var incarnation: UInt64?
    }

    /// Events that may wait for their result, as the server has it.
    static let unansweredMaximum = 256
    /// Answers that are remembered; a server has no more events with one client.
    private static let answerMaximum = 1024

    private var waiting: [Waiting] = []
    private var nextSequence: UInt64 = 1
    private var acquaintance: Acquaintance?
    private var generation = 0
    /// The subtrees that the client handles; `nil` if it never said so.
    private var roots: [String]?
    /// The greatest number of an event that was received.
    private var lastNumber: UInt64 = 0
    private var open: Set<UInt64> = []
    private var answers: [HandledEvents.Answer] = []

    /// Begins a connection.
    ///
    /// - Returns: What is to be sent, and what became of events that nobody knows of.
    mutating func admit(_ welcome: Welcome) -> [ClientSession.Output] {
        let present = Acquaintance(
            session: welcome.session, incarnation: welcome.incarnation)
        var lost: [SentEvent] = []
        if present != acquaintance {
            acquaintance = present
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

    /// Takes an event in, to be sent now, or when the server has admitted the client.
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

    /// Takes results in.
    mutating func take(_ message: EventResults) -> [ClientSession.Output] {
        message.results.compactMap { result in
            let index = waiting.firstIndex {
                $0.event.eventSequence == result.eventSequence
            }
            // One that came twice is told once.
            guard let index else { return nil }
            waiting.remove(at: index)
            return .event(.eventResult(result))
        }
    }

    // MARK: Handling

    /// Says which subtrees the client handles, now and after every cut.
    mutating func handle(_ roots: [String], now: Bool) -> [ClientSession.Output] {
        self.roots = roots
        return now ? [.send(.handle(Self.request(roots)))] : []
    }

    private static func request(_ roots: [String]) -> HandleRequest {
        var request = HandleRequest()
        request.roots = roots
        return request
    }

    /// Takes an event in that the client handles; one that came again is passed over, and answered again if it was.
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

    /// Answers an event, once.
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
    /// An event that the client handles, to be answered once.
    public struct ReceivedEvent: Sendable, Equatable {
        /// What happened, and who did it.
        public let delivered: DeliveredEvent
        /// Which acquaintance with a server its number belongs to.
        let generation: Int
    }

    // MARK: Events

    /// Sends what somebody did with a view, or a message; sent again after a cut, and passed on once however often it is sent.
    /// Needs `Capability.events`.
    ///
    /// - Parameter client: For messages: the member's number in presence, `SentEvent.everyone`, or 0 for whoever handles the view.
    /// - Returns: The sequence that the result names, and what to do.
    public mutating func send(
        _ event: UserEvent, to client: UInt32 = 0
    ) -> (sequence: UInt64, outputs: [Output]) {
        events.send(event, to: client, now: exchangesEvents)
    }

    /// Handles the events of some subtrees, on this connection and later ones. Needs `Capability.events` and the role of an editor.
    public mutating func handle(_ roots: [String]) -> [Output] {
        events.handle(roots, now: exchangesEvents)
    }

    /// Says what became of an event that the client handles; the second answer to one says nothing.
    public mutating func answer(_ event: ReceivedEvent, isHandled: Bool = true) -> [Output] {
        events.answer(event, isHandled: isHandled, now: exchangesEvents)
    }
}
