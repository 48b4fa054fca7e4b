import EmbeddedFiles
import Testing
import WebSocketTransport

@testable import SceneServer

@Suite("The browser page's responses")
struct WebPageTests {
    @Test(
        "gzip is used where the header takes it",
        arguments: [
            ("gzip, deflate, br, zstd", true), ("br;q=1.0, GZIP;q=0.5", true), ("*", true),
            ("x-gzip", true), ("", false), ("identity", false), ("br", false),
            ("gzip;q=0", false), ("gzip; q=0.0, *", false), ("*;q=0", false), ("gzipped", false),
            ("*, gzip;q=0", false), ("*;q=0, gzip", true),
        ])
    func acceptEncoding(header: String, isAccepted: Bool) {
        #expect(WebPage.acceptsGzip(header) == isAccepted)
    }

    @Test("the page may connect to its own server, and to those that it names")
    func connections() throws {
        let alternates = try AlternateServers(["wss://b.example:7/x", "ws://[::1]:80", "wss://c"])
        let policy = WebPage.policy(connectingTo: alternates.origins)
        #expect(
            policy.contains(
                "; connect-src 'self' wss://b.example:7 ws://[::1]:80 wss://c:443; img-src"))
        #expect(WebPage.policy(connectingTo: []).contains("; connect-src 'self'; img-src"))
        // The engine's worker, and no other way from text to code.
        #expect(policy.contains("; worker-src 'self'; "))
        #expect(
            policy.hasSuffix(
                "; require-trusted-types-for 'script'; trusted-types scenesync-worker"))
    }

    @Test("the playground is a folder, and a build without its engine says what to do")
    func playground() throws {
        let page = WebPage(faces: [])
        let way = try #require(page.playground("/play", query: ""))
        #expect(way.status == 308)
        #expect(way.headers.contains { $0.name == "location" && $0.value == "play/" })
        // A room may have this name.
        #expect(page.playground("/play", query: "room") == nil)
        #expect(page.playground("/plays", query: "") == nil)
        let hasEngine = EmbeddedFile.page.contains { $0.name == "/play/engine.wasm" }
        let answer = page.playground("/play/", query: "")
        #expect((answer == nil) == hasEngine)
        if let answer {
            #expect(answer.status == 404)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("run ./dev wasm"))
        }
    }
}
