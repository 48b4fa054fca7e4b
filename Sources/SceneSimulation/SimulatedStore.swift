import SceneWire
import SeededRandom

/// The server's writer over a simulated disk: one group at a time, and nothing after a failure
/// until a snapshot.
struct SimulatedStore {
    /// How a write ended.
    enum Completion {
        /// Everything up to a sequence is on disk.
        case durable(through: UInt64)
        case failed
    }

    private var disk = SimulatedDisk()
    private var waiting: [[JournalRecord]] = []
    private var writing: [[JournalRecord]] = []
    private var durable: UInt64 = 0
    private var isFailing = false
    private var needsSnapshot = false

    var isFull: Bool { disk.isFull }

    /// What a reader finds on the disk now.
    var records: [JournalRecord] {
        var copy = disk
        return copy.recover()
    }

    /// The server starts on what the disk holds.
    mutating func open() -> [JournalRecord] {
        let records = disk.recover()
        durable = records.last?.sequence ?? 0
        isFailing = false
        needsSnapshot = false
        waiting = []
        writing = []
        return records
    }

    /// Takes records that belong together. After a failure they are taken from a snapshot on, once
    /// the disk is well.
    mutating func append(_ records: [JournalRecord]) {
        var records = records
        if isFailing || needsSnapshot {
            guard !isFailing, let start = records.firstIndex(where: { $0.kind == .snapshot })
            else { return }
            records.removeFirst(start)
            needsSnapshot = false
        }
        waiting.append(records)
    }

    /// Begins to write what waits.
    ///
    /// - Returns: False where nothing waits, or a write is under way.
    mutating func beginWrite() -> Bool {
        guard writing.isEmpty, !waiting.isEmpty, !isFailing else { return false }
        writing = waiting
        waiting = []
        return true
    }

    /// Ends the write that is under way.
    mutating func endWrite(_ random: inout SplitMix64) -> Completion? {
        guard let last = writing.last?.last else { return nil }
        let group = writing
        writing = []
        guard !disk.isFull else {
            // A failure that was none: the records are there all the same.
            if random.chance(1, of: 3) { disk.write(group) }
            isFailing = true
            needsSnapshot = true
            waiting = []
            return .failed
        }
        disk.write(group)
        durable = last.sequence
        return .durable(through: durable)
    }

    /// The server dies: the write under way reaches the disk in part.
    mutating func crash(_ random: inout SplitMix64) {
        if !writing.isEmpty { disk.tear(writing, &random) }
    }

    /// The disk fills up, or has room again.
    mutating func setFull(_ isFull: Bool) { disk.isFull = isFull }

    /// Resumes after a failure, where the disk has room.
    ///
    /// - Returns: Whether there was a failure to recover from.
    mutating func recover() -> Bool {
        guard !disk.isFull, isFailing else { return false }
        isFailing = false
        disk.truncate(after: durable)
        return true
    }

    /// The durable records from the last snapshot at or before a tick; `nil` where there is none.
    func records(leadingTo tick: UInt64) -> [JournalRecord]? {
        let durable = records.filter { $0.sequence <= self.durable }
        return durable.lastIndex { $0.kind == .snapshot && $0.tick <= tick }
            .map { Array(durable[$0...]) }
    }
}
