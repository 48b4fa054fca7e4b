import Dispatch
import Glibc
import SceneWire
import WebSocketTransport

/// The server's side of one connection, frame by frame. RFC 6455, section 5.2.
final class RawConnection {
    /// A frame of the client, its payload unmasked.
    struct Frame {
        var isFinal: Bool
        var opcode: UInt8
        var payload: [UInt8]
    }

    /// Of RFC 6455, section 11.8.
    enum Opcode {
        static let continuation: UInt8 = 0
        static let text: UInt8 = 1
        static let binary: UInt8 = 2
        static let close: UInt8 = 8
        static let ping: UInt8 = 9
        static let pong: UInt8 = 10
    }

    private static let patienceSeconds = ScriptedServer.patienceSeconds

    private(set) var path = ""
    private(set) var format = Subprotocol.binary
    private let socket: Int32
    private var input: [UInt8] = []

    /// Answers the opening handshake; `nil` where that is none, or none of this protocol.
    init?(_ socket: Int32) {
        self.socket = socket
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard head.count < 16_384, let byte = read(1)?.first else { return nil }
            head.append(byte)
        }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        func value(_ name: String) -> String? {
            let line = lines.first { $0.lowercased().hasPrefix(name + ":") }
            return line.map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
        }
        let offered = value("sec-websocket-protocol")?.split { $0 == "," || $0 == " " } ?? []
        guard let key = value("sec-websocket-key"),
            let format = offered.lazy.compactMap({ Subprotocol(rawValue: String($0)) }).first,
            let target = lines.first?.split(separator: " ").dropFirst().first
        else { return nil }
        self.format = format
        path = String(target)
        write(
            Array(
                ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: \(webSocketAccept(key: key))\r\n"
                    + "Sec-WebSocket-Protocol: \(format.rawValue)\r\n\r\n").utf8))
    }

    deinit { close(socket) }

    // MARK: Sending

    /// The opcode of messages in this connection's format.
    var messageOpcode: UInt8 { format == .binary ? Opcode.binary : Opcode.text }

    /// Sends a frame.
    ///
    /// - Parameter bits: The first byte without the opcode: 0x80 for the last frame of a message.
    func send(_ opcode: UInt8, _ payload: [UInt8], bits: UInt8 = 0x80) {
        var bytes = [bits | opcode]
        switch payload.count {
        case ..<126: bytes.append(UInt8(payload.count))
        case ..<65536:
            bytes += [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default:
            bytes.append(127)
            bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) }
        }
        write(bytes + payload)
    }

    func send(_ message: ServerMessage) { send(messageOpcode, message.encoded(as: format)) }

    /// Ends the connection, and waits for the client's end of it.
    func end(_ code: UInt16) {
        send(Opcode.close, [UInt8(code >> 8), UInt8(code & 0xFF)])
        shutdown(socket, Int32(SHUT_WR))
        while readFrame() != nil {}
    }

    private func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            // A client that has gone is found by the next read.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    // MARK: Receiving

    /// The client's next frame; `nil` at the end of the connection, and where none comes in time.
    func readFrame() -> Frame? {
        guard let head = read(2) else { return nil }
        var length = Int(head[1] & 0x7F)
        if length >= 126 {
            guard let bytes = read(length == 126 ? 2 : 8) else { return nil }
            length = bytes.reduce(0) { $0 &<< 8 | Int($1) }
        }
        guard 0...(1 << 20) ~= length, let mask = read(head[1] & 0x80 == 0 ? 0 : 4),
            let payload = read(length)
        else { return nil }
        return Frame(
            isFinal: head[0] & 0x80 != 0, opcode: head[0] & 0x0F,
            payload: mask.isEmpty
                ? payload : payload.enumerated().map { $1 ^ mask[$0 & 3] })
    }

    /// The next frame with an opcode; others are passed over.
    func wait(_ opcode: UInt8, _ what: String) throws -> Frame {
        let deadline = Self.now + Self.patienceSeconds
        while Self.now < deadline, let frame = readFrame() {
            if frame.opcode == opcode { return frame }
        }
        throw ScriptedServer.Failure(text: "the client sent no \(what)")
    }

    /// The next message that `pick` takes.
    func wait<Value>(_ what: String, _ pick: (ClientMessage) -> Value?) throws -> Value {
        let deadline = Self.now + Self.patienceSeconds
        while Self.now < deadline {
            let bytes = try wait(messageOpcode, what).payload
            let message =
                try format == .binary
                ? ClientMessage.decode(bytes) : ClientMessage.decode(json: bytes)
            if let value = pick(message) { return value }
        }
        throw ScriptedServer.Failure(text: "the client sent no \(what)")
    }

    private func read(_ count: Int) -> [UInt8]? {
        let deadline = Self.now + Self.patienceSeconds
        while input.count < count {
            guard Self.isReadable(socket, until: deadline) else { return nil }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let got = recv(socket, &buffer, buffer.count, 0)
            guard got > 0 else { return nil }
            input += buffer[..<got]
        }
        defer { input.removeFirst(count) }
        return Array(input[..<count])
    }

    /// The time in seconds.
    static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    /// Waits until something can be read; false where that takes beyond a time.
    static func isReadable(_ socket: Int32, until deadline: Double) -> Bool {
        var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        let milliseconds = max(0, (deadline - now) * 1000)
        return poll(&waiting, 1, Int32(milliseconds)) > 0
    }
}
