import Foundation
import Logging
import SceneProtocol
import SceneSession
import SceneStore
import Synchronization
import Testing

@testable import SceneServer

@Suite("The thread of the scenes", .timeLimit(.minutes(1)))
struct SceneThreadTests {
    /// What a thread does with the world, noted down.
    private final class World: Sendable {
        struct Notes {
            var thread: SceneThread?
            /// Everybody who was sent something, in order.
            var receivers: [MemberID] = []
            var records: [RoomRecord] = []
            /// How long it takes to let somebody in, in nanoseconds.
            var admissionNanoseconds: UInt64 = 0
            var tokens = 0
        }

        let notes = Mutex(Notes())
        let opened = DispatchSemaphore(value: 0)

        var outlets: SceneThread.Outlets {
            SceneThread.Outlets(
                send: { _, _, members in self.notes.withLock { $0.receivers += members } },
                close: { _, _, _ in },
                append: { entry in
                    self.notes.withLock { notes in
                        notes.records.append(entry)
                        notes.thread?.post(
                            .store(.durable(room: entry.room, through: entry.record.sequence)))
                    }
                },
                load: { room, document in
                    self.notes.withLock { notes in
                        let records = notes.records.filter { $0.room == room }.map(\.record)
                        notes.thread?.post(.loaded(room: room, .success(records), document))
                    }
                },
                loadHistory: { _, _, _ in }, delete: { _, done in done(nil) },
                sceneLimits: { SceneLimits() },
                makeToken: {
                    let (count, work) = self.notes.withLock { notes in
                        notes.tokens += 1
                        return (notes.tokens, notes.admissionNanoseconds)
                    }
                    let end = DispatchTime.now().uptimeNanoseconds + work
                    while DispatchTime.now().uptimeNanoseconds < end {}
                    return "token-\(count)"
                }, opened: { _, _ in self.opened.signal() })
        }

        func makeThread(freezeSeconds: Int = 5, unloadSeconds: Int = 600) -> SceneThread {
            var options = SessionOptions()
            options.freezeSeconds = freezeSeconds
            let thread = SceneThread(
                tickRate: 60, unloadSeconds: unloadSeconds, sessionOptions: options,
                outlets: outlets, metrics: ServerMetrics(),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            notes.withLock { $0.thread = thread }
            return thread
        }

        func waitUntil(_ condition: (Notes) -> Bool) {
            while !notes.withLock({ condition($0) }) { sched_yield() }
        }
    }

    private func document() throws -> SceneDocument {
        try SceneDocument.parse(
            Array(
                """
                {"scene": 1, "viewport": {"width": 400, "height": 200}, "views": [{"id": "bar"}],
                 "constraints": ["bar.left == root.left", {"id": "w", "rule": "bar.width == 100"}]}
                """.utf8))
    }

    private func applicant() -> SceneThread.Applicant {
        var hello = Hello()
        hello.role = .editor
        return SceneThread.Applicant(
            role: .editor, makesRooms: true, format: .binary, hello: hello)
    }

    @Test("a crowd that comes at once does not hold up the ticks of those who are there")
    func crowd() throws {
        let world = World()
        let thread = world.makeThread()
        thread.run()
        thread.post(.open(room: "r", try document()))
        world.opened.wait()
        let editor = MemberID(1)
        thread.post(.join(room: "r", editor, applicant()))
        // Ten seconds in which each tick has something to tell.
        var ops = Ops()
        ops.clientSequence = 1
        ops.ops = try JSONReader.read(
            Array(
                #"[{"op":"animate","duration":10,"ops":[{"op":"setConstraint","id":"w","constant":4000},{"op":"layoutIfNeeded"}]}]"#
                    .utf8))
        thread.post(.message(room: "r", editor, .ops(ops)))
        world.waitUntil { $0.receivers.filter { $0 == editor }.count > 5 }
        // Two tokens each: the crowd takes at least 300 × 2 ms.
        world.notes.withLock { notes in
            notes.admissionNanoseconds = 1_000_000
            notes.receivers = []
        }
        let crowd = (10..<310).map { MemberID(UInt64($0)) }
        for id in crowd {
            thread.post(.join(room: "r", id, applicant()))
            var ack = Ack()
            ack.tick = .max
            thread.post(.message(room: "r", editor, .ack(ack)))
        }
        world.waitUntil { $0.receivers.contains(crowd[299]) }
        let receivers = world.notes.withLock { $0.receivers }
        thread.stop()
        let last = try #require(receivers.firstIndex(of: crowd[299]))
        // 0.6 seconds are 36 ticks; how many of them come late is the machine's doing.
        #expect(receivers[..<last].filter { $0 == editor }.count >= 10)
        // Nobody is let in before those who came earlier.
        let first = crowd.compactMap { receivers.firstIndex(of: $0) }
        #expect(first.count == crowd.count)
        #expect(first == first.sorted())
    }

    @Test("a room at rest is frozen, and is there for the next who comes")
    func rest() throws {
        let world = World()
        let thread = world.makeThread(freezeSeconds: 1)
        thread.run()
        thread.post(.open(room: "r", try document()))
        world.opened.wait()
        let isFrozen = Mutex(false)
        func look() -> Bool {
            let done = DispatchSemaphore(value: 0)
            thread.post(
                .administer(room: "r", .list) { _ in
                    // On the thread itself, where its rooms may be looked at.
                    let frozen = thread.rooms["r"]?.session.isFrozen ?? false
                    isFrozen.withLock { $0 = frozen }
                    done.signal()
                })
            done.wait()
            return isFrozen.withLock { $0 }
        }
        while !look() { sched_yield() }
        let editor = MemberID(1)
        thread.post(.join(room: "r", editor, applicant()))
        world.waitUntil { $0.receivers.contains(editor) }
        #expect(look())
        var ops = Ops()
        ops.clientSequence = 1
        ops.ops = try JSONReader.read(
            Array(#"[{"op":"setConstraint","id":"w","constant":50}]"#.utf8))
        thread.post(.message(room: "r", editor, .ops(ops)))
        world.waitUntil { $0.records.count == 2 }
        thread.stop()
    }
}
