import Foundation
import JSON
import Logging
import SceneDocument
import SceneSession
import SceneStore
import SceneWire
import Synchronization
import Testing
import Threads

@testable import SceneServer

@Suite("The thread of the scenes", .timeLimit(.minutes(5)))
struct SceneThreadTests {
    /// The rest of a server around a scene thread, which notes what the thread does with it.
    private final class World: MemberConnections, RoomJournal {
        struct Notes {
            /// Members that were sent something, in order.
            var receivers: [MemberID] = []
            var records: [RoomRecord] = []
            /// The hash with which the room is handed over to this process.
            var handedOver: UInt64?
            /// What the room told when it was held.
            var held: [UInt64] = []
            /// Nanoseconds that it takes to make a token.
            var tokenNanoseconds: UInt64 = 0
            var tokens = 0
            /// The names that rooms were to be given.
            var renamings: [String] = []
        }

        let notes = Mutex(Notes())
        let metrics = ServerMetrics()
        let openings = RoomOpenings()
        let rooms = RoomDirectory(threads: 1, tickRate: 60)

        func makeThread(freezeSeconds: Int = 5, unloadSeconds: Int = 600) -> SceneThread {
            var configuration = SceneLoop.Configuration(
                connections: self, journal: self,
                settings: ServerSettings(ServerLimits(), nil), openings: openings,
                metrics: metrics,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            configuration.session.freezeSeconds = freezeSeconds
            configuration.unloadSeconds = unloadSeconds
            configuration.makeToken = { self.makeToken() }
            return SceneThread(rooms.mailboxes[0], configuration)
        }

        func post(_ mail: RoomMail) { rooms.post(mail, to: "r") }

        func waitUntil(_ condition: (Notes) -> Bool) {
            while !notes.withLock({ condition($0) }) { sched_yield() }
        }

        private func makeToken() -> String {
            let (count, work) = notes.withLock { notes in
                notes.tokens += 1
                return (notes.tokens, notes.tokenNanoseconds)
            }
            let end = DispatchTime.now().uptimeNanoseconds + work
            while DispatchTime.now().uptimeNanoseconds < end {}
            return "token-\(count)"
        }

        func send(_ payloads: [[UInt8]], _ format: Subprotocol, to members: [MemberID]) {
            notes.withLock { $0.receivers += members }
        }

        func close(_ member: MemberID, _ code: CloseCode, reason: String) {}

        func append(_ entries: [RoomRecord]) {
            guard let last = entries.last else { return }
            notes.withLock { $0.records += entries }
            post(.store(.durable(room: last.room, through: last.record.sequence)))
        }

        func prove(_ room: String, then mail: RoomMail) { rooms.post(mail, to: room) }

        func load(_ room: String, from tick: UInt64?) {
            let records = notes.withLock { notes in
                notes.records.filter { $0.room == room }.map(\.record)
            }
            if let hash = notes.withLock({ $0.handedOver }) {
                post(.handedOver(hash))
            }
            post(.loaded(.success(records)))
        }

        func hold(_ room: String, at hash: UInt64) { notes.withLock { $0.held.append(hash) } }

        func loadHistory(of room: String, for member: MemberID, tick: UInt64) {}

        func rename(
            _ room: String, to name: String, then mail: @escaping @Sendable (RoomReply) -> RoomMail
        ) {
            notes.withLock { $0.renamings.append(name) }
            rooms.post(mail(.failed("disk full")), to: room)
        }

        func delete(_ room: String, _ done: @escaping @Sendable (_ failure: String?) -> Void) {
            notes.withLock { $0.records.removeAll { $0.room == room } }
            done(nil)
        }

        /// The reply to an administrator's request.
        func ask(_ request: RoomRequest) -> RoomReply {
            let reply = Monitor<RoomReply?>(nil)
            post(
                .administer(request) { answer in
                    reply.withLock { $0 = answer }
                    reply.wake()
                })
            return reply.wait { reply, _ in reply.map { .finish($0) } ?? .wait }
        }

        /// The room as a list of rooms shows it; `nil` where it is not in memory.
        func summary() -> RoomSummary? {
            let found = Monitor<[RoomSummary]?>(nil)
            rooms.mailboxes[0].post(
                .list { summaries in
                    found.withLock { $0 = summaries }
                    found.wake()
                })
            return found.wait { found, _ in found.map { .finish($0.first) } ?? .wait }
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

    /// Ten seconds in which each tick has something to tell.
    private func animation() throws -> Ops {
        var ops = Ops()
        ops.clientSequence = 1
        ops.ops = try JSONReader.read(
            Array(
                #"[{"op":"animate","duration":10,"ops":[{"op":"setConstraint","id":"w","constant":4000},{"op":"layoutIfNeeded"}]}]"#
                    .utf8))
        return ops
    }

    private func applicant() -> Applicant {
        var hello = Hello()
        hello.role = .editor
        return Applicant(
            role: .editor, makesRooms: true, format: .binary, hello: hello)
    }

    @Test(
        "a room that is held tells the state of its journal, against which its receiver holds what it comes to",
        arguments: [true, false])
    func handOver(isEqual: Bool) throws {
        let former = World()
        let thread = former.makeThread()
        thread.start()
        former.post(.open(try document()))
        #expect(former.openings.wait(for: "r") == nil)
        let editor = MemberID(1)
        former.post(.member(.join(editor, applicant())))
        former.post(.member(.message(editor, .ops(try animation()))))
        former.waitUntil { $0.receivers.filter { $0 == editor }.count > 5 }
        former.post(.store(.held(room: "r", true)))
        former.waitUntil { !$0.held.isEmpty }
        // What it told is not what it shows, which moves on.
        let (hash, records) = former.notes.withLock { ($0.held[0], $0.records) }
        #expect(records.count == 2 && former.summary()?.hash != hash)
        thread.stop()

        let receiver = World()
        receiver.notes.withLock { notes in
            notes.records = records
            notes.handedOver = isEqual ? hash : hash &+ 1
        }
        let next = receiver.makeThread()
        next.start()
        receiver.post(.member(.join(editor, applicant())))
        receiver.waitUntil { $0.receivers.contains(editor) }
        next.stop()
        #expect(receiver.metrics.handOversEqual.value == (isEqual ? 1 : 0))
        #expect(receiver.metrics.handOversDifferent.value == (isEqual ? 0 : 1))
    }

    @Test("a crowd that comes at once does not hold up the ticks of those who are there")
    func crowd() throws {
        let world = World()
        let thread = world.makeThread()
        thread.start()
        world.post(.open(try document()))
        #expect(world.openings.wait(for: "r") == nil)
        let editor = MemberID(1)
        world.post(.member(.join(editor, applicant())))
        world.post(.member(.message(editor, .ops(try animation()))))
        world.waitUntil { $0.receivers.filter { $0 == editor }.count > 5 }
        // Two tokens each: the crowd takes at least 300 × 2 ms.
        world.notes.withLock { notes in
            notes.tokenNanoseconds = 1_000_000
            notes.receivers = []
        }
        let crowd = (10..<310).map { MemberID(UInt64($0)) }
        for id in crowd {
            world.post(.member(.join(id, applicant())))
            var ack = Ack()
            ack.tick = .max
            world.post(.member(.message(editor, .ack(ack))))
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
        thread.start()
        world.post(.open(try document()))
        #expect(world.openings.wait(for: "r") == nil)
        while world.summary()?.isFrozen != true { sched_yield() }
        let editor = MemberID(1)
        world.post(.member(.join(editor, applicant())))
        world.waitUntil { $0.receivers.contains(editor) }
        #expect(world.summary()?.isFrozen == true)
        var ops = Ops()
        ops.clientSequence = 1
        ops.ops = try JSONReader.read(
            Array(#"[{"op":"setConstraint","id":"w","constant":50}]"#.utf8))
        world.post(.member(.message(editor, .ops(ops))))
        world.waitUntil { $0.records.count == 2 }
        thread.stop()
    }

    @Test(
        "a room without members is unloaded, comes back from its journal, and is kept while it has members"
    )
    func unloading() throws {
        let world = World()
        let thread = world.makeThread(unloadSeconds: 0)
        thread.start()
        world.post(.member(.join(MemberID(1), applicant())))
        world.waitUntil { $0.receivers.contains(MemberID(1)) }
        let name = world.summary()?.name
        #expect(name == "r")
        var ops = Ops()
        ops.clientSequence = 1
        ops.ops = try JSONReader.read(Array(#"[{"op":"addView","id":"v"}]"#.utf8))
        world.post(.member(.message(MemberID(1), .ops(ops))))
        world.waitUntil { $0.records.count == 2 }
        world.post(.member(.left(MemberID(1))))
        while world.summary() != nil { sched_yield() }
        world.post(.member(.join(MemberID(2), applicant())))
        world.waitUntil { $0.receivers.contains(MemberID(2)) }
        // The next member finds the room that the first one made, as it was written last.
        #expect(
            world.notes.withLock { $0.records.map(\.record.kind) } == [
                .snapshot, .batch, .snapshot,
            ])
        #expect(world.summary() != nil)
        thread.stop()
    }

    @Test("a room whose renaming failed goes on under its name, in memory and not")
    func failedRenaming() throws {
        let world = World()
        let thread = world.makeThread()
        thread.start()
        _ = world.ask(.replace(try document()))
        guard case .nameTaken = world.ask(.reserve),
            case .failed("disk full") = world.ask(.rename(to: "s"))
        else {
            Issue.record("a name was given away, or the failure was not told")
            return
        }
        // It is not held any more.
        guard case .done = world.ask(.replace(try document())) else {
            Issue.record("the room takes no changes")
            return
        }
        #expect(world.summary()?.views == 2)
        guard case .record(let bytes) = world.ask(.exportRecord) else {
            Issue.record("the room cannot be exported")
            return
        }
        #expect(try JournalRecord.decode(bytes).sequence == 1)
        guard case .done = world.ask(.delete), case .failed = world.ask(.rename(to: "s")),
            case .made(let hash) = world.ask(.importRecord(try .decode(bytes)))
        else {
            Issue.record("a name that is free cannot be taken")
            return
        }
        #expect(world.summary()?.hash == hash)
        #expect(world.notes.withLock { $0.renamings } == ["s", "s"])
        thread.stop()
    }

    @Test("an import into a room that is being read waits its turn, and a deleted room is gone")
    func imports() throws {
        let world = World()
        let thread = world.makeThread()
        thread.start()
        guard case .done = world.ask(.replace(try document())) else {
            Issue.record("a new room was not made")
            return
        }
        #expect(world.summary()?.views == 2)
        guard
            case .done = world.ask(.replace(SceneDocument(viewport: Viewport(width: 9, height: 9))))
        else {
            Issue.record("the scene was not replaced")
            return
        }
        #expect(world.summary()?.views == 1)
        guard case .document(let json) = world.ask(.export) else {
            Issue.record("there is no scene")
            return
        }
        #expect(try SceneDocument.parse(json).viewport.width == 9)
        guard case .done = world.ask(.delete), case .noSuchRoom = world.ask(.export) else {
            Issue.record("the room is still there")
            return
        }
        thread.stop()
    }
}
