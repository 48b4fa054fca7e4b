import Foundation
import SceneTestSupport
import Synchronization
import Testing

@testable import WebSocketTransport

@Suite("Messages to many")
struct BroadcastTests {
    /// Fewer, as many, and more receivers than are written to at once.
    @Test(
        "everything arrives in its order, however often others have their turn",
        arguments: [3, 4, 8, 11])
    func order(count: Int) throws {
        let test = try TestServer(echoes: false) { $0.writesAtOnce = 4 }
        defer { test.server.stop() }
        let sockets = try (0..<count).map { _ in try #require(TCPSocket.open(test.server.port)) }
        let ids = try sockets.map { _ in try #require(test.handler.nextOpened()).id }
        let chosen = [0, count - 1]
        func message(_ text: String) -> FramedMessage { FramedMessage(.text, Array(text.utf8)) }
        test.server.send(message("before"), to: chosen.map { ids[$0] })
        test.server.send(message("to all"), to: ids)
        test.server.send(message("after"), to: chosen.map { ids[$0] })
        test.server.send(message("to all again"), to: ids)
        for id in ids { test.server.close(id, code: 4321, reason: "") }
        test.server.send(message("too late"), to: ids)
        for (index, socket) in sockets.enumerated() {
            var expected = ["to all", "to all again"].map { WireFrame.text($0) }
            if chosen.contains(index) {
                expected.insert(.text("before"), at: 0)
                expected.insert(.text("after"), at: 2)
            }
            for frame in expected { #expect(socket.readFrame() == frame, "receiver \(index)") }
            #expect(socket.readFrame()?.closeCode == 4321)
        }
    }

    /// The loop is held up until both the message to many and one from somebody are there, in
    /// either order.
    @Test(
        "who says something is heard before all of many have been written to",
        arguments: [true, false])
    func fairness(speaksFirst: Bool) throws {
        let handler = Listener()
        var configuration = ServerConfiguration(subprotocols: ["echo.v1"])
        configuration.port = 0
        configuration.writesAtOnce = 1
        let server = try WebSocketServer(configuration: configuration)
        try server.start(handler: handler)
        defer { server.stop() }
        let sockets = try (0..<20).map { _ in try #require(TCPSocket.open(server.port)) }
        let ids = sockets.compactMap { _ in handler.opened.next() }
        try #require(ids.count == sockets.count)
        handler.last.store(try #require(sockets.last).descriptor, ordering: .releasing)
        sockets[0].sendFrame(1, Array("hold".utf8))
        try #require(handler.heard.next() == "hold")
        let message = FramedMessage(.text, Array("to all".utf8))
        if speaksFirst { sockets[1].sendFrame(1, Array("word".utf8)) }
        server.send(message, to: ids)
        if !speaksFirst { sockets[1].sendFrame(1, Array("word".utf8)) }
        handler.goOn.signal()
        #expect(handler.heard.next() == "word, and the last has nothing yet")
        for socket in sockets { #expect(socket.readFrame() == .text("to all")) }
    }
}

/// Holds its loop up at one word, and tells at every other whether anything has been written to the
/// last socket.
private final class Listener: TransportHandler {
    let opened = EventQueue<ConnectionID>()
    let heard = EventQueue<String>()
    let goOn = DispatchSemaphore(value: 0)
    /// The last receiver's end.
    let last = Atomic<Int32>(-1)

    func connectionOpened(_ info: ConnectionInfo) { opened.add(info.id) }

    func messageReceived(_ id: ConnectionID, _ kind: MessageKind, _ bytes: [UInt8]) {
        let word = String(decoding: bytes, as: UTF8.self)
        guard word != "hold" else {
            heard.add(word)
            goOn.wait()
            return
        }
        var byte: UInt8 = 0
        let peeked = recv(
            last.load(ordering: .acquiring), &byte, 1,
            Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        let hasNothing = peeked < 0 && errno == EAGAIN
        heard.add("\(word), and the last has \(hasNothing ? "nothing yet" : "it already")")
    }

    func connectionClosed(_ id: ConnectionID, code: UInt16?, reason: String) {}

    func httpRequest(_ request: HTTPRequest, _ responder: HTTPResponder) {
        responder(HTTPResponse(status: 404))
    }
}
