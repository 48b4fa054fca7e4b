import Foundation
import SceneTestSupport
import Testing

@Suite("Faces of an operator's folder")
struct FaceFolderTests {
    /// A folder with one face that no program ships: Inter with another byte at its end, which its
    /// tables do not reach.
    private func folder(_ scratch: Scratch) throws -> (path: String, hash: String) {
        let fonts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/EmbeddedFiles/fonts")
        var file = try Data(contentsOf: fonts.appendingPathComponent("Inter-Regular.otf"))
        file.append(0)
        let path = scratch.path + "/fonts"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        try file.write(to: URL(fileURLWithPath: path + "/Face.otf"))
        let output = Pipe()
        let process = try ChildProcess(
            ["/usr/bin/sha256sum", path + "/Face.otf"], output: .pipe(output))
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        #expect(process.terminationStatus == 0)
        return (path, String(decoding: text.prefix(64), as: UTF8.self))
    }

    private func picture(_ server: ServerProcess) throws -> String {
        let shown = try Program.run(
            ["view", "--once", "--shared", "--format", "json", "\(server.url)/room"])
        #expect(shown.status == 0, "\(shown.errors)")
        return shown.output
    }

    private func apply(_ op: String, _ server: ServerProcess) throws {
        let applied = try Program.run(["apply", "\(server.url)/room", "-"], input: op)
        #expect(applied.status == 0, "\(applied.errors)")
    }

    @Test("a room whose face is gone is laid out as it was, and takes new text")
    func gone() throws {
        let scratch = try Scratch()
        let face = try folder(scratch)
        let data = scratch.path + "/data"
        let scene = """
            {"scene": 1, "viewport": {"width": 300, "height": 200, "typography": "faces"},
             "faces": [{"name": "Inter", "weight": 400, "hash": "\(face.hash)"}],
             "views": [{"id": "a", "kind": "label", "text": "Settings"}],
             "constraints": ["a.left == 10", "a.top == 10"]}
            """
        let before: String
        do {
            let server = try ServerProcess(["--data", data, "--fonts", face.path])
            let put = http("PUT", "/admin/rooms/room/scene", port: server.port, body: scene)
            #expect(put?.contains("200") == true || put?.contains("201") == true, "\(put ?? "")")
            let short = try picture(server)
            try apply(#"{"op": "setView", "id": "a", "text": "Settings of WAVY Tones"}"#, server)
            before = try picture(server)
            #expect(before != short)
            server.kill()
        }
        let verified = try Program.run(["replay", "--data", data, "--verify", "room"])
        #expect(verified.status == 0, "\(verified.errors)")
        #expect(verified.errors.contains("not here are the faces Inter 400"))
        let doctor = try Program.run(["doctor", "--port", "0", "--data", data])
        #expect(doctor.output.contains("not here are the faces"), "\(doctor.output)")
        let whole = try Program.run(
            ["doctor", "--port", "0", "--data", data, "--fonts", face.path])
        #expect(!whole.output.contains("not here are the faces"), "\(whole.output)")
        #expect(whole.output.contains("Face.otf"), "\(whole.output)")
        for _ in 0..<2 {
            let server = try ServerProcess(["--data", data])
            #expect(try picture(server) == before)
            server.kill()
        }
        let server = try ServerProcess(["--data", data])
        try apply(#"{"op": "setView", "id": "a", "text": "Quite new"}"#, server)
        let after = try picture(server)
        #expect(after != before)
        let refused = http("PUT", "/admin/rooms/other/scene", port: server.port, body: scene)
        #expect(refused?.contains("is not here") == true, "\(refused ?? "")")
        server.kill()
        let again = try ServerProcess(["--data", data, "--fonts", face.path])
        #expect(try picture(again) == after, "what was measured counts, now that the face is back")
        again.kill()
    }
}
