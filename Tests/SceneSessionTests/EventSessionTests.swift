import SceneProtocol
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

    private func results(_ rig: Rig, _ id: MemberID) -> [String] {
        (rig.received[id] ?? []).flatMap { message -> [String] in
            guard case .eventResults(let results) = message else { return [] }
            return results.results.map {
                "\($0.eventSequence) \($0.outcome.rawValue)\($0.code.isEmpty ? "" : " \($0.code)")"
            }
        }
    }

    private func delivered(_ rig: Rig, _ id: MemberID) -> [DeliveredEvent] {
        (rig.received[id] ?? []).compactMap {
            if case .event(let event) = $0 { event } else { nil }
        }
    }

    /// What people can do, as a member was told.
    private func table(_ rig: Rig, _ id: MemberID) -> InteractionTable {
        var table = InteractionTable()
        for case .interactions(let message) in rig.received[id] ?? [] { table.apply(message) }
        return table
    }

    private func answer(_ event: DeliveredEvent?, from id: MemberID, in rig: Rig) throws {
        var answer = HandledEvents.Answer()
        answer.sequence = event?.sequence ?? 0
        var message = HandledEvents()
        message.answers = [answer]
        try rig.step(.received(id, .handled(message)))
    }

    @Test func aTapGoesToItsHandlerWithoutATick() throws {
        let rig = try Rig(Self.document)
        let program = try rig.join(1, capabilities: Capability.events)
        let person = try rig.join(2, role: .participant, capabilities: Capability.events)
        try rig.step(.received(program, handle(["bar"])))
        try rig.step(.received(person, tap(1)))
        let event = delivered(rig, program).first
        #expect(event?.client == 2)
        #expect(event?.event.view == "add")
        try answer(event, from: program, in: rig)
        #expect(results(rig, person) == ["1 handled"])
    }

    @Test func rolesDecideWhoDoesWhat() throws {
        let rig = try Rig(Self.document)
        let viewer = try rig.join(1, role: .viewer, capabilities: Capability.events)
        let participant = try rig.join(2, role: .participant, capabilities: Capability.events)
        try rig.step(.received(viewer, tap(1)))
        #expect(results(rig, viewer) == ["1 refused forbidden"])
        try rig.apply(#"[{"op":"addView","id":"x"}]"#, from: participant)
        guard case .refused(let refusal)? = rig.results[participant]?.last?.outcome else {
            Issue.record("a participant's ops were not refused")
            return
        }
        #expect(refusal.code == .forbidden)
        try rig.step(.received(participant, handle(["bar"])))
        let errors = (rig.received[participant] ?? []).compactMap {
            if case .error(let error) = $0 { error.code } else { nil }
        }
        #expect(errors == [4003])
    }

    @Test func withoutTheCapabilityNothingIsToldOrTaken() throws {
        let rig = try Rig(Self.document)
        let old = try rig.join(1)
        try rig.step(.received(old, tap(1)))
        try rig.step(.received(old, handle(["bar"])))
        #expect(table(rig, old).isEmpty)
        let errors = (rig.received[old] ?? []).compactMap {
            if case .error(let error) = $0 { error.code } else { nil }
        }
        #expect(errors == [4005, 4005])
        for case .welcome(let welcome) in rig.received[old] ?? [] {
            #expect(welcome.incarnation == nil)
        }
    }

    @Test func whatIsNotAskedForOrNotEnabledIsRefused() throws {
        let rig = try Rig(Self.document)
        let program = try rig.join(1, capabilities: Capability.events)
        try rig.step(.received(program, handle(["root"])))
        try rig.step(.received(program, tap(1, "bar")))
        try rig.step(.received(program, tap(2, "nobody")))
        var input = SentEvent()
        input.eventSequence = 3
        input.event.kind = .input
        input.event.view = "volume"
        input.event.value = .number(0.7)
        try rig.step(.received(program, .event(input)))
        #expect(
            results(rig, program) == [
                "1 refused not-editable", "2 refused unknown-view", "3 refused not-editable",
            ])
        #expect(delivered(rig, program).isEmpty)
    }

    @Test func aViewAboveThatIsNotEnabledCoversWhatIsInIt() throws {
        let rig = try Rig(Self.document)
        let program = try rig.join(1, capabilities: Capability.events)
        try rig.step(.received(program, handle(["root"])))
        try rig.apply(#"[{"op":"setView","id":"bar","enabled":false}]"#, from: program)
        try rig.step(.received(program, tap(1)))
        #expect(results(rig, program) == ["1 refused not-editable"])
    }

    @Test func whatPeopleCanDoIsToldWholeAndThenAsItChanges() throws {
        let rig = try Rig(Self.document)
        let member = try rig.join(1, capabilities: Capability.events | Capability.undo)
        try rig.runTicks()
        #expect(table(rig, member).ids.sorted() == ["add", "volume"])
        #expect(table(rig, member)["volume"]?.value == .number(0.5))
        let before = rig.received[member]?.count ?? 0
        try rig.apply(#"[{"op":"setView","id":"volume","value":0.75}]"#, from: member)
        let news = (rig.received[member] ?? [])[before...].compactMap { message -> [String]? in
            guard case .interactions(let message) = message, !message.isWhole else { return nil }
            return message.changes.map(\.id)
        }
        #expect(news == [["volume"]])
        #expect(table(rig, member)["volume"]?.value == .number(0.75))
        try rig.apply(#"[{"op":"removeView","id":"bar"}]"#, from: member)
        #expect(table(rig, member).ids.sorted() == ["volume"])
        try rig.undo(member)
        #expect(table(rig, member).ids.sorted() == ["add", "volume"])
        // A change that has nothing to do with it tells nothing.
        let count = rig.received[member]?.filter(\.isInteractions).count
        try rig.apply(##"[{"op":"setView","id":"bar","background":"#102030"}]"##, from: member)
        #expect(rig.received[member]?.filter(\.isInteractions).count == count)
    }

    @Test func whoJoinsARoomAtRestIsToldWithoutWakingIt() throws {
        var options = SessionOptions()
        options.freezeSeconds = 1
        let rig = try Rig(Self.document, options: options)
        try rig.runTicks(200)
        try rig.step(.freeze)
        #expect(rig.session.isFrozen)
        let member = try rig.join(1, capabilities: Capability.events)
        #expect(table(rig, member).ids.sorted() == ["add", "volume"])
        #expect(rig.session.isFrozen)
        // An event wakes it, with the next tick.
        try rig.step(.received(member, handle(["root"])))
        try rig.step(.received(member, tap(1)))
        #expect(delivered(rig, member).isEmpty)
        #expect(rig.session.needsTick)
        try rig.runTicks()
        #expect(delivered(rig, member).map(\.event.view) == ["add"])
    }

    @Test func aHandlerThatIsGoneIsWaitedForWhileNothingElseHappens() throws {
        let rig = try Rig(Self.document)
        let program = try rig.join(1, capabilities: Capability.events)
        let person = try rig.join(2, role: .participant, capabilities: Capability.events)
        try rig.step(.received(program, handle(["bar"])))
        try rig.step(.received(person, tap(1)))
        try rig.step(.left(program))
        try rig.runTicks(10)
        #expect(results(rig, person) == [])
        let due = rig.session.nextTick
        #expect(due == rig.tick - 10 + 300)
        try rig.runTicks(300)
        #expect(results(rig, person) == ["1 unknown"])
    }

    @Test func aMessageToEveryoneReachesAllOthers() throws {
        let rig = try Rig(Self.document)
        let one = try rig.join(1, capabilities: Capability.events)
        let two = try rig.join(2, role: .viewer, capabilities: Capability.events)
        let old = try rig.join(3)
        var message = SentEvent()
        message.eventSequence = 1
        message.to = SentEvent.everyone
        message.event.kind = .message
        message.event.value = .string("hello")
        try rig.step(.received(one, .event(message)))
        #expect(delivered(rig, two).map(\.sequence) == [0])
        #expect(delivered(rig, two).first?.event.value == .string("hello"))
        #expect(delivered(rig, one).isEmpty && delivered(rig, old).isEmpty)
        #expect(results(rig, one) == ["1 handled"])
    }

    @Test func eventsLeaveNothingInTheJournal() throws {
        let rig = try Rig(Self.document)
        let member = try rig.join(1, capabilities: Capability.events)
        try rig.step(.received(member, handle(["root"])))
        try rig.runTicks()
        let before = rig.journal.count
        let hash = rig.session.stateHash
        for sequence in 1...20 { try rig.step(.received(member, tap(UInt64(sequence)))) }
        try rig.runTicks(5)
        #expect(delivered(rig, member).count == 20)
        #expect(rig.journal.count == before)
        #expect(rig.session.stateHash == hash)
    }
}

extension ServerMessage {
    fileprivate var isInteractions: Bool {
        if case .interactions = self { true } else { false }
    }
}
