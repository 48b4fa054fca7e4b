import Foundation
import SceneTestSupport
import Testing

@testable import WebSocketTransport

/// The closing handshake where the server begins it. RFC 6455, section 7.
@Suite("Closing handshakes", .serialized)
struct ClosingTests {
    /// A connection that the server has ended, whose peer has seen the close frame and not answered yet.
    private func ended(
        _ test: TestServer, reason: String = "enough"
    ) throws -> (socket: TCPSocket, frame: WireFrame?) {
        let socket = try #require(TCPSocket.open(test.server.port))
        let id = try #require(test.handler.nextOpened()?.id)
        test.server.close(id, code: 4029, reason: reason)
        return (socket, socket.readFrame())
    }

    private static let piece = TCPSocket.bytes(2, [UInt8](repeating: 7, count: 16_384))

    @Test("a peer that is still writing has its socket until it answers: nothing is reset")
    func writing() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let (socket, frame) = try ended(test)
        #expect(frame == .close(4029, Array("enough".utf8)))
        for _ in 0..<64 { #expect(socket.send(Self.piece)) }
        #expect(socket.send(TCPSocket.bytes(8, [0x0F, 0xBD])))
        var byte: UInt8 = 0
        #expect(recv(socket.descriptor, &byte, 1, 0) == 0, "an end, not an error")
        // What came after the close frame was told to nobody.
        guard case .closed(_, let code, _)? = test.handler.events.next() else {
            Issue.record("a message was told")
            return
        }
        #expect(code == nil)
    }

    @Test("a peer that writes on without end is cut off after some megabytes")
    func flooding() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let (socket, _) = try ended(test)
        var sent = 0
        while sent < 256 << 20, socket.send(Self.piece) { sent += Self.piece.count }
        // What is dropped, and what the two sockets hold.
        #expect(sent < 64 << 20)
        #expect(test.handler.nextClosed() != nil)
    }

    @Test("small frames cost a flooder more than their bytes")
    func smallFrames() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let (socket, _) = try ended(test)
        // 4 MiB in frames of a byte, of which 32,768 are what is dropped.
        let frames = Array(repeatElement(TCPSocket.bytes(2, [7]), count: 2_048).joined())
        var count = 0
        while count < 16 << 20, socket.send(frames) { count += 2_048 }
        #expect(count < 16 << 20)
        #expect(test.handler.nextClosed() != nil)
    }

    @Test("a peer that does not answer is let go")
    func silent() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let (socket, _) = try ended(test)
        #expect(test.handler.nextClosed() != nil)
        #expect(socket.receive().isEmpty)
    }

    @Test("a ping after the close frame still has its pong; a second message has nothing")
    func ping() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let (socket, _) = try ended(test)
        socket.send(TCPSocket.bytes(1, Array("late".utf8)) + TCPSocket.bytes(9, [1, 2]))
        #expect(socket.readFrame() == WireFrame(opcode: 10, payload: [1, 2]))
        socket.send(TCPSocket.bytes(8, []))
        #expect(socket.readFrame() == nil)
        #expect(test.handler.nextClosed() != nil)
    }

    @Test("a reason is cut between characters, at 123 bytes")
    func longReason() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let (_, frame) = try ended(test, reason: "a" + String(repeating: "é", count: 100))
        #expect(frame == .close(4029, Array(("a" + String(repeating: "é", count: 61)).utf8)))
        let (_, wide) = try ended(test, reason: String(repeating: "é", count: 100))
        #expect(wide == .close(4029, Array(String(repeating: "é", count: 61).utf8)))
    }

    @Test("a server that stops waits for answers, but not for long")
    func stopping() throws {
        let test = try TestServer()
        let answering = try #require(TCPSocket.open(test.server.port))
        let silent = try #require(TCPSocket.open(test.server.port))
        #expect(test.handler.nextOpened() != nil && test.handler.nextOpened() != nil)
        let stopped = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            test.server.stop()
            stopped.signal()
        }
        #expect(answering.readFrames().last?.closeCode == StandardCloseCode.goingAway)
        #expect(answering.readFrame() == nil)
        #expect(silent.readFrame()?.closeCode == StandardCloseCode.goingAway)
        #expect(silent.readFrame() == nil)
        #expect(stopped.wait(timeout: .now() + 20) == .success)
    }
}
