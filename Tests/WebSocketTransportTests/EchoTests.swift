import Foundation
import SceneTestSupport
import Testing

@testable import WebSocketTransport

@Suite("Messages over real sockets", .serialized)
struct EchoTests {
    @Test("text and binary come back as they were sent, in order")
    func echo() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let (client, events) = try test.connect()
        #expect(events.events.next() == .opened("echo.v1"))
        let info = try #require(test.handler.nextOpened())
        #expect(info.path == "/room")
        #expect(info.query == "a=1")
        #expect(info.isLoopback && !info.isSecure)
        client.send(.text, Array("hello ✓".utf8))
        client.send(.binary, [0, 255, 1])
        #expect(events.events.next() == .received(.text, Array("hello ✓".utf8)))
        #expect(events.events.next() == .received(.binary, [0, 255, 1]))
        client.close(code: 4321, reason: "done")
        let closed = try #require(test.handler.nextClosed())
        #expect(closed.code == 4321)
        #expect(closed.reason == "done")
    }

    @Test("messages of every length class survive, fragmented or not")
    func lengths() throws {
        let test = try TestServer { $0.messageBytesMaximum = 4 << 20 }
        defer { test.server.stop() }
        let (client, events) = try test.connect()
        _ = events.events.next()
        for count in [0 + 1, 125, 126, 127, 65_535, 65_536, 900_000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            client.send(.binary, bytes)
            #expect(events.events.next() == .received(.binary, bytes), "length \(count)")
        }
        let raw = try #require(TCPSocket(port: test.server.port))
        #expect(raw.handshake().hasPrefix("HTTP/1.1 101"))
        raw.sendFrame(0x1, Array("frag".utf8), isFinal: false)
        raw.sendFrame(0x9, Array("ping".utf8))
        raw.sendFrame(0x0, Array("ments".utf8))
        // The pong and the echo may come in either order.
        let pong = [0x8A, 4] + Array("ping".utf8)
        let echo = [0x81, 9] + Array("fragments".utf8)
        let answer = raw.read(upTo: pong.count + echo.count)
        #expect(answer == pong + echo || answer == echo + pong)
        client.close()
    }

    @Test("one framed message reaches fifty connections")
    func broadcast() throws {
        let test = try TestServer(echoes: false)
        defer { test.server.stop() }
        var clients: [(client: WebSocketClient, events: TestClient)] = []
        for _ in 0..<50 { clients.append(try test.connect()) }
        var ids: [ConnectionID] = []
        for _ in 0..<50 { ids.append(try #require(test.handler.nextOpened()).id) }
        test.server.send(FramedMessage(.binary, [1, 2, 3]), to: ids)
        test.server.send(FramedMessage(.text, Array("two".utf8)), to: ids)
        for (client, events) in clients {
            #expect(events.events.next() == .opened("echo.v1"))
            #expect(events.events.next() == .received(.binary, [1, 2, 3]))
            #expect(events.events.next() == .received(.text, Array("two".utf8)))
            client.close()
        }
    }

    @Test("the server's close code and reason reach the client")
    func serverCloses() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let (_, events) = try test.connect()
        let info = try #require(test.handler.nextOpened())
        test.server.send(.text, Array("last words".utf8), to: info.id)
        test.server.close(info.id, code: 4003, reason: "forbidden")
        #expect(events.events.next() == .opened("echo.v1"))
        #expect(events.events.next() == .received(.text, Array("last words".utf8)))
        #expect(events.events.next() == .closed(4003, "forbidden", nil))
    }

    @Test("a peer that vanishes without a word is reported closed")
    func vanishes() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        do {
            let raw = try #require(TCPSocket(port: test.server.port))
            #expect(raw.handshake().hasPrefix("HTTP/1.1 101"))
        }
        let closed = try #require(test.handler.nextClosed())
        #expect(closed.code == nil)
    }

    /// A peer that has shaken hands and reads nothing from then on.
    private func lazyPeer(of test: TestServer) throws -> (TCPSocket, ConnectionID) {
        let raw = try #require(TCPSocket(port: test.server.port))
        #expect(raw.handshake().hasPrefix("HTTP/1.1 101"))
        return (raw, try #require(test.handler.nextOpened()).id)
    }

    @Test("a reader that takes nothing loses what can be dropped, and stays")
    func droppable() throws {
        let test = try TestServer(echoes: false) { $0.outboxBytesMaximum = 1 << 20 }
        defer { test.server.stop() }
        let (raw, slow) = try lazyPeer(of: test)
        let before = FramedMessage.droppedCount
        for _ in 0..<400 {
            let message = FramedMessage(
                .binary, payloads: [[UInt8](repeating: 7, count: 64 << 10)], isDroppable: true)
            test.server.send(message, to: [slow])
        }
        test.server.send(.binary, Array("end".utf8), to: slow)
        // It reads now: what was not dropped, and the message that may not be.
        let end = Array("end".utf8)
        #expect(raw.read(upTo: .max, until: end).suffix(3) == end[...])
        #expect(FramedMessage.droppedCount > before)
    }

    @Test("a reader that takes nothing is closed as too slow; others go on")
    func slowReader() throws {
        let test = try TestServer(echoes: false) { $0.outboxBytesMaximum = 1 << 20 }
        defer { test.server.stop() }
        let (raw, slow) = try lazyPeer(of: test)
        defer { withExtendedLifetime(raw) {} }
        let (client, events) = try test.connect()
        let quick = try #require(test.handler.nextOpened()).id
        #expect(events.events.next() == .opened("echo.v1"))
        let message = FramedMessage(.binary, [UInt8](repeating: 7, count: 256 << 10))
        // More than socket buffers and the outbox hold together.
        for _ in 0..<64 { test.server.send(message, to: [slow]) }
        test.server.send(.text, Array("still here".utf8), to: quick)
        #expect(events.events.next() == .received(.text, Array("still here".utf8)))
        #expect(test.handler.nextClosed()?.id == slow)
        client.close()
    }

    @Test(
        "where all outboxes together have too much, readers that are behind are closed; others go on"
    )
    func allOutboxes() throws {
        let test = try TestServer(echoes: false) {
            $0.outboxBytesMaximum = 1 << 30
            $0.allOutboxesBytesMaximum = 8 << 20
        }
        defer { test.server.stop() }
        let (raw, slow) = try lazyPeer(of: test)
        defer { withExtendedLifetime(raw) {} }
        let (client, events) = try test.connect()
        let quick = try #require(test.handler.nextOpened()).id
        #expect(events.events.next() == .opened("echo.v1"))
        // More in all than sockets take, and each message for itself.
        for _ in 0..<64 {
            test.server.send(
                FramedMessage(.binary, [UInt8](repeating: 7, count: 1 << 20)), to: [slow])
        }
        test.server.send(.text, Array("still here".utf8), to: quick)
        #expect(events.events.next() == .received(.text, Array("still here".utf8)))
        #expect(test.handler.nextClosed()?.id == slow)
        client.close()
    }

    @Test("what joins a waiting outbox is held against its limit, however much comes at once")
    func growingOutbox() throws {
        let test = try TestServer(echoes: false) { $0.outboxBytesMaximum = 40 << 20 }
        defer { test.server.stop() }
        let (raw, slow) = try lazyPeer(of: test)
        defer { withExtendedLifetime(raw) {} }
        let (client, events) = try test.connect()
        let quick = try #require(test.handler.nextOpened()).id
        #expect(events.events.next() == .opened("echo.v1"))
        func waitUntilCarriedOut() {
            test.server.send(.text, Array("mark".utf8), to: quick)
            #expect(events.events.next() == .received(.text, Array("mark".utf8)))
        }
        // The first is more than the socket takes, the second waits in the outbox.
        let message = FramedMessage(.binary, [UInt8](repeating: 7, count: 20 << 20))
        for _ in 0..<2 {
            test.server.send(message, to: [slow])
            waitUntilCarriedOut()
        }
        let holder = try #require(TCPSocket(port: test.server.port))
        holder.send("GET /hold HTTP/1.1\r\nHost: localhost\r\n\r\n")
        test.handler.stands.wait()
        for _ in 0..<2 { test.server.send(message, to: [slow]) }
        test.handler.goesOn.signal()
        // Long before the time for a write is over.
        #expect(test.handler.nextClosed()?.id == slow)
        client.close()
    }

    @Test("stopping ends connections with 1001, the thread and the port")
    func stops() throws {
        let test = try TestServer()
        let port = test.server.port
        let (_, events) = try test.connect()
        #expect(events.events.next() == .opened("echo.v1"))
        _ = test.handler.nextOpened()
        test.server.stop()
        #expect(events.events.next() == .closed(1001, "", nil))
        #expect(TCPSocket(port: port) == nil)
        let again = try TestServer { $0.port = port }
        #expect(again.server.port == port)
        again.server.stop()
    }

    @Test("a port that is taken is an error")
    func portTaken() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        #expect(throws: TransportError.self) {
            _ = try TestServer { $0.port = test.server.port }
        }
    }
}
