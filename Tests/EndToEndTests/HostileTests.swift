import Foundation
import JSON
import SceneClient
import SceneTestSupport
import SceneWire
import Synchronization
import Testing

/// Clients that mean harm, each kind on a thread of its own, until they are told to stop.
private final class Attackers: Sendable {
    private let isOver = Atomic<Bool>(false)
    private let running = DispatchGroup()
    /// How often each kind was let through its handshake, so that a test can tell that it was
    /// tried.
    let attempts = Mutex<[String: Int]>([:])
    private let port: Int
    private let room: String

    init(port: Int, room: String) {
        self.port = port
        self.room = room
    }

    func stop() {
        isOver.store(true, ordering: .relaxed)
        running.wait()
    }

    /// Connects again and again and does its worst each time.
    func start(_ kind: String, _ attack: @escaping @Sendable (RawWebSocket, inout UInt64) -> Void) {
        let thread = Thread { [self] in
            var seed = UInt64(kind.utf8.reduce(1) { $0 &* 31 &+ UInt64($1) })
            while !isOver.load(ordering: .relaxed) {
                if let socket = RawWebSocket(
                    port: port, path: "/" + room, subprotocols: "scenesync.v1.json")
                {
                    attempts.withLock { $0[kind, default: 0] += 1 }
                    attack(socket, &seed)
                }
                // The server is not optimised here and shares the machine with those who attack it.
                usleep(20_000)
            }
            running.leave()
        }
        running.enter()
        thread.start()
    }

    static func random(_ seed: inout UInt64) -> UInt64 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return seed >> 33
    }

    static func ops(_ list: String, _ sequence: UInt64) -> String {
        #"{"type":"ops","clientSequence":\#(sequence),"baseTick":0,"undoGroup":0,"atomic":false,"ops":\#(list)}"#
    }
}

@Suite("Hostile clients", .serialized)
struct HostileTests {
    @Test("whatever others do, a member's frames are at most one tick later")
    func latency() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        // Long ticks, so that the machine's own unrest is small beside one, and longer ones where
        // all takes ten times as long.
        let tickRate = isSanitized ? 2 : 10
        let server = try ServerProcess(
            ["--in-memory", "--scene", scene, "--tick-rate", String(tickRate)])
        let editor = try Peer(server.url + "/demo", role: .editor)
        let viewer = try Peer(server.url + "/demo")
        #expect(viewer.firstMirror != nil && editor.firstMirror != nil)
        var width = 1000
        /// The least of three medians: whatever else the machine does only adds to it, and a fault
        /// would add to all three.
        func leastMedianMilliseconds() throws -> Double {
            try (0..<3).map { _ in try medianMilliseconds() }.min() ?? .infinity
        }
        func medianMilliseconds() throws -> Double {
            let count = 15
            var times: [Double] = []
            for _ in 0..<count {
                width -= 1
                let begin = DispatchTime.now().uptimeNanoseconds
                _ = try editor.send(
                    #"[{"op":"setConstraint","id":"sidebar-width","constant":\#(width)}]"#)
                try #require(viewer.mirror(where: "sidebar", isWide: Int32(min(width, 640))) != nil)
                times.append(Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e6)
            }
            return times.sorted()[count / 2]
        }
        width = 640
        let calm = try leastMedianMilliseconds()
        let attackers = Attackers(port: server.port, room: "demo")
        startAll(attackers)
        let attacked = try leastMedianMilliseconds()
        attackers.stop()
        #expect(
            attacked <= calm + Double(1000 / tickRate), "calm \(calm) ms, attacked \(attacked) ms")
        let attempts = attackers.attempts.withLock { $0 }
        for kind in ["noise", "ops", "nesting", "flood", "fragments", "deaf"] {
            #expect(attempts[kind] ?? 0 > 0, "\(kind) was never tried")
        }
        // And everybody of them is gone again.
        #expect(server.process.isRunning)
        #expect(editor.result(1) == .committed(Commit()))
    }

    private func startAll(_ attackers: Attackers) {
        attackers.start("noise") { socket, seed in
            socket.write((0..<5000).map { _ in UInt8(truncatingIfNeeded: Attackers.random(&seed)) })
        }
        attackers.start("ops") { socket, seed in
            socket.send(RawWebSocket.hello("editor"))
            let kinds = [
                "addView", "removeView", "setConstraint", "addConstraint", "setViewport", "animate",
                "moveView", "setNeedsLayout", "layoutIfNeeded", "nothing",
            ]
            let names = ["sidebar-x", "title-x", "", "root", "\\u0000", "other"]
            for sequence in 1...50 as ClosedRange<UInt64> {
                let kind = kinds[Int(Attackers.random(&seed)) % kinds.count]
                let name = names[Int(Attackers.random(&seed)) % names.count]
                let number = Int(Attackers.random(&seed)) - 1 << 30
                let op =
                    #"{"op":"\#(kind)","id":"\#(name)","constant":\#(number),"rule":"\#(name).width == \#(number)"}"#
                socket.send(Attackers.ops("[\(op),\(op),\(op)]", sequence))
            }
        }
        attackers.start("nesting") { socket, _ in
            socket.send(RawWebSocket.hello("editor"))
            let deep =
                String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
            socket.send(Attackers.ops(deep, 1))
            _ = socket.read()
        }
        attackers.start("flood") { socket, _ in
            socket.send(RawWebSocket.hello("viewer"))
            for _ in 0..<3000 { socket.send(#"{"type":"ping","t0":1}"#) }
            for sequence in 1...3000 as ClosedRange<UInt64> {
                socket.send(Attackers.ops(#"[{"op":"setNeedsLayout"}]"#, sequence))
            }
        }
        attackers.start("fragments") { socket, _ in
            for _ in 0..<200 { socket.write([0x01, 0x80, 0, 0, 0, 0, 0x00, 0x80, 0, 0, 0, 0]) }
        }
        attackers.start("deaf") { socket, _ in
            // Asks for everything and reads nothing.
            socket.send(RawWebSocket.hello("viewer"))
            for _ in 0..<100 {
                socket.send(#"{"type":"resync","tick":0,"hash":"0000000000000000"}"#)
            }
        }
    }

    @Test(
        "when descriptors run out newcomers are refused, members go on, and afterwards all is as before"
    )
    func descriptors() throws {
        let server = try ServerProcess(["--in-memory"], descriptors: 80)
        let editor = try Peer(server.url + "/room", role: .editor)
        #expect(editor.firstMirror != nil)
        do {
            var open: [RawWebSocket] = []
            for _ in 0..<150 {
                if let socket = RawWebSocket(
                    port: server.port, path: "/room", subprotocols: "scenesync.v1.json")
                {
                    open.append(socket)
                }
            }
            #expect((20..<80).contains(open.count))
            let sequence = try editor.send(#"[{"op":"addView","id":"a"}]"#)
            #expect(editor.result(sequence) == .committed(Commit()))
        }
        let deadline = DispatchTime.now() + 20
        var again: RawWebSocket?
        while again == nil, DispatchTime.now() < deadline {
            again = RawWebSocket(
                port: server.port, path: "/room", subprotocols: "scenesync.v1.json")
        }
        #expect(again != nil)
        #expect(server.metric("scenesync_out_of_descriptors_total") ?? 0 > 0)
    }

    @Test("two thousand come at once and go at once")
    func storm() throws {
        let server = try ServerProcess(["--in-memory"])
        let calm = try Peer(server.url + "/calm", role: .editor)
        #expect(calm.firstMirror != nil)
        let outcome = try Program.run(
            [
                "load", server.url, "--viewers", "2000", "--duration", "2", "--rate", "5", "--json",
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let report = try JSONReader.read(Array(outcome.output.utf8))
        #expect(report["joined"] == .number(2001))
        #expect(report["dropped"] == .number(0) && report["failed"] == .number(0))
        #expect(report["missed"] == .number(0))
        let sequence = try calm.send(#"[{"op":"addView","id":"a"}]"#)
        #expect(calm.result(sequence) == .committed(Commit()))
        let deadline = DispatchTime.now() + 30
        while server.metric("scenesync_members") != 1, DispatchTime.now() < deadline {
            usleep(50_000)
        }
        #expect(server.metric("scenesync_members") == 1)
    }

    @Test("many connections come and go without leaving descriptors behind")
    func noLeaks() throws {
        let server = try ServerProcess(["--in-memory"])
        func cycle(_ count: Int) throws {
            for _ in 0..<count {
                let socket = try #require(
                    RawWebSocket(
                        port: server.port, path: "/room", subprotocols: "scenesync.v1.json"))
                socket.send(RawWebSocket.hello("editor"))
                _ = socket.read()
            }
        }
        try cycle(20)
        let before = server.descriptorCount
        try cycle(300)
        let deadline = DispatchTime.now() + 20
        while server.descriptorCount > before, DispatchTime.now() < deadline { usleep(20_000) }
        #expect(server.descriptorCount <= before)
    }
}
