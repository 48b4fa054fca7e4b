/// Which rooms of a shard have snapshots, and where. It is stored as a snapshot of its own, of the
/// empty room's name, and stands at a place of the journal: from there on the journal and the
/// snapshots that it names are everything.
///
///     offset  size  meaning
///     0       4     "SSCD"
///     4       1     version, 1
///     5       4     number of snapshots
///     9       …     for each: the length (4) of its pointer, then the pointer
///
/// Numbers are little-endian.
public struct SnapshotDirectory: Equatable, Sendable {
    /// The name under which it is stored.
    public static let room = ""
    private static let magic = Array("SSCD".utf8)
    private static let version: UInt8 = 1

    /// The snapshots, by room.
    public var pointers: [String: SnapshotPointer]

    /// Makes a directory.
    public init(_ pointers: [String: SnapshotPointer] = [:]) { self.pointers = pointers }

    /// The directory's bytes.
    ///
    /// - Throws: `RecordError` for a name that is too long.
    /// - Complexity: O(n log n).
    public func encoded() throws(RecordError) -> [UInt8] {
        var writer = RecordWriter()
        writer.raw(Self.magic)
        writer.number(Self.version)
        writer.number(UInt32(truncatingIfNeeded: pointers.count))
        for (_, pointer) in pointers.sorted(by: { $0.key < $1.key }) {
            try writer.block(try pointer.encoded())
        }
        return writer.bytes
    }

    /// Reads a directory.
    ///
    /// - Throws: `RecordError` for bytes that are none, or name another shard's snapshots.
    /// - Complexity: O(bytes).
    public static func decode(
        _ bytes: [UInt8], scope: RecordScope
    ) throws(RecordError) -> SnapshotDirectory {
        guard bytes.starts(with: magic) else {
            throw .foreign(firstBytes: Array(bytes.prefix(magic.count)))
        }
        var reader = RecordReader(bytes, in: magic.count..<bytes.count)
        let found = try reader.number(UInt8.self)
        guard found == version else { throw .otherVersion(found: found, expected: version) }
        var directory = SnapshotDirectory()
        for _ in 0..<(try reader.count(bytesEach: 4)) {
            let pointer = try SnapshotPointer.decode(try reader.block(), scope: scope)
            directory.pointers[pointer.room] = pointer
        }
        try reader.finish()
        return directory
    }
}
