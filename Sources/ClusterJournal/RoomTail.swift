import Deflate
import SceneWire

/// What a shard's journal has of one room behind the room's snapshot in the engine: its records in
/// order, and the parts of one that is still coming.
struct RoomTail {
    /// A record, and the number in the shard's chain of the record that holds the last of it.
    private struct Numbered {
        var number: UInt64
        var record: JournalRecord
    }

    private var numbered: [Numbered] = []
    /// The bytes of the records.
    private(set) var byteCount = 0
    /// Why the room cannot be read from here on.
    private(set) var damage: String?
    private var parts: [RecordPart] = []

    /// The memory of a record besides its payload, about.
    private static let recordOverhead = 120

    /// The records in order.
    var records: [JournalRecord] { numbered.map(\.record) }
    /// The sequence of the last record; 0 without one.
    var lastSequence: UInt64 { numbered.last?.record.sequence ?? 0 }
    /// The number in the chain of the record that holds the last one; 0 without one.
    var lastNumber: UInt64 { numbered.last?.number ?? 0 }
    /// Whether it has a record with a scene, from which on no snapshot is needed.
    var hasScene: Bool { numbered.contains { $0.record.kind == .snapshot } }
    /// Whether a record has begun and not ended.
    var isPartial: Bool { !parts.isEmpty }
    /// Whether nothing is there.
    var isEmpty: Bool { numbered.isEmpty && parts.isEmpty && damage == nil }

    /// Takes an entry of the room that is no deletion.
    ///
    /// - Parameter number: The chain's record that holds it.
    /// - Returns: The record that it completes, if it does.
    /// - Complexity: O(bytes).
    @discardableResult
    mutating func take(_ entry: JournalEntry, at number: UInt64) -> JournalRecord? {
        let before = numbered.count
        switch entry {
        case .record(let record): append(record, number)
        case .part(let part):
            do throws(JournalEntryError) {
                try take(part, number)
            } catch {
                note(damage: error.description)
            }
        case .deletion, .snapshot: break
        }
        return numbered.count > before ? numbered.last?.record : nil
    }

    /// Notes that something of the room cannot be read.
    mutating func note(damage text: String) { damage = damage ?? text }

    /// Drops what a snapshot holds: everything up to a record of the chain.
    ///
    /// - Complexity: O(records).
    mutating func cover(through number: UInt64) {
        numbered.removeAll { $0.number <= number }
        byteCount = numbered.reduce(0) { $0 + $1.record.payload.count + Self.recordOverhead }
    }

    /// Forgets the parts of a record that has begun and will not end.
    mutating func giveUpParts() { parts = [] }

    private mutating func append(_ record: JournalRecord, _ number: UInt64) {
        parts = []
        numbered.append(Numbered(number: number, record: record))
        byteCount += record.payload.count + Self.recordOverhead
    }

    private mutating func take(
        _ part: RecordPart, _ number: UInt64
    ) throws(JournalEntryError) {
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
            append(try JournalRecord.decode(bytes), number)
        } catch {
            throw JournalEntryError("a record in parts cannot be read: \(error)")
        }
    }
}

extension [JournalRecord] {
    /// The records from a snapshot on: from the last one, or the last one at or before a tick; from
    /// the oldest one if all are later.
    ///
    /// - Complexity: O(records).
    func from(tick: UInt64?) -> [JournalRecord] {
        let start =
            lastIndex { $0.kind == .snapshot && $0.tick <= tick ?? .max }
            ?? firstIndex { $0.kind == .snapshot } ?? 0
        return Array(self[start...])
    }
}
