import SceneDocument
import SceneModel
import SceneTestSupport
import SceneWire
import Testing

@testable import SceneSession

@Suite("What nests as deep as limits allow fits an eighth of the stack")
struct DepthTests {
    /// Views one in the other, as many as may be, and a label in the last.
    private static let document: String = {
        let kinds = ["view", "stack", "scroll", "flow"]
        let depth = Limits.standard.depthMaximum
        var views = (1..<depth).map { level in
            let parent = level == 1 ? "root" : "v\(level - 1)"
            return #"{"id": "v\#(level)", "parent": "\#(parent)", "kind": "\#(kinds[level % 4])"}"#
        }
        views.append(
            #"{"id": "leaf", "parent": "v\#(depth - 1)", "kind": "label", "text": "as deep as may be"}"#
        )
        let rules = stride(from: 4, to: depth, by: 4).map { #""v\#($0).width == root.width - 1""# }
        return """
            {"scene": 1, "viewport": {"width": 400, "height": 200},
             "views": [\(views.joined(separator: ", "))],
             "constraints": [\(rules.joined(separator: ", "))],
             "sets": {"deep": {"when": "root.width < 300", "constraints": ["leaf.width == 30"]}}}
            """
    }()

    @Test("a room laid out, edited, shown, looked into, taken back and opened again")
    func room() async throws {
        let hashes = try await onSmallStack {
            let room = try TestRoom(Self.document)
            let editor = try room.join(1, capabilities: .max)
            let viewer = try room.join(2, role: .viewer, format: .json)
            for ops in [
                #"[{"op":"setView","id":"leaf","text":"another text"}]"#,
                #"[{"op":"setViewport","width":200},{"op":"layoutIfNeeded"}]"#,
                #"[{"op":"sizeToFit","id":"v2"},{"op":"setNeedsLayout","id":"v8"}]"#,
                #"[{"op":"setView","id":"v1","hidden":true}]"#,
                #"[{"op":"setView","id":"v1","hidden":false}]"#,
                #"[{"op":"addConstraint","rule":"leaf.left == root.left + 4 @500"}]"#,
                #"[{"op":"animate","duration":0.1,"ops":[{"op":"setViewport","width":300},{"op":"layoutIfNeeded"}]}]"#,
                #"[{"op":"addView","id":"beside"},{"op":"moveView","id":"v2","parent":"beside"}]"#,
                #"[{"op":"removeView","id":"v300"}]"#,
            ] {
                try room.apply(ops, from: editor)
                try room.runTicks(8)
            }
            let refused = room.results[editor]?.filter { result in
                if case .refused = result.outcome { true } else { false }
            }
            #expect(refused?.isEmpty == true)
            var question = Inspect()
            question.wantsDocument = true
            question.views = ["v1", "v299"]
            try room.handle(.received(editor, .inspect(question)))
            var undo = UndoRequest()
            undo.clientSequence = room.nextSequence(editor)
            try room.handle(.received(editor, .undo(undo)))
            try room.runTicks(4)
            #expect(room.session.model.frame(of: "leaf") != nil)
            let replay = try JournalReplay(room.journal)
            #expect(replay.timeline.model.records() == room.session.model.records())
            return [
                room.session.model.stateHash, room.mirrors[editor]?.stateHash,
                room.mirrors[viewer]?.stateHash,
            ]
        }
        #expect(Set(hashes).count == 1)
    }

    @Test("ops nested deeper than JSON may be, and as deep, are answered")
    func nestedOps() async throws {
        let outcome = try await onSmallStack {
            let room = try TestRoom()
            let editor = try room.join(1)
            func nested(_ depth: Int) -> String {
                String(repeating: #"[{"op":"animate","duration":1,"ops":"#, count: depth) + "[]"
                    + String(repeating: "}]", count: depth)
            }
            // Each animation is two levels of JSON, and the innermost list one.
            #expect(throws: (any Error).self) { try room.apply(nested(32), from: editor) }
            try room.apply(nested(31), from: editor)
            return room.results[editor]?.last?.outcome
        }
        guard case .committed? = outcome else {
            Issue.record("blocks within blocks are taken: \(String(describing: outcome))")
            return
        }
    }
}
