import Digests
import SceneCluster
import Testing

/// The expected bytes were put together from the format's table by a Python script with `struct`
/// and `hashlib`.
@Suite("Records of a shard as bytes")
struct RecordVectorTests {
    static let scope = RecordScope(cluster: ClusterID(0x0102_0304_0506_0708), shard: ShardID(5))
    static let author = NodeLife(node: NodeID(3), life: 0x1122_3344_5566_7788)

    static let seal =
        "5353435201020500" + "0807060504030201" + "0100000000000000" + "0300" + "8877665544332211"
        + "0100000000000000" + "00000000000000000000000000000000"
        + "4a1a8019e71190c5cf18351b1fce31b9"
    static let group =
        "5353435201010500" + "0807060504030201" + "0100000000000000" + "0300" + "8877665544332211"
        + "0200000000000000" + "4a1a8019e71190c5cf18351b1fce31b9"
        + "02000000" + "040064656d6f" + "03000000aabbcc" + "06004bc3bc636865" + "00000000"
        + "92a3005d774084ad6665ed769a1f57c8"
    static let handOver =
        "5353435201030500" + "0807060504030201" + "0100000000000000" + "0300" + "8877665544332211"
        + "0300000000000000" + "92a3005d774084ad6665ed769a1f57c8"
        + "0400" + "9900000000000000" + "01000000" + "040064656d6f" + "efbefecacefaedfe"
        + "9eb78fe4051c5cb6581f88e643b2d223"
    static let pointer =
        "5353435201040500" + "0807060504030201" + "0100000000000000" + "0300" + "8877665544332211"
        + "0200000000000000" + "92a3005d774084ad6665ed769a1f57c8"
        + "4d00000000000000" + "02000000" + "c027090000000000" + "903998a13c26111438bcdf5ccf829e38"
        + "040064656d6f" + "dbca5b470606f51884e31affee812438"

    static let sealSum = RecordChecksum(high: 0x4A1A_8019_E711_90C5, low: 0xCF18_351B_1FCE_31B9)
    static let groupSum = RecordChecksum(high: 0x92A3_005D_7740_84AD, low: 0x6665_ED76_9A1F_57C8)

    static func record(_ number: UInt64, _ previous: RecordChecksum, _ content: ChainRecord.Content)
        -> ChainRecord
    {
        ChainRecord(
            scope: scope, epoch: 1, author: author, number: number, previous: previous,
            content: content)
    }

    static let records: [(ChainRecord, String)] = [
        (record(1, .none, .seal), seal),
        (
            record(
                2, sealSum,
                .group([
                    .init(room: "demo", bytes: [0xAA, 0xBB, 0xCC]), .init(room: "Küche", bytes: []),
                ])), group
        ),
        (
            record(
                3, groupSum,
                .handOver(
                    to: NodeLife(node: NodeID(4), life: 0x99),
                    states: [.init(room: "demo", hash: 0xFEED_FACE_CAFE_BEEF)])), handOver
        ),
    ]

    static let snapshot = SnapshotPointer(
        scope: scope, room: "demo",
        anchor: ChainAnchor(
            sequence: 77, number: 2, checksum: groupSum, epoch: 1, owner: author),
        chunkCount: 2, byteCount: 600_000,
        checksum: RecordChecksum(high: 0x9039_98A1_3C26_1114, low: 0x38BC_DF5C_CF82_9E38))

    static func bytes(_ hexadecimal: String) -> [UInt8] {
        var rest = Substring(hexadecimal)
        var bytes: [UInt8] = []
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    /// The bytes with one changed, and a checksum that fits again.
    static func resealed(_ hexadecimal: String, _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var body = Array(bytes(hexadecimal).dropLast(16))
        change(&body)
        return body + SHA256Digest.of(body).prefix(16)
    }

    @Test("a checksum is the first 128 bits of the SHA-256")
    func checksum() {
        // FIPS 180-4, the example "abc".
        let expected = RecordChecksum(high: 0xBA78_16BF_8F01_CFEA, low: 0x4141_40DE_5DAE_2223)
        #expect(RecordChecksum(of: Array("abc".utf8)) == expected)
    }

    @Test("seal, group and hand-over have these bytes, and are read from them")
    func vectors() throws {
        for (record, expected) in Self.records {
            #expect(try record.encoded() == Self.bytes(expected))
            let decoded = try ChainRecord.decode(Self.bytes(expected), scope: Self.scope)
            #expect(decoded.record == record)
        }
        #expect(
            try ChainRecord.decode(Self.bytes(Self.group), scope: Self.scope).checksum
                == Self.groupSum)
    }

    @Test("a snapshot's pointer has these bytes, and is read from them")
    func pointerVector() throws {
        #expect(try Self.snapshot.encoded() == Self.bytes(Self.pointer))
        #expect(
            try SnapshotPointer.decode(Self.bytes(Self.pointer), scope: Self.scope) == Self.snapshot
        )
    }

    @Test("every flipped bit is noticed")
    func flippedBits() {
        for text in [Self.seal, Self.group, Self.handOver] {
            let bytes = Self.bytes(text)
            for bit in 0..<bytes.count * 8 {
                var damaged = bytes
                damaged[bit / 8] ^= 1 << (bit % 8)
                #expect(throws: RecordError.self) {
                    try ChainRecord.decode(damaged, scope: Self.scope)
                }
            }
        }
    }

    @Test("every record cut short, or with something behind it, is refused")
    func otherLengths() {
        for text in [Self.seal, Self.group, Self.handOver] {
            let bytes = Self.bytes(text)
            for count in 0..<bytes.count {
                #expect(throws: RecordError.self) {
                    try ChainRecord.decode(Array(bytes.prefix(count)), scope: Self.scope)
                }
                // Cut inside, with a checksum that fits.
                let cut = Self.resealed(text) { body in body = Array(body.prefix(count)) }
                if cut.count < bytes.count {
                    #expect(throws: RecordError.self) {
                        try ChainRecord.decode(cut, scope: Self.scope)
                    }
                }
            }
            #expect(throws: RecordError.self) {
                try ChainRecord.decode(Self.resealed(text) { $0.append(0) }, scope: Self.scope)
            }
        }
    }

    private func failure(_ bytes: [UInt8]) -> RecordError? {
        do throws(RecordError) {
            _ = try ChainRecord.decode(bytes, scope: Self.scope)
            return nil
        } catch { return error }
    }

    @Test("what is no record of this shard is told apart")
    func kindsOfWrong() {
        #expect(failure([]) == .foreign(firstBytes: []))
        #expect(failure(Array("{\"a\":1}".utf8)) == .foreign(firstBytes: Array("{\"a\"".utf8)))
        // Another version may have a checksum of another kind, so it is told by its number alone.
        #expect(failure(Array("SSCR".utf8) + [2]) == .otherVersion(found: 2, expected: 1))
        #expect(
            failure(Self.bytes(Self.seal).dropLast(1) + [0xB8])
                == .damaged(
                    found: RecordChecksum(high: Self.sealSum.high, low: Self.sealSum.low - 1),
                    expected: Self.sealSum))
        #expect(
            failure(Self.resealed(Self.seal) { $0[8] = 9 })
                == .otherCluster(
                    found: ClusterID(0x0102_0304_0506_0709), expected: Self.scope.cluster))
        #expect(
            failure(Self.resealed(Self.seal) { $0[6] = 6 })
                == .otherShard(found: ShardID(6), expected: ShardID(5)))
        #expect(failure(Self.resealed(Self.seal) { $0[5] = 9 }) == .unknownKind(9))
        #expect(failure(Self.bytes(Self.pointer)) == .unknownKind(4))
        #expect(
            failure([UInt8](repeating: 0, count: 1 << 20 + 1))
                == .tooLong(bytes: 1 << 20 + 1, maximum: 1 << 20))
    }

    @Test("a count that the bytes cannot hold is refused before memory is taken")
    func largeCounts() {
        let many = Self.resealed(Self.group) { body in
            for offset in 58..<62 { body[offset] = 0xFF }
        }
        #expect(
            failure(many)
                == .truncated(
                    offset: 62, neededBytes: 6 * 0xFFFF_FFFF, availableBytes: 103 - 16 - 62))
        let long = Self.resealed(Self.group) { $0[62] = 0xFF }
        #expect(failure(long) == .truncated(offset: 64, neededBytes: 255, availableBytes: 23))
    }

    @Test("a name that is not UTF-8, or too long, is refused")
    func names() {
        #expect(
            failure(Self.resealed(Self.group) { $0[64] = 0xFF })
                == .invalidValue(offset: 64, expected: "UTF-8"))
        let long = Self.resealed(Self.group) {
            $0.replaceSubrange(62..<64, with: [1, 1])
            $0.insert(contentsOf: [UInt8](repeating: 0x78, count: 257 - 4), at: 64)
        }
        #expect(
            failure(long) == .invalidValue(offset: 62, expected: "a name of at most 256 bytes"))
    }

    @Test("what no reader would take is not written", arguments: [257, 65_536])
    func unwritable(nameBytes: Int) throws {
        let name = String(repeating: "x", count: nameBytes)
        let expected = RecordError.nameTooLong(bytes: nameBytes, maximum: 256)
        let contents: [ChainRecord.Content] = [
            .group([.init(room: name, bytes: [])]),
            .handOver(to: Self.author, states: [.init(room: name, hash: 1)]),
        ]
        for content in contents {
            #expect(throws: expected) { try Self.record(2, Self.sealSum, content).encoded() }
        }
        var pointer = Self.snapshot
        pointer.room = name
        #expect(throws: expected) { try pointer.encoded() }
        let entry = ChainRecord.Entry(room: "", bytes: [])
        #expect(throws: RecordError.tooMany(count: 65_537, maximum: 65_536)) {
            try Self.record(
                2, Self.sealSum, .group(.init(repeating: entry, count: 65_537))
            ).encoded()
        }
        // The whole record: 58 of the header, 4 of the count, 6 of the entry, 16 of the checksum.
        let fitting = (1 << 20) - 84
        let largest = Self.record(
            2, Self.sealSum, .group([.init(room: "", bytes: .init(repeating: 7, count: fitting))]))
        let read = try ChainRecord.decode(try largest.encoded(), scope: Self.scope)
        #expect(read.record == largest)
        let larger = Self.record(
            2, Self.sealSum,
            .group([.init(room: "", bytes: .init(repeating: 7, count: fitting + 1))]))
        #expect(throws: RecordError.tooLong(bytes: (1 << 20) + 1, maximum: 1 << 20)) {
            try larger.encoded()
        }
    }

    @Test("a pointer's chunks are limited")
    func chunks() {
        let many = Self.resealed(Self.pointer) { $0[68] = 2 }
        #expect(throws: RecordError.invalidValue(offset: 66, expected: "at most 65536 chunks")) {
            try SnapshotPointer.decode(many, scope: Self.scope)
        }
        #expect(throws: RecordError.unknownKind(2)) {
            try SnapshotPointer.decode(Self.bytes(Self.seal), scope: Self.scope)
        }
    }
}
