import SceneDocument
import SceneWire
import Testing

@testable import SceneSession

@Suite("Which size fits, asked over the wire")
struct FittingQuestionTests {
    private static let card = #"""
        [{"op": "addView", "id": "card"},
         {"op": "addView", "id": "label", "kind": "label", "parent": "card", "text": "abcde fgh ij", "lines": 0},
         {"op": "addConstraint", "rule": "card.left == root.left"},
         {"op": "addConstraint", "rule": "card.top == root.top"},
         {"op": "addConstraint", "rule": "card.right == root.right"},
         {"op": "addConstraint", "rule": "label.left == card.left + 10"},
         {"op": "addConstraint", "rule": "label.top == card.top + 10"},
         {"op": "addConstraint", "rule": "label.right == card.right - 10"},
         {"op": "addConstraint", "rule": "label.bottom == card.bottom - 10"}]
        """#

    private func room(
        _ options: SessionOptions = SessionOptions(),
        capabilities: UInt64 = Capability.inspect | Capability.fitting
    ) throws -> (TestRoom, MemberID) {
        let room = try TestRoom(options: options)
        let editor = try room.join(1, capabilities: capabilities)
        try room.apply(Self.card, from: editor)
        try room.runTicks(3)
        return (room, editor)
    }

    private func question(_ views: [FittingQuestion]) -> ClientMessage {
        var inspect = Inspect()
        inspect.fittings = FittingList(views)
        return .inspect(inspect)
    }

    private func answer(_ room: TestRoom, _ member: MemberID) throws -> SceneInspection? {
        var reader = InspectionReader()
        for message in room.received[member] ?? [] {
            guard case .inspection(let part) = message else { continue }
            if let whole = try reader.take(part) { return whole.inspection }
        }
        return nil
    }

    private func errors(_ room: TestRoom, _ member: MemberID) -> [UInt32] {
        (room.received[member] ?? []).compactMap {
            if case .error(let error) = $0 { error.code } else { nil }
        }
    }

    @Test("each size is that of the view's own constraints, and no frame moves")
    func sizes() throws {
        let (room, member) = try room()
        let before = room.session.stateHash
        var narrow = FittingQuestion(view: "card")
        narrow.size = Size(width: 60, height: 0)
        narrow.priorities = PriorityByAxis(.required, .fittingSizeLevel)
        let views = [FittingQuestion(view: "card"), narrow, FittingQuestion(view: "none")]
        try room.handle(.received(member, question(views)))
        try room.runTicks(2)
        // 12 cells of 8 with 20 around them; 40 for the text are five cells, so three lines of 16.
        #expect(
            try answer(room, member)?.fittings == [
                .init(id: "card", size: Size(width: 116, height: 36)),
                .init(id: "card", size: Size(width: 60, height: 68)),
            ])
        #expect(room.session.stateHash == before && errors(room, member).isEmpty)
    }

    @Test("without the capability the answer is 4005")
    func notGranted() throws {
        let (room, member) = try room(capabilities: Capability.inspect)
        try room.handle(.received(member, question([FittingQuestion(view: "card")])))
        try room.runTicks(2)
        #expect(errors(room, member) == [UInt32(CloseCode.unsupported.rawValue)])
        #expect(try answer(room, member) == nil)
    }

    @Test("each size is paid for, and where they are too much for one answer it is 4009")
    func price() throws {
        let (room, member) = try room()
        func price(_ count: Int) throws -> UInt64 {
            let before = room.session.questionWork
            let views = [FittingQuestion](repeating: FittingQuestion(view: "card"), count: count)
            try room.handle(.received(member, question(views)))
            try room.runTicks(2)
            return room.session.questionWork - before
        }
        let (one, many) = (try price(1), try price(16))
        // 3,500 for an answer of any size, and 1,000 for a size besides the solver's work on it.
        #expect(one > 4_500)
        #expect(many - one > 15 * 1_000 && many < 16 * one)
        var options = SessionOptions()
        // Four times as much is the most that one answer may take.
        options.work.tick = many / 8
        let (poor, asker) = try self.room(options)
        let views = [FittingQuestion](repeating: FittingQuestion(view: "card"), count: 16)
        try poor.handle(.received(asker, question(views)))
        try poor.runTicks(600)
        #expect(errors(poor, asker) == [UInt32(CloseCode.limit.rawValue)])
        #expect(try answer(poor, asker) == nil)
    }

    @Test("lengths and priorities beyond their ranges count as the nearer end, in both formats")
    func clamped() throws {
        let text = #"""
            {"type": "inspect", "request": 1, "document": false, "views": [], "fittings": {"views": [
              {"view": "a", "size": [-1, 1e9], "priorities": [0, 4000]}]}}
            """#
        guard case .inspect(let inspect) = try ClientMessage.decode(json: Array(text.utf8)),
            let question = inspect.fittings?.views.first
        else {
            Issue.record("it is no inspect")
            return
        }
        #expect(question.size == Size(width: 0, height: 1_000_000))
        #expect(question.priorities == PriorityByAxis(1, 1000))
        let message = ClientMessage.inspect(inspect)
        #expect(try ClientMessage.decode(message.encoded(as: .binary)) == message)
    }
}
