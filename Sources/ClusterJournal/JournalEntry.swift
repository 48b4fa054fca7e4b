import Bytes
import Deflate
import SceneCluster
import SceneWire

/// What an entry of a shard's journal holds of a room. The first byte tells:
///
///     1   a record, whole, as `JournalRecord` writes it
///     2   a part of a record that is too long for one entry: the part's index (2 bytes), the
///         number of parts (2), the
///         record's length (4), then a part of the record, deflated
///     3   the room was deleted: nothing before it counts
///     4   a snapshot of a room is stored, whose pointer follows; an entry of no room
///
/// Numbers are little-endian. The parts of a record follow one another among the room's entries;
/// where one is missing, the record was never kept.
enum JournalEntry: Equatable {
    case record(JournalRecord)
    case part(RecordPart)
    case deletion
    /// The bytes of a pointer.
    case snapshot([UInt8])

    /// The largest record that is one entry, in bytes.
    private static let wholeMaximum = 64 << 10
    /// The bytes of one part.
    static let partBytes = 256 << 10
    /// The largest record; a larger one cannot be kept in a cluster.
    static let recordBytesMaximum = 256 << 20

    /// The entries of a record; `nil` for one that is too large.
    ///
    /// - Complexity: O(bytes).
    static func entries(of record: JournalRecord) -> [[UInt8]]? {
        let bytes = record.encoded()
        guard bytes.count > wholeMaximum else { return [[1] + bytes] }
        guard bytes.count <= recordBytesMaximum,
            let deflated = try? Deflate.compress(bytes, level: 1)
        else { return nil }
        let starts = Array(stride(from: 0, to: deflated.count, by: partBytes))
        guard let count = UInt16(exactly: starts.count) else { return nil }
        return starts.enumerated().map { index, start in
            let part = RecordPart(
                index: UInt16(truncatingIfNeeded: index), count: count,
                byteCount: UInt32(bytes.count),
                bytes: Array(deflated[start..<min(start + partBytes, deflated.count)]))
            return part.encoded
        }
    }

    /// The entry that deletes a room.
    static let deletionBytes: [UInt8] = [3]

    /// The entry that says that a snapshot is stored; `nil` for a pointer that cannot be written.
    static func bytes(of pointer: SnapshotPointer) -> [UInt8]? {
        (try? pointer.encoded()).map { [4] + $0 }
    }

    /// Reads an entry.
    ///
    /// - Throws: `JournalEntryError`.
    init(_ bytes: [UInt8]) throws(JournalEntryError) {
        switch bytes.first {
        case 1:
            do throws(DecodeError) {
                self = .record(try JournalRecord.decode(Array(bytes.dropFirst())))
            } catch {
                throw JournalEntryError("a record cannot be read: \(error)")
            }
        case 2: self = .part(try RecordPart(bytes))
        case 3 where bytes.count == 1: self = .deletion
        case 4: self = .snapshot(Array(bytes.dropFirst()))
        case let kind:
            throw JournalEntryError(
                "an entry of \(bytes.count) bytes begins with \(kind.map { "\($0)" } ?? "nothing"), expected 1 to 4; run the version of SceneSync that wrote it"
            )
        }
    }
}

/// A part of a record that is too long for one entry.
struct RecordPart: Equatable {
    var index: UInt16
    var count: UInt16
    /// The bytes of the whole record.
    var byteCount: UInt32
    /// A part of the record, deflated.
    var bytes: [UInt8]

    private static let headerBytes = 9

    init(index: UInt16, count: UInt16, byteCount: UInt32, bytes: [UInt8]) {
        self.index = index
        self.count = count
        self.byteCount = byteCount
        self.bytes = bytes
    }

    /// Reads an entry.
    init(_ entry: [UInt8]) throws(JournalEntryError) {
        guard entry.count > Self.headerBytes else {
            throw JournalEntryError("a part of a record is cut short")
        }
        index = LittleEndian.number(entry[1..<3])
        count = LittleEndian.number(entry[3..<5])
        byteCount = LittleEndian.number(entry[5..<9])
        bytes = Array(entry[Self.headerBytes...])
        guard index < count, byteCount <= JournalEntry.recordBytesMaximum else {
            throw JournalEntryError(
                "part \(index) of \(count) of a record of \(byteCount) bytes is none")
        }
    }

    var encoded: [UInt8] {
        var entry: [UInt8] = [2]
        LittleEndian.append(index, to: &entry)
        LittleEndian.append(count, to: &entry)
        LittleEndian.append(byteCount, to: &entry)
        return entry + bytes
    }
}

/// Why an entry cannot be read.
struct JournalEntryError: Error, Equatable, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
