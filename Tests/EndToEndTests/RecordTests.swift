import Foundation
import JSON
import SceneClient
import SceneWire
import Testing

@Suite("Recordings and lists of rooms on the command line")
struct RecordTests {
    private func send(_ ops: String, _ editor: Peer) throws {
        let sequence = try editor.send(ops)
        #expect(editor.result(sequence) == .committed(Commit()), "\(ops)")
    }

    /// A directory with a room in which a bar became 300 points wide.
    private func journal(_ scratch: borrowing Scratch) throws -> String {
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let data = scratch.path + "/data"
        let server = try ServerProcess(["--data", data, "--scene", scene])
        let editor = try Peer(server.url + "/demo", role: .editor)
        try send(#"[{"op":"addVersion","name":"First draft"}]"#, editor)
        for width in [260, 280, 300] {
            try send(
                """
                [{"op": "setConstraint", "id": "sidebar-width", "constant": \(width)},
                 {"op": "setView", "id": "title", "text": "\(width) wide"}]
                """, editor)
            _ = try #require(editor.mirror(where: "sidebar", isWide: Int32(width)))
        }
        server.kill()
        return data
    }

    @Test("a range is recorded as a cast, as an SVG, and as a page")
    func forms() throws {
        let scratch = try Scratch()
        let data = try journal(scratch)
        let cast = try Program.run(
            ["record", "demo", "--data", data, "--from", "First draft", "--format", "cast"])
        #expect(cast.status == 0, "\(cast.errors)")
        let lines = try cast.output.split(separator: "\n").map {
            try JSONReader.read(Array($0.utf8))
        }
        #expect(lines.first?["version"]?.number == 2)
        #expect(cast.output.contains("Files") && cast.output.contains(" wide"), "\(cast.output)")
        let times = lines.dropFirst().compactMap { $0.array?.first?.number }
        #expect(times == times.sorted())

        let svg = try Program.run(["record", "demo", "--data", data, "--format", "svg"])
        #expect(svg.status == 0, "\(svg.errors)")
        #expect(svg.output.contains("calcMode=\"discrete\""))
        #expect(svg.output.hasSuffix("</svg>\n\n") || svg.output.hasSuffix("</svg>\n"))

        let page = scratch.path + "/demo.html"
        let html = try Program.run(["record", "demo", "--data", data, "--output", page])
        #expect(html.status == 0 && html.output.isEmpty, "\(html.errors)")
        let text = try String(contentsOfFile: page, encoding: .utf8)
        #expect(text.contains("<title>demo, recorded with SceneSync</title>"))
        #expect(!text.contains("{{"))
    }

    @Test("frames are numbered pictures, with another name for one that is like the last")
    func frames() throws {
        let scratch = try Scratch()
        let data = try journal(scratch)
        // In the place of rsvg-convert, which not every machine has: it copies what it is to draw.
        let tools = scratch.path + "/tools"
        try FileManager.default.createDirectory(
            atPath: tools, withIntermediateDirectories: true)
        let tool = tools + "/rsvg-convert"
        try "#!/bin/sh\nexec cp \"$3\" \"$2\"\n".write(
            toFile: tool, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool)
        let folder = scratch.path + "/pictures"
        let arguments = [
            "record", "demo", "--data", data, "--format", "frames", "--fps", "5", "-o", folder,
        ]
        let done = try Program.run(arguments, environment: ["PATH": tools + ":/usr/bin:/bin"])
        #expect(done.status == 0, "\(done.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names.first == "000001.png" && !names.contains("picture.svg"), "\(names)")
        #expect(done.errors.contains("\(names.count) pictures"), "\(done.errors)")
        #expect(names == (1...names.count).map { String(format: "%06d.png", $0) })
        let without = try Program.run(arguments, environment: ["PATH": scratch.path])
        #expect(without.status == 1)
        #expect(without.errors.contains("librsvg2-bin"), "\(without.errors)")
    }

    @Test("a range that is not there is refused, with what there is")
    func refused() throws {
        let scratch = try Scratch()
        let data = try journal(scratch)
        for (bounds, status, text) in [
            (["--from", "Second"], 65, "\"First draft\""),
            (["--from", "90", "--to", "80"], 64, "let it end after its beginning"),
            (["--from", "1", "--device", "desk"], 65, "names no devices"),
            (["--from=-1s", "--format", "cast", "--fps", "0"], 64, "--fps"),
        ] as [([String], Int32, String)] {
            let done = try Program.run(["record", "demo", "--data", data] + bounds)
            #expect(done.status == status, "\(bounds) \(done.errors)")
            #expect(done.errors.contains(text), "\(bounds) \(done.errors)")
        }
        let missing = try Program.run(["record", "other", "--data", data])
        #expect(missing.status == 65 && missing.errors.contains("no room other"))
    }

    @Test("rooms are listed: of a server with their members, of a journal with their last change")
    func rooms() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let data = scratch.path + "/data"
        let server = try ServerProcess(["--data", data, "--scene", scene])
        let editor = try Peer(server.url + "/demo", role: .editor)
        try send(#"[{"op":"addVersion","name":"First"}]"#, editor)
        let listed = try Program.run(["rooms", server.url])
        #expect(listed.status == 0, "\(listed.errors)")
        #expect(listed.output.hasPrefix("demo  1 member, "), "\(listed.output)")
        let people = try Program.run(
            [
                "rooms", server.url.replacing("ws://", with: "http://"), "--people", "--format",
                "json",
            ])
        let room = try JSONReader.read(Array(people.output.utf8))["rooms"]?.array?.first
        #expect(room?["room"]?.string == "demo")
        #expect(room?["people"]?.array?.first?["role"]?.string == "editor", "\(people.output)")
        server.kill()
        let stored = try Program.run(["rooms", "--data", data])
        #expect(stored.status == 0, "\(stored.errors)")
        #expect(stored.output.hasPrefix("demo  changed 20"), "\(stored.output)")
        #expect(try Program.run(["rooms", "--data", data, "--people"]).status == 64)
    }
}
