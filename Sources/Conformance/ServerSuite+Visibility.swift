import JSON
import SceneDocument
import SceneWire
import Synchronization

extension ServerSuite {
    /// Section 21: members who see a part of the scene.
    static let visibilityCases: [Case] = [
        Case("21-1", "nothing that is hidden is told, and a container stands for what holds others")
        {
            try $0.hidden()
        },
        Case("21-2", "what is hidden is refused as what does not exist") { try $0.unknown() },
        Case("21-3", "a refusal that is due to something hidden does not name it") {
            try $0.unnamed()
        },
        Case("21-4", "what is hidden is neither changed nor handled") { try $0.untouched() },
        Case("21-5", "what tells of the whole scene is not granted") { try $0.withheld() },
    ]

    /// The views `hidden` and `inside` are hidden, `shown` is not.
    private static let partlyHidden = """
        [{"op": "setScene", "scene": 1, "viewport": {"width": 400, "height": 300},
          "views": [{"id": "a"},
            {"id": "hidden", "frame": [100, 50, 200, 100], "background": "#123456"},
            {"id": "inside", "parent": "hidden", "kind": "label", "text": "unheard"},
            {"id": "shown", "parent": "hidden", "frame": [7, 8, 9, 10]}],
          "constraints": [{"id": "unseen", "rule": "inside.width == a.height"},
            {"id": "unsaid", "rule": "inside.width == 77"},
            "a.left == root.left + 1", "a.top == root.top + 2", "a.width == 30"]}]
        """

    /// Words that only hidden things have.
    private static let secrets = [":\"hidden\"", "inside", "unheard", "unseen", "unsaid", "123456"]

    /// An editor who sees all, and a member who does not; `nil` without a token for it.
    private func pair(
        capabilities: UInt64 = 0
    ) throws -> (editor: ScriptedClient, member: ScriptedClient, welcome: Welcome)? {
        guard let token = setting.tokens?.partial else { return nil }
        let editor = try editor()
        guard case .committed = try editor.apply(Self.partlyHidden, sequence: 2) else {
            throw ScriptedClient.Failure(text: "the room's scene cannot be replaced")
        }
        let member = try client(.json, token: token)
        let welcome = try member.greet(.editor, capabilities: capabilities)
        return (editor, member, welcome)
    }

    private static var needsPartial: Finding {
        .note("this needs a fifth token, of a member who sees a part")
    }

    /// What the member has been sent since the last call, without its own messages' words.
    private func texts(_ member: ScriptedClient) throws -> [String] {
        var texts: [String] = []
        while case .message(let kind, let bytes)? = member.next(0.3) {
            texts.append(String(decoding: bytes, as: UTF8.self))
            _ = try member.read(kind, bytes)
        }
        return texts
    }

    private func hidden() throws -> Finding {
        guard let token = setting.tokens?.partial else { return Self.needsPartial }
        let editor = try editor()
        guard case .committed = try editor.apply(Self.partlyHidden, sequence: 2) else {
            return .bad("the room's scene cannot be replaced")
        }
        let member = try client(.json, token: token)
        var hello = Hello()
        hello.role = .editor
        hello.capabilities = .max
        member.send(.hello(hello))
        var texts = try texts(member)
        _ = try editor.apply(
            ##"[{"op":"setView","id":"hidden","background":"#123456","frame":[110,50,200,100]},{"op":"setView","id":"inside","text":"unheard of"},{"op":"setView","id":"a","background":"#abcdef"}]"##,
            sequence: 3)
        // A hash follows within a second, which the mirror holds against its own.
        for _ in 0..<5 { texts += try self.texts(member) }
        for text in texts {
            for secret in Self.secrets where text.contains(secret) {
                return .bad("\(secret) was told: \(text.prefix(300))")
            }
        }
        let records = member.mirror.withLock { $0.records }
        guard records.count == 4, records[1].id == "a", records[3].id == "shown" else {
            return .bad("the views \(records.map(\.id)) were told")
        }
        let container = records[2]
        guard container.id.hasPrefix("_"), container.content == ViewContent() else {
            return .bad("the container is \(container)")
        }
        let whole = editor.mirror.withLock { ($0.view(id: "hidden"), $0.view(id: "shown")) }
        return .require(
            whole.0?.frame == container.frame && whole.1?.frame == records[3].frame,
            "the frames are \(container.frame) and \(records[3].frame)")
    }

    private func unknown() throws -> Finding {
        guard let (_, member, _) = try pair() else { return Self.needsPartial }
        var sequence: UInt64 = 1
        func answer(_ op: String, _ name: String) throws -> String {
            defer { sequence += 1 }
            let ops = "[\(op.replacing("NAME", with: name))]"
            let outcome = try member.apply(ops, sequence: sequence)
            guard case .refused(let refusal) = outcome else { return "\(outcome)" }
            return "\(refusal.code) \(refusal.message.replacing(name, with: "NAME"))"
        }
        for op in [
            #"{"op":"setView","id":"NAME","text":"x"}"#, #"{"op":"removeView","id":"NAME"}"#,
            #"{"op":"addView","id":"new","parent":"NAME"}"#,
            #"{"op":"addConstraint","rule":"a.width == NAME.width"}"#,
        ] {
            let (found, none) = (try answer(op, "inside"), try answer(op, "nobody"))
            guard found == none else { return .bad("\(found) in place of \(none)") }
        }
        let op = #"{"op":"setConstraint","id":"NAME","constant":1}"#
        let (found, none) = (try answer(op, "unseen"), try answer(op, "nothing"))
        return .require(found == none, "\(found) in place of \(none)")
    }

    private func unnamed() throws -> Finding {
        guard let (_, member, _) = try pair(capabilities: Capability.diagnostics) else {
            return Self.needsPartial
        }
        let outcome = try member.apply(
            #"[{"op":"addConstraint","id":"mine","rule":"a.height == 20"}]"#, sequence: 1,
            atomic: true)
        let told = "\(outcome)" + (try texts(member)).joined()
        for secret in Self.secrets where told.contains(secret) {
            return .bad("\(secret) was told: \(told.prefix(300))")
        }
        let taken = try member.apply(
            #"[{"op":"addView","id":"inside","parent":"a"}]"#, sequence: 2)
        guard case .refused(let refusal) = taken else { return .bad("a taken name: \(taken)") }
        return .require(refusal.code == .duplicateID, "a taken name: \(refusal)")
    }

    private func untouched() throws -> Finding {
        guard let (_, member, _) = try pair(capabilities: Capability.events) else {
            return Self.needsPartial
        }
        var sequence: UInt64 = 1
        for op in [
            #"{"op":"setScene","scene":1,"viewport":{"width":9,"height":9}}"#,
            #"{"op":"moveView","id":"a","parent":"hidden"}"#,
        ] {
            let outcome = try member.apply("[\(op)]", sequence: sequence)
            guard case .refused(let refusal) = outcome,
                refusal.code == .forbidden || refusal.code == .unknownView
            else { return .bad("\(op): \(outcome)") }
            sequence += 1
        }
        var handle = HandleRequest()
        handle.roots = ["root"]
        member.send(.handle(handle))
        return try member.wait("error") { message in
            guard case .error(let error) = message else { return nil }
            return .require(error.code == 4003, "handling all is answered with \(error.code)")
        }
    }

    private func withheld() throws -> Finding {
        guard let (_, member, welcome) = try pair(capabilities: .max) else {
            return Self.needsPartial
        }
        let withheld =
            Capability.seek | Capability.trace | Capability.inspect | Capability.fitting
            | Capability.follow
        guard welcome.capabilities & withheld == 0 else {
            return .bad("capabilities \(welcome.capabilities & withheld) are granted")
        }
        var message = Ops()
        message.clientSequence = 1
        message.ops = .array([])
        member.send(.ops(message))
        return try member.wait("result") { message in
            guard case .result(let result) = message else { return nil }
            return .require(result.work == nil, "the units of work are told")
        }
    }
}
