import FoundationEssentials
import Glibc
import SceneClientSession
import SceneWire

/// One member of a load: a socket that does not block, the WebSocket frames on it, and as much of
/// the protocol as it takes to stay in step. It keeps no mirror: thousands of them have to fit
/// beside the server that they try.
final class LoadConnection {
    enum Stage {
        case connecting
        case shakingHands
        case greeting
        case joined
        case ended
    }

    /// Events of the connection that a load counts.
    enum Arrival {
        case welcome
        case snapshot
        case frame(tick: UInt64)
        case result(OpsResult)
        case ended(code: UInt32)
    }

    let index: Int
    let room: Int
    let isEditor: Bool
    /// The server, as requests name it.
    private let host: String
    let descriptor: Int32
    var stage = Stage.connecting
    /// Whether it has had a whole scene.
    var hasScene = false
    /// Whether the load ends it on purpose.
    var isLeaving = false
    /// The sequence of the next ops, and when those without a result were sent.
    var nextSequence: UInt64 = 1
    var sentAt: [UInt64: UInt64] = [:]
    private(set) var bytesReceived = 0
    private(set) var lastTick: UInt64 = 0
    private var acknowledgements = AcknowledgementCounter()
    private var incoming: [UInt8] = []
    private var outgoing: [UInt8] = []
    private var errorCode: UInt32?

    init(index: Int, room: Int, isEditor: Bool, host: String, descriptor: Int32) {
        self.index = index
        self.room = room
        self.isEditor = isEditor
        self.host = host
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Whether bytes wait for the socket.
    var hasOutgoing: Bool { !outgoing.isEmpty }

    // MARK: Sending

    func shakeHands(room: String) {
        stage = .shakingHands
        write(
            Array(
                ("GET /\(room) HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Protocol: scenesync.v1.bin\r\n\r\n").utf8))
    }

    func send(_ message: ClientMessage) {
        var payload: [UInt8] = []
        message.encode(to: &payload)
        frame(2, payload)
    }

    /// A frame with a mask of zeros, which leaves its payload as it is.
    private func frame(_ opcode: UInt8, _ payload: [UInt8]) {
        var bytes: [UInt8] = [0x80 | opcode]
        switch payload.count {
        case ..<126: bytes.append(0x80 | UInt8(payload.count))
        case ..<65_536: bytes += [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default:
            bytes.append(0xFF)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
            }
        }
        write(bytes + [0, 0, 0, 0] + payload)
    }

    private func write(_ bytes: [UInt8]) {
        outgoing += bytes
        flush()
    }

    /// Sends bytes that wait, as far as the socket takes them.
    func flush() {
        guard !outgoing.isEmpty else { return }
        let sent = Glibc.send(
            descriptor, outgoing, outgoing.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        if sent == outgoing.count {
            outgoing.removeAll(keepingCapacity: outgoing.count < 4096)
        } else if sent > 0 {
            outgoing.removeFirst(sent)
        }
    }

    // MARK: Receiving

    /// Reads the bytes that have come. `buffer` is lent, so that thousands share one.
    func receive(_ buffer: inout [UInt8], _ tell: (Arrival) -> Void) {
        while stage != .ended {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            guard count > 0 else { return end(errorCode ?? 1006, tell) }
            bytesReceived += count
            incoming += buffer[..<count]
            parse(tell)
            if count < buffer.count { return }
        }
    }

    private func end(_ code: UInt32, _ tell: (Arrival) -> Void) {
        guard stage != .ended else { return }
        stage = .ended
        tell(.ended(code: code))
    }

    private func parse(_ tell: (Arrival) -> Void) {
        var start = 0
        if stage == .shakingHands {
            guard let head = incoming.firstRange(of: [13, 10, 13, 10]) else { return }
            guard incoming.starts(with: Array("HTTP/1.1 101".utf8)) else {
                return end(statusCode(), tell)
            }
            start = head.upperBound
            stage = .greeting
            tell(.welcome)
        }
        while stage != .ended, let next = frame(at: start) {
            take(next.opcode, incoming[next.payload], tell)
            start = next.payload.upperBound
        }
        incoming.removeFirst(min(start, incoming.count))
    }

    /// The HTTP status of a refused handshake.
    private func statusCode() -> UInt32 {
        UInt32(String(decoding: incoming.prefix(12).suffix(3), as: UTF8.self)) ?? 1006
    }

    private func frame(at start: Int) -> (opcode: UInt8, payload: Range<Int>)? {
        guard incoming.count >= start + 2 else { return nil }
        var length = Int(incoming[start + 1] & 0x7F)
        var place = start + 2
        if length >= 126 {
            let size = length == 126 ? 2 : 8
            guard incoming.count >= place + size else { return nil }
            length = incoming[place..<place + size].reduce(0) { $0 << 8 | Int($1) }
            place += size
        }
        guard length >= 0, length < 1 << 30, incoming.count >= place + length else { return nil }
        return (incoming[start] & 0x0F, place..<place + length)
    }

    private func take(_ opcode: UInt8, _ payload: ArraySlice<UInt8>, _ tell: (Arrival) -> Void) {
        switch opcode {
        case 8:
            let code = payload.prefix(2).reduce(0) { $0 << 8 | UInt32($1) }
            frame(8, Array(payload))
            end(payload.count >= 2 ? code : 1005, tell)
        case 9: frame(10, Array(payload))
        case 2: takeMessage(payload, tell)
        default: break
        }
    }

    private func takeMessage(_ payload: ArraySlice<UInt8>, _ tell: (Arrival) -> Void) {
        switch payload.first {
        case 0x41:
            guard case .welcome(let welcome)? = try? ServerMessage.decode(Array(payload)) else {
                return
            }
            acknowledgements = AcknowledgementCounter(welcome.limits)
        case 0x43:
            guard case .frame(let frame)? = try? ServerMessage.decode(Array(payload)),
                let tick = frame.tick(after: lastTick)
            else { return resynchronise() }
            lastTick = tick
            if acknowledgements.countFrame() { acknowledge() }
            tell(.frame(tick: tick))
        case 0x42:
            stage = .joined
            guard let message = try? ServerMessage.decode(Array(payload)),
                case .snapshot(let snapshot) = message
            else { return }
            lastTick = snapshot.tick
            if snapshot.chunkIndex + 1 == snapshot.chunkCount {
                acknowledge()
                // As if they had come one after another, at different ticks: not all acknowledge
                // the same ones.
                acknowledgements.restart(at: index % acknowledgements.interval)
                tell(.snapshot)
            }
        case 0x48:
            if case .result(let result)? = try? ServerMessage.decode(Array(payload)) {
                tell(.result(result))
            }
        case 0x49:
            if case .error(let error)? = try? ServerMessage.decode(Array(payload)) {
                errorCode = error.code
            }
        default: break
        }
    }

    private func acknowledge() {
        acknowledgements.restart()
        var ack = Ack()
        ack.tick = lastTick
        send(.ack(ack))
    }

    /// Asks for the scene after a frame that makes no sense here; it counts as missed.
    private func resynchronise() {
        var resync = Resync()
        resync.tick = lastTick
        send(.resync(resync))
    }
}
