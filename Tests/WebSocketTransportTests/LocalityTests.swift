import SceneTestSupport
import Testing

@testable import WebSocketTransport

/// A request of this machine, changed.
private struct Source: RequestSource {
    var isLoopback = true
    var host = "localhost:7070"
    var certificateName: String?
    var origin: String?
}

@Suite("Who counts as this machine")
struct LocalityTests {
    @Test(
        "names and addresses of every machine's own",
        arguments: [
            "localhost", "LocalHost:80", "127.0.0.1", "127.0.0.1:7070", "127.1.2.3", "[::1]",
            "[::1]:7070",
        ])
    func ours(_ host: String) {
        #expect(Source(host: host).isThisMachines(.sameHost))
        #expect(Source(origin: "http://" + host).isThisMachines(.sameHost))
    }

    @Test(
        "names and addresses of others, and what is none",
        arguments: [
            "", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "127.evil",
            "192.0.2.1", "[::2]", "localhost:x", "localhost:80:80", "[::1", "[::1]x", "null",
            "localhost, localhost", "evil@localhost",
        ])
    func others(_ host: String) {
        #expect(!Source(host: host).isThisMachines(.sameHost))
        #expect(!Source(origin: "http://" + host).isThisMachines(.sameHost))
    }

    @Test("another machine stays another, whatever it says; a page may be named to the server")
    func policy() {
        #expect(!Source(isLoopback: false).isThisMachines(.any))
        let page = Source(origin: "https://app.example")
        #expect(!page.isThisMachines(.sameHost))
        #expect(!page.isThisMachines(.only(["https://other.example"])))
        #expect(page.isThisMachines(.only(["https://app.example"])))
        #expect(page.isThisMachines(.any))
        #expect(!Source(host: "app.example", origin: page.origin).isThisMachines(.any))
        #expect(!Source(origin: "null").isThisMachines(.sameHost))
    }

    @Test("a proxy that is trusted names its client last; what is no address names nobody")
    func trustedProxy() throws {
        let test = try TestServer { $0.trustedProxies = ["127.0.0.1"] }
        defer { test.server.stop() }
        for (text, address) in [
            ("192.0.2.1", "192.0.2.1"), ("10.0.0.1, 192.0.2.7", "192.0.2.7"),
            ("192.0.2.1:4711", "192.0.2.1"), ("2001:db8::1", "2001:db8::1"),
            ("[2001:DB8::1]:80", "2001:db8::1"), ("unknown", "127.0.0.1"), ("", "127.0.0.1"),
            ("192.0.2.1, \u{1B}[31m", "127.0.0.1"),
            // Two headers are one list. RFC 9110, section 5.3.
            ("10.0.0.1\r\nX-Forwarded-For: 192.0.2.7", "192.0.2.7"),
        ] {
            let raw = try #require(TCPSocket(port: test.server.port))
            let head = raw.handshake(extra: "X-Forwarded-For: \(text)\r\n")
            #expect(head.hasPrefix("HTTP/1.1 101"))
            let info = try #require(test.handler.nextOpened())
            #expect(info.remoteAddress == address, "\(text)")
            #expect(!info.isLoopback, "\(text)")
        }
    }

    @Test(
        "any header of a proxy counts, be it empty",
        arguments: [
            "X-Forwarded-For", "X-Real-IP", "Via", "Forwarded", "FORWARDED", "x-forwarded-host",
            "X-Forwarded-Proto", "X-Forwarded-Port", "X-Forwarded-Server", "X-Client-IP",
            "X-Cluster-Client-IP", "CF-Connecting-IP", "True-Client-IP",
        ])
    func forwarded(_ name: String) throws {
        let test = try TestServer()
        defer { test.server.stop() }
        for value in ["", " ", " 192.0.2.1", " 192.0.2.1\r\n\(name):"] {
            let raw = try #require(TCPSocket(port: test.server.port))
            #expect(raw.handshake(extra: "\(name):\(value)\r\n").hasPrefix("HTTP/1.1 101"))
            #expect(test.handler.nextOpened()?.isLoopback == false, "\(name):\(value)")
        }
        let raw = try #require(TCPSocket(port: test.server.port))
        #expect(raw.handshake().hasPrefix("HTTP/1.1 101"))
        #expect(test.handler.nextOpened()?.isLoopback == true)
    }
}
