import SceneStore
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

    /// The store that ships, in a directory; `nil` for a disk in memory, which is faster.
    let directory: SimulatedDirectory?
    private var disk = SimulatedDisk()
    private var waiting: [[JournalRecord]] = []
    private var writing: [[JournalRecord]] = []
    private var durable: UInt64 = 0
    private var isFailing = false
    private var needsSnapshot = false

    init(_ directory: SimulatedDirectory? = nil) { self.directory = directory }

    var isFull: Bool { disk.isFull }

    /// Whether all that was appended is on disk.
    var isSettled: Bool { writing.isEmpty && waiting.isEmpty && !isFailing && !needsSnapshot }

    /// What a reader finds on the disk now.
    var records: [JournalRecord] {
        if let directory { return (try? directory.records()) ?? [] }
        var copy = disk
        return copy.recover()
    }

    /// The server starts on what the disk holds.
    ///
    /// - Throws: `StoreError` of a store in a directory.
    mutating func open() throws(StoreError) -> [JournalRecord] {
        let records = if let directory { try directory.open() } else { disk.recover() }
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
            if random.chance(1, of: 3) { _ = keep(group) }
            return fail()
        }
        guard keep(group) else { return fail() }
        durable = last.sequence
        return .durable(through: durable)
    }

    /// - Returns: Whether the store took it.
    private mutating func keep(_ groups: [[JournalRecord]]) -> Bool {
        guard let directory else {
            disk.write(groups)
            return true
        }
        do throws(StoreError) {
            try directory.write(groups)
            return true
        } catch {
            return false
        }
    }

    private mutating func fail() -> Completion {
        isFailing = true
        needsSnapshot = true
        waiting = []
        return .failed
    }

    /// The server dies: the write under way reaches the disk in part.
    ///
    /// - Returns: Whether a group in a directory was torn.
    mutating func crash(_ random: inout SplitMix64) throws -> Bool {
        guard let directory else {
            if !writing.isEmpty { disk.tear(writing, &random) }
            return false
        }
        defer { directory.close() }
        guard !writing.isEmpty else { return false }
        let whole = random.below(writing.count + 1)
        try directory.write(Array(writing.prefix(whole)))
        guard whole < writing.count, random.below(2) == 0 else { return false }
        try directory.write([writing[whole]])
        return try directory.tearLast(&random)
    }

    /// The disk fills up, or has room again.
    mutating func setFull(_ isFull: Bool) { disk.isFull = isFull }

    /// Resumes after a failure, where the disk has room.
    ///
    /// - Returns: Whether there was a failure to recover from.
    mutating func recover() -> Bool {
        guard !disk.isFull, isFailing else { return false }
        if let directory {
            guard (try? directory.truncate(after: durable)) != nil else { return false }
        } else {
            disk.truncate(after: durable)
        }
        isFailing = false
        return true
    }

    /// The durable records from the last snapshot at or before a tick; `nil` where there is none.
    func records(leadingTo tick: UInt64) -> [JournalRecord]? {
        let durable = records.filter { $0.sequence <= self.durable }
        return durable.lastIndex { $0.kind == .snapshot && $0.tick <= tick }
            .map { Array(durable[$0...]) }
    }
}
