import Testing

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
    }
}
