import Foundation
import SceneTestSupport
import SceneWire
import Testing

@Suite("Clients that know several addresses", .serialized)
struct FailoverTests {
    /// A port that was free a moment ago.
    private static func freePort() throws -> Int {
        let server = try ServerProcess(["--in-memory"])
        defer { server.kill() }
        return server.port
    }

    private static func ops(_ number: Int) -> String {
        #"[{"op":"addView","id":"n\#(number)"},{"op":"setConstraint","id":"sidebar-width","constant":\#(100 + number)}]"#
    }

    /// A server is killed while it is being written to, and another one goes on with its journal at
    /// another port.
    @Test(
        "the server dies, and another one goes on with its journal: nothing is lost, doubled or refused"
    )
    func killed() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let arguments = ["--data", scratch.path + "/data", "--scene", scene]
        let second = try Self.freePort()
        let other = "ws://127.0.0.1:\(second)"
        let first = try ServerProcess(arguments + ["--alternate", other])
        let room = first.url + "/demo"
        // One was told the other address by its user, the other learns it from its server.
        let editor = try Peer(
            room, others: [other + "/demo"], role: .editor, reconnects: true,
            capabilities: Capability.mergedResume)
        let viewer = try Peer(room, reconnects: true, capabilities: Capability.mergedResume)
        #expect(editor.mirror(where: "sidebar", isWide: 240) != nil)
        #expect(viewer.mirror(where: "sidebar", isWide: 240) != nil)
        #expect(viewer.welcome?.alternates?.urls == [other + "/demo"])
        var sequences = try (0..<60).map { try editor.send(Self.ops($0)) }
        #expect(editor.result(sequences[20]) != nil)
        first.kill()
        // What was on its way is lost with the server, or was taken in by it; what follows finds no
        // server.
        sequences += try (60..<90).map { try editor.send(Self.ops($0)) }
        #expect(viewer.presentMirror?.view(id: "sidebar") != nil)
        let again = try ServerProcess(arguments + ["--port", String(second)])
        for sequence in sequences {
            guard case .committed(let commit)? = editor.result(sequence) else {
                Issue.record("\(sequence) was not committed")
                continue
            }
            // A batch that was applied twice would find its view there already.
            #expect(commit.refusals.isEmpty)
        }
        for peer in [editor, viewer] {
            let mirror = try #require(peer.mirror(where: "sidebar", isWide: 189))
            #expect((0..<90).allSatisfy { mirror.view(id: "n\($0)") != nil })
            #expect(peer.moves.contains(other + "/demo"))
        }
        let hash = try #require(viewer.mirror(where: "sidebar", isWide: 189)).stateHash
        editor.close()
        viewer.close()
        again.kill()
        let replay = try Program.run(["replay", "--data", scratch.path + "/data", "demo"])
        #expect(replay.status == 0)
        #expect(replay.output.contains(ViewHash.text(hash)))
    }

    /// A frozen server accepts connections and says nothing: its machine answers for it.
    @Test(
        "a server that falls silent is left for the other address, and the picture stays meanwhile")
    func silent() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let second = try ServerProcess(["--in-memory", "--scene", scene])
        let first = try ServerProcess(["--in-memory", "--scene", scene, "--alternate", second.url])
        let viewer = try Peer(first.url + "/demo", reconnects: true)
        let json = try Peer(
            first.url + "/demo", format: .json, reconnects: true)
        for peer in [viewer, json] {
            #expect(peer.mirror(where: "sidebar", isWide: 240) != nil)
        }
        first.process.send(SIGSTOP)
        let start = ContinuousClock.now
        for peer in [viewer, json] {
            #expect(peer.isWelcomed(times: 2))
            #expect(peer.moves == [second.url + "/demo"])
            #expect(peer.mirror(where: "sidebar", isWide: 240) != nil)
        }
        let passed = ContinuousClock.now - start
        #expect(passed >= .seconds(1.5) && passed < .seconds(15), "\(passed)")
        // Nothing of what was said to the frozen server is left to be said when it comes back.
        first.process.send(SIGCONT)
        let editor = try Peer(second.url + "/demo", role: .editor)
        _ = try editor.send(Self.ops(5))
        #expect(viewer.mirror(where: "sidebar", isWide: 105) != nil)
        #expect(viewer.isWelcomed(times: 2))
        first.kill()
    }

    @Test("commands try the further addresses, and name all that failed")
    func commands() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let server = try ServerProcess(["--in-memory", "--scene", scene])
        let (dead, room) = ("ws://127.0.0.1:1/demo", server.url + "/demo")
        let view = try Program.run(
            [
                "view", "--once", "--format", "json", dead, "--url", "ws://127.0.0.1:2/demo",
                "--url", room,
            ])
        #expect(view.status == 0)
        #expect(view.output.contains(#""sidebar":[0,0,240,384]"#))
        let op = try scratch.write(#"{"op":"setNeedsLayout"}"#, as: "op.json")
        let apply = try Program.run(["apply", dead, op, "--url", room])
        #expect(apply.status == 0)
        #expect(apply.output.contains(#""result":"committed""#))
        let none = try Program.run(
            ["view", "--once", dead, "--url", "ws://127.0.0.1:2/demo"])
        #expect(none.status == 69)
        let bad = try Program.run(["view", "--once", dead, "--url", "http://127.0.0.1/demo"])
        #expect(bad.status == 64)
    }

    @Test("alternates are settings like all others, and what is none does not start a server")
    func settings() throws {
        let shown = try Program.run(
            ["serve", "--print-config", "--alternate", "ws://b:1", "--alternate", "wss://c/path/"])
        #expect(shown.status == 0)
        #expect(shown.output.contains("alternate"))
        #expect(shown.output.contains("ws://b:1") && shown.output.contains("wss://c/path/"))
        for wrong in [
            ["http://b"], ["ws://b/?x"], ["wss://" + String(repeating: "b", count: 500)],
            (0..<9).map { "ws://b:\($0 + 1)" },
        ] {
            let outcome = try Program.run(
                ["serve", "--in-memory", "--port", "0"] + wrong.flatMap { ["--alternate", $0] })
            #expect(outcome.status != 0, "\(wrong)")
            #expect(outcome.errors.contains("alternate"), "\(outcome.errors)")
        }
    }
}
