import SceneWire
import Synchronization
import WebSocketTransport

extension ServerSuite {
    /// Sections 3.1 to 3.5.
    static let connectionCases: [Case] = [
        Case("3.1-1", "scenesync.v1.bin is agreed on") { suite in
            let client = try suite.client(offering: ["scenesync.v1.bin"])
            guard case .opened(let name)? = client.next() else { return .bad("no WebSocket") }
            return .require(name == "scenesync.v1.bin", "the server chose \(name)")
        },
        Case("3.1-2", "scenesync.v1.json is agreed on") { suite in
            let client = try suite.client(offering: ["scenesync.v1.json"])
            guard case .opened(let name)? = client.next() else { return .bad("no WebSocket") }
            return .require(name == "scenesync.v1.json", "the server chose \(name)")
        },
        Case("3.1-3", "of both, one is chosen") { suite in
            let client = try suite.client(offering: ["scenesync.v1.json", "scenesync.v1.bin"])
            guard case .opened(let name)? = client.next() else { return .bad("no WebSocket") }
            return .require(name.hasPrefix("scenesync.v1."), "the server chose \(name)")
        },
        Case("3.1-4", "another subprotocol is refused") { suite in
            let client = try suite.client(offering: ["scenesync.v99.bin"])
            guard case .opened(let name)? = client.next() else { return .fine }
            return .bad("the handshake succeeded with \(name)")
        },
        Case("3.1-5", "a text message under the binary subprotocol closes with 4000") { suite in
            try suite.expectClose(Array(#"{"type": "ping", "t0": 1}"#.utf8), .text)
        },
        Case("3.1-6", "a binary message under the JSON subprotocol closes with 4000") { suite in
            try suite.expectClose([0x05, 0x01], .binary, .json)
        },
        Case("3.2-1", "a first message that is no hello closes with 4001") { suite in
            let client = try suite.client()
            client.send(.ping(Ping()))
            let code = try client.end()
            if code == 4000 { return .weak("closed with 4000") }
            return .require(code == 4001, "closed with \(code.map(String.init) ?? "no code")")
        },
        Case("3.2-2", "a second hello closes with 4000") { suite in
            let client = try suite.client()
            try client.greet()
            client.send(.hello(Hello()))
            let code = try client.end()
            return .require(code == 4000, "closed with \(code.map(String.init) ?? "no code")")
        },
        Case("3.2-3", "hello is answered with welcome and a whole snapshot") { suite in
            let client = try suite.client()
            try client.greet()
            return .require(
                client.mirror.withLock { !$0.needsSnapshot }, "the snapshot is not whole")
        },
        Case("3.2-4", "the same in JSON") { suite in
            let client = try suite.client(.json)
            try client.greet()
            return .require(
                client.mirror.withLock { !$0.needsSnapshot }, "the snapshot is not whole")
        },
        Case("3.3-1", "a client that does not acknowledge gets no more frames after a while") {
            try $0.lagging()
        },
        Case("3.4-1", "capabilities of a later version are ignored") { suite in
            let client = try suite.client()
            let welcome = try client.greet(capabilities: 1 << 60 | Capability.diagnostics)
            return .require(
                welcome.capabilities & ~Capability.diagnostics == 0,
                "granted \(welcome.capabilities)")
        },
        Case("3.4-2", "a message without its capability is answered with 4005") { suite in
            let client = try suite.client()
            let welcome = try client.greet()
            guard welcome.capabilities & Capability.seek == 0 else {
                return .bad("seek was granted without being asked for")
            }
            client.send(.seek(Seek()))
            let code = try client.wait("error") {
                if case .error(let error) = $0 { error.code } else { nil }
            }
            guard code == 4005 else { return .bad("answered with \(code)") }
            return .require(try client.isAlive(), "the connection ended")
        },
        Case("3.5-1", "a client that comes back is known by its token") { suite in
            let first = try suite.client()
            let welcome = try first.greet()
            first.close()
            _ = try first.end()
            let again = try suite.client().greet(
                resume: suite.resume(welcome, welcome.resumeToken))
            return .require(
                again.session == welcome.session,
                "the session was \(welcome.session) and is \(again.session)")
        },
        Case("3.5-2", "a wrong resume token makes a new session") { suite in
            let first = try suite.client()
            let welcome = try first.greet()
            let again = try suite.client().greet(resume: suite.resume(welcome, "wrong"))
            return .require(again.session != welcome.session, "it gave the session away")
        },
        Case("3.5-3", "ops that are sent again after coming back are applied once") { suite in
            let first = try suite.client()
            let welcome = try first.greet(.editor)
            guard case .committed = try first.apply(Self.scene, sequence: 1) else {
                return .bad("the scene was refused")
            }
            let add = #"[{"op": "addView", "id": "once"}]"#
            let before = try first.apply(add, sequence: 2)
            first.close()
            _ = try first.end()
            let second = try suite.client()
            try second.greet(.editor, resume: suite.resume(welcome, welcome.resumeToken))
            let after = try second.apply(add, sequence: 2)
            return .require(before == after, "first \(before), then \(after)")
        },
    ]

    fileprivate func resume(_ welcome: Welcome, _ token: String) -> Resume {
        var resume = Resume()
        resume.session = welcome.session
        resume.token = token
        resume.epoch = welcome.epoch
        return resume
    }

    private func lagging() throws -> Finding {
        let editor = try editor()
        let lazy = try client()
        let welcome = try lazy.greet()
        let allowed = Int(welcome.limits.unacknowledgedFrames)
        for step in 0..<allowed + 8 {
            let width = 100 + (step % 2 + 1) * 10 + step
            _ = try editor.apply(
                #"[{"op": "setConstraint", "id": "w", "constant": \#(width)}]"#,
                sequence: UInt64(step) + 2)
            try wait(editor) { $0.view(id: "a")?.frame.width == Int32(width) }
        }
        var frames = 0
        while let event = lazy.next(1) {
            guard case .message(_, let bytes) = event else { return .bad("the connection ended") }
            guard let message = try? ServerMessage.decode(bytes) else { return .bad("garbage") }
            if case .frame = message { frames += 1 }
            _ = try lazy.mirror.withLock { try $0.apply(message) }
        }
        guard frames <= allowed + 1 else { return .bad("\(frames) frames came unacknowledged") }
        lazy.acknowledge()
        let want = editor.mirror.withLock { $0.stateHash }
        try wait(lazy) { $0.stateHash == want }
        return .fine
    }
}
