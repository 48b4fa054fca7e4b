import Testing
import WebSocketAddress

@testable import HTTPClient

@Suite("Requests over HTTP")
struct HTTPClientTests {
    private func read(_ pieces: [String]) throws -> HTTPClient.Response? {
        var reader = HTTPResponseReader()
        for piece in pieces {
            if let response = try reader.take(Array(piece.utf8)) { return response }
        }
        return try reader.finish()
    }

    @Test("a body longer than the caller takes is refused by its length, before it comes")
    func bodyMaximum() throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: "
        var small = HTTPResponseReader(bodyMaximum: 4)
        let taken = try small.take(Array("\(head)4\r\n\r\nabcd".utf8))
        #expect(taken?.text == "abcd")
        var large = HTTPResponseReader(bodyMaximum: 4)
        #expect(throws: HTTPClientError.malformed("its length is 5")) {
            try large.take(Array("\(head)5\r\n\r\n".utf8))
        }
    }

    @Test("a body ends by its length, in whatever pieces it comes")
    func length() throws {
        let text = "HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhello, not this"
        let whole = try #require(try read([text]))
        #expect(whole.status == 201 && whole.body == Array("hello".utf8))
        #expect(try read(text.map(String.init)) == whole)
    }

    @Test("a body in chunks is put together, without extensions and trailers")
    func chunks() throws {
        let text =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n"
            + "3;name=value\r\nabc\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"
        let whole = try #require(try read([text]))
        #expect(whole.body == Array("abc0123456789".utf8))
        #expect(try read(text.map(String.init))?.body == whole.body)
    }

    @Test("a body without a length ends with the connection; one that is cut is an error")
    func close() throws {
        #expect(try read(["HTTP/1.0 404 Not Found\r\n\r\nno", "thing \n"])?.text == "nothing")
        #expect(throws: HTTPClientError.interrupted("the server closed the connection")) {
            try read(["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell"])
        }
        #expect(throws: HTTPClientError.interrupted("the server closed the connection")) {
            try read(["HTTP/1.1 200 OK\r\n"])
        }
    }

    @Test("an interim response is passed over")
    func interim() throws {
        let text = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"
        #expect(try read([text]) == HTTPClient.Response(status: 200, body: [UInt8(ascii: "x")]))
    }

    @Test(
        "what is no response is refused",
        arguments: [
            "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/1.1 999 No\r\n\r\n", "HTTP/2 x OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        ])
    func malformed(_ text: String) {
        #expect {
            try read([text])
        } throws: {
            if case .malformed? = $0 as? HTTPClientError { true } else { false }
        }
    }

    @Test(
        "a token goes to another machine over TLS alone",
        arguments: ["http://192.0.2.1:7070", "ws://scene.example", "http://127.0.0.1.example:1"])
    func leak(_ server: String) {
        #expect(throws: HTTPClientError.wouldLeakToken(server)) {
            try HTTPClient(server, token: "secret")
        }
        #expect(throws: Never.self) { try HTTPClient(server) }
    }

    @Test(
        "a token goes to this machine, through a socket and over TLS",
        arguments: [
            "http://127.0.0.1:7070", "http://localhost", "http://[::1]:7070", "https://192.0.2.1",
            "wss://scene.example:7070", "http+unix:///run/scenesync.sock",
        ])
    func secret(_ server: String) {
        #expect(throws: Never.self) { try HTTPClient(server, token: "secret") }
        #expect(throws: HTTPClientError.badToken) {
            try HTTPClient(server, token: "secret\r\nHost: other")
        }
    }

    @Test("a port where nothing listens, and a socket that is none, are said")
    func nobody() throws {
        #expect(throws: HTTPClientError.badAddress("ftp://x")) { try HTTPClient("ftp://x") }
        #expect(throws: HTTPClientError.cannotConnect("/nowhere/x: No such file or directory")) {
            try HTTPClient("http+unix:///nowhere/x").send("GET", "/")
        }
        #expect(throws: HTTPClientError.cannotConnect("127.0.0.1:1: Connection refused")) {
            try HTTPClient("http://127.0.0.1:1").send("GET", "/")
        }
    }

    @Test("the address of a Unix socket has a file, and after a colon a path")
    func unixAddress() throws {
        let parts = try #require(URLParts("ws+unix:///run/scene.sock:/demo?x=1"))
        #expect(parts.socketPath == "/run/scene.sock" && parts.path == "/demo?x=1")
        #expect(!parts.isSecure && parts.isPrivate && parts.host == "localhost")
        #expect(URLParts("ws+unix:///run/scene.sock")?.path == "/")
        let long = "/" + String(repeating: "x", count: 106)
        #expect(URLParts("ws+unix://" + long)?.socketPath == long)
        for bad in [
            "ws+unix://" + long + "x", "ws+unix://run/x", "ws+unix:///", "ws+unix:///a b",
            "ws+unix:///run/x:demo", "ws+unix:///run/x:/a#b", "wss+unix:///run/x",
        ] { #expect(URLParts(bad) == nil, "\(bad)") }
    }
}
