import SceneCluster
import Testing

@Suite("The chain of a shard's journal")
struct ShardChainTests {
    private static let scope = RecordVectorTests.scope
    private static let first = NodeLife(node: NodeID(1), life: 11)
    private static let second = NodeLife(node: NodeID(2), life: 22)

    private static func group(_ byte: UInt8) -> ChainRecord.Content {
        .group([.init(room: "demo", bytes: [byte])])
    }

    /// A chain of a seal by the first node at sequence 10.
    private static func sealed() throws -> ShardChain {
        var chain = ShardChain(scope: scope, subject: "ss.j.2.5")
        _ = try chain.read(chain.next(.seal, by: first).encoded(), at: 10)
        return chain
    }

    private static func failure(
        _ chain: ShardChain, _ bytes: [UInt8], at sequence: UInt64
    ) -> ChainError? {
        var copy = chain
        do throws(ChainError) {
            _ = try copy.read(bytes, at: sequence)
            return nil
        } catch {
            #expect(copy == chain, "a chain that throws stays as it was")
            return error
        }
    }

    @Test("it begins with a seal, whose author owns what follows")
    func beginning() throws {
        var chain = try Self.sealed()
        #expect(chain.head?.epoch == 1 && chain.head?.owner == Self.first)
        #expect(chain.head?.number == 1 && chain.lastSequence == 10)
        let record = chain.next(Self.group(7), by: Self.first)
        #expect(record.number == 2 && record.previous == chain.head?.checksum)
        #expect(try chain.read(record.encoded(), at: 14) == .next(record))
        #expect(chain.head?.sequence == 14 && chain.head?.number == 2)
    }

    @Test("of two records with one predecessor the first in the stream is the chain's")
    func race() throws {
        let start = try Self.sealed()
        let group = try start.next(Self.group(7), by: Self.first).encoded()
        let seal = try start.next(.seal, by: Self.second).encoded()
        var groupFirst = start
        _ = try groupFirst.read(group, at: 11)
        #expect(try groupFirst.read(seal, at: 12) == .skipped)
        #expect(groupFirst.head?.owner == Self.first && groupFirst.lastSequence == 12)
        var sealFirst = start
        _ = try sealFirst.read(seal, at: 11)
        #expect(try sealFirst.read(group, at: 12) == .skipped)
        #expect(sealFirst.head?.owner == Self.second && sealFirst.head?.epoch == 2)
    }

    @Test("a record that stands there twice counts once")
    func twice() throws {
        var chain = try Self.sealed()
        let record = chain.next(Self.group(7), by: Self.first)
        #expect(try chain.read(record.encoded(), at: 11) == .next(record))
        #expect(try chain.read(record.encoded(), at: 12) == .skipped)
        #expect(chain.head?.sequence == 11)
        #expect(chain.next(Self.group(8), by: Self.first).number == 3)
    }

    @Test("what an owner writes late, after a seal, is skipped")
    func lateGroup() throws {
        var chain = try Self.sealed()
        let late = try chain.next(Self.group(7), by: Self.first).encoded()
        _ = try chain.read(chain.next(.seal, by: Self.second).encoded(), at: 11)
        _ = try chain.read(chain.next(Self.group(9), by: Self.second).encoded(), at: 12)
        #expect(try chain.read(late, at: 13) == .skipped)
        #expect(chain.head?.number == 3)
    }

    @Test("a hand-over gives the shard to the next epoch's owner without a seal")
    func handOver() throws {
        var chain = try Self.sealed()
        let record = chain.next(.handOver(to: Self.second, states: []), by: Self.first)
        #expect(record.epoch == 1)
        _ = try chain.read(record.encoded(), at: 11)
        #expect(chain.head?.owner == Self.second && chain.head?.epoch == 2)
        let group = chain.next(Self.group(1), by: Self.second)
        #expect(try chain.read(group.encoded(), at: 12) == .next(group))
    }

    @Test("a chain may start at a snapshot's place")
    func anchored() throws {
        var whole = try Self.sealed()
        _ = try whole.read(whole.next(Self.group(1), by: Self.first).encoded(), at: 11)
        let anchor = try #require(whole.head)
        var chain = ShardChain(scope: Self.scope, subject: "ss.j.2.5", from: anchor)
        #expect(chain.lastSequence == 11)
        let next = whole.next(Self.group(2), by: Self.first)
        #expect(try chain.read(next.encoded(), at: 15) == .next(next))
        // A record that does not follow this place.
        var other = ShardChain(scope: Self.scope, subject: "ss.j.2.5", from: anchor)
        _ = try other.read(other.next(.seal, by: Self.second).encoded(), at: 12)
        let stranger = try other.next(Self.group(3), by: Self.second).encoded()
        #expect(
            Self.failure(chain, stranger, at: 16)?.reason
                == .unknownPredecessor(
                    found: other.head?.checksum ?? .none, expected: chain.head?.checksum ?? .none))
    }

    @Test("missing records are a gap, reported with its place")
    func gap() throws {
        let chain = try Self.sealed()
        var ahead = chain
        _ = try ahead.read(ahead.next(Self.group(1), by: Self.first).encoded(), at: 11)
        let error = try #require(
            try Self.failure(chain, ahead.next(Self.group(2), by: Self.first).encoded(), at: 12))
        #expect(error.place == RecordPlace(subject: "ss.j.2.5", sequence: 12))
        #expect(error.reason == .gap(found: 3, expected: 2))
        #expect(
            error.description
                == "ss.j.2.5 at sequence 12: record 3 follows, expected 2; records are missing: restore the stream from a backup"
        )
    }

    @Test("an epoch that does not follow, and an author that does not own it, stop the reader")
    func wrongOwners() throws {
        let chain = try Self.sealed()
        var seal = chain.next(.seal, by: Self.second)
        seal.epoch = 3
        #expect(
            try Self.failure(chain, seal.encoded(), at: 11)?.reason
                == .epochOutOfOrder(found: 3, expected: 2))
        var group = chain.next(Self.group(1), by: Self.first)
        group.epoch = 2
        #expect(
            try Self.failure(chain, group.encoded(), at: 11)?.reason
                == .epochOutOfOrder(found: 2, expected: 1))
        let intruder = chain.next(Self.group(1), by: Self.second)
        #expect(
            try Self.failure(chain, intruder.encoded(), at: 11)?.reason
                == .authorNotOwner(found: Self.second, expected: Self.first))
        let empty = ShardChain(scope: Self.scope, subject: "ss.j.2.5")
        #expect(
            try Self.failure(empty, empty.next(Self.group(1), by: Self.first).encoded(), at: 1)?
                .reason
                == .epochOutOfOrder(found: 0, expected: 0))
    }

    @Test("bytes that are no record, and sequence numbers that go back, stop the reader")
    func wrongBytes() throws {
        let chain = try Self.sealed()
        #expect(
            Self.failure(chain, Array("hello".utf8), at: 11)?.reason
                == .record(.foreign(firstBytes: Array("hell".utf8))))
        #expect(
            try Self.failure(chain, chain.next(Self.group(1), by: Self.first).encoded(), at: 10)?
                .reason
                == .rewritten)
    }

    @Test("the largest numbers do not trap")
    func extremes() throws {
        let anchor = ChainAnchor(
            sequence: .max - 1, number: .max, checksum: .none, epoch: .max, owner: Self.first)
        var chain = ShardChain(scope: Self.scope, subject: "s", from: anchor)
        let record = chain.next(.handOver(to: Self.second, states: []), by: Self.first)
        _ = try? chain.read(record.encoded(), at: .max)
        #expect(chain.lastSequence == .max)
    }
}
