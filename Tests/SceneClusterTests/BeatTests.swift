import SceneCluster
import SeededRandom
import Testing

/// The expected bytes were put together by hand from the format's table.
@Suite("Beats as bytes")
struct BeatTests {
    private static let cluster = ClusterID(0x0102_0304_0506_0708)
    private static let beat = Beat(
        sender: NodeLife(node: NodeID(3), life: 0x1122_3344_5566_7788), number: 258,
        claims: [
            .init(shard: ShardID(5), epoch: 9),
            .init(shard: ShardID(0x0A0B), epoch: 1, receiver: NodeID(4)),
        ], isDraining: true, address: "ws://n3")
    private static let bytes =
        "53534342" + "01" + "0807060504030201" + "0300" + "8877665544332211" + "0201000000000000"
        + "01" + "0700" + "77733a2f2f6e33" + "02000000" + "0500" + "0900000000000000" + "00"
        + "0000" + "0b0a"
        + "0100000000000000" + "01" + "0400"

    private static func failure(_ bytes: [UInt8]) -> BeatError? {
        do throws(BeatError) {
            _ = try Beat.decode(bytes, cluster: cluster)
            return nil
        } catch { return error }
    }

    @Test("a beat has these bytes, and is read from them")
    func vector() throws {
        let expected = RecordVectorTests.bytes(Self.bytes)
        #expect(Self.beat.encoded(cluster: Self.cluster) == expected)
        #expect(try Beat.decode(expected, cluster: Self.cluster) == Self.beat)
        // A zone follows at the end.
        var zoned = Self.beat
        zoned.zone = "z1"
        let longer = expected + [2, 0, 0x7A, 0x31]
        #expect(zoned.encoded(cluster: Self.cluster) == longer)
        #expect(try Beat.decode(longer, cluster: Self.cluster) == zoned)
        // One that is too long is not sent, and not taken.
        zoned.zone = String(repeating: "z", count: 65)
        #expect(zoned.encoded(cluster: Self.cluster) == expected)
        #expect(
            Self.failure(expected + [65, 0] + [UInt8](repeating: 0x7A, count: 65))
                == .unreadable(
                    .invalidValue(offset: expected.count, expected: "a zone of 1 to 64 bytes")))
    }

    @Test("bytes of another kind, version or cluster, and every cut, are refused")
    func wrong() {
        let bytes = RecordVectorTests.bytes(Self.bytes)
        #expect(
            Self.failure(Array("hello".utf8)) == .foreign(firstBytes: Array("hell".utf8)))
        #expect(Self.failure([]) == .foreign(firstBytes: []))
        var other = bytes
        other[4] = 2
        #expect(Self.failure(other) == .unreadable(.otherVersion(found: 2, expected: 1)))
        other = bytes
        other[5] = 9
        #expect(
            Self.failure(other)
                == .unreadable(
                    .otherCluster(
                        found: ClusterID(0x0102_0304_0506_0709), expected: Self.cluster)))
        other = bytes
        other[31] = 2
        #expect(
            Self.failure(other) == .unreadable(.invalidValue(offset: 31, expected: "0 or 1")))
        for count in 4..<bytes.count { #expect(Self.failure(Array(bytes[..<count])) != nil) }
        #expect(
            Self.failure(bytes + [1, 0, 0x7A, 0])
                == .unreadable(
                    .invalidValue(offset: bytes.count + 3, expected: "the end of the record")))
        #expect(
            Self.failure(bytes + [0, 0])
                == .unreadable(
                    .invalidValue(offset: bytes.count, expected: "a zone of 1 to 64 bytes")))
    }

    @Test("a count of claims that are not there reserves nothing")
    func count() {
        var bytes = RecordVectorTests.bytes(Self.bytes)
        for offset in 41..<45 { bytes[offset] = 0xFF }
        #expect(
            Self.failure(bytes)
                == .unreadable(
                    .truncated(
                        offset: 45, neededBytes: 13 * 0xFFFF_FFFF, availableBytes: 26)))
        var many = Self.beat
        many.claims = (0..<4097).map { .init(shard: ShardID($0), epoch: 1) }
        #expect(
            Self.failure(many.encoded(cluster: Self.cluster))
                == .unreadable(.invalidValue(offset: 41, expected: "at most 4096 claims")))
    }

    @Test("random changes end in an error or a beat, never in a trap", arguments: 0..<20)
    func changed(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            var bytes = RecordVectorTests.bytes(Self.bytes)
            for _ in 0...random.below(4) {
                bytes[random.below(bytes.count)] = UInt8(random.below(256))
            }
            guard let beat = try? Beat.decode(bytes, cluster: Self.cluster) else { continue }
            // What is read is what is written, but for the number of a receiver that is none.
            let again = beat.encoded(cluster: Self.cluster)
            #expect((try? Beat.decode(again, cluster: Self.cluster)) == beat)
        }
    }
}
