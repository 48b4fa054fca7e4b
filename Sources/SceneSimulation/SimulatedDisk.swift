import SceneWire
import SeededRandom

/// A disk that holds one room's records as bytes, and what can go wrong with one.
///
/// It keeps the records of one call together or none of them, as a transaction of the database
/// does.
struct SimulatedDisk {
    /// What reached it, oldest first, in what was kept together; after a crash the last may be
    /// torn.
    private(set) var contents: [[[UInt8]]] = []
    var isFull = false

    /// Takes records for good.
    mutating func write(_ groups: [[JournalRecord]]) {
        contents += groups.map { $0.map { $0.encoded() } }
    }

    /// A crash in the middle of a write: some of the groups are there, the next perhaps in part or
    /// flipped.
    mutating func tear(_ groups: [[JournalRecord]], _ random: inout SplitMix64) {
        let whole = random.below(groups.count + 1)
        write(Array(groups.prefix(whole)))
        guard whole < groups.count, random.below(2) == 0 else { return }
        var group = groups[whole].map { $0.encoded() }
        let place = random.below(group.count)
        if random.below(2) == 0 {
            group[place].removeLast(1 + random.below(group[place].count))
        } else {
            group[place][random.below(group[place].count)] ^= UInt8(1 << random.below(8))
        }
        contents.append(group)
    }

    /// The records up to the first group of which one is torn or does not follow; what comes after
    /// is cut.
    mutating func recover() -> [JournalRecord] {
        var records: [JournalRecord] = []
        for (index, group) in contents.enumerated() {
            guard let read = Self.records(of: group, after: records.last) else {
                contents.removeLast(contents.count - index)
                break
            }
            records += read
        }
        return records
    }

    private static func records(
        of group: [[UInt8]], after last: JournalRecord?
    ) -> [JournalRecord]? {
        var last = last
        var records: [JournalRecord] = []
        for bytes in group {
            guard let record = try? JournalRecord.decode(bytes),
                last.map(record.follows) ?? true
            else { return nil }
            records.append(record)
            last = record
        }
        return records
    }

    /// Removes what comes after a sequence.
    mutating func truncate(after sequence: UInt64) {
        _ = recover()
        contents = contents.compactMap { group in
            let kept = group.filter { bytes in
                (try? JournalRecord.decode(bytes)).map { $0.sequence <= sequence } ?? false
            }
            return kept.isEmpty ? nil : kept
        }
    }
}
