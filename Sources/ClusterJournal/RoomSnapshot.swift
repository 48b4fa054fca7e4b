import Bytes
import Deflate
import SceneWire

/// A room as a cluster stores it beside the journal: its records from a snapshot of the scene on.
///
///     offset  size  meaning
///     0       4     "SSRS"
///     4       1     version, 1
///     5       8     bytes of all records, each after its length (4)
///     13      …     these bytes, deflated
///
/// Numbers are little-endian.
enum RoomSnapshot {
    private static let magic = Array("SSRS".utf8)
    private static let version: UInt8 = 1
    private static let headerBytes = 13
    /// The most bytes that the records of one room may have.
    private static let bytesMaximum: UInt64 = 1 << 30

    /// The bytes of records; `nil` for more than can be stored.
    ///
    /// - Complexity: O(bytes); some 5 ns a byte, for the thread that does it has beats to send.
    static func bytes(of records: [JournalRecord]) -> [UInt8]? {
        var plain: [UInt8] = []
        for record in records {
            LittleEndian.append(UInt32(clamping: record.encodedByteCount), to: &plain)
            record.append(to: &plain)
        }
        guard plain.count <= bytesMaximum, let deflated = try? Deflate.compress(plain, level: 1)
        else { return nil }
        var bytes = magic + [version]
        LittleEndian.append(UInt64(plain.count), to: &bytes)
        return bytes + deflated
    }

    /// Reads records.
    ///
    /// - Throws: `JournalEntryError`.
    /// - Complexity: O(bytes).
    static func records(in bytes: [UInt8]) throws(JournalEntryError) -> [JournalRecord] {
        guard bytes.count > headerBytes, bytes.starts(with: magic), bytes[4] == version else {
            throw JournalEntryError("it is no snapshot of a room that this version knows")
        }
        let count: UInt64 = LittleEndian.number(bytes[5..<headerBytes])
        guard count <= bytesMaximum else {
            throw JournalEntryError("a snapshot of \(count) bytes is too large")
        }
        let plain: [UInt8]
        do throws(DeflateError) {
            plain = try Deflate.inflate(bytes[headerBytes...], count: Int(count))
        } catch {
            throw JournalEntryError("a room's snapshot cannot be inflated: \(error)")
        }
        var records: [JournalRecord] = []
        var offset = 0
        while offset < plain.count {
            guard plain.count - offset >= 4 else {
                throw JournalEntryError("a room's snapshot is cut short")
            }
            let length = Int(LittleEndian.number(plain[offset..<offset + 4]) as UInt32)
            offset += 4
            guard length <= plain.count - offset else {
                throw JournalEntryError("a room's snapshot is cut short")
            }
            do throws(DecodeError) {
                records.append(
                    try JournalRecord.decode(Array(plain[offset..<offset + length])))
            } catch {
                throw JournalEntryError("a record of a room's snapshot cannot be read: \(error)")
            }
            offset += length
        }
        return records
    }
}
