import Glibc
import SceneWire
import Testing

@testable import LoadGenerator

@Suite("A member of a load")
struct LoadConnectionTests {
    @Test("it follows ticks of all lengths, and acknowledges as the welcome asks")
    func ticks() throws {
        let server = try Server()
        try server.begin(at: 100)
        var ticks: [UInt64] = []
        var tick: UInt64 = 100
        var expected: [UInt64] = []
        for step in [UInt64](repeating: 1, count: 300) + [2, 3, 200, 40_000, 1, 1] {
            server.write(
                .frame(FrameDiff(tick: tick + step, baseTick: tick, durableTick: tick + step)))
            tick += step
            expected.append(tick)
            ticks += server.received()
        }
        #expect(ticks == expected)
        // The first is for the snapshot.
        let everyThird = stride(from: 2, to: expected.count, by: 3).map { expected[$0] }
        #expect(try server.acknowledged() == [100] + everyThird)
    }

    @Test("a frame that was made for another tick is not taken, and the scene is asked for")
    func wrongBase() throws {
        let server = try Server()
        try server.begin(at: 100)
        server.write(.frame(FrameDiff(tick: 111, baseTick: 110, durableTick: 111)))
        #expect(server.received() == [])
        #expect(try server.messages().last == .resync(at(100)))
    }

    private func at(_ tick: UInt64) -> Resync {
        var resync = Resync()
        resync.tick = tick
        return resync
    }
}

/// The other end of a member's socket.
private final class Server {
    let member: LoadConnection
    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        descriptor = ends[0]
        member = LoadConnection(
            index: 0, room: 0, isEditor: false, host: "localhost", descriptor: ends[1])
    }

    deinit { close(descriptor) }

    /// Lets the member in and gives it an empty scene.
    func begin(at tick: UInt64) throws {
        member.shakeHands(room: "room")
        write(Array("HTTP/1.1 101 Switching Protocols\r\n\r\n".utf8))
        _ = received()
        _ = read()
        var welcome = Welcome()
        welcome.limits.unacknowledgedFrames = 13
        write(.welcome(welcome))
        _ = received()
        var snapshot = Snapshot()
        snapshot.tick = tick
        write(.snapshot(snapshot))
        _ = received()
        try #require(member.stage == .joined)
    }

    func write(_ message: ServerMessage) {
        var payload: [UInt8] = []
        message.encode(to: &payload)
        write([0x82, UInt8(payload.count)] + payload)
    }

    private func write(_ bytes: [UInt8]) {
        #expect(Glibc.send(descriptor, bytes, bytes.count, 0) == bytes.count)
    }

    /// The ticks of the frames that the member takes from its socket.
    func received() -> [UInt64] {
        var ticks: [UInt64] = []
        member.receive(&buffer) { if case .frame(let tick) = $0 { ticks.append(tick) } }
        return ticks
    }

    func acknowledged() throws -> [UInt64] {
        try messages().compactMap { if case .ack(let ack) = $0 { ack.tick } else { nil } }
    }

    /// What the member sent since the last call; all its messages are short and masked with zeros.
    func messages() throws -> [ClientMessage] {
        var messages: [ClientMessage] = []
        var rest = read()[...]
        while let length = rest.dropFirst().first {
            let payload = rest.dropFirst(6).prefix(Int(length & 0x7F))
            messages.append(try ClientMessage.decode(Array(payload)))
            rest = rest[payload.endIndex...]
        }
        return messages
    }

    private func read() -> [UInt8] {
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return Array(buffer[..<max(count, 0)])
    }
}
