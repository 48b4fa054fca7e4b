import JSON
import SceneDocument
import SceneWire
import Testing

@testable import SceneSession

/// Events in a room: who may do what, what people can do with views, and rooms that are at rest.
@Suite struct EventSessionTests {
    private static let document = """
        {"scene": 1, "viewport": {"width": 400, "height": 200},
         "views": [{"id": "bar"}, {"id": "add", "parent": "bar", "kind": "button", "text": "Add", "events": ["tap"]},
                   {"id": "volume", "kind": "slider", "value": 0.5, "events": ["input"], "enabled": false}]}
        """

    private func tap(_ sequence: UInt64, _ view: String = "add") -> ClientMessage {
        var event = SentEvent()
        event.eventSequence = sequence
        event.event.view = view
        return .event(event)
    }

    private func handle(_ roots: [String]) -> ClientMessage {
        var request = HandleRequest()
        request.roots = roots
        return .handle(request)
    }

    private func results(_ room: TestRoom, _ id: MemberID) -> [String] {
        (room.received[id] ?? []).flatMap { message -> [String] in
            guard case .eventResults(let results) = message else { return [] }
            return results.results.map {
                "\($0.eventSequence) \($0.outcome.rawValue)\($0.code.isEmpty ? "" : " \($0.code)")"
            }
        }
    }

    private func delivered(_ room: TestRoom, _ id: MemberID) -> [DeliveredEvent] {
        (room.received[id] ?? []).compactMap {
            if case .event(let event) = $0 { event } else { nil }
        }
    }

    /// What people can do, as a member was told.
    private func table(_ room: TestRoom, _ id: MemberID) -> InteractionTable {
        var table = InteractionTable()
        for case .interactions(let message) in room.received[id] ?? [] { table.apply(message) }
        return table
    }

    private func answer(_ event: DeliveredEvent?, from id: MemberID, in room: TestRoom) throws {
        var answer = HandledEvents.Answer()
        answer.sequence = event?.sequence ?? 0
        var message = HandledEvents()
        message.answers = [answer]
        try room.handle(.received(id, .handled(message)))
    }

    @Test func aTapGoesToItsHandlerWithoutATick() throws {
        let room = try TestRoom(Self.document)
        let program = try room.join(1, capabilities: Capability.events)
        let person = try room.join(2, role: .participant, capabilities: Capability.events)
        try room.handle(.received(program, handle(["bar"])))
        try room.handle(.received(person, tap(1)))
        let event = delivered(room, program).first
        #expect(event?.client == 2)
        #expect(event?.event.view == "add")
        try answer(event, from: program, in: room)
        #expect(results(room, person) == ["1 handled"])
    }

    @Test func whatSeveralHandlersAreToldAtOnceReachesEach() throws {
        var options = SessionOptions()
        options.events.deliveredMaximum = 1
        let text = Self.document.replacing(#""enabled": false"#, with: #""enabled": true"#)
            .replacing(#"["input"]"#, with: #"["tap"]"#)
        let room = try TestRoom(text, options: options)
        let program = try room.join(1, capabilities: Capability.events)
        let bar = try room.join(2, capabilities: Capability.events)
        let all = try room.join(3, capabilities: Capability.events)
        let person = try room.join(4, role: .participant, capabilities: Capability.events)
        try room.handle(.received(program, handle(["add", "volume"])))
        try room.handle(.received(bar, handle(["bar"])))
        try room.handle(.received(all, handle(["root"])))
        for (sequence, view) in [(1, "add"), (2, "add"), (3, "volume")] {
            try room.handle(.received(person, tap(UInt64(sequence), view)))
        }
        #expect(delivered(room, program).count == 1)
        // What it was not sent goes to two others, with one step.
        try room.handle(.left(program))
        #expect(delivered(room, bar).map(\.event.view) == ["add"])
        #expect(delivered(room, all).map(\.event.view) == ["volume"])
    }

    @Test func aSubjectThatIsTooLongIsCutBetweenCharacters() throws {
        let room = try TestRoom(Self.document)
        let program = try room.join(1, capabilities: Capability.events)
        let person = try room.join(
            2, role: .participant, subject: String(repeating: "é", count: 200),
            capabilities: Capability.events)
        try room.handle(.received(program, handle(["bar"])))
        try room.handle(.received(person, tap(1)))
        #expect(delivered(room, program).first?.subject == String(repeating: "é", count: 128))
    }

    @Test func rolesDecideWhoDoesWhat() throws {
        let room = try TestRoom(Self.document)
        let viewer = try room.join(1, role: .viewer, capabilities: Capability.events)
        let participant = try room.join(2, role: .participant, capabilities: Capability.events)
        try room.handle(.received(viewer, tap(1)))
        #expect(results(room, viewer) == ["1 refused forbidden"])
        try room.apply(#"[{"op":"addView","id":"x"}]"#, from: participant)
        guard case .refused(let refusal)? = room.results[participant]?.last?.outcome else {
            Issue.record("a participant's ops were not refused")
            return
        }
        #expect(refusal.code == .forbidden)
        try room.handle(.received(participant, handle(["bar"])))
        let errors = (room.received[participant] ?? []).compactMap {
            if case .error(let error) = $0 { error.code } else { nil }
        }
        #expect(errors == [4003])
    }

    @Test func withoutTheCapabilityNothingIsToldOrTaken() throws {
        let room = try TestRoom(Self.document)
        let old = try room.join(1)
        try room.handle(.received(old, tap(1)))
        try room.handle(.received(old, handle(["bar"])))
        #expect(table(room, old).isEmpty)
        let errors = (room.received[old] ?? []).compactMap {
            if case .error(let error) = $0 { error.code } else { nil }
        }
        #expect(errors == [4005, 4005])
        for case .welcome(let welcome) in room.received[old] ?? [] {
            #expect(welcome.incarnation == nil)
        }
    }

    @Test func whatIsNotAskedForOrNotEnabledIsRefused() throws {
        let room = try TestRoom(Self.document)
        let program = try room.join(1, capabilities: Capability.events)
        try room.handle(.received(program, handle(["root"])))
        try room.handle(.received(program, tap(1, "bar")))
        try room.handle(.received(program, tap(2, "nobody")))
        var input = SentEvent()
        input.eventSequence = 3
        input.event.kind = .input
        input.event.view = "volume"
        input.event.value = .number(0.7)
        try room.handle(.received(program, .event(input)))
        #expect(
            results(room, program) == [
                "1 refused not-editable", "2 refused unknown-view", "3 refused not-editable",
            ])
        #expect(delivered(room, program).isEmpty)
    }

    @Test func aViewAboveThatIsNotEnabledCoversWhatIsInIt() throws {
        let room = try TestRoom(Self.document)
        let program = try room.join(1, capabilities: Capability.events)
        try room.handle(.received(program, handle(["root"])))
        try room.apply(#"[{"op":"setView","id":"bar","enabled":false}]"#, from: program)
        try room.handle(.received(program, tap(1)))
        #expect(results(room, program) == ["1 refused not-editable"])
    }

    @Test func whatPeopleCanDoIsToldWholeAndThenAsItChanges() throws {
        let room = try TestRoom(Self.document)
        let member = try room.join(1, capabilities: Capability.events | Capability.undo)
        try room.runTicks()
        #expect(table(room, member).ids.sorted() == ["add", "volume"])
        #expect(table(room, member)["volume"]?.value == .number(0.5))
        let before = room.received[member]?.count ?? 0
        try room.apply(#"[{"op":"setView","id":"volume","value":0.75}]"#, from: member)
        let news = (room.received[member] ?? [])[before...].compactMap { message -> [String]? in
            guard case .interactions(let message) = message, !message.isWhole else { return nil }
            return message.changes.map(\.id)
        }
        #expect(news == [["volume"]])
        #expect(table(room, member)["volume"]?.value == .number(0.75))
        try room.apply(#"[{"op":"removeView","id":"bar"}]"#, from: member)
        #expect(table(room, member).ids.sorted() == ["volume"])
        try room.undo(member)
        #expect(table(room, member).ids.sorted() == ["add", "volume"])
        // A change that has nothing to do with it tells nothing.
        let count = room.received[member]?.filter(\.isInteractions).count
        try room.apply(##"[{"op":"setView","id":"bar","background":"#102030"}]"##, from: member)
        #expect(room.received[member]?.filter(\.isInteractions).count == count)
    }

    @Test func whoJoinsARoomAtRestIsToldWithoutWakingIt() throws {
        var options = SessionOptions()
        options.freezeSeconds = 1
        let room = try TestRoom(Self.document, options: options)
        try room.runTicks(200)
        try room.handle(.freeze)
        #expect(room.session.isFrozen)
        let member = try room.join(1, capabilities: Capability.events)
        #expect(table(room, member).ids.sorted() == ["add", "volume"])
        #expect(room.session.isFrozen)
        // An event wakes it, with the next tick.
        try room.handle(.received(member, handle(["root"])))
        try room.handle(.received(member, tap(1)))
        #expect(delivered(room, member).isEmpty)
        #expect(room.session.needsTick)
        try room.runTicks()
        #expect(delivered(room, member).map(\.event.view) == ["add"])
    }

    @Test func aHandlerThatIsGoneIsWaitedForWhileNothingElseHappens() throws {
        let room = try TestRoom(Self.document)
        let program = try room.join(1, capabilities: Capability.events)
        let person = try room.join(2, role: .participant, capabilities: Capability.events)
        try room.handle(.received(program, handle(["bar"])))
        try room.handle(.received(person, tap(1)))
        try room.handle(.left(program))
        try room.runTicks(10)
        #expect(results(room, person) == [])
        let due = room.session.nextTick
        #expect(due == room.tick - 10 + 300)
        try room.runTicks(300)
        #expect(results(room, person) == ["1 unknown"])
    }

    @Test func aMessageToEveryoneReachesAllOthers() throws {
        let room = try TestRoom(Self.document)
        let one = try room.join(1, capabilities: Capability.events)
        let two = try room.join(2, role: .viewer, capabilities: Capability.events)
        let old = try room.join(3)
        var message = SentEvent()
        message.eventSequence = 1
        message.to = SentEvent.everyone
        message.event.kind = .message
        message.event.value = .string("hello")
        try room.handle(.received(one, .event(message)))
        #expect(delivered(room, two).map(\.sequence) == [0])
        #expect(delivered(room, two).first?.event.value == .string("hello"))
        #expect(delivered(room, one).isEmpty && delivered(room, old).isEmpty)
        #expect(results(room, one) == ["1 handled"])
    }

    @Test func copiesOfMessagesToEveryoneAreChargedToTheirSender() throws {
        var options = SessionOptions()
        options.events.copiedBytesPerSecond = 40_000
        let room = try TestRoom(Self.document, options: options)
        let sender = try room.join(1, role: .participant, capabilities: Capability.events)
        let others = try (2...11).map {
            try room.join($0, role: .viewer, capabilities: Capability.events)
        }
        var message = SentEvent()
        message.to = SentEvent.everyone
        message.event.kind = .message
        message.event.value = .string(String(repeating: "x", count: 1000))
        func send(_ number: UInt64) throws {
            message.eventSequence = number
            try room.handle(.received(sender, .event(message)))
        }
        // Ten copies of more than a thousand bytes each: three messages, and not five.
        for number in 1...5 as ClosedRange<UInt64> { try send(number) }
        let told = results(room, sender)
        #expect(told.prefix(2) == ["1 handled", "2 handled"])
        #expect(told.last == "5 refused limit")
        let count = delivered(room, others[0]).count
        #expect((2...4).contains(count))
        #expect(others.allSatisfy { delivered(room, $0).count == count })
        // A second fills the bucket again.
        try room.runTicks(60)
        try send(6)
        #expect(results(room, sender).last == "6 handled")
        // A message to one member is no broadcast.
        message.to = 0
        message.eventSequence = 7
        try room.handle(.received(sender, .event(message)))
        #expect(results(room, sender).last != "7 refused limit")
    }

    @Test func eventsLeaveNothingInTheJournal() throws {
        let room = try TestRoom(Self.document)
        let member = try room.join(1, capabilities: Capability.events)
        try room.handle(.received(member, handle(["root"])))
        try room.runTicks()
        let before = room.journal.count
        let hash = room.session.stateHash
        for sequence in 1...20 { try room.handle(.received(member, tap(UInt64(sequence)))) }
        try room.runTicks(5)
        #expect(delivered(room, member).count == 20)
        #expect(room.journal.count == before)
        #expect(room.session.stateHash == hash)
    }
}

extension ServerMessage {
    fileprivate var isInteractions: Bool {
        if case .interactions = self { true } else { false }
    }
}
