import Bytes
import SceneWire

/// The bytes of one group commit.
///
///     offset  size    meaning
///     0       1       version, 2
///     …       varint  number of a room, then
///     …       varint  length of a record, then the record; so on for each record
///     end-8   8       checksum of all bytes before it, little-endian
///
/// Each record also has its own checksum, and names its predecessor, so intact records of a damaged
/// group are found and distinguished from damaged ones.
struct GroupBlob {
    static let version: UInt8 = 2

    struct Entry {
        var room: Int64
        var bytes: ArraySlice<UInt8>
    }

    static func encode(_ group: [(room: Int64, record: JournalRecord)]) -> [UInt8] {
        var writer = Writer(capacity: group.reduce(16) { $0 + $1.record.payload.count + 64 })
        for (room, record) in group { writer.append(record, room: room) }
        return writer.finish()
    }

    /// Builds a group, record by record.
    struct Writer {
        private var bytes: [UInt8]
        /// The records' bytes, for their checksums.
        private var bodies: [Range<Int>] = []

        /// - Parameter memory: An array whose memory is reused.
        init(capacity: Int, reusing memory: consuming [UInt8] = []) {
            bytes = memory
            bytes.removeAll(keepingCapacity: true)
            bytes.reserveCapacity(capacity)
            bytes.append(version)
        }

        mutating func append(_ record: JournalRecord, room: Int64) {
            Varint.append(UInt64(bitPattern: room), to: &bytes)
            Varint.append(UInt64(record.encodedByteCount), to: &bytes)
            bodies.append(record.appendUnsealed(to: &bytes))
        }

        /// Returns the group and empties the writer.
        mutating func finish() -> [UInt8] {
            JournalRecord.seal(bodies, in: &bytes)
            GroupBlob.seal(&bytes)
            // Moved, since a copy would copy all records.
            var result: [UInt8] = []
            swap(&result, &bytes)
            return result
        }
    }

    private static func seal(_ bytes: inout [UInt8]) {
        LittleEndian.append(checksum(bytes[...]), to: &bytes)
    }

    /// The readable entries.
    private(set) var entries: [Entry] = []
    /// Whether all bytes are as they were written.
    private(set) var isWhole = false
    /// Whether the entries cover all bytes: each record is in its place, even if its bytes are
    /// damaged.
    private(set) var isFramed = false

    /// Reads a group; any bytes may be given.
    init(_ bytes: [UInt8]) {
        guard bytes.count >= 9, bytes[0] == Self.version else { return }
        let body = bytes.dropLast(8)
        let sum: UInt64 = LittleEndian.number(bytes[body.endIndex...])
        var offset = 1
        while offset < body.endIndex {
            guard let room = Varint.take(body, &offset), let length = Varint.take(body, &offset),
                length <= UInt64(body.endIndex - offset)
            else { return }
            let end = offset + Int(length)
            entries.append(Entry(room: Int64(bitPattern: room), bytes: body[offset..<end]))
            offset = end
        }
        isFramed = true
        isWhole = sum == Self.checksum(body)
    }

    /// The number of records that are as they were written.
    ///
    /// - Complexity: O(bytes).
    var readableCount: Int {
        entries.count { (try? JournalRecord.decode(Array($0.bytes))) != nil }
    }

    /// Encodes entries again after some of a group were removed.
    static func encode(_ entries: [Entry]) -> [UInt8] {
        var bytes: [UInt8] = [version]
        for entry in entries {
            Varint.append(UInt64(bitPattern: entry.room), to: &bytes)
            Varint.append(UInt64(entry.bytes.count), to: &bytes)
            bytes += entry.bytes
        }
        seal(&bytes)
        return bytes
    }

    /// FNV-1a over words of eight bytes, folded; eight times as fast as over bytes.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.withUnsafeBytes { raw in
            var hash = FNV1a.basis
            var offset = 0
            while offset + 8 <= raw.count {
                let word = raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                hash = (hash ^ UInt64(littleEndian: word)) &* FNV1a.prime
                hash ^= hash >> 29
                offset += 8
            }
            while offset < raw.count {
                hash = (hash ^ UInt64(raw[offset])) &* FNV1a.prime
                offset += 1
            }
            return hash ^ hash >> 32
        }
    }
}
