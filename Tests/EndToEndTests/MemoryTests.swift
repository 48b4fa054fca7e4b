import Foundation
import SceneDocument
import SceneWire
import Testing

@Suite("A server that has no memory for more")
struct MemoryTests {
    private func metric(_ name: String, of server: ServerProcess) -> Int? {
        httpGet("/metrics", port: server.port)?.components(separatedBy: "\n")
            .first { $0.hasPrefix(name + " ") }
            .flatMap { Int($0.dropFirst(name.count + 1)) }
    }

    private func labels(_ range: Range<Int>) -> String {
        "["
            + range.map {
                #"{"op": "addView", "id": "v\#($0)", "kind": "label", "text": "number \#($0)"}"#
            }.joined(separator: ",") + "]"
    }

    @Test(
        "goes on with the rooms that it has, opens no other, and opens them again once there is memory"
    )
    func shortage() throws {
        let measured = try ServerProcess(["--in-memory"])
        let base = try #require(
            metric(#"scenesync_memory_bytes{part="base"}"#, of: measured))
        // What a server needs without rooms differs a little from one start to the next.
        let server = try ServerProcess(["--in-memory", "--max-memory", "\((base >> 20) + 12)"])
        let editor = try Peer(server.url + "/large", role: .editor)
        #expect(editor.firstMirror != nil)
        var refusals: [Refusal] = []
        // Few at a time, so that the room stays where it is; and again, until there is nothing more
        // to let go of.
        var part = 0
        while refusals.count < 10, part < 400 {
            let sequence = try editor.send(labels(part * 50..<part * 50 + 50))
            part += 1
            switch try #require(editor.result(sequence)) {
            case .refused(let refusal): refusals.append(refusal)
            case .committed: refusals = []
            }
        }
        let refusal = refusals.last
        #expect(refusal?.code == .limit)
        #expect(refusal?.message.contains("no memory") == true)
        #expect(
            try #require(metric(#"scenesync_memory_bytes{part="scene"}"#, of: server)) > 1 << 20)

        // Where there is a room already, people go on, and others come.
        let change = try editor.send(#"[{"op": "setView", "id": "v1", "frame": [0, 0, 77, 20]}]"#)
        #expect(editor.result(change)?.isCommitted == true)
        let viewer = try Peer(server.url + "/large")
        #expect(viewer.mirror(where: "v1", isWide: 77) != nil)
        #expect(
            try Peer(server.url + "/other", role: .editor).endCode
                == CloseCode.rateLimited.rawValue)

        // Its members leave, and the room is unloaded at once.
        editor.close()
        viewer.close()
        let deadline = Date(timeIntervalSinceNow: 60)
        var end: UInt16?
        while end != 0, Date() < deadline {
            end = try Peer(server.url + "/other", role: .editor).welcomeOrEnd
        }
        #expect(end == 0)
        // It comes back as it was.
        #expect(try Peer(server.url + "/large").mirror(where: "v1", isWide: 77) != nil)
    }
}

extension OpsResult.Outcome {
    fileprivate var isCommitted: Bool { if case .committed = self { true } else { false } }
}
