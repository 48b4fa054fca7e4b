import SceneProtocol
import SeededRandom

/// A disk that holds one room's records as bytes, and what can go wrong with one.
struct SimulatedDisk {
    /// What reached it, oldest first; after a crash the last may be torn.
    private(set) var contents: [[UInt8]] = []
    var isFull = false

    /// Takes records for good.
    mutating func write(_ records: [JournalRecord]) {
        contents += records.map { $0.encoded() }
    }

    /// A crash in the middle of a write: some of the records are there, the next perhaps in part or flipped.
    mutating func tear(_ records: [JournalRecord], _ random: inout SplitMix64) {
        let whole = random.below(records.count + 1)
        write(Array(records.prefix(whole)))
        guard whole < records.count, random.below(2) == 0 else { return }
        var bytes = records[whole].encoded()
        if random.below(2) == 0 {
            bytes.removeLast(1 + random.below(bytes.count))
        } else {
            bytes[random.below(bytes.count)] ^= UInt8(1 << random.below(8))
        }
        contents.append(bytes)
    }

    /// The records up to the first that is torn or does not follow; what comes after is cut.
    mutating func recover() -> [JournalRecord] {
        var records: [JournalRecord] = []
        for bytes in contents {
            guard let record = try? JournalRecord.decode(bytes) else { break }
            if let last = records.last,
                record.sequence != last.sequence + 1 || record.previous != last.checksum
            {
                break
            }
            records.append(record)
        }
        contents.removeLast(contents.count - records.count)
        return records
    }

    /// Removes what comes after a sequence.
    mutating func truncate(after sequence: UInt64) {
        let records = recover()
        contents = records.filter { $0.sequence <= sequence }.map { $0.encoded() }
    }
}
