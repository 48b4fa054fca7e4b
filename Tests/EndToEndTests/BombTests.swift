import Foundation
import SceneTestSupport
import SceneWire
import Testing

@Suite("One editor's dear messages", .serialized)
struct BombTests {
    /// Units that a message may take: a second or two of a server that is not optimised.
    private static let budget = 8_000_000

    @Test(
        "are answered, cost no more than their price, and hold nobody in another room up, nor the server after a crash",
        arguments: Bomb.all)
    func bomb(_ bomb: Bomb) throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let arguments = [
            "--data", scratch.path + "/data", "--scene", scene,
            "--max-work-per-op", String(Self.budget), "--max-work-per-message", String(Self.budget),
        ]
        let server = try ServerProcess(arguments)
        let editor = try Peer(server.url + "/demo", role: .editor)
        let viewer = try Peer(server.url + "/demo")
        let hostile = try Peer(server.url + "/evil", role: .editor)
        #expect(
            viewer.firstMirror != nil && editor.firstMirror != nil && hostile.firstMirror != nil)
        let sequences = try bomb.messages.map { try hostile.send($0, atomic: bomb.isAtomic) }
        var width: Int32 = 100
        for _ in 0..<10 {
            width += 1
            let sequence = try editor.send(
                #"[{"op": "setConstraint", "id": "sidebar-width", "constant": \#(width)}]"#)
            #expect(viewer.mirror(where: "sidebar", isWide: width) != nil)
            #expect(editor.result(sequence) != nil)
        }
        for sequence in sequences {
            let result = try #require(hostile.whole(sequence))
            // It is ended at the next safe point, and to go back is paid for as well.
            #expect(result.work ?? 0 <= 3 * UInt64(Self.budget), "message \(sequence)")
        }
        let metrics = try #require(httpGet("/metrics", port: server.port))
        let resident = metrics.components(separatedBy: "\n")
            .first { $0.hasPrefix("scenesync_resident_bytes ") }
            .flatMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        #expect(try #require(resident) < 700 << 20)

        server.process.send(SIGKILL)
        server.process.waitUntilExit()
        let again = try ServerProcess(arguments)
        #expect(try Peer(again.url + "/demo").mirror(where: "sidebar", isWide: width) != nil)
        #expect(try Peer(again.url + "/evil").firstMirror != nil)
    }
}
