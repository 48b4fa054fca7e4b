import Foundation
import SceneClient
import SceneTestSupport
import SceneWire
import Testing
import WebSocketTransport

/// A small scene with a width that tests change.
let sampleScene = """
    {"scene": 1, "viewport": {"width": 640, "height": 384},
     "views": [{"id": "sidebar"}, {"id": "main"},
               {"id": "title", "parent": "sidebar", "kind": "label", "text": "Files"}],
     "constraints": [
       "sidebar.leading == root.leading", "sidebar.top == root.top", "sidebar.bottom == root.bottom",
       {"id": "sidebar-width", "rule": "sidebar.width == 240 @750"},
       "main.leading == sidebar.trailing", "main.trailing == root.trailing",
       "main.top == root.top", "main.bottom == root.bottom",
       "title.leading == sidebar.leading + 8", "title.top == sidebar.top + 8"]}
    """

@Suite("A server in a process of its own", .serialized)
struct ServerTests {
    @Test("two editors and three viewers see one another's changes")
    func together() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let server = try ServerProcess(["--data", scratch.path + "/data", "--scene", scene])
        let room = server.url + "/demo"
        let editors = try [Peer(room, role: .editor), Peer(room, role: .editor, format: .json)]
        let viewers = try [Peer(room), Peer(room), Peer(room, format: .json)]
        for peer in editors + viewers { #expect(peer.mirror(where: "sidebar", isWide: 240) != nil) }
        let first = try editors[0].send(
            #"[{"op":"setConstraint","id":"sidebar-width","constant":300}]"#)
        #expect(editors[0].result(first) == .committed(Commit()))
        for peer in editors + viewers {
            #expect(peer.mirror(where: "main", isWide: 340) != nil)
        }
        let second = try editors[1].send(
            #"[{"op":"setConstraint","id":"sidebar-width","constant":100},{"op":"nope"}]"#)
        guard case .committed(let commit)? = editors[1].result(second) else {
            Issue.record("the batch was refused whole")
            return
        }
        #expect(commit.refusals.map(\.code) == [.badOp])
        let mirrors = (editors + viewers).map { $0.mirror(where: "sidebar", isWide: 100) }
        #expect(Set(mirrors.map { $0?.stateHash }).count == 1)
        let forbidden = try viewers[0].send(#"[{"op":"removeView","id":"title"}]"#)
        guard case .refused(let refusal)? = viewers[0].result(forbidden) else {
            Issue.record("a viewer changed the scene")
            return
        }
        #expect(refusal.code == .forbidden)
    }

    @Test("kill -9 and a new start bring the room back as it was acknowledged")
    func killed() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let arguments = ["--data", scratch.path + "/data", "--scene", scene]
        do {
            let server = try ServerProcess(arguments)
            let editor = try Peer(server.url + "/demo", role: .editor)
            for width in 1...40 {
                let sequence = try editor.send(
                    #"[{"op":"setConstraint","id":"sidebar-width","constant":\#(100 + width)}]"#)
                if width == 40 { #expect(editor.result(sequence) == .committed(Commit())) }
            }
            let other = try editor.send(
                #"[{"op":"addView","id":"note","kind":"label","text":"kept"}]"#)
            #expect(editor.result(other) == .committed(Commit()))
            server.kill()
        }
        let again = try ServerProcess(arguments)
        let viewer = try Peer(again.url + "/demo")
        let mirror = try #require(viewer.firstMirror)
        #expect(mirror.view(id: "sidebar")?.frame.width == 140)
        #expect(mirror.view(id: "note")?.content.lines.map(\.text) == ["kept"])
        let replay = try Program.run(["replay", "--data", scratch.path + "/data", "demo"])
        #expect(replay.status == 0)
        #expect(replay.output.contains(ViewHash.text(mirror.stateHash)))
    }

    @Test("a client whose server is killed comes back by itself and sends what was not answered")
    func reconnects() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let arguments = ["--data", scratch.path + "/data", "--scene", scene]
        var server: ServerProcess? = try ServerProcess(arguments)
        let port = try #require(server?.port)
        let editor = try Peer("ws://127.0.0.1:\(port)/demo", role: .editor, reconnects: true)
        #expect(editor.mirror(where: "sidebar", isWide: 240) != nil)
        server?.kill()
        let sequence = try editor.send(
            #"[{"op":"setConstraint","id":"sidebar-width","constant":111}]"#)
        server = try ServerProcess(arguments + ["--port", String(port)])
        #expect(editor.result(sequence) == .committed(Commit()))
        #expect(editor.mirror(where: "sidebar", isWide: 111) != nil)
        editor.close()
    }

    @Test("TLS: a client that trusts the certificate gets in, another does not")
    func tls() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let server = try ServerProcess(
            ["--data", scratch.path + "/data", "--scene", scene, "--tls-self-signed"])
        #expect(server.url.hasPrefix("wss://"))
        let room = "wss://localhost:\(server.port)/demo"
        let certificate = scratch.path + "/data/tls/certificate.pem"
        let trusting = try Peer(room, caFile: certificate)
        #expect(trusting.mirror(where: "sidebar", isWide: 240) != nil)
        let view = try Program.run(["view", "--once", "--format", "json", "--insecure", room])
        #expect(view.status == 0)
        #expect(view.output.contains(#""sidebar":[0,0,240,384]"#))
        #expect(try Program.run(["view", "--once", room]).status == 69)
    }

    @Test("a peer that never answers the close frame does not keep a drain from its end")
    func silentPeers() throws {
        let server = try ServerProcess(["--in-memory"])
        let sockets = try (0..<2).map { _ in
            try #require(
                RawWebSocket(port: server.port, path: "/room", subprotocols: "scenesync.v1.json"))
        }
        sockets[0].send(RawWebSocket.hello("viewer"))
        #expect(sockets[0].read()?.contains(#""type":"error""#) == true)
        server.process.terminate()
        server.process.waitUntilExit()
        #expect(server.process.terminationStatus == 0)
    }

    @Test(
        "SIGTERM drains: everybody is closed with 4030, what was sent is kept, the exit code is 0")
    func drains() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let arguments = ["--data", scratch.path + "/data", "--scene", scene]
        let server = try ServerProcess(arguments)
        let editor = try Peer(server.url + "/demo", role: .editor)
        #expect(editor.firstMirror != nil)
        let sequence = try editor.send(
            #"[{"op":"setConstraint","id":"sidebar-width","constant":77}]"#)
        #expect(editor.result(sequence) != nil)
        server.process.terminate()
        #expect(editor.endCode == CloseCode.draining.rawValue)
        server.process.waitUntilExit()
        #expect(server.process.terminationStatus == 0)
        let again = try ServerProcess(arguments)
        #expect(try Peer(again.url + "/demo").mirror(where: "sidebar", isWide: 77) != nil)
    }

    @Test("whatever nonsense somebody sends, they are told and nobody else notices")
    func nonsense() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let server = try ServerProcess(["--data", scratch.path + "/data", "--scene", scene])
        let room = server.url + "/demo"
        let viewer = try Peer(room)
        let editor = try Peer(room, role: .editor)
        let hash = try #require(viewer.firstMirror).stateHash
        var hello: [UInt8] = []
        ClientMessage.hello(Hello()).encode(to: &hello)
        let cases: [(MessageKind, [UInt8], UInt16)] = [
            (.text, Array("{}".utf8), 4000), (.binary, [0x7F, 1, 2], 4000), (.binary, [], 4000),
            (.binary, [2, 0, 0], 4001), (.binary, Array(hello.dropLast(1)), 4000),
        ]
        for (kind, bytes, code) in cases where !bytes.isEmpty {
            let closed = try sendRaw(kind, bytes, to: room)
            #expect(closed == code, "\(bytes)")
        }
        #expect(try sendRaw(.binary, [UInt8](repeating: 0xAA, count: 10 << 20), to: room) == 1009)
        for ops in [
            #"[{"op":"setConstraint","id":"sidebar-width","constant":"wide"}]"#,
            #"[{"op":"addView","id":"a","parent":"nowhere"}]"#, #"{"not":"a list"}"#, "[null]",
            #"[{"op":"addConstraint","rule":"sidebar.width == main.left"}]"#,
        ] {
            let sequence = try editor.send(ops)
            guard case .refused? = editor.result(sequence) else {
                Issue.record("\(ops) was taken")
                continue
            }
        }
        // A viewer that vanishes in the middle of everything.
        try Peer(room).close()
        let sequence = try editor.send(#"[{"op":"setNeedsLayout"}]"#)
        #expect(editor.result(sequence) == .committed(Commit()))
        let view = try Program.run(["view", "--once", "--format", "json", room])
        #expect(view.output.contains(ViewHash.text(hash)))
    }

    @Test("rooms are made by editors, not by viewers, and a path that names none is refused")
    func rooms() throws {
        let server = try ServerProcess(["--in-memory"])
        let viewer = try Peer(server.url + "/fresh")
        #expect(viewer.failureText?.contains("fresh") == true)
        #expect(viewer.endCode == CloseCode.noSuchSession.rawValue)
        let editor = try Peer(server.url + "/fresh", role: .editor)
        #expect(editor.firstMirror?.records.map(\.id) == ["root"])
        #expect(try Peer(server.url + "/fresh").firstMirror != nil)
        #expect(try Peer(server.url + "/").endCode == CloseCode.noSuchSession.rawValue)
    }

    /// Sends one message on a connection of its own; returns the code that it is closed with.
    private func sendRaw(_ kind: MessageKind, _ bytes: [UInt8], to url: String) throws -> UInt16? {
        final class Handler: WebSocketClientHandler {
            let done = DispatchSemaphore(value: 0)
            let code = UncheckedCode()
            func opened(subprotocol: String) {}
            func received(_ kind: MessageKind, _ bytes: [UInt8]) {}
            func closed(code: UInt16?, reason: String, error: TransportError?) {
                self.code.value = code
                done.signal()
            }
        }
        let handler = Handler()
        let client = try WebSocketClient(
            .init(url: url, subprotocols: [Subprotocol.binary.rawValue]), handler: handler)
        client.connect()
        client.send(kind, bytes)
        guard handler.done.wait(timeout: .now() + 20) == .success else { return nil }
        return handler.code.value
    }
}

/// Written before and read after a semaphore, so by one thread at a time.
final class UncheckedCode: @unchecked Sendable {
    var value: UInt16?
}
