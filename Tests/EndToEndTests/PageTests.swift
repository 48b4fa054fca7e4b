import Foundation
import SceneTestSupport
import Testing

/// How the server hands out the browser page; what the page does is tested in a browser.
@Suite("The browser page's files")
struct PageTests {
    /// Every file that the document and its modules name, found by following them from the root.
    private func reachable(from server: ServerProcess) throws -> [String: String] {
        var found: [String: String] = [:]
        var waiting = ["/"]
        let reference = /(?:href=|href: *|src=|from *|import\()"([^"]+)"/
        while let path = waiting.popLast() {
            guard found[path] == nil else { continue }
            let response = try #require(httpGet(path, port: server.port))
            #expect(response.hasPrefix("HTTP/1.1 200"), "\(path)")
            found[path] = response
            let base = URL(fileURLWithPath: path).deletingLastPathComponent().path
            for match in body(response).matches(of: reference) {
                let name = String(match.1)
                if name.hasPrefix("/") {
                    waiting.append(name)
                } else if name.hasPrefix("./") || name.hasPrefix("../") {
                    waiting.append(URL(fileURLWithPath: base + "/" + name).standardized.path)
                } else if name.hasPrefix("page/") || name.hasPrefix("favicon") {
                    // What a document, or an element that a module makes, names is relative to the
                    // room's address.
                    waiting.append("/" + name)
                }
            }
        }
        return found
    }

    private func body(_ response: String) -> String {
        guard let end = response.range(of: "\r\n\r\n") else { return "" }
        return String(response[end.upperBound...])
    }

    private func head(_ response: String) -> String {
        String(
            response.prefix(upTo: response.range(of: "\r\n\r\n")?.lowerBound ?? response.endIndex)
        )
        .lowercased()
    }

    @Test("everything that the page names is served, with the headers that keep it safe")
    func files() throws {
        let server = try ServerProcess(["--in-memory"])
        let files = try reachable(from: server)
        for path in [
            "/page/scenesync.js", "/page/main.js", "/page/page.css", "/page/tools.css",
            "/page/export.js", "/page/palette.js", "/page/guides.js", "/favicon.svg",
        ] {
            #expect(files[path] != nil, "\(path)")
        }
        for (path, response) in files {
            let head = head(response)
            #expect(head.contains("content-security-policy: default-src 'none'"), "\(path)")
            // Two policies hold together, so that each change of one would have to be made in both.
            for name in ["content-security-policy:", "x-content-type-options:", "x-frame-options:"]
            {
                #expect(head.components(separatedBy: name).count == 2, "\(path) \(name)")
            }
            #expect(!head.contains("x-xss-protection"), "\(path)")
            #expect(!head.contains("unsafe"), "\(path)")
            #expect(head.contains("x-content-type-options: nosniff"), "\(path)")
            #expect(head.contains("referrer-policy: no-referrer"), "\(path)")
            let type =
                path.hasSuffix(".js")
                ? "text/javascript"
                : path.hasSuffix(".css")
                    ? "text/css" : path.hasSuffix(".svg") ? "image/svg+xml" : "text/html"
            #expect(head.contains("content-type: \(type)"), "\(path)")
        }
        let document = body(files["/"] ?? "")
        #expect(!document.contains("<style") && !document.contains(" style="))
        #expect(!document.contains("javascript:") && !document.contains(" onclick="))
    }

    @Test("a room's address gives the page, another path nothing")
    func rooms() throws {
        let server = try ServerProcess(["--in-memory"])
        let root = try #require(httpGet("/", port: server.port))
        let room = try #require(httpGet("/some-room", port: server.port))
        #expect(body(root) == body(room))
        for path in ["/page/nothing.js", "/no.room", "/a/b", "/page/../main.js"] {
            #expect(
                try #require(httpGet(path, port: server.port)).hasPrefix("HTTP/1.1 404"), "\(path)")
        }
        #expect(try #require(httpGet("/healthz", port: server.port)).hasSuffix("ok\n"))
    }

    @Test("a browser that has a file already gets its tag alone; HEAD gets no body")
    func tags() throws {
        let server = try ServerProcess(["--in-memory"])
        let first = try #require(httpGet("/page/main.js", port: server.port))
        let line = try #require(
            head(first).split(separator: "\r\n").first { $0.hasPrefix("etag: ") })
        let tag = String(line.dropFirst(6))
        for header in [tag, "W/" + tag, "\"other\", " + tag, "*"] {
            let again = try #require(
                http(
                    "GET", "/page/main.js", port: server.port,
                    headers: "If-None-Match: \(header)\r\n"))
            #expect(again.hasPrefix("HTTP/1.1 304"), "\(header)")
            #expect(body(again).isEmpty)
        }
        let other = try #require(
            http(
                "GET", "/page/main.js", port: server.port, headers: "If-None-Match: \"other\"\r\n"))
        #expect(body(other) == body(first))
        let short = try #require(http("HEAD", "/page/main.js", port: server.port))
        #expect(short.hasPrefix("HTTP/1.1 200"))
        #expect(body(short).isEmpty)
        #expect(head(short).contains("content-length: \(body(first).utf8.count)"))
    }

    @Test("the symbols are where the page asks for them, for ever, and compressed in 40 KiB")
    func symbols() throws {
        let script = try String(
            contentsOf: checkout.appendingPathComponent("page/symbols.js"), encoding: .utf8)
        let path = try #require(script.firstMatch(of: /SET = "(symbols\/[0-9a-f]{64})"/)).output.1
        let file = checkout.appendingPathComponent(
            "../../Sources/EmbeddedFiles/symbols/symbols.json")
        let server = try ServerProcess(["--in-memory"])
        let plain = try #require(http("GET", "/\(path)", port: server.port))
        #expect(plain.hasPrefix("HTTP/1.1 200"))
        #expect(head(plain).contains("cache-control: public, max-age=31536000, immutable"))
        #expect(body(plain) == (try String(contentsOf: file, encoding: .utf8)))
        let short = try #require(
            http("HEAD", "/\(path)", port: server.port, headers: "Accept-Encoding: gzip\r\n"))
        #expect(head(short).contains("content-encoding: gzip"))
        let length = try #require(head(short).firstMatch(of: /content-length: (\d+)/)).output.1
        #expect(try #require(Int(length)) <= 40 * 1024)
        let other = try #require(http("GET", "/symbols/0", port: server.port))
        #expect(other.hasPrefix("HTTP/1.1 404"))
    }

    /// What gzip makes of bytes that it compressed.
    private func decompressed(_ bytes: [UInt8]) throws -> String {
        let scratch = try Scratch()
        let file = scratch.path + "/file.gz"
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let output = Pipe()
        let process = try ChildProcess(
            ["/usr/bin/env", "gzip", "-dc", file], output: .pipe(output))
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }

    private let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../clients/web").standardized

    @Test(
        "a file is served as it is in the checkout, and compressed to clients that take gzip",
        arguments: ["scenesync.js", "page/scenesync.js", "page/main.js", "page/page.css"])
    func compression(name: String) throws {
        let server = try ServerProcess(["--in-memory"])
        let source = try String(contentsOf: checkout.appendingPathComponent(name), encoding: .utf8)
        let plain = try #require(httpGet("/" + name, port: server.port))
        #expect(body(plain) == source)
        #expect(!head(plain).contains("content-encoding"))
        #expect(head(plain).contains("vary: accept-encoding"))

        let bytes = try #require(
            httpBytes(
                "GET", "/" + name, port: server.port,
                headers: "Accept-Encoding: br, gzip;q=0.8\r\n"))
        let end = try #require(Data(bytes).range(of: Data("\r\n\r\n".utf8)))
        let compressedHead = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).lowercased()
        let compressed = Array(bytes[end.upperBound...])
        #expect(compressedHead.contains("content-encoding: gzip"))
        #expect(compressedHead.contains("vary: accept-encoding"))
        #expect(compressedHead.contains("content-length: \(compressed.count)"))
        #expect(try decompressed(compressed) == source)
        #expect(compressed.count < source.utf8.count / 2)
    }

    @Test("each form of a file has a tag of its own, which saves its transfer")
    func tagsOfForms() throws {
        let server = try ServerProcess(["--in-memory"])
        func tag(_ headers: String) throws -> String {
            let bytes = try #require(
                httpBytes("HEAD", "/page/main.js", port: server.port, headers: headers))
            let response = String(decoding: bytes, as: UTF8.self)
            let line = head(response).split(separator: "\r\n").first { $0.hasPrefix("etag: ") }
            return String(try #require(line).dropFirst(6))
        }
        let (plain, compressed) = (try tag(""), try tag("Accept-Encoding: gzip\r\n"))
        #expect(plain != compressed)
        for (accepted, tag, status) in [
            ("", plain, 304), ("", compressed, 200),
            ("Accept-Encoding: gzip\r\n", compressed, 304),
        ] {
            let response = try #require(
                http(
                    "GET", "/page/main.js", port: server.port,
                    headers: accepted + "If-None-Match: \(tag)\r\n"))
            #expect(response.hasPrefix("HTTP/1.1 \(status)"), "\(accepted)\(tag)")
        }
    }
}
