/// The common header and trailer of a shard's records.
///
///     offset  size  meaning
///     0       4     "SSCR"
///     4       1     version, 1
///     5       1     kind: 1 group, 2 seal, 3 hand-over, 4 snapshot pointer
///     6       2     shard
///     8       8     cluster
///     16      8     epoch
///     24      2     node that wrote it
///     26      8     that node's life
///     34      8     number in the chain, from 1
///     42      16    checksum of the predecessor, 0 for the first
///     58      …     body, by kind
///     end-16  16    checksum: the first 128 bits of the SHA-256 of all bytes before it
///
/// Numbers are little-endian. Two examples are in `RecordVectorTests`.
struct RecordHeader: Equatable {
    static let magic = Array("SSCR".utf8)
    static let version: UInt8 = 1
    static let byteCount = 58
    /// The largest message of an engine; NATS accepts 1 MiB by default.
    static let recordBytesMaximum = 1 << 20

    enum Kind: UInt8 {
        case group = 1
        case seal = 2
        case handOver = 3
        case snapshotPointer = 4
    }

    var kind: Kind
    var scope: RecordScope
    var epoch: UInt64
    var author: NodeLife
    var number: UInt64
    var previous: RecordChecksum

    func write(to writer: inout RecordWriter) {
        writer.raw(Self.magic)
        writer.number(Self.version)
        writer.number(kind.rawValue)
        writer.number(scope.shard.rawValue)
        writer.number(scope.cluster.rawValue)
        writer.number(epoch)
        writer.number(author.node.rawValue)
        writer.number(author.life)
        writer.number(number)
        writer.checksum(previous)
    }

    /// Checks the frame of a record and reads its header.
    ///
    /// - Returns: The header, a reader of the body, and the record's checksum.
    static func open(
        _ bytes: [UInt8], scope: RecordScope
    ) throws(RecordError) -> (RecordHeader, RecordReader, RecordChecksum) {
        guard bytes.count <= recordBytesMaximum else {
            throw .tooLong(bytes: bytes.count, maximum: recordBytesMaximum)
        }
        // A foreign or newer record may have any length, so what it is comes before how long it is.
        let first = Array(bytes.prefix(magic.count))
        guard first == magic else { throw .foreign(firstBytes: first) }
        if bytes.count > 4, bytes[4] != version {
            throw .otherVersion(found: bytes[4], expected: version)
        }
        let least = byteCount + RecordChecksum.byteCount
        guard bytes.count >= least else {
            throw .truncated(offset: 0, neededBytes: least, availableBytes: bytes.count)
        }
        let end = bytes.count - RecordChecksum.byteCount
        var tail = RecordReader(bytes, in: end..<bytes.count)
        let found = try tail.checksum()
        let expected = RecordChecksum(of: Array(bytes[..<end]))
        guard found == expected else { throw .damaged(found: found, expected: expected) }
        var reader = RecordReader(bytes, in: 5..<end)
        let rawKind = try reader.number(UInt8.self)
        let shard = ShardID(try reader.number(UInt16.self))
        let cluster = ClusterID(try reader.number(UInt64.self))
        guard cluster == scope.cluster else {
            throw .otherCluster(found: cluster, expected: scope.cluster)
        }
        guard shard == scope.shard else { throw .otherShard(found: shard, expected: scope.shard) }
        guard let kind = Kind(rawValue: rawKind) else { throw .unknownKind(rawKind) }
        let header = RecordHeader(
            kind: kind, scope: scope, epoch: try reader.number(UInt64.self),
            author: NodeLife(
                node: NodeID(try reader.number(UInt16.self)), life: try reader.number(UInt64.self)),
            number: try reader.number(UInt64.self), previous: try reader.checksum())
        return (header, reader, found)
    }
}

/// The shard of the cluster that a record belongs to.
public struct RecordScope: Hashable, Sendable {
    /// The cluster.
    public var cluster: ClusterID
    /// The shard.
    public var shard: ShardID

    /// Makes a scope.
    public init(cluster: ClusterID, shard: ShardID) {
        self.cluster = cluster
        self.shard = shard
    }
}
