import Foundation
import SceneTestSupport

@testable import WebSocketTransport

/// A frame as it stands on the wire. RFC 6455, section 5.2.
struct WireFrame: Equatable, CustomStringConvertible {
    var isFinal = true
    var reserved: UInt8 = 0
    var opcode: UInt8
    var isMasked = false
    var payload: [UInt8]

    var description: String {
        "\(isFinal ? "" : "unfinished ")\(opcode)\(payload.count > 40 ? "[\(payload.count) bytes]" : "\(payload)")"
    }

    /// The code of a close frame.
    var closeCode: UInt16? {
        guard opcode == 8, payload.count >= 2 else { return nil }
        return UInt16(payload[0]) << 8 | UInt16(payload[1])
    }

    static func text(_ text: String) -> WireFrame {
        WireFrame(opcode: 1, payload: Array(text.utf8))
    }

    static func close(_ code: UInt16, _ reason: [UInt8] = []) -> WireFrame {
        WireFrame(opcode: 8, payload: [UInt8(code >> 8), UInt8(code & 0xFF)] + reason)
    }
}

extension TCPSocket {
    /// A connection whose opening handshake is done.
    static func open(_ port: Int) -> TCPSocket? {
        guard let raw = TCPSocket(port: port), raw.handshake().hasPrefix("HTTP/1.1 101") else {
            return nil
        }
        return raw
    }

    /// The next frame; `nil` when the connection ended or nothing comes any more.
    func readFrame() -> WireFrame? {
        let head = read(upTo: 2)
        guard head.count == 2 else { return nil }
        var length = UInt64(head[1] & 0x7F)
        if length >= 126 {
            let more = read(upTo: length == 126 ? 2 : 8)
            guard more.count == (length == 126 ? 2 : 8) else { return nil }
            length = more.reduce(0) { $0 << 8 | UInt64($1) }
        }
        let isMasked = head[1] & 0x80 != 0
        let mask = isMasked ? read(upTo: 4) : []
        let payload = length == 0 ? [] : read(upTo: Int(length))
        guard UInt64(payload.count) == length else { return nil }
        return WireFrame(
            isFinal: head[0] & 0x80 != 0, reserved: head[0] >> 4 & 7, opcode: head[0] & 0x0F,
            isMasked: isMasked,
            payload: isMasked ? payload.enumerated().map { $1 ^ mask[$0 % 4] } : payload)
    }

    /// Frames until a close, which is answered as section 5.5.1 asks, or the connection's end.
    func readFrames() -> [WireFrame] {
        var frames: [WireFrame] = []
        while let frame = readFrame() {
            frames.append(frame)
            if frame.opcode == 8 {
                send(Self.bytes(8, frame.payload))
                break
            }
        }
        return frames
    }

    /// The bytes of a frame, masked as a client's have to be.
    static func bytes(
        _ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, reserved: UInt8 = 0,
        mask: [UInt8]? = [0xA1, 0x02, 0x93, 0x44], lengthBytes: Int? = nil
    ) -> [UInt8] {
        var bytes = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        let flag: UInt8 = mask == nil ? 0 : 0x80
        let size = lengthBytes ?? (payload.count < 126 ? 1 : payload.count < 65_536 ? 2 : 8)
        switch size {
        case 1: bytes.append(flag | UInt8(payload.count))
        case 2: bytes += [flag | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default:
            bytes.append(flag | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
            }
        }
        guard let mask else { return bytes + payload }
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }
}
