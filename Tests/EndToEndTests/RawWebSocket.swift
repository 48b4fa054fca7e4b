import SceneTestSupport

/// A WebSocket connection that sends and receives text as it is; for handshakes with headers of the
/// test's choice.
final class RawWebSocket {
    private let socket: TCPSocket
    private var buffer: [UInt8] = []

    init?(port: Int, path: String, subprotocols: String, headers: String = "") {
        let host = headers.contains("Host:") ? "" : "Host: localhost\r\n"
        guard let socket = TCPSocket(port: port) else { return nil }
        self.socket = socket
        write(
            Array(
                ("GET \(path) HTTP/1.1\r\n\(host)Upgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Protocol: \(subprotocols)\r\n\(headers)\r\n").utf8))
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard let byte = take(1)?.first else { return nil }
            head.append(byte)
        }
        guard head.starts(with: Array("HTTP/1.1 101".utf8)) else { return nil }
    }

    /// A hello without a token.
    static func hello(_ role: String) -> String {
        #"{"type":"hello","capabilities":0,"token":"","room":"","role":"\#(role)","unitsPerPoint":0,"roots":[],"frameRateMaximum":0}"#
    }

    /// What a frame is, by RFC 6455, section 11.8.
    enum Opcode: UInt8 {
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10
    }

    /// Sends a text of fewer than 65,536 bytes.
    func send(_ text: String) { send(.text, Array(text.utf8)) }

    /// Sends an unfragmented message, or a control frame, of fewer than 65,536 bytes.
    func send(_ opcode: Opcode, _ bytes: [UInt8]) {
        let count = bytes.count
        let length =
            count < 126 ? [UInt8(count)] : [126, UInt8(count >> 8), UInt8(count & 0xFF)]
        // A mask of zeros leaves the payload as it is.
        let mask: [UInt8] = [0, 0, 0, 0]
        write([0x80 | opcode.rawValue, 0x80 | length[0]] + length.dropFirst() + mask + bytes)
    }

    /// The payload of the next frame as text; `nil` when the connection ends.
    func read() -> String? {
        readFrame().map { String(decoding: $0.payload, as: UTF8.self) }
    }

    /// The next frame; `nil` when the connection ends, or nothing comes for 20 seconds.
    func readFrame() -> (opcode: UInt8, payload: [UInt8])? {
        guard let head = take(2) else { return nil }
        var length = Int(head[1] & 0x7F)
        if length >= 126 {
            guard let more = take(length == 126 ? 2 : 8) else { return nil }
            length = more.reduce(0) { $0 << 8 | Int($1) }
        }
        return take(length).map { (head[0] & 0x0F, $0) }
    }

    /// Sends bytes as they are.
    func write(_ bytes: [UInt8]) {
        socket.send(bytes)
    }

    private func take(_ count: Int) -> [UInt8]? {
        while buffer.count < count {
            let piece = socket.receive()
            guard !piece.isEmpty else { return nil }
            buffer += piece
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }
}
