import Foundation
import SceneTestSupport
import Testing

@testable import WebSocketTransport

/// The closing handshake where the server begins it. RFC 6455, section 7.
@Suite("Closing handshakes", .serialized)
struct ClosingTests {
    /// A connection that the server has ended, whose peer has seen the close frame and not answered
    /// yet.
    private func ended(
        _ test: TestServer, reason: String = "enough"
    ) throws -> (socket: TCPSocket, frame: WireFrame?) {
        let socket = try #require(TCPSocket.open(test.server.port))
        let id = try #require(test.handler.nextOpened()?.id)
        test.server.close(id, code: 4029, reason: reason)
        return (socket, socket.readFrame())
    }

    /// The code told of a connection that is over, if that was told already.
    private func told(_ test: TestServer) -> (code: UInt16?, reason: String)? {
        while let event = test.handler.events.next(seconds: 0) {
            if case .closed(_, let code, let reason) = event { return (code, reason) }
        }
        return nil
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
        #expect(socket.receivesEnd())
        // What came after the close frame was told to nobody.
        #expect(try #require(told(test)).code == nil)
        #expect(test.handler.events.next(seconds: 0) == nil)
    }

    @Test("whoever sees the server's close frame, or its answer, has been told of as gone, once")
    func telling() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let (socket, frame) = try ended(test)
        #expect(frame?.closeCode == 4029)
        let first = try #require(told(test))
        #expect(first.code == nil && first.reason.isEmpty)
        socket.send(TCPSocket.bytes(8, [0x03, 0xE8]))
        #expect(socket.receivesEnd())

        let closing = try #require(TCPSocket.open(test.server.port))
        closing.send(TCPSocket.bytes(8, [0x0F, 0xBD] + Array("done".utf8)))
        #expect(closing.readFrame()?.closeCode == 4029)
        let second = try #require(told(test))
        #expect(second.code == 4029 && second.reason == "done")
        #expect(closing.receivesEnd())

        let silent = try #require(TCPSocket.open(test.server.port))
        silent.send(TCPSocket.bytes(8, []))
        #expect(silent.readFrame()?.opcode == 8)
        #expect(try #require(told(test)).code == nil)

        let wrong = try #require(TCPSocket.open(test.server.port))
        wrong.send(TCPSocket.bytes(8, [0x03, 0xE8, 0xFF]))
        #expect(wrong.readFrame()?.closeCode == StandardCloseCode.invalidPayload)
        #expect(try #require(told(test)).code == nil)
        test.server.stop()
        #expect(told(test) == nil)
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
    }

    @Test("all who write on share what is read of them in a second")
    func floodingTogether() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let sockets = try (0..<16).map { _ in try ended(test).socket }
        // Little is on its way, so that what was sent was read.
        for socket in sockets {
            var bytes: Int32 = 65_536
            setsockopt(
                socket.descriptor, SOL_SOCKET, SO_SNDBUF, &bytes,
                socklen_t(MemoryLayout<Int32>.size))
        }
        var sent = [Int](repeating: 0, count: sockets.count)
        // In turns, so that no socket's time is up before the others have sent.
        var isAnyOpen = true
        while isAnyOpen, sent.reduce(0, +) < 1 << 30 {
            isAnyOpen = false
            for (index, socket) in sockets.enumerated() where socket.send(Self.piece) {
                sent[index] += Self.piece.count
                isAnyOpen = true
            }
        }
        // 32 MiB at once and 16 MiB a second for some two seconds, and what the sockets hold; each
        // might have 16 MiB alone.
        #expect(sent.reduce(0, +) < 16 * 16 << 20)
    }

    @Test("small frames cost a flooder more than their bytes")
    func smallFrames() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let (socket, _) = try ended(test)
        // Frames of a byte, of which 258,111 are 16 MiB; and what the two sockets hold.
        let frames = Array(repeatElement(TCPSocket.bytes(2, [7]), count: 2_048).joined())
        var count = 0
        while count < 16 << 20, socket.send(frames) { count += 2_048 }
        #expect(count < 4 << 20)
    }

    @Test("a peer that does not answer is let go")
    func silent() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let (socket, _) = try ended(test)
        #expect(socket.receivesEnd())
    }

    @Test("a ping after the close frame still has its pong; a second message has nothing")
    func ping() throws {
        let test = try TestServer()
        defer { test.server.stop() }
        let (socket, _) = try ended(test)
        socket.send(TCPSocket.bytes(1, Array("late".utf8)) + TCPSocket.bytes(9, [1, 2]))
        #expect(socket.readFrame() == WireFrame(opcode: 10, payload: [1, 2]))
        socket.send(TCPSocket.bytes(8, []))
        #expect(socket.receivesEnd())
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
        #expect(answering.receivesEnd())
        #expect(silent.readFrame()?.closeCode == StandardCloseCode.goingAway)
        #expect(silent.receivesEnd())
        #expect(stopped.wait(timeout: .now() + 20) == .success)
    }
}
