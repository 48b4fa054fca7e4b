import SceneSession
import SceneWire

/// All records that sessions of a simulated cluster made, by room and checksum: each names its
/// predecessor, so the last one of a room leads to the room's whole journal, whatever snapshots
/// replaced in the engine.
struct RecordJudge {
    private var made: [String: [UInt64: JournalRecord]] = [:]
    private var kept: [String: Set<UInt64>] = [:]

    /// A session made a record, which may be kept or not.
    mutating func append(_ record: JournalRecord, of room: String) {
        made[room, default: [:]][record.checksum] = record
    }

    /// A session was told that a record is durable.
    mutating func keep(_ record: JournalRecord, of room: String) {
        kept[room, default: []].insert(record.checksum)
    }

    /// A session was opened from a record, which an earlier one made.
    mutating func load(_ record: JournalRecord, of room: String) {
        kept[room, default: []].insert(record.checksum)
    }

    /// The records that lead to a room's last one, and violations among them.
    func chain(of room: String, endingWith last: JournalRecord) -> (
        records: [JournalRecord], faults: [String]
    ) {
        var records: [JournalRecord] = []
        var faults: [String] = []
        var next: JournalRecord? = last
        while let record = next {
            records.append(record)
            guard record.sequence > 1 else { break }
            next = made[room]?[record.previous]
            if next.map({ $0.sequence + 1 != record.sequence }) ?? true {
                faults.append(
                    "room \(room): record \(record.sequence) names a predecessor that no session made"
                )
                break
            }
        }
        let missing = (kept[room] ?? []).subtracting(records.map(\.checksum))
        if !missing.isEmpty {
            let sequences = missing.compactMap { made[room]?[$0]?.sequence }.sorted()
            faults.append("room \(room): records \(sequences) were durable and are lost")
        }
        return (records.reversed(), faults)
    }
}
