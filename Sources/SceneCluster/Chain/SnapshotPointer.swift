/// Says that the snapshot of a room is complete, and at which place of the shard's chain it stands.
/// It is published last, after the snapshot's chunks, on a subject of its own.
///
/// The header's epoch, author, number and checksum are those of the place. The body:
///
///     offset  size  meaning
///     58      8     sequence number of the place in the stream
///     66      4     number of chunks
///     70      8     bytes of all chunks
///     78      16    the first 128 bits of the SHA-256 of these bytes
///     94      2     length of the room's name, then the name
public struct SnapshotPointer: Equatable, Sendable {
    /// The largest number of chunks.
    public static let chunkMaximum: UInt32 = 65_536

    /// Cluster and shard.
    public var scope: RecordScope
    /// The room.
    public var room: String
    /// The place in the chain that the snapshot stands at.
    public var anchor: ChainAnchor
    /// How many chunks it has.
    public var chunkCount: UInt32
    /// How many bytes all chunks have.
    public var byteCount: UInt64
    /// The checksum of these bytes.
    public var checksum: RecordChecksum

    /// Makes a pointer.
    public init(
        scope: RecordScope, room: String, anchor: ChainAnchor, chunkCount: UInt32,
        byteCount: UInt64, checksum: RecordChecksum
    ) {
        self.scope = scope
        self.room = room
        self.anchor = anchor
        self.chunkCount = chunkCount
        self.byteCount = byteCount
        self.checksum = checksum
    }

    /// The pointer's bytes with its checksum at the end.
    ///
    /// - Throws: `RecordError.nameTooLong` for a name that `decode` would refuse.
    public func encoded() throws(RecordError) -> [UInt8] {
        var writer = RecordWriter()
        RecordHeader(
            kind: .snapshotPointer, scope: scope, epoch: anchor.epoch, author: anchor.owner,
            number: anchor.number, previous: anchor.checksum
        ).write(to: &writer)
        writer.number(anchor.sequence)
        writer.number(chunkCount)
        writer.number(byteCount)
        writer.checksum(checksum)
        try ChainRecord.write(room: room, to: &writer)
        return try writer.sealed().bytes
    }

    /// Reads a pointer.
    ///
    /// - Throws: `RecordError` for bytes that are no pointer of this shard, or are cut short,
    ///   damaged or of another version.
    public static func decode(
        _ bytes: [UInt8], scope: RecordScope
    ) throws(RecordError) -> SnapshotPointer {
        var (header, reader, _) = try RecordHeader.open(bytes, scope: scope)
        guard header.kind == .snapshotPointer else { throw .unknownKind(header.kind.rawValue) }
        let anchor = ChainAnchor(
            sequence: try reader.number(UInt64.self), number: header.number,
            checksum: header.previous, epoch: header.epoch, owner: header.author)
        let start = reader.offset
        let chunkCount = try reader.number(UInt32.self)
        guard chunkCount <= chunkMaximum else {
            throw .invalidValue(offset: start, expected: "at most \(chunkMaximum) chunks")
        }
        let byteCount = try reader.number(UInt64.self)
        let checksum = try reader.checksum()
        let room = try ChainRecord.room(&reader)
        try reader.finish()
        return SnapshotPointer(
            scope: scope, room: room, anchor: anchor, chunkCount: chunkCount,
            byteCount: byteCount, checksum: checksum)
    }
}
