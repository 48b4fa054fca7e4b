import SceneDocument
import SceneModel
import SceneWire

/// Events. They are routed when they arrive rather than with the tick, and are part neither of the
/// scene nor of the journal.
extension SceneSession {
    // MARK: Members

    /// Sends a new member the interactions of all views, and messages that wait for it.
    func joinEvents(_ member: Member) {
        sendInteractions(to: [member])
        events.join(member.admission.session, member.id) { clients[$0] != nil }
        sendEvents()
    }

    func handle(_ request: HandleRequest, _ member: Member) {
        guard member.admission.role.edits else {
            report(.forbidden, "only editors handle events", to: member)
            return
        }
        let rights = [member.sight, member.admission.rights.handle].compactMap(\.self)
        for patterns in rights {
            guard let model = wake()?.model else { break }
            let other = request.roots.first { root in
                // Whether there is a view that it does not see, a member is not to find out.
                guard let path = model.path(from: root.isEmpty ? "root" : root) else {
                    return patterns == member.sight || !patterns.includes([root, "root"])
                }
                return !patterns.includesAll(of: path) { model.path(from: $0) }
            }
            if let other {
                report(
                    .forbidden, "\"\(other)\" is not among the views that this member may handle",
                    to: member)
                return
            }
        }
        guard
            events.handle(
                request.roots, member.admission.session, member.id, path: pathOfLiveView)
        else {
            report(.limit, "too many members handle events in this room", to: member)
            return
        }
        sendEvents()
    }

    // MARK: Events

    /// Admits an event of a member and routes it.
    func pass(_ event: SentEvent, from member: Member) {
        defer { sendEvents() }
        let pending = events.accept(
            event, from: member.admission.session, member.id, client: member.client,
            subject: member.admission.subject, tick: tick)
        guard let pending else { return }
        guard member.admission.role.sendsEvents else {
            let reason = EventExchange.Reason(code: .forbidden, message: "viewers send no events")
            return events.refuse(pending, reason)
        }
        if let sight = member.sight, !isSeen(eventOn: event.event.view, by: sight) {
            let reason = EventExchange.Reason(
                code: .unknownView, message: "there is no view \"\(event.event.view)\"")
            return events.refuse(pending, reason)
        }
        switch event.to {
        case 0: route(pending)
        case _ where event.event.kind != .message:
            let reason = EventExchange.Reason(
                code: .badOp, message: "only messages name the member that they are for")
            events.refuse(pending, reason)
        case SentEvent.everyone: broadcast(pending, from: member)
        default:
            // The member may have left. A client that reconnects has another number.
            let recipient = roster.inOrder.first {
                $0.client == event.to && $0.has(Capability.events)
                    && isToldOf(event.event.view, $0)
            }
            if let recipient {
                events.send(pending, to: recipient.admission.session, recipient.id)
            } else {
                events.finish(pending, .unhandled)
            }
        }
    }

    /// Routes an event to its handler if the view exists, asks for this kind, and is enabled.
    private func route(_ pending: PendingEvent) {
        guard case .live(let timeline) = scene else {
            waitingEvents.append(pending)
            return
        }
        let event = pending.delivery.event
        let view = event.view.isEmpty ? "root" : event.view
        guard let path = timeline.model.path(from: view) else {
            let reason = EventExchange.Reason(
                code: .unknownView, message: "there is no view \"\(view)\"")
            return events.refuse(pending, reason)
        }
        if event.kind != .message {
            guard timeline.model.interaction(of: view)?.events.contains(event.kind) == true else {
                let reason = EventExchange.Reason(
                    code: .notEditable,
                    message:
                        "\"\(view)\" does not ask for \"\(event.kind.rawValue)\": see its \"events\""
                )
                return events.refuse(pending, reason)
            }
            guard timeline.model.isEnabled(view) else {
                let reason = EventExchange.Reason(
                    code: .notEditable, message: "\"\(view)\" is not enabled")
                return events.refuse(pending, reason)
            }
        }
        events.route(pending, along: path)
    }

    private func isToldOf(_ view: String, _ member: Member) -> Bool {
        member.sight.map { isSeen(eventOn: view, by: $0) } ?? true
    }

    /// Routes the events that arrived while the scene was not in memory.
    func passWaitingEvents() {
        guard !waitingEvents.isEmpty, wake() != nil else { return }
        let waiting = waitingEvents
        waitingEvents = []
        for event in waiting { route(event) }
    }

    /// Sends a message to all other members. Disconnected members do not receive it later, and
    /// members whose connections lag not at all.
    private func broadcast(_ pending: PendingEvent, from sender: Member) {
        let view = pending.delivery.event.view
        let others = roster.inOrder.filter {
            $0 !== sender && $0.has(Capability.events) && isToldOf(view, $0)
        }
        let message = ServerMessage.event(pending.delivery)
        let bytes = message.encoded(as: .binary).count * others.count
        guard events.charge(pending, copiedBytes: bytes, tick: tick) else { return }
        offer([message], to: others)
        events.noteBroadcast(pending, members: others.count)
        events.finish(pending, others.isEmpty ? .unhandled : .handled)
    }

    /// Returns paths in the scene; `nil` while the scene is not in memory.
    var pathOfLiveView: EventExchange.Path? {
        guard case .live(let timeline) = scene else { return nil }
        return { timeline.model.path(from: $0.isEmpty ? "root" : $0) }
    }

    /// Sends deliveries and results. Consecutive deliveries to a member are combined.
    func sendEvents() {
        guard events.hasOutgoing else { return }
        let outgoing = events.takeOutgoing()
        noteActivity()
        for step in outgoing.steps { record(step) }
        for run in outgoing.deliveries.runs(by: \.member) {
            guard let first = run.first, let member = roster[first.member] else { continue }
            send(run.map { .event($0.event) }, to: [member])
        }
        var results: [MemberID: [EventResults.Result]] = [:]
        for (id, result) in outgoing.results { results[id, default: []].append(result) }
        for (id, own) in results.sorted(by: { $0.key < $1.key }) {
            guard let member = roster[id] else { continue }
            var messages: [ServerMessage] = []
            for start in stride(from: 0, to: own.count, by: EventResults.resultMaximum) {
                var message = EventResults()
                message.results = Array(own[start...].prefix(EventResults.resultMaximum))
                messages.append(.eventResults(message))
            }
            send(messages, to: [member])
        }
    }

    private func record(_ step: EventExchange.Step) {
        let kind: EventRecord.Step
        switch step.kind {
        case .received(let client, let subject, let event):
            kind = .received(
                from: .init(client: client, subject: subject), to: event.to, event.event)
        case .delivered(let id):
            // As with the delivery itself, which goes to nobody then.
            guard let member = roster[id] else { return }
            kind = .delivered(
                to: .init(client: member.client, subject: member.admission.subject))
        case .broadcast(let members): kind = .broadcast(members: members)
        case .ended(let result): kind = .ended(result.outcome, code: result.code)
        }
        effects.append(
            .record(
                EventRecord(session: step.session, eventSequence: step.eventSequence, kind)))
    }

    // MARK: Interactions

    /// Sends members the interactions that changed in this tick.
    func tellInteractions(_ model: SceneModel) {
        let marks = model.takeInteractionChanges()
        guard !marks.isEmpty || someMissInteractions else { return }
        someMissInteractions = false
        let readers = roster.inOrder.filter { $0.has(Capability.events) }
        let missing = readers.filter { $0.missesInteractions && $0.phase != .behind }
        if !missing.isEmpty { sendInteractions(to: missing) }
        guard !marks.isEmpty else { return }
        // Members that lag receive all interactions after catching up.
        for member in readers where member.phase == .behind { member.missesInteractions = true }
        let present = readers.filter { reader in
            reader.phase != .behind && !missing.contains { $0 === reader }
        }
        guard !present.isEmpty else { return }
        guard !marks.isEverything else { return sendInteractions(to: present) }
        let changes = marks.ids.map { id in
            var change = InteractionChange()
            change.id = id
            change.interaction = model.interaction(of: id)
            return change
        }
        send(Interactions.messages(changes, whole: false), to: present)
    }

    /// Sends members the interactions of all views.
    func sendInteractions(to members: [Member]) {
        let all: [InteractionChange]
        switch scene {
        case .live(let timeline): all = timeline.model.interactions
        case .frozen: all = frozenInteractions
        case .spoiled:
            // They receive the interactions when the scene has been rebuilt.
            for member in members { member.missesInteractions = true }
            someMissInteractions = true
            return
        case .lost: return
        }
        for member in members { member.missesInteractions = false }
        send(Interactions.messages(all, whole: true), to: members)
    }
}

extension Array {
    /// The runs of neighbours that have the same key.
    fileprivate func runs<Key: Equatable>(by key: (Element) -> Key) -> [ArraySlice<Element>] {
        var runs: [ArraySlice<Element>] = []
        var start = startIndex
        for index in indices where index > start && key(self[index]) != key(self[start]) {
            runs.append(self[start..<index])
            start = index
        }
        if start < endIndex { runs.append(self[start...]) }
        return runs
    }
}
