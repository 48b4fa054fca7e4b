import Foundation
import SceneTestSupport
import Testing

@testable import WebSocketTransport

/// What RFC 6455 asks of a server, said byte by byte over plain sockets to an echo server. No
/// library is between, so that everything can be said which a library would not.
@Suite("RFC 6455", .serialized)
final class RFC6455Tests {
    let test: TestServer

    init() throws {
        test = try TestServer {
            $0.messageBytesMaximum = 1 << 20
            $0.handshakeTimeoutSeconds = 2
        }
    }

    deinit { test.server.stop() }

    private func open() throws -> TCPSocket {
        try #require(TCPSocket.open(test.server.port))
    }

    /// Whether the connection fails as section 7.1.7 says: with this code in a close frame, or,
    /// where `orDrops` says so, without a word.
    private func fails(
        _ raw: TCPSocket, _ codes: UInt16..., echoes: [WireFrame] = [], orDrops: Bool = false
    ) -> Bool {
        let frames = raw.readFrames()
        if orDrops, frames == echoes { return true }
        guard let last = frames.last, let code = last.closeCode, codes.contains(code) else {
            Issue.record("\(frames) instead of a close with \(codes)")
            return false
        }
        return Array(frames.dropLast()) == echoes
    }

    // MARK: Framing, section 5.2

    @Test(
        "messages of every length class come back in one unmasked frame",
        arguments: [0, 1, 125, 126, 127, 128, 65_535, 65_536, 1 << 20])
    func lengths(_ count: Int) throws {
        let raw = try open()
        for opcode in [UInt8(1), 2] {
            let payload = (0..<count).map { UInt8(0x20 + $0 % 90) }
            raw.send(TCPSocket.bytes(opcode, payload))
            #expect(raw.readFrame() == WireFrame(opcode: opcode, payload: payload))
        }
    }

    @Test("a frame may come in pieces of any size")
    func octets() throws {
        let raw = try open()
        let payload = (0..<300).map { UInt8($0 % 256) }
        for byte in TCPSocket.bytes(2, payload) { raw.send([byte]) }
        #expect(raw.readFrame() == WireFrame(opcode: 2, payload: payload))
        // And several frames may come in one piece.
        raw.send(TCPSocket.bytes(1, Array("a".utf8)) + TCPSocket.bytes(1, Array("b".utf8)))
        #expect(raw.readFrame() == .text("a"))
        #expect(raw.readFrame() == .text("b"))
    }

    @Test(
        "every mask is taken", arguments: [[0, 0, 0, 0], [255, 255, 255, 255], [1, 0, 0, 128]])
    func masks(_ mask: [UInt8]) throws {
        let raw = try open()
        raw.send(TCPSocket.bytes(1, Array("masked".utf8), mask: mask))
        #expect(raw.readFrame() == .text("masked"))
    }

    @Test("a frame without a mask, which the library does not look for, is read as it stands")
    func unmasked() throws {
        // Section 5.1 asks a server to fail here; libwebsockets keeps the bit to itself. Masks
        // protect proxies from clients, so nothing of ours depends on it. When a later library
        // fails, this test says so.
        let raw = try open()
        raw.send(TCPSocket.bytes(1, Array("bare".utf8), mask: nil))
        #expect(raw.readFrame() == .text("bare"))
    }

    @Test("a reserved bit fails the connection with 1002", arguments: 1...7 as ClosedRange<UInt8>)
    func reservedBits(_ bits: UInt8) throws {
        let raw = try open()
        raw.send(TCPSocket.bytes(1, Array("x".utf8), reserved: bits))
        #expect(fails(raw, 1002))
    }

    @Test(
        "a reserved opcode fails the connection with 1002",
        arguments: [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8])
    func reservedOpcodes(_ opcode: UInt8) throws {
        let raw = try open()
        raw.send(TCPSocket.bytes(1, Array("before".utf8)))
        raw.send(TCPSocket.bytes(opcode, []))
        #expect(fails(raw, 1002, echoes: [.text("before")]))
    }

    @Test("a length above 2^63, or more than the limit, is never waited for")
    func absurdLength() throws {
        for length in [[0x80, 0, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0, 0]] as [[UInt8]] {
            let raw = try open()
            raw.send([0x82, 0xFF] + length + [1, 2, 3, 4] + [UInt8](repeating: 0, count: 2 << 20))
            #expect(raw.readFrames().last?.closeCode.map { [1002, 1009].contains($0) } ?? true)
        }
    }

    // MARK: Control frames, section 5.5

    @Test("a ping is answered by a pong with its payload", arguments: [0, 1, 125])
    func ping(_ count: Int) throws {
        let raw = try open()
        let payload = (0..<count).map { UInt8($0) }
        raw.send(TCPSocket.bytes(9, payload))
        #expect(raw.readFrame() == WireFrame(opcode: 10, payload: payload))
    }

    // The library drops these without a close frame, which section 7.1.7 allows.
    @Test(
        "a control frame of more than 125 bytes, or in fragments, fails the connection",
        arguments: [8, 9, 10] as [UInt8])
    func badControl(_ opcode: UInt8) throws {
        let long = try open()
        long.send(TCPSocket.bytes(opcode, [UInt8](repeating: 1, count: 126)))
        #expect(fails(long, 1002, orDrops: true))
        let unfinished = try open()
        unfinished.send(TCPSocket.bytes(opcode, [], isFinal: false))
        #expect(fails(unfinished, 1002, orDrops: true))
    }

    @Test("a pong that nobody asked for is passed over")
    func strayPong() throws {
        let raw = try open()
        raw.send(TCPSocket.bytes(10, Array("unasked".utf8)) + TCPSocket.bytes(1, Array("on".utf8)))
        #expect(raw.readFrame() == .text("on"))
    }

    // MARK: Fragments, section 5.4

    @Test(
        "fragments are put together, however they are cut and whatever control frames stand between"
    )
    func fragments() throws {
        let payload = Array("Hello, Wörld ☃ 𝄞".utf8)
        for cut in 0...payload.count {
            let raw = try open()
            raw.send(TCPSocket.bytes(1, Array(payload[..<cut]), isFinal: false))
            raw.send(TCPSocket.bytes(9, [UInt8(cut)]))
            raw.send(TCPSocket.bytes(0, Array(payload[cut...])))
            // The ping came first and is mostly answered first; section 5.5.3 does not ask for
            // that.
            let pong = WireFrame(opcode: 10, payload: [UInt8(cut)])
            let message = WireFrame(opcode: 1, payload: payload)
            let answers = [raw.readFrame(), raw.readFrame()]
            #expect(
                answers == [pong, message] || answers == [message, pong],
                "cut at \(cut): \(answers)")
        }
    }

    @Test("empty fragments count as fragments")
    func emptyFragments() throws {
        let raw = try open()
        raw.send(TCPSocket.bytes(2, [], isFinal: false) + TCPSocket.bytes(0, [], isFinal: false))
        raw.send(TCPSocket.bytes(0, [7]))
        #expect(raw.readFrame() == WireFrame(opcode: 2, payload: [7]))
    }

    @Test("a continuation of nothing, or a message within a message, fails with 1002")
    func disorder() throws {
        for isFinal in [true, false] {
            let stray = try open()
            stray.send(TCPSocket.bytes(0, [1], isFinal: isFinal))
            #expect(fails(stray, 1002))
        }
        for opcode in [1, 2] as [UInt8] {
            let nested = try open()
            nested.send(
                TCPSocket.bytes(1, [0x61], isFinal: false) + TCPSocket.bytes(opcode, [0x62]))
            #expect(fails(nested, 1002))
        }
    }

    @Test("the limit counts a message, not its fragments: 1009")
    func limit() throws {
        let raw = try open()
        let piece = [UInt8](repeating: 1, count: 400_000)
        raw.send(TCPSocket.bytes(2, piece, isFinal: false))
        raw.send(TCPSocket.bytes(0, piece, isFinal: false))
        raw.send(TCPSocket.bytes(0, piece))
        #expect(fails(raw, 1009))
    }

    // MARK: UTF-8, section 8.1

    @Test("valid texts pass, split after every byte")
    func validText() throws {
        let texts = [
            "κόσμε", "\u{0}\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}",
            "\u{D7FF}\u{E000}\u{FFFD}\u{FFFE}",
        ]
        for text in texts {
            let raw = try open()
            let bytes = Array(text.utf8)
            for (index, byte) in bytes.enumerated() {
                raw.send(
                    TCPSocket.bytes(
                        index == 0 ? 1 : 0, [byte], isFinal: index == bytes.count - 1))
            }
            #expect(raw.readFrame() == .text(text))
        }
    }

    @Test(
        "texts that are not UTF-8 fail with 1007, in one frame or split after every byte",
        arguments: [
            [0xCE], [0x80], [0xFF], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0xAF],
            [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0xAF],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80],
            [0xFE, 0x41], [0xCE, 0xBA, 0xE1], [0xE2, 0x28, 0xA1], [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func invalidText(_ bytes: [UInt8]) throws {
        let whole = try open()
        whole.send(TCPSocket.bytes(1, Array("ok".utf8) + bytes))
        #expect(fails(whole, 1007))
        let split = try open()
        split.send(TCPSocket.bytes(1, Array("ok".utf8), isFinal: false))
        for byte in bytes { split.send(TCPSocket.bytes(0, [byte], isFinal: false)) }
        split.send(TCPSocket.bytes(0, []))
        #expect(fails(split, 1007))
    }

    // MARK: Closing, sections 5.5.1 and 7

    @Test(
        "a close is answered with its code, and the connection ends",
        arguments: [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999]
            as [UInt16])
    func closes(_ code: UInt16) throws {
        let raw = try open()
        raw.send(TCPSocket.bytes(8, WireFrame.close(code, Array("bye".utf8)).payload))
        #expect(raw.readFrames().map(\.closeCode) == [code])
        #expect(test.handler.nextClosed()?.code == code)
    }

    @Test("a close without a code is answered, and nothing after a close is looked at")
    func closeWithoutCode() throws {
        let raw = try open()
        raw.send(TCPSocket.bytes(8, []) + TCPSocket.bytes(1, Array("late".utf8)))
        let frames = raw.readFrames()
        #expect(frames.map(\.opcode) == [8])
        #expect(frames.first?.closeCode == nil || frames.first?.closeCode == 1000)
    }

    @Test(
        "a close with half a code, or a code that may not be sent, fails with 1002",
        arguments: [
            [3], [0, 0], [3, 231], [3, 236], [3, 237], [3, 238], [3, 248], [4, 76], [7, 208],
            [11, 183], [19, 136], [255, 255],
        ] as [[UInt8]])
    func badClose(_ payload: [UInt8]) throws {
        let raw = try open()
        raw.send(TCPSocket.bytes(8, payload))
        #expect(fails(raw, 1002))
    }

    @Test("a reason that is not UTF-8 fails with 1007")
    func badReason() throws {
        let raw = try open()
        raw.send(TCPSocket.bytes(8, [3, 232, 0xC3, 0x28]))
        #expect(fails(raw, 1007))
    }

    @Test("a message that is cut off by a close is dropped")
    func closeBetween() throws {
        let raw = try open()
        raw.send(TCPSocket.bytes(1, [0x61], isFinal: false))
        raw.send(TCPSocket.bytes(8, WireFrame.close(1000).payload))
        #expect(raw.readFrames() == [.close(1000)])
    }
}
