import Foundation
import SceneTestSupport
import Testing

@testable import WebSocketTransport

/// What a server does about peers that ask too much of it, one after another.
@Suite("Limits of the transport", .serialized)
struct LimitTests {
    @Test("opening handshakes that are none are refused before anything is agreed")
    func handshakes() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        func answer(_ request: String) throws -> String {
            let raw = try #require(TCPSocket(port: test.server.port))
            raw.send(request)
            return String(decoding: raw.read(), as: UTF8.self)
        }
        let head = "Host: localhost\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
        let rest = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: echo.v1\r\n\r\n"
        #expect(try answer("GET / HTTP/1.1\r\n" + head + rest).contains(" 400 "))
        for key in ["", "short", "AAAAAAAAAAAAAAAAAAAAAA==A", "dGhlIHNhbXBsZSBub25jZQ"] {
            let request = "GET / HTTP/1.1\r\n" + head + "Sec-WebSocket-Key: \(key)\r\n" + rest
            #expect(!(try answer(request).contains(" 101 ")), "\(key)")
        }
        let good = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        #expect(!(try answer("POST / HTTP/1.1\r\n" + head + good + rest).contains(" 101 ")))
        #expect(
            !(try answer(
                "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n" + good + rest
            ).contains(" 101 ")))
        let huge = "X-Filler: " + String(repeating: "a", count: 100_000) + "\r\n"
        #expect(!(try answer("GET / HTTP/1.1\r\n" + head + huge + good + rest).contains(" 101 ")))
    }

    @Test("pages of this host and of this machine may connect, others may not, unless all may")
    func origins() {
        let host = "scene.example:7070"
        let same = OriginPolicy.sameHost
        #expect(same.allows("https://scene.example:7070", host: host))
        #expect(same.allows("http://localhost:3000", host: host))
        #expect(same.allows("http://[::1]:3000", host: host))
        for origin in [
            "https://evil.example", "https://scene.example.evil.example:7070", "null",
            "https://scene.example", "http://localhost.evil.example",
        ] {
            #expect(!same.allows(origin, host: host), "\(origin)")
            #expect(OriginPolicy.any.allows(origin, host: host))
        }
        let only = OriginPolicy.only(["https://a.example"])
        #expect(only.allows("https://a.example", host: host))
        #expect(!only.allows("http://localhost", host: host))
    }

    @Test("more connections of one address than allowed are answered with 429, and room comes back")
    func perAddress() throws {
        let test = try TestServer { $0.thisMachine.connections = 2 }
        defer { test.server.stop() }
        var first: TCPSocket? = TCPSocket.open(test.server.port)
        let second = try #require(TCPSocket.open(test.server.port))
        let third = try #require(TCPSocket(port: test.server.port))
        let head = third.handshake()
        #expect(head.contains(" 429 "))
        #expect(head.lowercased().contains("retry-after:"))
        _ = first
        first = nil
        #expect(test.handler.nextClosed() != nil)
        #expect(TCPSocket.open(test.server.port) != nil)
        second.send(TCPSocket.bytes(1, Array("still".utf8)))
        #expect(second.readFrame() == .text("still"))
    }

    @Test("sockets of one address that say nothing count too: no more than twice its connections")
    func socketsOfAddress() throws {
        let test = try TestServer { $0.thisMachine.connections = 1 }
        defer { test.server.stop() }
        var silent: [TCPSocket] = []
        for _ in 0..<2 { silent.append(try #require(TCPSocket(port: test.server.port))) }
        let third = try #require(TCPSocket(port: test.server.port))
        #expect(String(decoding: third.read(), as: UTF8.self).hasPrefix("HTTP/1.1 503"))
        silent.removeLast()
        while true {
            let next = try #require(TCPSocket(port: test.server.port))
            if next.handshake().hasPrefix("HTTP/1.1 101") { break }
        }
        // A proxy's sockets are its clients'.
        let behind = try TestServer {
            $0.thisMachine.connections = 1
            $0.trustedProxies = ["127.0.0.1"]
        }
        defer { behind.server.stop() }
        var clients: [TCPSocket] = []
        for number in 1...5 {
            let socket = try #require(TCPSocket(port: behind.server.port))
            let head = socket.handshake(extra: "X-Forwarded-For: 127.0.0.\(number)\r\n")
            #expect(head.hasPrefix("HTTP/1.1 101"))
            clients.append(socket)
        }
        #expect(clients.count == 5)
    }

    @Test("sockets that say nothing count, and are refused with 503 when there are too many")
    func silentSockets() throws {
        let test = try TestServer { $0.requestsMaximum = 3 }
        defer { test.server.stop() }
        let connected = try #require(TCPSocket.open(test.server.port))
        let silent = try (0..<3).map { _ in try #require(TCPSocket(port: test.server.port)) }
        let refused = try #require(TCPSocket(port: test.server.port))
        #expect(String(decoding: refused.read(), as: UTF8.self).hasPrefix("HTTP/1.1 503"))
        connected.send(TCPSocket.bytes(1, Array("in".utf8)))
        #expect(connected.readFrame() == .text("in"))
        #expect(silent.count == 3)
    }

    @Test("a slow loris is hung up on, dripping or silent")
    func slowLoris() throws {
        let test = try TestServer { $0.handshakeTimeoutSeconds = 1 }
        defer { test.server.stop() }
        let silent = try #require(TCPSocket(port: test.server.port))
        let dripping = try #require(TCPSocket(port: test.server.port))
        dripping.send("GET / HTTP/1.1\r\nHost: l")
        // `read` gives up after ten seconds; an end comes sooner.
        let begin = DispatchTime.now()
        _ = dripping.read()
        _ = silent.read()
        #expect(DispatchTime.now().uptimeNanoseconds - begin.uptimeNanoseconds < 8_000_000_000)
    }

    @Test("a message that is begun and not gone on with ends the connection as a slow peer")
    func unfinishedMessage() throws {
        let test = try TestServer {
            $0.messageTimeoutSeconds = 1
            $0.slowPeerCloseCode = 4008
        }
        defer { test.server.stop() }
        let raw = try #require(TCPSocket.open(test.server.port))
        raw.send(TCPSocket.bytes(2, [1], isFinal: false))
        #expect(raw.readFrames().last?.closeCode == 4008)
    }

    @Test("a reader that takes nothing for a while is let go though little waits for it")
    func stalledReader() throws {
        let test = try TestServer(echoes: false) {
            $0.writeTimeoutSeconds = 1
            $0.outboxBytesMaximum = 64 << 20
        }
        defer { test.server.stop() }
        let raw = try #require(TCPSocket.open(test.server.port))
        let id = try #require(test.handler.nextOpened()).id
        let message = FramedMessage(.binary, [UInt8](repeating: 7, count: 1 << 20))
        for _ in 0..<16 { test.server.send(message, to: [id]) }
        #expect(test.handler.nextClosed()?.id == id)
        _ = raw
    }

    @Test("a peer that answers no ping is hung up on")
    func noPong() throws {
        let test = try TestServer {
            $0.pingIntervalSeconds = 1
            $0.hangUpSeconds = 2
        }
        defer { test.server.stop() }
        let deaf = try #require(TCPSocket.open(test.server.port))
        #expect(deaf.readFrames().map(\.opcode) == [9])
        let (client, events) = try test.connect()
        #expect(events.events.next() == .opened("echo.v1"))
        #expect(test.handler.nextClosed() != nil)
        client.send(.text, Array("here".utf8))
        #expect(events.events.next() == .received(.text, Array("here".utf8)))
        client.close()
    }

    @Test("when it drains, a server lets nobody in and still answers requests")
    func drains() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let inside = try #require(TCPSocket.open(test.server.port))
        test.server.drain()
        let late = try #require(TCPSocket(port: test.server.port))
        #expect(late.handshake().contains(" 503 "))
        let request = try #require(TCPSocket(port: test.server.port))
        request.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(String(decoding: request.read(), as: UTF8.self).hasPrefix("HTTP/1.1 200"))
        inside.send(TCPSocket.bytes(1, Array("on".utf8)))
        #expect(inside.readFrame() == .text("on"))
    }

    @Test("bodies are taken where they are wanted and by their length alone")
    func bodies() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        func status(_ head: String, _ body: String = "") throws -> String {
            let raw = try #require(TCPSocket(port: test.server.port))
            raw.send("\(head)\r\nHost: localhost\r\nConnection: close\r\n\r\n\(body)")
            return String(decoding: raw.read(), as: UTF8.self)
        }
        let answer = try status("PUT /upload HTTP/1.1\r\nContent-Length: 5", "hello")
        #expect(answer.hasPrefix("HTTP/1.1 200") && answer.hasSuffix("hello"))
        #expect(
            try status("PUT /upload HTTP/1.1\r\nContent-Length: 100001").contains(" 413 "))
        for length in ["-1", "+5", "5x", "99999999999999999999", "0x5"] {
            #expect(
                try status("PUT /upload HTTP/1.1\r\nContent-Length: \(length)", "hello").contains(
                    " 400 "), "\(length)")
        }
        #expect(
            try status(
                "PUT /upload HTTP/1.1\r\nTransfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n"
            )
            .contains(" 411 "))
        #expect(try status("PUT /upload HTTP/1.1").contains(" 411 "))
        #expect(
            try status("POST /healthz HTTP/1.1\r\nContent-Length: 5", "hello").contains(" 405 "))
        #expect(try status("DELETE /healthz HTTP/1.1").contains(" 405 "))
        #expect(try status("GET /healthz HTTP/1.1\r\nContent-Length: 5", "hello").contains(" 405 "))
    }

    @Test("answers may come later, be long, and follow one another on one connection")
    func answers() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let raw = try #require(TCPSocket(port: test.server.port))
        for _ in 0..<3 {
            raw.send("GET /later HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = String(decoding: raw.read(until: Array("later".utf8)), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 200"))
        }
        raw.send("GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let large = String(decoding: raw.read(), as: UTF8.self)
        #expect(large.components(separatedBy: "\r\n\r\n").last?.utf8.count == 300_000)
    }

    @Test("connections are spread over several threads and reached all the same")
    func severalLoops() throws {
        let test = try TestServer { $0.loopThreads = 3 }
        defer { test.server.stop() }
        let sockets = try (0..<9).map { _ in try #require(TCPSocket.open(test.server.port)) }
        // They close when they go, and an optimised build lets go of them after their last use.
        defer { withExtendedLifetime(sockets) {} }
        let ids = try (0..<9).map { _ in try #require(test.handler.nextOpened()).id }
        #expect(Set(ids.map { $0.rawValue % 3 }).count == 3)
        test.server.send(FramedMessage(.text, Array("all".utf8)), to: ids)
        for raw in sockets { #expect(raw.readFrame() == .text("all")) }
        test.server.close(ids[4], code: 4003, reason: "you")
        #expect(test.handler.nextClosed()?.id == ids[4])
    }

    @Test("counts come back to nothing when everybody is gone, however they went")
    func counts() throws {
        let test = try TestServer { $0.handshakeTimeoutSeconds = 1 }
        defer { test.server.stop() }
        do {
            let open = try (0..<5).map { _ in try #require(TCPSocket.open(test.server.port)) }
            let bad = try #require(TCPSocket(port: test.server.port))
            _ = bad.handshake(version: "12")
            #expect(test.server.counts.connections == 5)
            open[0].send(TCPSocket.bytes(8, []))
            open[1].send([0xFF, 0xFF, 0xFF])
        }
        for _ in 0..<5 { _ = test.handler.nextClosed() }
        // What is left are sockets that the library closes in its own time.
        let deadline = DispatchTime.now() + 10
        while test.server.counts.sockets > 0, DispatchTime.now() < deadline { usleep(10_000) }
        #expect(test.server.counts.sockets == 0)
        #expect(test.server.counts.connections == 0)
    }
}
