import SceneCluster
import Testing

/// Expected values are those of Python's `hashlib`.
@Suite("Shards and their placement")
struct PlacementTests {
    private func owners(among nodes: [UInt16]) -> [UInt16] {
        (0..<16).compactMap {
            Placement.next(
                for: ShardID($0), among: nodes.map { Placement.Candidate(node: NodeID($0)) })?
                .rawValue
        }
    }

    @Test(
        "a room's shard is the SHA-256 of its name, modulo the count",
        arguments: [
            ("demo", 4, 2), ("board", 13, 0), ("clock", 36, 1), ("", 20, 1), ("Küche", 53, 0),
        ]
            as [(String, UInt16, UInt16)])
    func shardOfRoom(room: String, of64: UInt16, of3: UInt16) throws {
        #expect(try ShardMap(count: 64).shard(ofRoom: room).rawValue == of64)
        #expect(try ShardMap(count: 3).shard(ofRoom: room).rawValue == of3)
    }

    @Test("a map of no shards, of too many, or by an unknown hash is refused in words")
    func refusedMaps() {
        #expect(throws: ShardMapError.countOutOfRange(count: 0, maximum: 4096)) {
            try ShardMap(count: 0)
        }
        #expect(throws: ShardMapError.countOutOfRange(count: 4097, maximum: 4096)) {
            try ShardMap(count: 4097)
        }
        #expect(throws: ShardMapError.unknownHash("fnv1a")) {
            try ShardMap(count: 64, hash: "fnv1a")
        }
        #expect(
            ShardMapError.unknownHash("fnv1a").description
                == #"the cluster places rooms by the hash "fnv1a", this version knows "sha256-64"; run the version that created the cluster"#
        )
    }

    @Test("a weight is the SHA-256 of node and shard")
    func weight() {
        #expect(Placement.weight(of: NodeID(1), for: ShardID(0)) == 13_789_617_414_329_722_696)
        #expect(Placement.weight(of: NodeID(258), for: ShardID(772)) == 0x9F64_A747_E1B9_7F13)
    }

    @Test("the heaviest node owns a shard, in whatever order nodes are named")
    func heaviest() {
        let expected: [UInt16] = [1, 1, 3, 2, 1, 1, 2, 2, 1, 3, 3, 2, 3, 1, 2, 1]
        #expect(owners(among: [1, 2, 3]) == expected)
        #expect(owners(among: [3, 1, 2]) == expected)
        #expect(Placement.next(for: ShardID(0), among: []) == nil)
    }

    @Test("a node that goes moves its own shards alone")
    func departure() {
        let before = owners(among: [1, 2, 3])
        let after = owners(among: [1, 3])
        #expect(after == [1, 1, 3, 3, 1, 1, 1, 1, 1, 3, 3, 3, 3, 1, 3, 1])
        for (old, new) in zip(before, after) where old != 2 { #expect(old == new) }
    }

    @Test("a node that comes takes shards only for itself")
    func arrival() {
        let before = owners(among: [1, 2, 3])
        let after = owners(among: [1, 2, 3, 4])
        #expect(after == [1, 1, 3, 2, 4, 1, 4, 2, 4, 3, 3, 2, 4, 4, 2, 1])
        for (old, new) in zip(before, after) where new != 4 { #expect(old == new) }
    }

    @Test("shards are shared out evenly")
    func balance() {
        var counts: [UInt16: Int] = [:]
        for shard in 0..<UInt16(4096) {
            let owner = Placement.next(
                for: ShardID(shard), among: (1...3).map { .init(node: NodeID($0)) })
            counts[owner?.rawValue ?? 0, default: 0] += 1
        }
        #expect(counts == [1: 1313, 2: 1405, 3: 1378])
    }

    /// Two nodes in the first zone, one in the second.
    private static let zoned: [Placement.Candidate] = [
        .init(node: NodeID(1), zone: "a"), .init(node: NodeID(2), zone: "a"),
        .init(node: NodeID(3), zone: "b"),
    ]

    @Test("zones share alike, and within one its nodes; expected values by hashlib")
    func zones() {
        #expect(Placement.weight(ofZone: "a", for: ShardID(0)) == 16_892_965_499_691_672_586)
        let owners = (0..<16).compactMap {
            Placement.next(for: ShardID($0), among: Self.zoned)?.rawValue
        }
        #expect(owners == [1, 1, 2, 3, 1, 1, 2, 2, 1, 3, 3, 3, 2, 3, 2, 1])
    }

    @Test("after an owner a shard goes to another zone, and stays where there is none")
    func nextZone() {
        for shard in 0..<UInt16(64) {
            let shard = ShardID(shard)
            let elsewhere = Placement.next(for: shard, among: Self.zoned, after: "b")
            #expect([NodeID(1), NodeID(2)].contains(elsewhere))
            #expect(Placement.next(for: shard, among: Self.zoned, after: "a") == NodeID(3))
            let left = Self.zoned.filter { $0.zone == "a" }
            #expect(
                Placement.next(for: shard, among: left, after: "a")
                    == Placement.next(for: shard, among: left))
            // An owner that had no zone is no reason to leave one out.
            #expect(
                Placement.next(for: shard, among: Self.zoned, after: "")
                    == Placement.next(for: shard, among: Self.zoned))
        }
    }
}
