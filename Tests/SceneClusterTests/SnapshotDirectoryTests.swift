import SceneCluster
import SeededRandom
import Testing

/// The expected bytes were put together by hand from the format's table and that of a pointer,
/// which has a vector of its own.
@Suite("The directory of snapshots")
struct SnapshotDirectoryTests {
    private static let scope = RecordVectorTests.scope

    private static func pointer(_ room: String, at number: UInt64) -> SnapshotPointer {
        SnapshotPointer(
            scope: scope, room: room,
            anchor: ChainAnchor(
                sequence: number * 3, number: number,
                checksum: RecordChecksum(high: number, low: 2),
                epoch: 4, owner: NodeLife(node: NodeID(1), life: 11)),
            chunkCount: 2, byteCount: 700_000, checksum: RecordChecksum(high: 5, low: 6))
    }

    @Test("an empty one has these bytes, and one with rooms its pointers in the order of names")
    func bytes() throws {
        #expect(
            try SnapshotDirectory().encoded() == Array("SSCD".utf8) + [1, 0, 0, 0, 0])
        let (a, b) = (Self.pointer("a", at: 7), Self.pointer("b", at: 9))
        let directory = SnapshotDirectory(["b": b, "a": a])
        let (first, second) = (try a.encoded(), try b.encoded())
        // Header 58, body 38 and the name 1, checksum 16.
        #expect(first.count == 113)
        #expect(
            try directory.encoded() == Array("SSCD".utf8) + [1, 2, 0, 0, 0] + [113, 0, 0, 0]
                + first + [113, 0, 0, 0] + second)
        #expect(
            try SnapshotDirectory.decode(directory.encoded(), scope: Self.scope) == directory)
    }

    private static func failure(_ bytes: [UInt8]) -> RecordError? {
        do throws(RecordError) {
            _ = try SnapshotDirectory.decode(bytes, scope: scope)
            return nil
        } catch { return error }
    }

    @Test("every cut, more bytes, another version, and counts that are not there are refused")
    func wrong() throws {
        let bytes = try SnapshotDirectory(["a": Self.pointer("a", at: 7)]).encoded()
        for count in 0..<bytes.count { #expect(Self.failure(Array(bytes[..<count])) != nil) }
        #expect(
            Self.failure(bytes + [0])
                == .invalidValue(offset: bytes.count, expected: "the end of the record"))
        var other = bytes
        other[4] = 2
        #expect(Self.failure(other) == .otherVersion(found: 2, expected: 1))
        other = bytes
        for offset in 5..<9 { other[offset] = 0xFF }
        #expect(
            Self.failure(other)
                == .truncated(
                    offset: 9, neededBytes: 4 * 0xFFFF_FFFF, availableBytes: bytes.count - 9))
    }

    @Test("random changes end in an error or a directory, never in a trap", arguments: 0..<10)
    func changed(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let whole = try SnapshotDirectory(["a": Self.pointer("a", at: 7)]).encoded()
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0...random.below(3) {
                bytes[random.below(bytes.count)] = UInt8(random.below(256))
            }
            // The checksum of the pointer finds what is changed in it.
            if Self.failure(bytes) == nil { #expect(bytes == whole) }
        }
    }
}
