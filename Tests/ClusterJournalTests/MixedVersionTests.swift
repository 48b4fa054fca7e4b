import SceneCluster
import SceneWire
import Testing

@testable import ClusterJournal

/// Nodes of different versions in one cluster.
@Suite("Nodes of different versions")
struct MixedVersionTests {
    private static let old = ReleaseVersion(major: 1, minor: 9, patch: 3)
    private static let new = ReleaseVersion(major: 1, minor: 10, patch: 0)
    private static let shard = ShardID(0)

    private static func number(of index: Int) -> NodeID { NodeID(UInt16(index + 1)) }

    /// Two nodes, of which the first owns the shard before the second starts.
    private func world(_ first: ReleaseVersion, _ second: ReleaseVersion) throws -> JournalWorld {
        let world = try JournalWorld(nodes: 2, versions: [first, second])
        world.nodes[1].isAlive = false
        world.run(milliseconds: 1000)
        #expect(world.owner == 0)
        world.nodes[1].isAlive = true
        world.run(milliseconds: 1000)
        #expect(world.owner == 0)
        return world
    }

    private func notes(_ world: JournalWorld, of index: Int) -> String {
        world.nodes[index].notes.map(\.text).joined(separator: "\n")
    }

    @Test(
        "a shard goes to a node of the same or a later version",
        arguments: [(old, old), (old, new), (.untold, old), (.untold, .untold)])
    func goesUp(first: ReleaseVersion, second: ReleaseVersion) throws {
        let world = try world(first, second)
        world.order(.move(Self.shard, to: Self.number(of: 1)))
        world.run(milliseconds: 500)
        #expect(world.owner == 1)
    }

    @Test(
        "a shard does not go to a node of an earlier version, or of one that tells none",
        arguments: [(new, old, "runs 1.9.3"), (old, .untold, "runs an earlier version")])
    func doesNotGoDown(first: ReleaseVersion, second: ReleaseVersion, words: String) throws {
        let world = try world(first, second)
        world.order(.move(Self.shard, to: Self.number(of: 1)))
        world.run(milliseconds: 2000)
        #expect(world.owner == 0)
        let notes = notes(world, of: 0)
        #expect(notes.contains("shard 0 stays here: node 2, which it was to go to, \(words)"))
        #expect(notes.contains("upgrade it first"))
        // What its rooms do is kept as before.
        let record = JournalWorld.record(1)
        _ = world.load("r")
        world.ask(.append([RoomRecord(room: "r", record: record)]))
        world.run(milliseconds: 100)
        #expect(world.outcomes() == [.durable(through: 1)])
    }

    @Test(
        "a drained node gives its shards to nodes of its version or a later one, where there are any"
    )
    func drains() throws {
        let world = try JournalWorld(nodes: 3, versions: [Self.new, Self.old, Self.new])
        world.nodes[1].isAlive = false
        world.nodes[2].isAlive = false
        world.run(milliseconds: 1000)
        world.nodes[1].isAlive = true
        world.nodes[2].isAlive = true
        world.run(milliseconds: 1000)
        world.order(.drain(Self.number(of: 0)))
        world.run(milliseconds: 1000)
        #expect(world.owner == 2)
        #expect(notes(world, of: 0).contains("handed to node 3"))
    }

    @Test(
        "where only earlier versions are there, a drained node gives its shards up, and they take what they can read"
    )
    func drainsDown() throws {
        let world = try world(Self.new, Self.old)
        let record = JournalWorld.record(1)
        _ = world.load("r")
        world.ask(.append([RoomRecord(room: "r", record: record)]))
        world.order(.drain(Self.number(of: 0)))
        world.run(milliseconds: 3000)
        #expect(!notes(world, of: 0).contains("handed to"))
        #expect(world.owner == 1)
        #expect(world.load("r", at: 1) == [record])
    }

    @Test(
        "of nodes that may take a dead one's shard the one of the latest version does",
        arguments: 0..<4)
    func prefersTheLatest(latest: Int) throws {
        let versions = (0..<4).map { $0 == latest ? Self.new : Self.old }
        let world = try JournalWorld(nodes: 4, versions: versions)
        world.run(milliseconds: 1000)
        #expect(world.owner == latest)
    }

    @Test(
        "a node that reads records of a later format refuses with words, takes nothing, and serves members over a link"
    )
    func refusesLaterRecords() throws {
        let world = try world(Self.new, Self.old)
        _ = world.load("r")
        world.ask(.append([RoomRecord(room: "r", record: JournalWorld.record(1))]))
        // As a later version would have written it: the version of a record follows four letters.
        world.engine.changeLast(of: ClusterSubjects().journal(of: Self.shard)) { $0[4] = 2 }
        // The next owner reads along.
        world.run(milliseconds: 1500)
        let notes = notes(world, of: 1)
        #expect(
            notes.contains(
                "it has version 2, expected 1; run the version of SceneSync that wrote it"))
        let view = try #require(world.view(of: 1))
        #expect(view.shards == [.standby])
        #expect(view.owningLives[Self.shard]?.node == Self.number(of: 0))
        // It takes the shard neither from an operator nor when the owner dies.
        world.order(.move(Self.shard, to: Self.number(of: 1)))
        world.run(milliseconds: 500)
        #expect(world.owner == 0)
        world.nodes[0].isAlive = false
        world.run(milliseconds: 5000)
        #expect(world.nodes[1].node.node.epoch(of: Self.shard) == nil)
        let alone = try #require(world.view(of: 1))
        #expect(alone.shards == [.stopped])
    }

    @Test("what a node says of its version that cannot be read is told once")
    func unreadable() throws {
        let world = try JournalWorld()
        for _ in 0..<5 {
            world.nodes[0].node.take(
                .heard(subject: ClusterSubjects().version, bytes: [1, 2, 3]), at: world.now)
        }
        world.run(milliseconds: 10)
        #expect(world.nodes[0].notes.count { $0.text.contains("subject of versions") } == 1)
    }
}
