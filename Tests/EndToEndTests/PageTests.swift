import Foundation
import Testing

/// How the server hands out the browser page; what the page does is tested in a browser.
@Suite("The browser page's files")
struct PageTests {
    /// Every file that the document and its modules name, found by following them from the root.
    private func reachable(from server: ServerProcess) throws -> [String: String] {
        var found: [String: String] = [:]
        var waiting = ["/"]
        let reference = /(?:href="|href:"|src="|from"|import\(")([^"]+)"/
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

    /// Without spaces, and without what follows where a line may have lost a comment.
    private func letters(_ line: String) -> String { line.filter { $0 != " " } }

    @Test("comments and needless spaces stay at home, everything else and its line come along")
    func compaction() throws {
        let server = try ServerProcess(["--in-memory"])
        let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../clients/web").standardized
        var saved = 0
        for name in ["scenesync.js", "page/main.js", "page/page.css", "page/export.js"] {
            let source = try String(
                contentsOf: checkout.appendingPathComponent(name), encoding: .utf8)
            let served = body(try #require(httpGet("/" + name, port: server.port)))
                .components(separatedBy: "\n")
            let lines = source.components(separatedBy: "\n")
            #expect(served.count == lines.count, "\(name)")
            for (ours, theirs) in zip(served, lines) {
                let isComment = ["//", "/*", "*"].contains {
                    theirs.trimmingCharacters(in: .whitespaces).hasPrefix($0)
                }
                if ours.isEmpty {
                    #expect(isComment || letters(theirs).isEmpty, "\(theirs)")
                } else {
                    #expect(letters(theirs).hasPrefix(letters(ours)), "\(theirs)")
                    #expect(letters(theirs) == letters(ours) || theirs.contains("/"), "\(theirs)")
                }
                saved += theirs.utf8.count - ours.utf8.count
            }
        }
        #expect(saved > 10_000)
    }

    @Test("the page's own client is without what only others need, on the same lines")
    func cut() throws {
        let server = try ServerProcess(["--in-memory"])
        let whole = body(try #require(httpGet("/scenesync.js", port: server.port)))
            .components(separatedBy: "\n")
        let own = body(try #require(httpGet("/page/scenesync.js", port: server.port)))
            .components(separatedBy: "\n")
        #expect(own.count == whole.count)
        for (ours, theirs) in zip(own, whole) { #expect(ours == theirs || ours.isEmpty) }
        for name in ["export function decodeJSON", "export const ops", "class BitWriter"] {
            #expect(whole.contains { $0.hasPrefix(name) }, "\(name)")
            #expect(!own.contains { $0.hasPrefix(name) }, "\(name)")
        }
        for name in ["export class SceneClient", "export function decode(", "class BitReader"] {
            #expect(own.contains { $0.hasPrefix(name) }, "\(name)")
        }
    }
}
