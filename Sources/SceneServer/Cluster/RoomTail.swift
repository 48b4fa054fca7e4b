import Deflate
import SceneProtocol

/// What a shard's journal has of one room: its records in order, and the parts of one that is still coming.
struct RoomTail {
    private(set) var records: [JournalRecord] = []
    /// The bytes of the records.
    private(set) var byteCount = 0
    /// Why the room cannot be read from here on.
    private(set) var damage: String?
    private var parts: [RecordPart] = []

    /// The sequence of the last record; 0 for none.
    var lastSequence: UInt64 { records.last?.sequence ?? 0 }

    /// Takes an entry of the room.
    ///
    /// - Complexity: O(bytes).
    mutating func take(_ bytes: [UInt8]) {
        do throws(JournalEntryError) {
            switch try JournalEntry(bytes) {
            case .record(let record): append(record)
            case .part(let part): try take(part)
            case .deletion: self = RoomTail()
            }
        } catch {
            damage = damage ?? error.description
        }
    }

    private mutating func append(_ record: JournalRecord) {
        parts = []
        // A room that is made anew after its deletion begins with its first record.
        records.append(record)
        byteCount += record.payload.count + Self.recordOverhead
    }

    /// The memory of a record besides its payload, about.
    private static let recordOverhead = 120

    private mutating func take(_ part: RecordPart) throws(JournalEntryError) {
        // An earlier record whose last parts never came was given up by its owner.
        if part.index == 0 { parts = [] }
        guard Int(part.index) == parts.count, parts.first.map({ $0.count == part.count }) ?? true
        else {
            throw JournalEntryError(
                "part \(part.index) of a record follows part \(parts.count), expected the next")
        }
        parts.append(part)
        guard parts.count == Int(part.count) else { return }
        let deflated = parts.flatMap(\.bytes)
        parts = []
        let bytes: [UInt8]
        do throws(DeflateError) {
            bytes = try Deflate.inflate(deflated[...], count: Int(part.byteCount))
        } catch {
            throw JournalEntryError("a record in parts cannot be inflated: \(error)")
        }
        do throws(DecodeError) {
            append(try JournalRecord.decode(bytes))
        } catch {
            throw JournalEntryError("a record in parts cannot be read: \(error)")
        }
    }

    /// The records from a snapshot on: from the last one, or the last one at or before a tick; from the oldest one if all
    /// are later.
    ///
    /// - Complexity: O(records).
    func records(from tick: UInt64?) -> [JournalRecord] {
        let start =
            records.lastIndex { $0.kind == .snapshot && $0.tick <= tick ?? .max }
            ?? records.firstIndex { $0.kind == .snapshot } ?? 0
        return Array(records[start...])
    }
}
