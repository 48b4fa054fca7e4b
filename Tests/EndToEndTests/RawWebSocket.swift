import Foundation
import SceneTestSupport

/// A WebSocket connection that speaks text and has no opinion of what is said; for handshakes with headers of one's
/// own.
final class RawWebSocket {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init?(port: Int, path: String, subprotocols: String, headers: String = "") {
        guard let descriptor = connectToLoopback(port: port, timeoutSeconds: 20) else { return nil }
        self.descriptor = descriptor
        write(
            Array(
                ("GET \(path) HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Protocol: \(subprotocols)\r\n\(headers)\r\n").utf8))
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard let byte = take(1)?.first else { return nil }
            head.append(byte)
        }
        guard head.starts(with: Array("HTTP/1.1 101".utf8)) else { return nil }
    }

    deinit { Glibc.close(descriptor) }

    /// A hello without a token.
    static func hello(_ role: String) -> String {
        #"{"type":"hello","capabilities":0,"token":"","room":"","role":"\#(role)","unitsPerPoint":0,"roots":[],"frameRateMaximum":0}"#
    }

    /// Sends a text of fewer than 65,536 bytes.
    func send(_ text: String) {
        let bytes = Array(text.utf8)
        // A mask of zeros leaves the payload as it is.
        write(
            [0x81, 0x80 | 126, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF), 0, 0, 0, 0]
                + bytes)
    }

    /// The payload of the next frame as text; `nil` when the connection ends.
    func read() -> String? {
        guard let head = take(2) else { return nil }
        var length = Int(head[1] & 0x7F)
        if length >= 126 {
            guard let more = take(length == 126 ? 2 : 8) else { return nil }
            length = more.reduce(0) { $0 << 8 | Int($1) }
        }
        return take(length).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Sends bytes as they are.
    func write(_ bytes: [UInt8]) {
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    private func take(_ count: Int) -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: 65_536)
        while buffer.count < count {
            let got = recv(descriptor, &piece, piece.count, 0)
            guard got > 0 else { return nil }
            buffer += piece.prefix(got)
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }
}
