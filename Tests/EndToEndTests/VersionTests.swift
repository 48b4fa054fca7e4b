import Foundation
import SceneClient
import SceneWire
import Testing

@Suite("Versions of a room, compared and brought back")
struct VersionTests {
    private func send(_ ops: String, _ editor: Peer) throws {
        let sequence = try editor.send(ops)
        #expect(editor.result(sequence) == .committed(Commit()), "\(ops)")
    }

    @Test("diff compares versions, ticks and the present, of a journal and of a server")
    func compared() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let data = scratch.path + "/data"
        let server = try ServerProcess(["--data", data, "--scene", scene])
        let editor = try Peer(server.url + "/demo", role: .editor)
        try send(#"[{"op":"addVersion","name":"First draft"}]"#, editor)
        try send(#"[{"op":"setConstraint","id":"sidebar-width","constant":300}]"#, editor)
        let mirror = try #require(editor.mirror(where: "sidebar", isWide: 300))
        let place = ["--server", server.url.replacing("ws://", with: "http://")]
        let changed = try Program.run(["diff", "demo@First draft", "demo@now"] + place)
        #expect(changed.status == 0, "\(changed.errors)")
        #expect(changed.output.contains("→ 300"), "\(changed.output)")
        try send(#"[{"op":"restoreVersion","name":"First draft"}]"#, editor)
        let same = try Program.run(
            ["diff", "--exit-code", "demo@First draft", "demo@now"] + place)
        #expect(same.status == 0, "\(same.errors)")
        #expect(same.output.isEmpty, "\(same.output)")
        let tick = try Program.run(["diff", "demo@First draft", "demo@\(mirror.tick)"] + place)
        #expect(tick.status == 64)
        #expect(tick.errors.contains("--data"), "\(tick.errors)")
        let missing = try Program.run(["diff", "demo@Second", "demo@now"] + place)
        #expect(missing.status == 65)
        #expect(missing.errors.contains("\"First draft\""), "\(missing.errors)")
        server.kill()

        let journal = ["--data", data]
        let past = try Program.run(
            ["diff", "--exit-code", "demo@\(mirror.tick)", "demo@now"] + journal)
        #expect(past.status == 1, "\(past.errors)")
        #expect(past.output.contains("300 →"), "\(past.output)")
        let version = try Program.run(
            ["diff", "--exit-code", "demo@First draft", "demo@now"] + journal)
        #expect(version.status == 0, "\(version.output) \(version.errors)")
        let picture = try Program.run(
            ["diff", "--format", "svg", "demo@First draft", "demo@\(mirror.tick)"] + journal)
        #expect(picture.output.hasPrefix("<svg"), "\(picture.errors)")
        let nowhere = try Program.run(["diff", "board@now", "demo@now"] + journal)
        #expect(nowhere.status == 65)
        #expect(nowhere.errors.contains("it has demo"), "\(nowhere.errors)")
        // A file of such a name is a file.
        let file = try scratch.write(sampleScene, as: "demo@now")
        let files = try Program.run(["diff", "--exit-code", scene, file])
        #expect(files.status == 0, "\(files.output) \(files.errors)")
    }
}
