import JSON
import SceneDocument
import SceneWire
import Synchronization

extension ServerSuite {
    /// Sections 6.8, 13.1 and LANGUAGE.md, section 2: what stays, what leaves no trace, and what
    /// can be had again.
    static let promiseCases: [Case] = [
        Case("6.8-6", "what was committed is on disk, as frames after the result say") {
            try $0.durability()
        },
        Case("13.1-1", "what costs too much is refused, and leaves no trace") {
            try $0.dearText()
        },
        Case("15-10", "the document of a scene is taken again, whatever ops made it") {
            try $0.documentAgain()
        },
    ]

    /// A frame that was made after the result of a change knows of a tick on disk that is not
    /// before it.
    private func durability() throws -> Finding {
        let client = try editor()
        for step in 0..<20 as Range<UInt64> {
            var message = Ops()
            message.clientSequence = 2 * step + 2
            message.ops = try JSONReader.read(Array(width(110 + Int(step)).utf8))
            client.send(.ops(message))
            let decided = try client.wait("result") { message -> UInt64? in
                if case .frame = message { client.acknowledge() }
                guard case .result(let result) = message else { return nil }
                return result.tick
            }
            message.clientSequence += 1
            message.ops = try JSONReader.read(Array(width(210 + Int(step)).utf8))
            client.send(.ops(message))
            // The change itself shows, and may show before it is on disk; it is the next tick's
            // frame that counts.
            let known = try client.wait("frame after a result") { message -> UInt64? in
                guard case .frame(let frame) = message else { return nil }
                client.acknowledge()
                let tick = client.mirror.withLock { $0.tick }
                return tick > decided ? tick - frame.durableDistance : nil
            }
            guard known >= decided else {
                return .bad("tick \(decided) was committed while \(known) was the last on disk")
            }
            try client.wait("result") { message -> Void? in
                if case .frame = message { client.acknowledge() }
                return if case .result = message { () } else { nil }
            }
        }
        return .fine
    }

    /// A text that grows until it costs too much to be measured.
    private func dearText() throws -> Finding {
        let client = try client()
        let welcome = try client.greet(.editor)
        guard let budget = welcome.work else { return .note("the server does not count work") }
        guard case .committed = try client.apply(Self.scene, sequence: 1) else {
            return .bad("the scene was refused")
        }
        try wait(client) { $0.view(id: "b") != nil }
        var sequence: UInt64 = 2
        var count = 64
        while count * 5 <= Int(welcome.limits.textBytes) {
            let before = client.mirror.withLock { $0.view(id: "b")?.content.lines }
            let text = String(repeating: "dear ", count: count)
            let (result, ticks) = try write(text, client, sequence)
            if case .refused(let refusal) = result.outcome {
                guard refusal.code == .tooExpensive else {
                    return .bad("refused as \(refusal.code.rawValue)")
                }
                guard let work = result.work, work >= min(budget.op, budget.message) else {
                    return .bad("its result says that it took \(result.work ?? 0) units")
                }
                guard case .committed = try client.apply(width(199), sequence: sequence + 1) else {
                    return .bad("the next change was refused")
                }
                try wait(client) { $0.view(id: "a")?.frame.width == 199 }
                let after = client.mirror.withLock { $0.view(id: "b")?.content.lines }
                return .require(after == before && ticks == 0, "it left a trace")
            }
            sequence += 2
            count *= 2
        }
        return .note("a text of \(count * 5 / 2) bytes is within the budget")
    }

    /// Gives the label a text.
    ///
    /// - Returns: The result, and how many contents came before it.
    private func write(
        _ text: String, _ client: ScriptedClient, _ sequence: UInt64
    ) throws -> (OpsResult, Int) {
        var message = Ops()
        message.clientSequence = sequence
        message.ops = try JSONReader.read(
            Array(#"[{"op": "setView", "id": "b", "lines": 0, "text": "\#(text)"}]"#.utf8))
        client.send(.ops(message))
        var contents = 0
        let result = try client.wait("result", 20) { message -> OpsResult? in
            switch message {
            case .frame: client.acknowledge()
            case .content: contents += 1
            case .result(let result) where result.clientSequence == sequence: return result
            default: break
            }
            return nil
        }
        return (result, contents)
    }

    /// Ops that strain what a document can say. Each may be refused.
    private static let strainingOps = #"""
        [{"op": "addView", "id": "wide", "kind": "label", "text": "日本 wide", "lines": 0, "preferredWidth": 1000000,
          "intrinsic": [1000000, -1]},
         {"op": "sizeToFit", "id": "wide"},
         {"op": "addView", "id": "row", "kind": "stack", "axis": "vertical", "distribution": "equalSpacing",
          "customSpacing": {"nobody": 9, "one": -3.25}, "margins": [-4, 0.1, 1e-9, 1e5]},
         {"op": "addView", "id": "one", "parent": "row", "collapses": true, "hidden": true},
         {"op": "addView", "id": "two", "parent": "row", "traits": {"contentSizeCategory": "accessibilityLarge"},
          "variations": [{"when": "idiom == phone and displayScale < 2", "hidden": true}]},
         {"op": "setView", "id": "row", "arranged": ["two"]},
         {"op": "removeView", "id": "two"},
         {"op": "addView", "id": "pane", "kind": "scroll", "frame": [0.1, -0.2, 33.3, 44.4],
          "autoresizing": ["flexibleWidth", "flexibleTopMargin"]},
         {"op": "setContentOffset", "id": "pane", "offset": [-17.5, 1000000]},
         {"op": "addGuide", "id": "middle", "parent": "pane"},
         {"op": "addConstraint", "id": "format", "vfl": "V:[a(>=2)]-(>=1@high,<=9@low)-[one]", "options": ["alignAllCenterX"]},
         {"op": "addConstraint", "id": "third", "rule": "middle.width == 0.333333333333 * pane.viewport.width - 1e-7 @1.5"},
         {"op": "setConstraint", "id": "third", "multiplier": 1e6, "active": false},
         {"op": "setConstraint", "id": "w", "constant": 100.000000001, "priority": 999.5},
         {"op": "setViewport", "width": 0, "height": 100000, "scale": 0.1, "direction": "rtl",
          "safeArea": {"top": 5, "leading": 0.25, "bottom": 0, "trailing": 100000}},
         {"op": "setViewport", "width": 321.7, "scale": 3, "rounding": "none"},
         {"op": "moveView", "id": "wide", "parent": "b", "index": 10000},
         {"op": "resetView", "id": "row", "keys": ["arranged", "margins"]}]
        """#

    private func documentAgain() throws -> Finding {
        _ = try editor()
        let client = try client()
        let welcome = try client.greet(.editor, capabilities: Capability.inspect)
        guard welcome.capabilities & Capability.inspect != 0 else {
            return .note("the server does not tell its document")
        }
        guard case .committed(let commit) = try client.apply(Self.strainingOps, sequence: 1) else {
            return .bad("the ops were refused as a whole")
        }
        guard commit.refusals.isEmpty else { return .bad("some were refused: \(commit.refusals)") }
        let first = try document(client, 1)
        guard let members = first.members else { return .bad("no document came") }
        let ops = JSONValue.array([.object([JSONMember("op", .string("setScene"))] + members)])
        let outcome = try client.apply(ops.text(), sequence: 2)
        guard case .committed = outcome else { return .bad("the document: \(outcome)") }
        let second = try document(client, 2)
        return .require(first == second, "it became \(second.text().prefix(2000))")
    }

    /// The room's document as an inspection has it.
    private func document(_ client: ScriptedClient, _ request: UInt32) throws -> JSONValue {
        var inspect = Inspect()
        inspect.request = request
        inspect.wantsDocument = true
        client.send(.inspect(inspect))
        var text = ""
        try client.wait("inspection") { message -> Void? in
            if case .frame = message { client.acknowledge() }
            guard case .inspection(let part) = message, part.request == request else { return nil }
            text += part.text
            return part.chunkIndex + 1 == part.chunkCount ? () : nil
        }
        return try JSONReader.read(Array(text.utf8))["document"] ?? .null
    }
}
