import Foundation
import JSON
import SceneClient
import SceneWire
import Testing

@Suite("Comments, locks and versions on the command line")
struct NotesTests {
    private func send(_ ops: String, _ editor: Peer) throws {
        let sequence = try editor.send(ops)
        #expect(editor.result(sequence) == .committed(Commit()), "\(ops)")
    }

    @Test("what is said is listed, filtered, and told as it changes")
    func listed() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let server = try ServerProcess(["--data", scratch.path + "/data", "--scene", scene])
        let editor = try Peer(server.url + "/demo", role: .editor)
        let room = server.url + "/demo"
        let nothing = try Program.run(["notes", room])
        #expect(
            nothing.output == "comments: 0 threads, 0 open\nlocks: 0\nversions: 0\n",
            "\(nothing.output) \(nothing.errors)")
        try send(
            #"[{"op":"addComment","id":"c1","view":"sidebar","text":"Wider?\nBy ten.","mentions":["Bob"]}]"#,
            editor)
        try send(#"[{"op":"replyComment","id":"c1","text":"Yes"}]"#, editor)
        try send(#"[{"op":"addComment","id":"c2","point":[3,4.5],"text":"Here"}]"#, editor)
        try send(#"[{"op":"resolveComment","id":"c2"}]"#, editor)
        try send(#"[{"op":"lock","view":"sidebar","note":"mine"}]"#, editor)
        try send(#"[{"op":"addVersion","name":"First draft","note":"as it was"}]"#, editor)

        let all = try Program.run(["notes", room])
        let lines = all.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "comments: 2 threads, 1 open", "\(all.output)")
        #expect(lines.contains("  c1 on sidebar"))
        #expect(lines.contains("      Wider?") && lines.contains("      By ten."))
        #expect(lines.contains { $0.hasPrefix("  c2 at 3, 4.5, resolved by ") })
        #expect(lines.contains { $0.hasPrefix("  sidebar: ") && $0.hasSuffix(", mine") })
        #expect(lines.contains { $0.hasPrefix("  First draft: ") && $0.hasSuffix("as it was") })

        func threads(_ filters: String...) throws -> [String] {
            let found = try Program.run(["notes", room, "--format", "json"] + filters)
            let value = try JSONReader.read(Array(found.output.utf8))
            guard let list = value["threads"]?.array else { return ["none"] }
            return list.map { thread in
                thread["id"]?.string ?? "no id"
            }
        }
        #expect(try threads() == ["c1", "c2"])
        #expect(try threads("--open") == ["c1"])
        #expect(try threads("--with", "Bob") == ["c1"])
        #expect(try threads("--with", "Eve") == [])
        let both = try Program.run(["notes", room, "--follow", "--open"])
        #expect(both.status == 64)
    }
}
