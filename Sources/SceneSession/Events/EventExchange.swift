import SceneDocument
import SceneWire

/// Routes events from senders to handlers, each at most once and in the order of its sender, and
/// routes the results back.
///
/// The handler of an event is the client that handles the nearest subtree around the view. If
/// several clients handle that subtree, it is the connected one that asked first. A handler that
/// disconnects has `absenceSeconds` to reconnect; it then receives its unanswered deliveries again.
/// When that time is over, its undelivered events go to another handler or end as `unhandled`, and
/// its unanswered deliveries end as `unknown`: the handler may have processed them.
///
/// A state machine without a clock and without I/O. `takeOutgoing` returns what it wants sent.
struct EventExchange {
    /// Messages to send, in order.
    struct Outgoing {
        var deliveries: [(member: MemberID, event: DeliveredEvent)] = []
        var results: [(member: MemberID, result: EventResults.Result)] = []
        /// The steps of events; empty unless the room records events.
        var steps: [Step] = []

        var isEmpty: Bool { deliveries.isEmpty && results.isEmpty && steps.isEmpty }
    }

    /// A step of an event; as in `EventRecord`, but with the member's id where a connection is
    /// meant.
    struct Step {
        enum Kind {
            case received(client: UInt32, subject: String, SentEvent)
            case delivered(MemberID)
            case broadcast(members: Int)
            case ended(EventResults.Result)
        }

        var session: String
        var eventSequence: UInt64
        var kind: Kind
    }

    /// Returns the ids from a view up to the root, or `nil` if the view does not exist. While the
    /// scene is not in memory, callers pass no `Path`, and undelivered events stay with their
    /// handlers.
    typealias Path = (String) -> [String]?

    private let limits: EventLimits
    private let tickRate: Int
    private let recordsSteps: Bool
    private var handlers = EventHandlers()
    private var senders: [String: EventSender] = [:]
    private var nextNumber: UInt64 = 1
    private var pendingBytes = 0
    private var outgoing = Outgoing()
    /// The number of senders at which `join` next removes those that cannot resume.
    private var sweepCount = Self.sweepMinimum
    private static let sweepMinimum = 64

    init(_ limits: EventLimits, tickRate: Int, recordsSteps: Bool = false) {
        self.limits = limits
        self.recordsSteps = recordsSteps
        self.tickRate = max(tickRate, 1)
    }

    /// The approximate memory in bytes.
    ///
    /// - Complexity: O(clients).
    var byteEstimate: Int {
        pendingBytes + senders.values.reduce(0) { $0 + $1.byteEstimate } + 600 * handlers.count
    }

    /// The tick at which the next disconnected handler expires; `nil` for none.
    var nextTick: UInt64? {
        handlers.firstAbsence.map { $0 + absenceTicks }
    }

    /// Whether `takeOutgoing` would return anything.
    var hasOutgoing: Bool { !outgoing.isEmpty }

    /// Removes and returns the outgoing messages.
    mutating func takeOutgoing() -> Outgoing {
        defer { outgoing = Outgoing() }
        return outgoing
    }

    // MARK: Senders

    /// The reason for a refusal.
    struct Reason {
        var code: RefusalCode
        var message: String
    }

    /// Admits an event of a client.
    ///
    /// - Returns: The event, for the caller to route, if its number is new and within the limits;
    ///   `nil` if it is a duplicate or was refused.
    mutating func accept(
        _ event: SentEvent, from session: String, _ member: MemberID, client: UInt32,
        subject: String, tick: UInt64
    ) -> PendingEvent? {
        let sequence = event.eventSequence
        guard sequence > 0 else {
            let result = EventResults.Result.refused(0, .badValue, "eventSequence counts from 1")
            note(session, 0, .received(client: client, subject: subject, event))
            note(session, 0, .ended(result))
            tell(member, result)
            return nil
        }
        var sender =
            senders.removeValue(forKey: session)
            ?? EventSender(limits, tick: tick)
        defer { senders[session] = sender }
        sender.member = member
        switch sender.admit(sequence) {
        case .waits: return nil
        case .answered(let result):
            tell(member, result)
            return nil
        case .new: break
        }
        note(session, sequence, .received(client: client, subject: subject, event))
        let pending = PendingEvent(event, from: session, client: client, subject: subject)
        if let reason = excess(pending, &sender, tick) {
            let result = EventResults.Result.refused(sequence, reason.code, reason.message)
            sender.finish(result, rememberingAtMost: limits.unansweredMaximum)
            note(session, sequence, .ended(result))
            tell(member, result)
            return nil
        }
        sender.wait(for: sequence)
        pendingBytes += pending.byteEstimate
        return pending
    }

    private func excess(
        _ event: PendingEvent, _ sender: inout EventSender, _ tick: UInt64
    ) -> Reason? {
        if !sender.spend(at: tick, limits, tickRate: tickRate) {
            return Reason(
                code: .limit,
                message: "more than \(limits.perSecond) events a second; send fewer")
        }
        if sender.waitingCount >= limits.unansweredMaximum {
            return Reason(
                code: .limit,
                message: "\(limits.unansweredMaximum) events wait for their results; await some")
        }
        if pendingBytes + event.byteEstimate > limits.byteMaximum {
            return Reason(
                code: .limit, message: "too many events wait in this room; try again later")
        }
        return nil
    }

    /// Refuses an event.
    mutating func refuse(_ event: PendingEvent, _ reason: Reason) {
        finish(event, .refused(event.eventSequence, reason.code, reason.message))
    }

    /// Ends an event with an outcome.
    mutating func finish(_ event: PendingEvent, _ outcome: EventOutcome) {
        finish(event, .of(event.eventSequence, outcome))
    }

    private mutating func finish(_ event: PendingEvent, _ result: EventResults.Result) {
        pendingBytes -= event.byteEstimate
        note(event.sender, result.eventSequence, .ended(result))
        senders[event.sender]?.finish(result, rememberingAtMost: limits.unansweredMaximum)
        if let member = senders[event.sender]?.member { tell(member, result) }
    }

    private mutating func tell(_ member: MemberID, _ result: EventResults.Result) {
        outgoing.results.append((member, result))
    }

    // MARK: Steps

    private mutating func note(
        _ session: String, _ sequence: UInt64, _ kind: @autoclosure () -> Step.Kind
    ) {
        guard recordsSteps else { return }
        outgoing.steps.append(Step(session: session, eventSequence: sequence, kind: kind()))
    }

    private mutating func deliver(_ event: PendingEvent, to member: MemberID) {
        note(event.sender, event.eventSequence, .delivered(member))
        outgoing.deliveries.append((member, event.delivery))
    }

    /// Charges the copies of a message to everyone to its sender, and refuses it beyond the limit:
    /// the server sends as many bytes as the room has members for each that it received.
    ///
    /// - Parameter bytes: Those of all copies.
    /// - Returns: Whether the message may be sent.
    mutating func charge(_ event: PendingEvent, copiedBytes bytes: Int, tick: UInt64) -> Bool {
        let isPaid =
            senders[event.sender]?.spend(
                copiedBytes: bytes, at: tick, limits, tickRate: tickRate) ?? true
        guard !isPaid else { return true }
        refuse(
            event,
            Reason(
                code: .limit,
                message:
                    "the copies of your messages to everyone exceed \(limits.copiedBytesPerSecond) bytes a second; send fewer"
            ))
        return false
    }

    /// Records the number of members that a message to everyone was sent to.
    mutating func noteBroadcast(_ event: PendingEvent, members: Int) {
        note(event.sender, event.eventSequence, .broadcast(members: members))
    }

    // MARK: Handlers

    /// Routes an event to the handler of its view.
    ///
    /// - Complexity: O(depth of the view).
    mutating func route(_ event: PendingEvent, along path: [String]) {
        guard let session = handlers.session(along: path) else { return finish(event, .unhandled) }
        handlers[session]?.enqueue(event)
        deliver(to: session)
    }

    /// Routes a message to one client, which need not handle a subtree.
    mutating func send(_ event: PendingEvent, to session: String, _ member: MemberID) {
        guard makeHandler(session, member) else {
            let reason = Reason(code: .limit, message: "too many members are sent messages")
            return refuse(event, reason)
        }
        handlers[session]?.enqueue(event)
        deliver(to: session)
    }

    /// Sets the subtrees that a client handles, and its connection. After a reconnect, its
    /// unanswered deliveries are sent again.
    ///
    /// - Returns: False if the room has too many handlers.
    mutating func handle(
        _ roots: [String], _ session: String, _ member: MemberID, path: Path?
    ) -> Bool {
        guard makeHandler(session, member) else { return false }
        handlers.setRoots(roots, of: session)
        reconnect(session, member)
        // Undelivered events of disconnected handlers, and those that this client no longer
        // handles.
        for waiting in handlers.inOrder where waiting == session || !handlers.isPresent(waiting) {
            reroute(waiting, path)
        }
        return true
    }

    /// Ends events as their handler answered.
    mutating func answer(_ answers: [HandledEvents.Answer], from session: String) {
        for answer in answers {
            guard let event = handlers[session]?.answer(answer.sequence) else { continue }
            finish(event, answer.isHandled ? .handled : .unhandled)
        }
        deliver(to: session)
    }

    private mutating func makeHandler(_ session: String, _ member: MemberID) -> Bool {
        guard handlers[session] == nil else { return true }
        guard handlers.count < limits.handlerMaximum else { return false }
        handlers.insert(session, member)
        return true
    }

    private mutating func deliver(to session: String) {
        while let event = handlers[session]?.takeNext(
            number: nextNumber, deliveredMaximum: limits.deliveredMaximum)
        {
            nextNumber += 1
            guard let member = handlers[session]?.member else { return }
            deliver(event, to: member)
        }
    }

    /// Routes the undelivered events of a client anew.
    private mutating func reroute(_ session: String, _ path: Path?) {
        guard let path else { return }
        for event in handlers[session]?.takeQueue() ?? [] {
            if event.isDirect {
                handlers[session]?.enqueue(event)
            } else if let path = path(event.delivery.event.view) {
                route(event, along: path)
            } else {
                finish(event, .unhandled)
            }
        }
        deliver(to: session)
    }

    // MARK: Coming and going

    /// Registers a new connection of a client.
    ///
    /// - Parameter isKnown: Whether a client can resume its session. The numbers and results of
    ///   others are discarded.
    mutating func join(_ session: String, _ member: MemberID, isKnown: (String) -> Bool) {
        if senders.count >= sweepCount {
            for (name, sender) in senders
            where sender.member == nil && sender.waitingCount == 0 && !isKnown(name) {
                senders[name] = nil
            }
            sweepCount = max(Self.sweepMinimum, 2 * senders.count)
        }
        // A client that handles subtrees first sends its request.
        if let handler = handlers[session], handler.roots.isEmpty { reconnect(session, member) }
    }

    private mutating func reconnect(_ session: String, _ member: MemberID) {
        guard let known = handlers[session] else { return }
        // Deliveries are repeated on a new connection only.
        let isBack = known.member != member
        handlers[session]?.come(member)
        if isBack {
            for event in known.unanswered { deliver(event, to: member) }
        }
        deliver(to: session)
    }

    /// Registers that a connection of a client closed.
    mutating func leave(_ session: String, _ member: MemberID, tick: UInt64, path: Path?) {
        if senders[session]?.member == member {
            senders[session]?.member = nil
        }
        guard handlers[session]?.member == member else { return }
        handlers[session]?.go(at: tick)
        reroute(session, path)
    }

    private var absenceTicks: UInt64 { UInt64(limits.absenceSeconds * tickRate) }

    /// Removes handlers whose time to reconnect is over. Without the scene nothing happens; the
    /// caller tries again.
    mutating func expire(at tick: UInt64, path: Path?) {
        guard let path, tick >= absenceTicks else { return }
        for var handler in handlers.removeAbsent(since: tick - absenceTicks) {
            for event in handler.unanswered { finish(event, .unknown) }
            for event in handler.takeQueue() {
                if !event.isDirect, let path = path(event.delivery.event.view) {
                    route(event, along: path)
                } else {
                    finish(event, .unhandled)
                }
            }
        }
    }
}
