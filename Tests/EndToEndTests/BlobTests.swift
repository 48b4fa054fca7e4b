import Foundation
import SceneClient
import SceneDocument
import SceneWire
import Testing

@Suite("Pictures of rooms", .serialized)
struct BlobTests {
    /// A GIF of 3 × 2 pixels.
    private static let picture = "GIF89a\u{3}\0\u{2}\0\0\0\0,\0"
    /// printf 'GIF89a\3\0\2\0\0\0\0,\0' | sha256sum
    private static let hash = "bc0af63dfe4e1769b274e8d03691440d5429e3280beb2f13abd245435e6e1f53"
    private static let scene =
        #"{"scene":1,"viewport":{"width":90,"height":90},"views":[{"id":"a","kind":"image"}]}"#

    private func isImage(_ mirror: SceneMirror) -> Bool {
        mirror.view(id: "a")?.content.look?.image?.hash == Self.hash
    }

    @Test("an exported room takes its pictures along, from a journal and between servers")
    func moved() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(Self.scene, as: "scene.json")
        let (data, other, file) = (
            scratch.path + "/data", scratch.path + "/other", scratch.path + "/room"
        )
        func run(_ arguments: String...) throws -> String {
            let done = try Program.run(arguments)
            #expect(done.status == 0, "\(arguments) \(done.errors)")
            return done.output
        }
        func has(_ server: ServerProcess) -> Bool {
            let got = http("GET", "/blobs/\(Self.hash)", port: server.port)
            return got?.hasSuffix(Self.picture) == true
        }
        let first = try ServerProcess(["--data", data, "--scene", scene])
        for picture in [Self.picture, Self.picture + "unnamed"] {
            _ = http("PUT", "/blobs/demo", port: first.port, body: picture)
        }
        let named = try Program.run(
            ["apply", "\(first.url)/demo", "-"],
            input: #"{"op":"setView","id":"a","image":"\#(Self.hash)"}"#)
        #expect(named.status == 0, "\(named.errors)")
        let second = try ServerProcess(["--data", other])
        let address = "http://127.0.0.1:\(first.port)"
        _ = try run("export", "--server", address, "demo", file)
        let text = try String(
            decoding: Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
        #expect(text.contains("GIF89a") && !text.contains("unnamed"))
        let hash = try run(
            "import", "--server", "http://127.0.0.1:\(second.port)", file, "copy")
        #expect(has(second))
        let twice = try Program.run(
            ["import", "--server", "http://127.0.0.1:\(second.port)", file, "copy"])
        #expect(twice.status == 1 && twice.errors.contains("there is such a room already"))
        let viewer = try Peer(second.url + "/copy")
        #expect(try #require(viewer.mirror(where: isImage)).stateHash != 0)
        first.kill()
        second.kill()
        let third = scratch.path + "/third"
        _ = try run("export", "--data", data, "demo", file)
        #expect(try run("import", "--data", third, file, "copy") == hash)
        let server = try ServerProcess(["--data", third])
        #expect(has(server))
        server.kill()
    }

    @Test("a picture is brought, named, laid out, sent, and there again after a crash")
    func whole() throws {
        let scratch = try Scratch()
        let data = scratch.path + "/data"
        let scene = try scratch.write(Self.scene, as: "scene.json")
        var stateHash = ""
        do {
            let server = try ServerProcess(["--data", data, "--scene", scene])
            let editor = try Peer(server.url + "/demo", role: .editor)
            let unknown = try editor.send(
                #"[{"op":"setView","id":"a","image":"\#(Self.hash)"}]"#)
            guard case .refused(let refusal)? = editor.result(unknown) else {
                Issue.record("an unknown picture was taken")
                return
            }
            #expect(refusal.code == .badValue && refusal.message.contains("PUT /blobs/demo"))
            let put = try #require(
                http("PUT", "/blobs/demo", port: server.port, body: Self.picture))
            #expect(put.hasPrefix("HTTP/1.1 200"))
            #expect(
                put.contains(
                    #"{"hash":"\#(Self.hash)","width":3,"height":2,"type":"image/gif"}"#))
            let image = #"{"hash":"\#(Self.hash)","width":80,"height":90}"#
            let named = try editor.send(
                #"[{"op":"setView","id":"a","image":\#(image),"contentMode":"top"}]"#)
            #expect(editor.result(named) == .committed(Commit()))
            let mirror = try #require(editor.mirror(where: isImage))
            // The size is the file's, whatever the op said.
            #expect(
                mirror.view(id: "a")?.frame.width == 3 && mirror.view(id: "a")?.frame.height == 2)
            #expect(mirror.view(id: "a")?.content.look?.image?.mode == .top)
            stateHash = ViewHash.text(mirror.stateHash)
            server.kill()
        }
        let server = try ServerProcess(["--data", data])
        let viewer = try Peer(server.url + "/demo")
        let mirror = try #require(viewer.mirror(where: isImage))
        #expect(ViewHash.text(mirror.stateHash) == stateHash)
        let got = try #require(http("GET", "/blobs/\(Self.hash)", port: server.port))
        #expect(got.hasPrefix("HTTP/1.1 200") && got.hasSuffix(Self.picture))
        for header in [
            "content-type: image/gif", "etag: \"\(Self.hash)\"", "immutable",
            "x-content-type-options: nosniff", "cross-origin-resource-policy: same-origin",
            "content-security-policy: default-src 'none'; sandbox",
        ] { #expect(got.lowercased().contains(header.lowercased()), "\(header)") }
        let again = http(
            "GET", "/blobs/\(Self.hash)", port: server.port,
            headers: "If-None-Match: \"\(Self.hash)\"\r\n")
        #expect(again?.hasPrefix("HTTP/1.1 304") == true && again?.hasSuffix("\r\n\r\n") == true)
        server.kill()
        // A replay needs no file.
        try FileManager.default.removeItem(atPath: data + "/blobs")
        let replay = try Program.run(["replay", "--data", data, "--verify", "demo"])
        #expect(replay.status == 0 && replay.output.contains(stateHash), "\(replay.errors)")
    }

    @Test("what is no picture is refused, and says why")
    func others() throws {
        let server = try ServerProcess(["--in-memory"])
        func put(_ body: String, _ path: String = "/blobs/demo") -> String {
            http("PUT", path, port: server.port, body: body) ?? ""
        }
        for body in ["<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "<html>", "GIF89a\u{3}"] {
            #expect(put(body).hasPrefix("HTTP/1.1 415"), "\(body)")
        }
        #expect(put("GIF89a\0\0\0\0\0\0\0,\0").contains("no area"))
        #expect(put("").hasPrefix("HTTP/1.1 411"))
        let long = Self.picture + String(repeating: "x", count: 4 << 20)
        // The connection may end before the answer is read, since no byte of the body is.
        let answer = put(long)
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 413"))
        #expect(!put(Self.picture, "/blobs/not%20one").hasPrefix("HTTP/1.1 200"))
        func status(_ method: String, _ path: String) -> String? {
            http(method, path, port: server.port)?.split(separator: " ").dropFirst().first
                .map(String.init)
        }
        #expect(status("GET", "/blobs/\(Self.hash)") == "404")
        #expect(status("DELETE", "/blobs/demo") == "405")
        #expect(status("GET", "/healthz") == "200")
    }

    @Test("tokens say who brings a picture and who sees it")
    func tokens() throws {
        let guarded = try GuardedServer()
        func answer(
            _ method: String, _ path: String, _ token: String?, _ body: String = ""
        ) -> String {
            let headers = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
            let text = http(
                method, path, port: guarded.server.port, headers: headers, body: body)
            return String((text ?? "").dropFirst(9).prefix(3))
        }
        let editor = try guarded.token("--room", "demo", "--role", "editor")
        let viewer = try guarded.token("--room", "demo", "--role", "viewer")
        let stranger = try guarded.token("--room", "other", "--role", "editor")
        #expect(answer("PUT", "/blobs/demo", nil, Self.picture) == "401")
        #expect(answer("PUT", "/blobs/demo", "nonsense", Self.picture) == "401")
        #expect(answer("PUT", "/blobs/demo", viewer, Self.picture) == "403")
        #expect(answer("PUT", "/blobs/demo", stranger, Self.picture) == "403")
        #expect(answer("PUT", "/blobs/demo", editor, Self.picture) == "200")
        #expect(answer("GET", "/blobs/\(Self.hash)", nil) == "401")
        #expect(answer("GET", "/blobs/\(Self.hash)", stranger) == "404")
        #expect(answer("GET", "/blobs/\(Self.hash)", viewer) == "200")
    }
}
