import JSON
import SceneDocument
import SceneWire
import Synchronization

extension ServerSuite {
    /// Sections 3.4, 3.5 and 6.22 to 6.26: parts that need a capability.
    static let watchingCases: [Case] = [
        Case("3.5-4", "one who comes back with capability 7 goes on with a merged frame") {
            try $0.mergedResume()
        },
        Case("6.22-1", "undo takes the sender's last step back, redo does it again") {
            try $0.undoRedo()
        },
        Case("6.22-2", "undo leaves what others wrote later") { try $0.undoBesideOthers() },
        Case("6.24-1", "with roots a client gets these subtrees and their ancestors") {
            try $0.subtree()
        },
        Case("6.24-2", "a rate holds frames back") { try $0.rate() },
        Case("6.26-1", "trace tells what the passes called") { try $0.trace() },
        Case("6.27-1", "inspect tells what holds a view") { try $0.inspection() },
        Case("6.27-2", "inspect tells which size fits a view, and changes nothing") {
            try $0.fitting()
        },
        Case("20.2-3", "records tell accepted ops, and the hash of the scene after them") {
            try $0.following()
        },
        Case("6.12-1", "an animation is told once to those who animate") { try $0.animation() },
    ]

    /// An editor in the suite's scene, and its welcome.
    private func person(_ capabilities: UInt64) throws -> (ScriptedClient, UInt64) {
        _ = try editor()
        let client = try client()
        let welcome = try client.greet(.editor, capabilities: capabilities)
        return (client, welcome.capabilities & capabilities)
    }

    func width(_ value: Int) -> String {
        #"[{"op": "setConstraint", "id": "w", "constant": \#(value)}]"#
    }

    private func step(
        _ client: ScriptedClient, _ sequence: UInt64, redo: Bool = false
    ) throws -> OpsResult.Outcome {
        var request = UndoRequest()
        request.clientSequence = sequence
        client.send(redo ? .redo(request) : .undo(request))
        return try client.wait("result") { message in
            if case .result(let result) = message, result.clientSequence == sequence {
                return result.outcome
            }
            if case .frame = message { client.acknowledge() }
            return nil
        }
    }

    private func undoRedo() throws -> Finding {
        let (client, granted) = try person(Capability.undo)
        guard granted != 0 else { return .note("the server has no undo") }
        _ = try client.apply(width(150), sequence: 1)
        _ = try client.apply(width(170), sequence: 2)
        _ = try step(client, 3)
        try wait(client) { $0.view(id: "a")?.frame.width == 150 }
        _ = try step(client, 4, redo: true)
        try wait(client) { $0.view(id: "a")?.frame.width == 170 }
        return .fine
    }

    private func undoBesideOthers() throws -> Finding {
        let (ada, granted) = try person(Capability.undo)
        guard granted != 0 else { return .note("the server has no undo") }
        let bob = try client()
        try bob.greet(.editor)
        _ = try ada.apply(width(150), sequence: 1)
        _ = try bob.apply(width(180), sequence: 1)
        guard case .refused(let refusal) = try step(ada, 2) else {
            return .bad("it was taken back")
        }
        try wait(ada) { $0.view(id: "a")?.frame.width == 180 }
        return .require(refusal.code == .conflict, "refused as \(refusal.code.rawValue)")
    }

    private func subtree() throws -> Finding {
        let editor = try editor()
        let client = try client()
        var hello = Hello()
        hello.capabilities = Capability.subscribe
        hello.roots = ["a"]
        client.send(.hello(hello))
        guard case .welcome(let welcome) = try client.message() else {
            return .bad("the first message was no welcome")
        }
        guard welcome.capabilities & Capability.subscribe != 0 else {
            return .note("the server has no subscriptions")
        }
        try client.loadSnapshot()
        let before = client.mirror.withLock { $0.records.map(\.id) }
        _ = try editor.apply(
            #"[{"op": "addView", "id": "inside", "parent": "a"}, {"op": "addView", "id": "outside"}]"#,
            sequence: 2)
        try wait(client) { $0.view(id: "inside") != nil }
        let isOutside = client.mirror.withLock { $0.view(id: "outside") != nil }
        return .require(
            before.first == "root" && before.contains("a") && !before.contains("other")
                && !isOutside, "\(before)")
    }

    private func rate() throws -> Finding {
        let editor = try editor()
        let client = try client()
        let welcome = try client.greet(capabilities: Capability.subscribe)
        guard welcome.capabilities & Capability.subscribe != 0 else {
            return .note("the server has no subscriptions")
        }
        var subscription = Subscribe()
        subscription.frameRateMaximum = 2
        client.send(.subscribe(subscription))
        for step in 0..<20 { _ = try editor.apply(width(150 + step), sequence: UInt64(step) + 2) }
        var frames = 0
        try wait(client) { $0.view(id: "a")?.frame.width == 169 }
        while let event = client.next(0.1) {
            guard case .message(_, let bytes) = event else { return .bad("the connection ended") }
            if bytes.first == 0x43 { frames += 1 }
        }
        return .require(frames < 10, "\(frames) frames came")
    }

    private func trace() throws -> Finding {
        let editor = try editor()
        let client = try client()
        let welcome = try client.greet(capabilities: Capability.trace)
        guard welcome.capabilities & Capability.trace != 0 else {
            return .note("the server has no traces")
        }
        var request = TraceRequest()
        request.isEnabled = true
        request.watch = ["a"]
        client.send(.trace(request))
        guard try client.isAlive() else { return .bad("no answer") }
        _ = try editor.apply(width(155), sequence: 2)
        let events = try client.wait("trace") { message -> [String]? in
            if case .trace(let trace) = message { trace.events } else { nil }
        }
        return .require(events.contains("layoutSubviews a"), "\(events)")
    }

    private func inspection() throws -> Finding {
        _ = try editor()
        let client = try client()
        let welcome = try client.greet(capabilities: Capability.inspect)
        guard welcome.capabilities & Capability.inspect != 0 else {
            return .note("the server does not tell what stands behind frames")
        }
        var inspect = Inspect()
        inspect.request = 77
        inspect.wantsDocument = true
        inspect.views = ["a", "nobody"]
        client.send(.inspect(inspect))
        var reader = InspectionReader()
        let answer = try client.wait("inspection") {
            message -> (request: UInt32, inspection: SceneInspection)? in
            guard case .inspection(let part) = message else { return nil }
            return try reader.take(part)
        }
        let view = answer.inspection.views.first
        let isComplete =
            answer.request == 77 && answer.inspection.views.count == 1
            && view?.horizontal.contains { $0.id == "w" } == true
            && view?.constraints.contains("w") == true
            && answer.inspection.document?.views.contains { $0.id == "a" } == true
        return .require(isComplete, "\(answer.inspection.json.text())")
    }

    private func following() throws -> Finding {
        _ = try editor()
        let client = try client()
        let welcome = try client.greet(.editor, capabilities: Capability.follow)
        guard welcome.capabilities & Capability.follow != 0 else {
            return .note("the server does not tell its records")
        }
        var request = FollowRequest()
        request.isEnabled = true
        client.send(.follow(request))
        var records: [JSONValue] = []
        /// Takes a message's records, if that is what it is.
        func take(_ message: ServerMessage) throws -> Records? {
            if case .frame = message { client.acknowledge() }
            guard case .records(let part) = message else { return nil }
            if let list = try JSONReader.read(Array(part.text.utf8)).array {
                records += list
            }
            return part
        }
        let start = try client.wait("records") { try take($0).flatMap { $0.isStart ? $0 : nil } }
        guard records.first?["kind"]?.kind == .string("snapshot"), !start.author.isEmpty,
            start.author != welcome.session
        else { return .bad("\(start)") }
        records = []
        var message = Ops()
        message.clientSequence = 1
        message.ops = try JSONReader.read(Array(width(150).utf8))
        client.send(.ops(message))
        let hash = try client.wait("the hash of a replica") { try take($0)?.state?.hash }
        let batch = records.first?["payload"]
        guard records.count == 1, batch?["author"]?.kind == .string(start.author),
            batch?["clientSequence"]?.kind == .string("1"), batch?["ops"] == message.ops
        else { return .bad("\(records.map { $0.text() })") }
        return .require(hash == client.mirror.withLock { $0.stateHash }, "\(hash)")
    }

    /// A card with a label of five cells, 10 points from each of its edges, which the root makes
    /// 200 wide and 100 high.
    private static let card = #"""
        [{"op": "setScene", "scene": 1, "viewport": {"width": 400, "height": 200},
          "views": [{"id": "card"}, {"id": "label", "kind": "label", "parent": "card", "text": "abcde"}],
          "constraints": [
            "card.left == root.left", "card.top == root.top", {"id": "w", "rule": "card.width == 200"},
            "card.height == 0.5 * root.height", "label.left == card.left + 10", "label.top == card.top + 10",
            "label.right == card.right - 10 @900", "label.bottom == card.bottom - 10 @900"]}]
        """#

    private func fitting() throws -> Finding {
        let editor = try editor()
        _ = try editor.apply(Self.card, sequence: 2)
        let client = try client()
        let welcome = try client.greet(capabilities: Capability.inspect | Capability.fitting)
        guard welcome.capabilities & Capability.fitting != 0 else {
            return .note("the server does not tell which sizes fit")
        }
        let before = client.mirror.withLock { $0.stateHash }
        var inspect = Inspect()
        inspect.request = 78
        var smallest = FittingQuestion(view: "label")
        var wide = smallest
        wide.size = Size(width: 100, height: 0)
        wide.priorities = PriorityByAxis(.required, .fittingSizeLevel)
        var impossible = FittingQuestion(view: "card")
        impossible.size = Size(width: 300, height: 0)
        impossible.priorities = PriorityByAxis(.required, .fittingSizeLevel)
        smallest.priorities = PriorityByAxis(.fittingSizeLevel, .fittingSizeLevel)
        inspect.fittings = FittingList([
            smallest, wide, FittingQuestion(view: "nobody"), impossible,
        ])
        client.send(.inspect(inspect))
        var reader = InspectionReader()
        let answer = try client.wait("inspection") { message -> SceneInspection? in
            guard case .inspection(let part) = message else { return nil }
            return try reader.take(part)?.inspection
        }
        // Cells are 8 by 16. The card is 200 wide whatever is wished for, and what makes it 100
        // high is its surroundings'.
        let expected = [
            SceneInspection.Fitting(id: "label", size: Size(width: 40, height: 16)),
            SceneInspection.Fitting(id: "label", size: Size(width: 100, height: 16)),
            SceneInspection.Fitting(id: "card", size: Size(width: 200, height: 36)),
        ]
        guard answer.fittings == expected else { return .bad("\(answer.json.text())") }
        _ = try editor.apply(#"[{"op": "setNeedsLayout"}]"#, sequence: 3)
        guard try client.isAlive() else { return .bad("no answer") }
        return .require(
            client.mirror.withLock { $0.stateHash } == before, "the question moved something")
    }

    private func animation() throws -> Finding {
        let editor = try editor()
        let client = try client()
        let welcome = try client.greet(capabilities: Capability.animations)
        guard welcome.capabilities & Capability.animations != 0 else {
            return .note("the server sends frames")
        }
        _ = try editor.apply(
            #"""
            [{"op": "animate", "duration": 0.5, "ops": [
              {"op": "setConstraint", "id": "w", "constant": 190}, {"op": "layoutIfNeeded", "id": "root"}]}]
            """#, sequence: 2)
        let starts = try client.wait("anim") { message -> Int? in
            guard case .anim(let anim) = message else { return nil }
            return anim.changes.count { if case .start = $0 { true } else { false } }
        }
        try wait(client) { $0.view(id: "a")?.frame.width == 190 }
        return .require(starts == 1, "\(starts) began")
    }

    private func mergedResume() throws -> Finding {
        let editor = try editor()
        let first = try client()
        let welcome = try first.greet(capabilities: Capability.mergedResume)
        guard welcome.capabilities & Capability.mergedResume != 0 else {
            return .note("the server sends snapshots")
        }
        first.close()
        _ = try first.end()
        _ = try editor.apply(#"[{"op": "addView", "id": "meanwhile"}]"#, sequence: 2)
        let second = try client()
        second.mirror.withLock { mirror in
            mirror = first.mirror.withLock { $0 }
            mirror.continueInConnection(ofEpoch: welcome.epoch)
        }
        var hello = Hello()
        hello.capabilities = Capability.mergedResume
        var resume = Resume()
        resume.session = welcome.session
        resume.token = welcome.resumeToken
        resume.epoch = welcome.epoch
        resume.lastTick = first.mirror.withLock { $0.tick }
        hello.resume = resume
        second.send(.hello(hello))
        var kinds: [String] = []
        try second.wait("state") { message -> Void? in
            switch message {
            case .snapshot: kinds.append("snapshot")
            case .frame: kinds.append("frame")
            default: return nil
            }
            return ()
        }
        try wait(second) { $0.view(id: "meanwhile") != nil }
        return kinds == ["frame"] ? .fine : .weak("a snapshot came")
    }
}
