import Foundation
import SceneTestSupport
import SceneWire
import SeededRandom
import Synchronization
import Testing

/// Members that send what no client should, each on a thread of its own, until the server has dealt
/// with so many messages.
private final class Fuzzers: Sendable {
    /// How many messages go out before the server is asked whether it has dealt with them.
    private static let messagesOfBatch = 16

    private let port: Int
    private let wanted: Int
    private let dealtWith = Atomic<Int>(0)
    private let damaged = Atomic<Int>(0)
    private let connections = Atomic<Int>(0)
    private let failure = Mutex<(any Error)?>(nil)
    private let running = DispatchGroup()

    init(port: Int, messages: Int) {
        self.port = port
        wanted = messages
    }

    /// What the server dealt with: all messages, those of them that were damaged, and the
    /// connections that they came over.
    var counts: (messages: Int, damaged: Int, connections: Int) {
        (
            dealtWith.load(ordering: .relaxed), damaged.load(ordering: .relaxed),
            connections.load(ordering: .relaxed)
        )
    }

    func start(seed: Int) {
        running.enter()
        Thread { [self] in
            do {
                var messages = try FuzzedMessages(seed: seed)
                var random = SplitMix64(seed: UInt64(seed))
                while dealtWith.load(ordering: .relaxed) < wanted {
                    guard try connect(&messages, &random) else { break }
                }
            } catch { failure.withLock { $0 = error } }
            running.leave()
        }.start()
    }

    func wait() throws {
        running.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    /// Comes as a member and sends until the server ends the connection.
    ///
    /// - Returns: Whether there is a server.
    private func connect(
        _ messages: inout FuzzedMessages, _ random: inout SplitMix64
    ) throws -> Bool {
        let format: Subprotocol = random.below(2) == 0 ? .json : .binary
        guard
            let socket = RawWebSocket(
                port: port, path: "/fuzzed\(random.below(3))", subprotocols: format.rawValue)
        else { return false }
        connections.add(1, ordering: .relaxed)
        var hello = Hello()
        hello.role = random.pick(Role.allCases + [.editor, .editor])
        hello.capabilities = random.below(2) == 0 ? 0 : UInt64(random.below(4096))
        let opcode: RawWebSocket.Opcode = format == .json ? .text : .binary
        socket.send(opcode, ClientMessage.hello(hello).encoded(as: format))
        var sequence: UInt64 = 0
        while dealtWith.load(ordering: .relaxed) < wanted {
            var count = 0
            var isDamaged = false
            // What follows a damaged message may never be looked at.
            while count < Self.messagesOfBatch, !isDamaged {
                let message = try messages.next(format, sequence: &sequence)
                socket.send(opcode, message.bytes)
                isDamaged = message.isDamaged
                count += 1
            }
            guard isAlive(socket) else {
                // At least the one that the connection was ended for.
                dealtWith.add(1, ordering: .relaxed)
                if isDamaged { damaged.add(1, ordering: .relaxed) }
                return true
            }
            dealtWith.add(count, ordering: .relaxed)
            if isDamaged { damaged.add(1, ordering: .relaxed) }
        }
        return true
    }

    /// Whether the server answers a ping, which it reads after all that was sent before.
    private func isAlive(_ socket: RawWebSocket) -> Bool {
        socket.send(.ping, [])
        while let frame = socket.readFrame() {
            if frame.opcode == RawWebSocket.Opcode.close.rawValue { return false }
            if frame.opcode == RawWebSocket.Opcode.pong.rawValue { return true }
        }
        return false
    }
}

@Suite("Messages of broken and hostile clients, to a running server", .serialized)
struct LiveFuzzTests {
    private static let messages = 4000 * Soak.factor

    @Test("end no process, leave others served, and rooms that open again")
    func live() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let arguments = [
            "--data", scratch.path + "/data", "--scene", scene,
            "--max-messages-per-second", "1000000", "--max-ops-per-second", "1000000",
            "--max-other-messages-per-second", "1000000", "--max-bytes-per-second", "1000000000",
        ]
        let server = try ServerProcess(arguments, log: scratch.path + "/server.log")
        let calm = try Peer(server.url + "/demo", role: .editor)
        #expect(calm.firstMirror != nil)
        // A room that nobody filled is not kept, and these have to come back.
        for room in 0..<3 {
            let maker = try Peer(server.url + "/fuzzed\(room)", role: .editor)
            let sequence = try maker.send(#"[{"op":"addView","id":"kept"}]"#)
            #expect(maker.result(sequence) == .committed(Commit()))
        }
        let fuzzers = Fuzzers(port: server.port, messages: Self.messages)
        for seed in 1...4 { fuzzers.start(seed: seed) }
        var answered = 0
        var width: Int32 = 100
        while fuzzers.counts.messages < Self.messages, server.process.isRunning {
            width = 100 + (width - 99) % 400
            let sequence = try calm.send(
                #"[{"op":"setConstraint","id":"sidebar-width","constant":\#(width)}]"#)
            guard calm.result(sequence) == .committed(Commit()) else { break }
            answered += 1
        }
        try fuzzers.wait()
        let counts = fuzzers.counts
        let log = try String(contentsOfFile: scratch.path + "/server.log", encoding: .utf8)
        try #require(server.process.isRunning, "\(log.suffix(4000))")
        #expect(counts.messages >= Self.messages && answered > 0)
        #expect(counts.damaged > Self.messages / 100 && counts.connections > 4)
        #expect(!log.contains(" critical "), "\(log.suffix(4000))")

        // What they made of the rooms is read back.
        server.kill()
        let again = try ServerProcess(arguments, log: scratch.path + "/again.log")
        #expect(try Peer(again.url + "/demo").mirror(where: "sidebar", isWide: width) != nil)
        for room in 0..<3 {
            let viewer = try Peer(again.url + "/fuzzed\(room)")
            let isShown = viewer.firstMirror != nil
            let log = try String(contentsOfFile: scratch.path + "/again.log", encoding: .utf8)
            #expect(
                isShown,
                "room \(room): \(viewer.endCode.map(String.init) ?? "open"), \(viewer.failureText ?? ""), \(log.suffix(4000))"
            )
        }
    }
}
