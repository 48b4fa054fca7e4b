import SceneDocument
import SceneWire
import Testing

@testable import SceneSession

/// What a room gives out of the events that pass through it, for those who keep a record.
@Suite struct EventRecordTests {
    private static let document = """
        {"scene": 1, "viewport": {"width": 400, "height": 200},
         "views": [{"id": "bar"}, {"id": "add", "parent": "bar", "kind": "button", "text": "Add", "events": ["tap"]}]}
        """

    private func room(_ change: (inout SessionOptions) -> Void = { _ in }) throws -> TestRoom {
        var options = SessionOptions()
        options.recordsEvents = true
        change(&options)
        return try TestRoom(Self.document, options: options)
    }

    private func event(
        _ sequence: UInt64, _ view: String, _ kind: EventKind = .tap, to: UInt32 = 0
    ) -> SentEvent {
        var event = SentEvent()
        event.eventSequence = sequence
        event.to = to
        event.event.kind = kind
        event.event.view = view
        return event
    }

    private func handle(_ root: String) -> ClientMessage {
        var request = HandleRequest()
        request.roots = [root]
        return .handle(request)
    }

    private func answer(_ sequence: UInt64, _ isHandled: Bool) -> ClientMessage {
        var answer = HandledEvents.Answer()
        answer.sequence = sequence
        answer.isHandled = isHandled
        var message = HandledEvents()
        message.answers = [answer]
        return .handled(message)
    }

    private func party(_ client: UInt32) -> EventRecord.Party { .init(client: client, subject: "") }

    @Test func anEventIsReceivedDeliveredAndEnded() throws {
        let room = try room()
        let program = try room.join(1, capabilities: Capability.events)
        let person = try room.join(2, role: .participant, capabilities: Capability.events)
        let session = try #require(room.session.roster[person]?.admission.session)
        try room.handle(.received(program, handle("bar")))
        let tap = event(1, "add")
        try room.handle(.received(person, .event(tap)))
        // Sent again, it is the same event.
        try room.handle(.received(person, .event(tap)))
        try room.handle(.received(program, answer(1, true)))
        #expect(
            room.records == [
                EventRecord(
                    session: session, eventSequence: 1,
                    .received(from: party(2), to: 0, tap.event)),
                EventRecord(session: session, eventSequence: 1, .delivered(to: party(1))),
                EventRecord(session: session, eventSequence: 1, .ended(.handled, code: "")),
            ])
    }

    @Test func refusalsHaveTheirCodes() throws {
        let room = try room { $0.events.perSecond = 2 }
        let person = try room.join(1, role: .participant, capabilities: Capability.events)
        let viewer = try room.join(2, role: .viewer, capabilities: Capability.events)
        for message in [event(0, "add"), event(1, "gone"), event(2, "bar"), event(3, "add")] {
            try room.handle(.received(person, .event(message)))
        }
        try room.handle(.received(viewer, .event(event(1, "add"))))
        let ends = room.records.compactMap { record -> String? in
            guard case .ended(let outcome, let code) = record.step else { return nil }
            return "\(record.eventSequence) \(outcome.rawValue) \(code)"
        }
        #expect(
            ends == [
                "0 refused bad-value", "1 refused unknown-view", "2 refused not-editable",
                "3 refused limit", "1 refused forbidden",
            ])
        #expect(room.records.count == 10)
    }

    @Test func aHandlerThatComesBackIsNamedAgainAndOneThatStaysAwayEndsTheEvent() throws {
        let room = try room()
        let program = try room.join(1, capabilities: Capability.events)
        let person = try room.join(2, role: .participant, capabilities: Capability.events)
        try room.handle(.received(program, handle("bar")))
        try room.handle(.received(person, .event(event(1, "add"))))
        try room.handle(.left(program))
        // The standard time for which a handler is waited for is 5 seconds of 60 ticks.
        try room.handle(.tick(room.tick + 301))
        #expect(
            room.records.map(\.step).dropFirst() == [
                .delivered(to: party(1)), .ended(.unknown, code: ""),
            ])
    }

    @Test func aMessageToEveryoneSaysHowManyWereSentIt() throws {
        let room = try room()
        let sender = try room.join(1, role: .participant, capabilities: Capability.events)
        _ = try room.join(2, capabilities: Capability.events)
        _ = try room.join(3, capabilities: Capability.events)
        // It knows no events.
        _ = try room.join(4)
        let message = event(1, "", .message, to: SentEvent.everyone)
        try room.handle(.received(sender, .event(message)))
        #expect(
            room.records.map(\.step) == [
                .received(from: party(1), to: SentEvent.everyone, message.event),
                .broadcast(members: 2), .ended(.handled, code: ""),
            ])
    }

    @Test func nothingIsGivenOutUnlessItIsAskedFor() throws {
        let room = try room { $0.recordsEvents = false }
        let person = try room.join(1, role: .participant, capabilities: Capability.events)
        try room.handle(.received(person, .event(event(1, "add"))))
        #expect(room.records.isEmpty)
    }
}
