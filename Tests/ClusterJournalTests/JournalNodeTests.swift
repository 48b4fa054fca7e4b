import SceneCluster
import SceneWire
import Testing

@testable import ClusterJournal

/// Nodes that keep the journals of rooms in one engine, in a time that the test makes: no thread,
/// no NATS.
@Suite("The journal of a node")
struct JournalNodeTests {
    private static func append(_ record: JournalRecord) -> JournalNode.Request {
        .append([RoomRecord(room: "r", record: record)])
    }

    @Test("a node alone owns the rooms, and what it keeps is durable once it is read back")
    func alone() throws {
        let world = try JournalWorld()
        world.run(milliseconds: 1000)
        #expect(try #require(world.load("r")).isEmpty)
        let first = JournalWorld.record(1)
        world.ask(Self.append(first))
        #expect(world.outcomes() == [.durable(through: 1)])
        world.ask(Self.append(JournalWorld.record(2, after: first)))
        #expect(world.outcomes() == [.durable(through: 2)])
        #expect(try #require(world.load("r")) == [first, JournalWorld.record(2, after: first)])
    }

    @Test("a room that is asked for before anybody owns it is loaded once this node does")
    func loadWaits() throws {
        let world = try JournalWorld()
        world.ask(.load(room: "r", from: nil))
        #expect(world.takeNotices().isEmpty)
        world.run(milliseconds: 1000)
        #expect(world.takeNotices() == [.loaded([])])
    }

    @Test("a record whose fate is unknown becomes durable, and is kept once")
    func unknown() throws {
        let world = try JournalWorld()
        world.run(milliseconds: 1000)
        _ = world.load("r")
        world.engine.mood = .mute
        world.ask(Self.append(JournalWorld.record(1)))
        // The leader says nothing of it; another replica shows it.
        world.run(milliseconds: 3000)
        #expect(world.outcomes() == [.durable(through: 1)])
        world.engine.mood = .well
        world.run(milliseconds: 2000)
        #expect(world.outcomes() == [])
        let subject = ClusterSubjects().journal(of: ShardID(0))
        // The claim and the record.
        #expect(world.engine.messages(of: subject).count == 2)
    }

    @Test(
        "an engine that keeps nothing stalls the rooms after twelve seconds, and they go on when it is back"
    )
    func stalls() throws {
        let world = try JournalWorld()
        world.run(milliseconds: 1000)
        _ = world.load("r")
        world.engine.mood = .leaderless
        let first = JournalWorld.record(1)
        world.ask(Self.append(first))
        world.run(milliseconds: 11_900)
        #expect(world.outcomes() == [])
        world.run(milliseconds: 300)
        let stalled = world.outcomes()
        #expect(stalled == [.stalled("no leader")])
        #expect(try #require(world.view(of: 0)).stalls == [ShardID(0): "no leader"])
        // What comes meanwhile waits with the rest, and nothing is given up.
        world.ask(Self.append(JournalWorld.record(2, after: first)))
        world.run(milliseconds: 5000)
        #expect(world.outcomes() == [])
        world.engine.mood = .well
        world.run(milliseconds: 2000)
        #expect(
            world.outcomes() == [
                .durable(through: 1), .resumed,
                .durable(through: 2),
            ])
        #expect(try #require(world.view(of: 0)).stalls.isEmpty)
    }

    @Test("a node is ready unless it is cut off, or nothing that it owns is kept")
    func readyOrNot() {
        var state = ClusterState(isConnected: true)
        #expect(state.readiness == (true, "standby"))
        state.shards = [.owner, .standby, .owner]
        #expect(state.readiness == (true, "owner of 2 of 3 shards"))
        state.stalls[ShardID(2)] = "maximum bytes exceeded"
        #expect(state.readiness == (true, "owner of 2 of 3 shards"))
        state.stalls[ShardID(0)] = "no leader"
        #expect(state.readiness == (false, "the cluster's engine keeps nothing: no leader"))
        state.isConnected = false
        #expect(state.readiness == (false, "the cluster's engine is not reached"))
    }

    @Test("much that waits stalls the rooms before the time is up")
    func full() throws {
        let world = try JournalWorld()
        world.run(milliseconds: 1000)
        _ = world.load("r")
        world.engine.mood = .leaderless
        var last: JournalRecord?
        for sequence in UInt64(1)...110 {
            let record = JournalWorld.record(sequence, after: last, bytes: 40_000)
            world.ask(Self.append(record))
            last = record
        }
        let told = world.outcomes()
        #expect(told.count == 1)
        guard case .stalled? = told.first else {
            Issue.record("found \(told)")
            return
        }
        world.engine.mood = .well
        world.run(milliseconds: 3000)
        let after = world.outcomes()
        #expect(after.contains(.resumed))
        #expect(after.last == .durable(through: 110))
    }

    /// Two nodes, of which the one that owns the shard is the first of the result.
    private func two() throws -> (JournalWorld, owner: Int, other: Int) {
        let world = try JournalWorld(nodes: 2)
        world.run(milliseconds: 1500)
        let owner = try #require(
            world.nodes.indices.first { index in
                world.view(of: index)?.shards == [.owner]
            })
        return (world, owner, 1 - owner)
    }

    /// The same, with a room that is open at the owner and has one record.
    private func twoWithARecord() throws -> (
        JournalWorld, owner: Int, other: Int, first: JournalRecord
    ) {
        let (world, owner, other) = try two()
        _ = world.load("r", at: owner)
        let first = JournalWorld.record(1)
        world.ask(Self.append(first), of: owner)
        return (world, owner, other, first)
    }

    private static func isLost(_ outcome: RoomNotice?) -> Bool {
        if case .lost? = outcome { true } else { false }
    }

    private static func isMoved(_ outcome: RoomNotice?) -> Bool {
        if case .moved? = outcome { true } else { false }
    }

    @Test("when the owner dies the other node has its rooms, with a record of several parts whole")
    func takeover() throws {
        let (world, owner, other) = try two()
        let first = JournalWorld.record(1)
        let large = JournalWorld.record(2, after: first, bytes: 700_000)
        #expect(try #require(world.load("r", at: owner)).isEmpty)
        world.ask(Self.append(first), of: owner)
        world.ask(Self.append(large), of: owner)
        world.run(milliseconds: 100)
        #expect(world.outcomes(of: owner).last == .durable(through: 2))
        #expect(JournalEntry.entries(of: large)?.count == 3)
        world.nodes[owner].isAlive = false
        world.run(milliseconds: 1000)
        #expect(try #require(world.load("r", at: other)) == [first, large])
        // Who kept them has a copy of them, and nobody else.
        #expect(world.nodes[owner].copied == [first, large])
        #expect(world.nodes[other].copied == [])
    }

    /// By hand: the servers are asked 100 and 130 ms after the last beat at the latest, in steps of
    /// 10 ms; silence takes 300 ms.
    @Test(
        "a death that the engine's servers notice is a death before silence",
        arguments: [true, false])
    func deathIsNoticed(knowsWhoIsThere: Bool) throws {
        let (world, owner, other) = try two()
        world.knowsWhoIsThere = knowsWhoIsThere
        _ = world.load("r", at: owner)
        world.nodes[owner].isAlive = false
        world.run(milliseconds: 160)
        #expect((world.nodes[other].node.node.epoch(of: ShardID(0)) != nil) == knowsWhoIsThere)
        world.run(milliseconds: 200)
        #expect(world.nodes[other].node.node.epoch(of: ShardID(0)) != nil)
    }

    @Test("a room elsewhere is not loaded, and it is told where it is")
    func elsewhere() throws {
        let (world, owner, other) = try two()
        world.ask(.load(room: "r", from: nil), of: other)
        #expect(
            world.takeNotices(of: other) == [
                .elsewhere("the room is served at ws://n\(owner + 1)")
            ])
    }

    @Test("an owner that finds itself replaced gives its rooms up and answers nothing that waits")
    func lost() throws {
        let (world, owner, other) = try two()
        _ = world.load("r", at: owner)
        // It stands still, as a stopped process does; the other one takes over.
        world.nodes[owner].isAlive = false
        world.run(milliseconds: 1000)
        _ = try #require(world.load("r", at: other))
        world.nodes[owner].isAlive = true
        world.ask(Self.append(JournalWorld.record(1)), of: owner)
        world.ask(.prove(room: "r", 1, needsRoom: false), of: owner)
        world.run(milliseconds: 3000)
        #expect(
            world.outcomes(of: owner) == [
                .lost("the room is served at ws://n\(other + 1)")
            ])
        #expect(world.answers(of: owner) == [1: .givenUp])
        #expect(world.load("r", at: other) == [])
    }

    @Test("a proof comes once the node has shown that it owns the shard")
    func proof() throws {
        let world = try JournalWorld()
        world.run(milliseconds: 1000)
        _ = world.load("r")
        world.engine.mood = .leaderless
        world.ask(.prove(room: "r", 1, needsRoom: false))
        world.run(milliseconds: 1000)
        #expect(world.answers().isEmpty)
        world.engine.mood = .well
        world.run(milliseconds: 1000)
        #expect(world.answers() == [1: .done])
    }

    @Test("a room that was lost and is open again proves nothing that it decided before")
    func proofOfALostRoom() throws {
        let (world, owner, other) = try two()
        _ = world.load("r", at: owner)
        world.nodes[owner].isAlive = false
        world.run(milliseconds: 1000)
        world.nodes[owner].isAlive = true
        world.ask(Self.append(JournalWorld.record(1)), of: owner)
        world.ask(.prove(room: "r", 1, needsRoom: true), of: owner)
        world.run(milliseconds: 3000)
        #expect(world.answers(of: owner) == [1: .givenUp])
        world.move(to: owner)
        world.run(milliseconds: 1000)
        #expect(world.owner == owner && other != owner)
        // It owns the shard, and the room is not open.
        world.ask(.prove(room: "r", 2, needsRoom: true), of: owner)
        world.ask(.prove(room: "r", 3, needsRoom: false), of: owner)
        world.run(milliseconds: 100)
        #expect(world.answers(of: owner) == [2: .givenUp, 3: .done])
    }

    @Test("a deleted room is empty here and at the next owner")
    func deletes() throws {
        let (world, owner, other) = try two()
        _ = world.load("r", at: owner)
        world.ask(Self.append(JournalWorld.record(1)), of: owner)
        world.ask(.delete(room: "r", 1), of: owner)
        world.run(milliseconds: 100)
        #expect(world.answers(of: owner) == [1: .done])
        #expect(try #require(world.load("r", at: owner)).isEmpty)
        world.nodes[owner].isAlive = false
        world.run(milliseconds: 1000)
        #expect(try #require(world.load("r", at: other)).isEmpty)
    }

    /// Editors whose owner is gone come back to a node that leads on; to one that is cut off they
    /// must not.
    @Test("a node whose owner falls silent knows whether it hears another", arguments: [1, 2])
    func hearsOthers(silent count: Int) throws {
        let world = try JournalWorld(nodes: 3)
        world.run(milliseconds: 2000)
        let owner = try #require(world.owner)
        let others = world.nodes.indices.filter { $0 != owner }
        #expect(world.view(of: others[0])?.hearsOthers == true)
        for index in [owner, others[1]].prefix(count) { world.nodes[index].isAlive = false }
        // What the node knows at the moment at which it hears of the owner no more.
        var known: ClusterState?
        for _ in 0..<100 where known?.owningLives[ShardID(0)] != nil || known == nil {
            world.run(milliseconds: 10)
            known = world.view(of: others[0]) ?? known
        }
        #expect(known?.hearsOthers == (count == 1))
    }

    /// The room has a snapshot, so the next one begins with reading that. While it is read, the
    /// first parts of a long record come.
    @Test("a snapshot stands between records, and a node that reads from there has the room")
    func snapshotsStandBetweenRecords() throws {
        let (world, owner, other) = try two()
        _ = world.load("r", at: owner)
        world.nodes[other].isAlive = false
        var written: [JournalRecord] = []
        func write(_ count: Int, bytes: Int = 40_000) {
            for _ in 0..<count {
                let record = JournalWorld.record(
                    UInt64(written.count + 1), after: written.last, bytes: bytes)
                written.append(record)
                world.ask(Self.append(record), of: owner)
                world.run(milliseconds: 10)
            }
        }
        let journal = ClusterSubjects().journal(of: ShardID(0))
        let chunks = ClusterSubjects().snapshot(of: "r", in: ShardID(0)) + "."
        write(125)
        world.run(milliseconds: 2000)
        let before = try #require(world.engine.messages(of: journal).first?.sequence)
        #expect(before > 1)
        // Chunks come late, until two parts of the record are there; then so do commits.
        var publishes = 0
        var isRead = false
        world.isLate = { request in
            switch request {
            case .last(let subject, _) where subject.hasPrefix(chunks):
                isRead = true
                return true
            case .publish(journal, _, _) where isRead:
                publishes += 1
                return publishes > 2
            default: return false
            }
        }
        while !isRead, written.count < 400 { write(1) }
        #expect(isRead)
        write(1, bytes: 2_000_000)
        #expect(publishes > 2)
        world.isLate = { _ in false }
        world.answerLate()
        world.run(milliseconds: 3000)
        write(20)
        world.run(milliseconds: 3000)
        #expect(try #require(world.engine.messages(of: journal).first?.sequence) > before)
        // The other one has to begin where the journal does now.
        world.nodes[other].isAlive = true
        world.run(milliseconds: 2000)
        world.nodes[owner].isAlive = false
        world.run(milliseconds: 2000)
        #expect(try #require(world.load("r", at: other)) == written)
    }

    @Test("a long journal is cut, and the next owner has the rooms from their snapshots")
    func snapshots() throws {
        let (world, owner, other) = try two()
        _ = world.load("r", at: owner)
        _ = world.load("idle", at: owner)
        let idle = JournalWorld.record(1, bytes: 10)
        world.ask(.append([RoomRecord(room: "idle", record: idle)]), of: owner)
        let subject = ClusterSubjects().journal(of: ShardID(0))
        var written: [JournalRecord] = []
        func write(_ count: Int) {
            for _ in 0..<count {
                let record = JournalWorld.record(
                    UInt64(written.count + 1), after: written.last, bytes: 40_000)
                written.append(record)
                world.ask(Self.append(record), of: owner)
            }
            world.run(milliseconds: 2000)
        }
        // Five megabytes each time: both rooms get a snapshot, the larger one a second that takes
        // the place of the first.
        var firsts: [UInt64] = []
        for _ in 0..<3 {
            write(125)
            let messages = world.engine.messages(of: subject)
            firsts.append(try #require(messages.first?.sequence))
            let bytes = messages.reduce(0) { $0 + $1.bytes.count }
            #expect(bytes < 6 << 20)
        }
        #expect(firsts == firsts.sorted() && firsts[0] > 1 && firsts[2] > firsts[0])
        let places = Set(
            world.engine.messages.map(\.subject).filter { $0.hasPrefix("ss.r.0.n72.") }
                .map { $0.split(separator: ".")[4] })
        #expect(places.count == 1)
        world.nodes[owner].isAlive = false
        world.run(milliseconds: 1500)
        #expect(try #require(world.load("r", at: other)) == written)
        #expect(try #require(world.load("idle", at: other)) == [idle])
        // It goes on from there.
        let next = JournalWorld.record(
            UInt64(written.count + 1), after: written.last, bytes: 40)
        world.ask(Self.append(next), of: other)
        #expect(
            world.outcomes(of: other).last
                == .durable(through: UInt64(written.count + 1)))
        world.ask(.history(room: "r", 1, tick: 5), of: other)
        world.run(milliseconds: 50)
        #expect(world.answers(of: other) == [1: .history(written + [next])])
    }

    /// The messages of the journal, and the places in it at which rooms' snapshots are kept.
    private func kept(in world: JournalWorld) -> (first: UInt64?, bytes: Int, places: Int) {
        let messages = world.engine.messages(of: ClusterSubjects().journal(of: ShardID(0)))
        let places = world.engine.messages.map(\.subject).filter { $0.hasPrefix("ss.r.0.n72.") }
        return (
            messages.first?.sequence, messages.reduce(0) { $0 + $1.bytes.count },
            Set(places.map { $0.split(separator: ".")[4] }).count
        )
    }

    private func write(
        megabytes: Int, to room: String, after last: inout JournalRecord?, at owner: Int,
        in world: JournalWorld
    ) {
        for _ in 0..<megabytes * 25 {
            let record = JournalWorld.record(
                (last?.sequence ?? 0) + 1, after: last, bytes: 40_000)
            last = record
            world.ask(.append([RoomRecord(room: room, record: record)]), of: owner)
        }
        world.run(milliseconds: 2000)
    }

    @Test("what is kept no more is removed, though the engine did not answer at first")
    func removesAgain() throws {
        let (world, owner, _) = try two()
        _ = world.load("r", at: owner)
        var last: JournalRecord?
        world.engine.keepsEverything = true
        for _ in 0..<2 { write(megabytes: 5, to: "r", after: &last, at: owner, in: world) }
        let before = kept(in: world)
        #expect(before.bytes > 8 << 20 && before.places == 2)
        world.engine.keepsEverything = false
        world.run(milliseconds: 1500)
        let after = kept(in: world)
        #expect(try #require(after.first) > #require(before.first))
        #expect(after.bytes < 6 << 20 && after.places == 1)
    }

    @Test("an owner removes what the former one left behind the directory")
    func removesForTheFormerOwner() throws {
        let (world, owner, other) = try two()
        _ = world.load("r", at: owner)
        var last: JournalRecord?
        world.engine.keepsEverything = true
        write(megabytes: 5, to: "r", after: &last, at: owner, in: world)
        let before = kept(in: world)
        world.nodes[owner].isAlive = false
        world.engine.keepsEverything = false
        world.run(milliseconds: 1500)
        _ = world.load("r", at: other)
        #expect(try #require(kept(in: world).first) > #require(before.first))
    }

    /// The next owner reads the room's snapshot ahead of time, without an answer. Meanwhile another
    /// one takes its place, and its chunks are removed.
    @Test("a node that reads a snapshot that is replaced meanwhile has the room all the same")
    func replacedWhileRead() throws {
        let (world, owner, other) = try two()
        _ = world.load("r", at: owner)
        var last: JournalRecord?
        write(megabytes: 5, to: "r", after: &last, at: owner, in: world)
        // What a snapshot lacks is read ahead of time, with the snapshot.
        func append() {
            let record = JournalWorld.record(
                (last?.sequence ?? 0) + 1, after: last, bytes: 40_000)
            last = record
            world.ask(Self.append(record), of: owner)
        }
        append()
        let chunks = ClusterSubjects().snapshot(of: "r", in: ShardID(0)) + "."
        var isRead = false
        world.lateNode = other
        world.isLate = { request in
            guard case .last(let subject, _) = request, subject.hasPrefix(chunks) else {
                return false
            }
            isRead = true
            return true
        }
        world.move(to: other)
        world.run(milliseconds: 100)
        #expect(isRead)
        let places = Set(world.engine.messages.map(\.subject).filter { $0.hasPrefix(chunks) })
        for _ in 0..<125 { append() }
        world.run(milliseconds: 500)
        #expect(Set(world.engine.messages.map(\.subject)).isDisjoint(with: places))
        world.isLate = { _ in false }
        world.run(milliseconds: 5000)
        #expect(try #require(world.load("r", at: other)).last == last)
    }

    /// The next owner reads the room's snapshot, without an answer. Meanwhile the room is deleted,
    /// and its chunks are removed.
    @Test("what waits for the snapshot of a room that is deleted is told that it is empty")
    func deletedWhileRead() throws {
        let (world, owner, other) = try two()
        _ = world.load("r", at: owner)
        var last: JournalRecord?
        write(megabytes: 5, to: "r", after: &last, at: owner, in: world)
        let chunks = ClusterSubjects().snapshot(of: "r", in: ShardID(0)) + "."
        var isRead = false
        world.lateNode = other
        world.isLate = { request in
            guard case .last(let subject, _) = request, subject.hasPrefix(chunks) else {
                return false
            }
            isRead = true
            return true
        }
        world.nodes[owner].isAlive = false
        world.run(milliseconds: 1500)
        #expect(world.load("r", at: other) == nil)
        #expect(isRead)
        world.ask(.delete(room: "r", 1), of: other)
        world.run(milliseconds: 500)
        let loaded = world.takeNotices(of: other).compactMap { notice -> [JournalRecord]? in
            guard case .loaded(let records) = notice else { return nil }
            return records
        }
        #expect(loaded == [[]])
        #expect(world.load("r", at: other) == [])
    }

    /// The rest of the record never comes, and neither does anything else of its room.
    @Test("a record that the former owner did not finish does not keep the journal from being cut")
    func unfinishedRecord() throws {
        let (world, owner, other) = try two()
        _ = world.load("r", at: owner)
        let first = JournalWorld.record(1)
        world.ask(Self.append(first), of: owner)
        world.run(milliseconds: 100)
        let journal = ClusterSubjects().journal(of: ShardID(0))
        var publishes = 0
        world.isLate = { request in
            guard case .publish(journal, _, _) = request else { return false }
            publishes += 1
            return publishes > 1
        }
        world.ask(Self.append(JournalWorld.record(2, after: first, bytes: 700_000)), of: owner)
        world.run(milliseconds: 100)
        #expect(publishes == 2)
        world.isLate = { _ in false }
        world.nodes[owner].isAlive = false
        world.run(milliseconds: 1500)
        #expect(world.load("busy", at: other) == [])
        var last: JournalRecord?
        for _ in 0..<3 { write(megabytes: 5, to: "busy", after: &last, at: other, in: world) }
        #expect(kept(in: world).bytes < 6 << 20)
        #expect(try #require(world.load("r", at: other)) == [first])
    }

    @Test(
        "an owner that stood still while its journal was cut gives its rooms up, and may own them again"
    )
    func outrun() throws {
        let (world, owner, other) = try two()
        _ = world.load("r", at: owner)
        world.nodes[owner].isAlive = false
        world.run(milliseconds: 1000)
        _ = world.load("r", at: other)
        var last: JournalRecord?
        for sequence in UInt64(1)...125 {
            let record = JournalWorld.record(sequence, after: last, bytes: 40_000)
            world.ask(Self.append(record), of: other)
            last = record
        }
        world.run(milliseconds: 2000)
        let subject = ClusterSubjects().journal(of: ShardID(0))
        #expect(try #require(world.engine.messages(of: subject).first?.sequence) > 2)
        world.nodes[owner].isAlive = true
        world.ask(Self.append(JournalWorld.record(1)), of: owner)
        world.run(milliseconds: 3000)
        guard case .lost? = world.outcomes(of: owner).last else {
            Issue.record("it does not give the room up")
            return
        }
        world.nodes[other].isAlive = false
        world.run(milliseconds: 2000)
        #expect(try #require(world.load("r", at: owner)).count == 125)
    }

    @Test("a node that ends hands its shards to the other, after what waits is kept")
    func drains() throws {
        let (world, owner, other, first) = try twoWithARecord()
        world.ask(.drain, of: owner)
        world.run(milliseconds: 900)
        #expect(world.nodes[owner].hasDrained)
        let reason = "the room is served at ws://n\(other + 1)"
        #expect(
            world.outcomes(of: owner) == [
                .durable(through: 1), .held(true),
                .moved(reason), .lost(reason),
            ])
        #expect(try #require(world.load("r", at: other)) == [first])
    }

    @Test("a shard goes where an operator wants it, with all that was kept, and stays there")
    func moves() throws {
        let world = try JournalWorld(nodes: 2)
        world.run(milliseconds: 1500)
        let before = try #require(world.owner)
        let receiver = 1 - before
        _ = world.load("r", at: before)
        let first = JournalWorld.record(1)
        world.ask(Self.append(first), of: before)
        world.run(milliseconds: 50)
        // It is there already.
        world.move(to: before)
        world.run(milliseconds: 500)
        #expect(world.owner == before)
        world.move(to: receiver)
        world.run(milliseconds: 1000)
        #expect(world.owner == receiver)
        #expect(try #require(world.load("r", at: receiver)) == [first])
        world.run(milliseconds: 5000)
        #expect(world.owner == receiver)
    }

    @Test("with a shard goes what its rooms came to, which those who open them are told once")
    func statesGoAlong() throws {
        let (world, _, other, _) = try twoWithARecord()
        world.holds = ["r": 77]
        world.move(to: other)
        world.run(milliseconds: 400)
        #expect(world.owner == other)
        #expect(try hash(of: "r", at: other, in: world) == 77)
        // It is told once: the room has gone on since.
        #expect(try hash(of: "r", at: other, in: world) == nil)
    }

    @Test("a shard whose rooms do not tell what they came to goes all the same")
    func statesThatDoNotCome() throws {
        let (world, _, other, _) = try twoWithARecord()
        world.holds = [:]
        world.move(to: other)
        world.run(milliseconds: 300)
        #expect(world.owner != other)
        world.run(milliseconds: 300)
        #expect(world.owner == other)
        #expect(try hash(of: "r", at: other, in: world) == nil)
    }

    /// What a node tells of a room's state at its former owner when the room is loaded.
    private func hash(of room: String, at index: Int, in world: JournalWorld) throws -> UInt64? {
        _ = world.takeNotices(of: index)
        world.ask(.load(room: room, from: nil), of: index)
        world.run(milliseconds: 50)
        let notices = world.takeNotices(of: index)
        let loaded = try #require(
            notices.firstIndex { if case .loaded = $0 { true } else { false } })
        for case .handedOver(let hash) in notices[..<loaded] { return hash }
        return nil
    }

    @Test("a shard is not given to a node that nobody hears")
    func movesNowhere() throws {
        let world = try JournalWorld(nodes: 2)
        world.run(milliseconds: 1500)
        let owner = try #require(world.owner)
        world.order(.move(ShardID(0), to: NodeID(9)))
        world.run(milliseconds: 1000)
        #expect(world.owner == owner)
    }

    @Test("a node that an operator drains owns nothing from then on")
    func isDrained() throws {
        let world = try JournalWorld(nodes: 2)
        world.run(milliseconds: 1500)
        let before = try #require(world.owner)
        world.order(.drain(NodeID(UInt16(before + 1))))
        world.run(milliseconds: 2000)
        #expect(world.owner == 1 - before)
        #expect(world.nodes[before].hasDrained && !world.nodes[1 - before].hasDrained)
        // The other one goes, and still it takes nothing.
        world.nodes[1 - before].isAlive = false
        world.run(milliseconds: 5000)
        #expect(world.nodes[before].node.node.epoch(of: ShardID(0)) == nil)
    }

    /// The records of a room that a node had replayed ahead of time, and whether it let the room
    /// go.
    private static func shadow(
        _ requests: [ShadowRequest], of room: String
    ) -> (records: [JournalRecord], isForgotten: Bool) {
        var result: (records: [JournalRecord], isForgotten: Bool) = ([], false)
        for request in requests {
            switch request {
            case .follow(room, let records): result.records += records
            case .forget(room): result.isForgotten = true
            case .follow, .forget: break
            }
        }
        return result
    }

    @Test(
        "who is to have a shard has its rooms replayed while the owner still writes, and then owns it at once"
    )
    func readiness() throws {
        let (world, owner, other, first) = try twoWithARecord()
        world.run(milliseconds: 100)
        #expect(world.nodes[other].requests.isEmpty)
        world.move(to: other)
        world.run(milliseconds: 80)
        // The owner serves on.
        let second = JournalWorld.record(2, after: first)
        world.ask(Self.append(second), of: owner)
        #expect(world.outcomes(of: owner).last == .durable(through: 2))
        world.run(milliseconds: 60)
        #expect(world.owner == owner)
        #expect(Self.shadow(world.nodes[other].requests, of: "r") == ([first, second], false))
        world.run(milliseconds: 40)
        #expect(world.owner == other)
        let subject = ClusterSubjects().journal(of: ShardID(0))
        // A claim, two records and the hand-over: the receiver need not write before it serves.
        #expect(world.engine.messages(of: subject).count == 4)
        #expect(try #require(world.load("r", at: other)) == [first, second])
        world.run(milliseconds: 4000)
        #expect(Self.shadow(world.nodes[other].requests, of: "r").isForgotten)
    }

    @Test(
        "a shard that is given to a node is taken once its rooms are ready, and after a while in any case",
        arguments: [true, false])
    func waitsForRooms(becomesReady: Bool) throws {
        let (world, owner, other, _) = try twoWithARecord()
        world.replaysAtOnce = false
        world.run(milliseconds: 1000)
        world.move(to: other)
        world.run(milliseconds: 400)
        // It was handed over, and its room ticks on.
        #expect(world.owner == nil)
        #expect(world.outcomes(of: owner).last == .held(true))
        if becomesReady {
            world.ask(.shadowed(room: "r", through: 1), of: other)
            world.run(milliseconds: 20)
            #expect(world.owner == other)
        } else {
            world.run(milliseconds: 200)
            #expect(world.owner == nil)
            world.run(milliseconds: 200)
            #expect(world.owner == other)
        }
        #expect(Self.isMoved(world.outcomes(of: owner).last))
    }

    @Test("a room that goes to and fro is replayed from its beginning each time")
    func toAndFro() throws {
        let (world, owner, other, first) = try twoWithARecord()
        var last = first
        for receiver in [other, owner, other] {
            world.run(milliseconds: 100)
            let before = try #require(world.owner)
            world.nodes[receiver].requests = []
            world.move(to: receiver)
            world.run(milliseconds: 400)
            #expect(world.owner == receiver && before != receiver)
            let records = try #require(world.load("r", at: receiver))
            #expect(records.last == last)
            #expect(Self.shadow(world.nodes[receiver].requests, of: "r").records == records)
            last = JournalWorld.record(last.sequence + 1, after: last)
            world.ask(Self.append(last), of: receiver)
        }
    }

    @Test(
        "rooms that are handed over decide nothing more, and tick on until the receiver serves, and a moment more for members at other nodes"
    )
    func departs() throws {
        let (world, owner, other) = try two()
        _ = world.load("r", at: owner)
        world.move(to: other)
        world.run(milliseconds: 140)
        #expect(world.outcomes(of: owner) == [])
        // Who is to own the shard falls silent at the moment at which it is handed over.
        world.nodes[other].isAlive = false
        world.run(milliseconds: 100)
        #expect(world.nodes[owner].node.node.epoch(of: ShardID(0)) == nil)
        #expect(world.outcomes(of: owner) == [.held(true)])
        // Members here stay linked to the room, though no shard of this node's is meant any longer.
        let view = try #require(world.view(of: owner))
        #expect(view.shards == [.vacant])
        #expect(view.owningLives[ShardID(0)]?.node == NodeID(UInt16(owner + 1)))
        world.nodes[other].isAlive = true
        world.run(milliseconds: 300)
        #expect(world.owner == other)
        #expect(world.view(of: owner)?.owningLives[ShardID(0)]?.node == NodeID(UInt16(other + 1)))
        let moved = world.outcomes(of: owner)
        #expect(moved.count == 1 && Self.isMoved(moved.first))
        world.run(milliseconds: 300)
        let lost = world.outcomes(of: owner)
        #expect(lost.count == 1 && Self.isLost(lost.first))
    }

    @Test(
        "who learns from the receiver sooner than from the journal that it gave a shard sends its members there at once"
    )
    func departsLate() throws {
        let (world, owner, other) = try two()
        _ = world.load("r", at: owner)
        world.move(to: other)
        world.run(milliseconds: 140)
        world.nodes[owner].withheld = []
        world.run(milliseconds: 100)
        #expect(world.nodes[other].node.node.epoch(of: ShardID(0)) != nil)
        #expect(world.outcomes(of: owner) == [.held(true)])
        world.deliverReplies(to: owner)
        world.run(milliseconds: 10)
        #expect(Self.isMoved(world.outcomes(of: owner).last))
    }

    @Test("rooms that were handed over to a node that died are given up after a second")
    func departsToNobody() throws {
        let (world, owner, other) = try two()
        _ = world.load("r", at: owner)
        world.move(to: other)
        world.run(milliseconds: 140)
        world.nodes[other].isAlive = false
        world.run(milliseconds: 900)
        #expect(world.outcomes(of: owner) == [.held(true)])
        world.run(milliseconds: 300)
        #expect(Self.isLost(world.outcomes(of: owner).first))
        // It takes the shard back once nobody else does.
        world.run(milliseconds: 3000)
        #expect(world.owner == owner)
    }

    @Test(
        "when an owner is silent for a moment, who is to own the shard next has its rooms replayed; they are let go when it is back"
    )
    func silence() throws {
        let (world, owner, other, first) = try twoWithARecord()
        world.knowsWhoIsThere = false
        // It reads along now and then.
        world.run(milliseconds: 1500)
        world.nodes[owner].isAlive = false
        world.run(milliseconds: 100)
        #expect(world.nodes[other].requests.isEmpty)
        world.run(milliseconds: 150)
        #expect(Self.shadow(world.nodes[other].requests, of: "r") == ([first], false))
        world.nodes[owner].isAlive = true
        world.run(milliseconds: 4000)
        #expect(world.owner == owner)
        #expect(Self.shadow(world.nodes[other].requests, of: "r") == ([first], true))
    }
}
