import SceneWire

/// The session's state of its journal: the next record, the records that are not durable yet, and
/// the results that wait for them.
struct JournalState {
    /// A result that is sent when the records before it are on disk.
    struct Waiting {
        var member: MemberID
        var author: String
        var result: OpsResult
        /// Whether a part of the message is in the journal.
        var isJournalled: Bool
        /// Whether it is remembered for a client that asks again.
        var isNoted = true
    }

    private(set) var lastSequence: UInt64
    private(set) var lastChecksum: UInt64
    /// The tick of the last record that was made here.
    private(set) var lastTick: UInt64?
    private(set) var durableSequence: UInt64
    /// Bytes and records since the last snapshot, and that snapshot's own bytes and tick.
    private(set) var bytesSinceSnapshot = 0
    private(set) var batchesSinceSnapshot = 0
    private(set) var snapshotBytes = 0
    private(set) var snapshotTick: UInt64 = 0
    /// The reason why the last due snapshot was not written.
    private(set) var snapshotFault: String?
    /// The last durable snapshot and the records after it: the scene is rebuilt from these when it
    /// thaws, and when the store fails.
    private var records: Records
    private var waiting: [(sequence: UInt64, entry: Waiting)] = []
    /// Results that wait for a proof, with its number, in order.
    private var unproved: [(proof: UInt64, entry: Waiting)] = []
    /// The last number that was asked for.
    private var lastProof: UInt64 = 0

    private enum Records {
        case loose([JournalRecord])
        /// Compressed, while they are unlikely to be needed.
        case packed(PackedRecords)
    }

    /// - Parameter kept: The records from the last snapshot on.
    init(last: (sequence: UInt64, checksum: UInt64), kept: [JournalRecord]) {
        lastSequence = last.sequence
        lastChecksum = last.checksum
        durableSequence = last.sequence
        records = .loose(kept)
        for record in kept { count(record) }
    }

    private mutating func count(_ record: JournalRecord) {
        switch record.kind {
        case .snapshot:
            bytesSinceSnapshot = 0
            batchesSinceSnapshot = 0
            snapshotBytes = record.payload.count
            snapshotTick = record.tick
            snapshotFault = nil
        case .batch:
            bytesSinceSnapshot += record.payload.count
            batchesSinceSnapshot += 1
        }
    }

    /// Restarts the interval to the next snapshot after a due one could not be written.
    mutating func postponeSnapshot(at tick: UInt64, _ fault: String) {
        bytesSinceSnapshot = 0
        batchesSinceSnapshot = 0
        snapshotTick = tick
        snapshotFault = fault
    }

    // MARK: Kept records

    /// The last durable snapshot and the records after it; unpacks them.
    var kept: [JournalRecord] {
        mutating get {
            switch records {
            case .loose(let records): return records
            case .packed(let bytes):
                do {
                    let loose = try bytes.records()
                    records = .loose(loose)
                    return loose
                } catch {
                    // This process packed the bytes. Without them the scene cannot be rebuilt, and
                    // the session closes its members.
                    assertionFailure("packed records were refused: \(error)")
                    records = .loose([])
                    return []
                }
            }
        }
    }

    /// The bytes of the kept records.
    ///
    /// - Complexity: O(records).
    var byteCount: Int {
        switch records {
        case .loose(let records): records.reduce(0) { $0 + $1.payload.count + 120 }
        case .packed(let bytes): bytes.byteCount
        }
    }

    /// Whether the kept records suffice to rebuild a scene.
    var keepsScene: Bool {
        switch records {
        case .loose(let records): records.first?.kind == .snapshot
        case .packed: true
        }
    }

    /// Whether the durable records suffice to rebuild a scene.
    var hasDurableSnapshot: Bool {
        mutating get {
            let durable = durableSequence
            return kept.contains { $0.kind == .snapshot && $0.sequence <= durable }
        }
    }

    /// Compresses the kept records.
    mutating func pack() {
        if case .loose(let loose) = records { records = .packed(PackedRecords(loose)) }
    }

    /// Changes the records in place.
    private mutating func changeKept(_ change: (inout [JournalRecord]) -> Void) {
        var loose = kept
        // A single owner, so that appending copies nothing.
        records = .loose([])
        change(&loose)
        records = .loose(loose)
    }

    /// Whether all appended records are on disk.
    var isDurable: Bool { durableSequence == lastSequence }

    mutating func makeRecord(
        _ kind: JournalRecord.Kind, repeatsScene: Bool = false, epoch: UInt64, tick: UInt64,
        payload: [UInt8]
    ) -> JournalRecord {
        let record = JournalRecord(
            sequence: lastSequence + 1, epoch: epoch, tick: tick, previous: lastChecksum,
            kind: kind, repeatsScene: repeatsScene, payload: payload)
        lastSequence = record.sequence
        lastChecksum = record.checksum
        lastTick = tick
        changeKept { $0.append(record) }
        count(record)
        return record
    }

    mutating func wait(_ entry: Waiting) {
        waiting.append((lastSequence, entry))
    }

    func isWaiting(for clientSequence: UInt64, of author: String) -> Bool {
        waiting.contains {
            $0.entry.result.clientSequence == clientSequence && $0.entry.author == author
        }
            || unproved.contains {
                $0.entry.result.clientSequence == clientSequence && $0.entry.author == author
            }
    }

    // MARK: Proofs

    /// Holds a result until a proof that is asked for after it.
    mutating func waitForProof(_ entry: Waiting) { unproved.append((lastProof + 1, entry)) }

    /// The number of the proof to ask for, if results wait that no proof was asked for.
    mutating func takeProofToAsk() -> UInt64? {
        guard let last = unproved.last, last.proof > lastProof else { return nil }
        lastProof = last.proof
        return lastProof
    }

    /// - Returns: The results that waited for proofs up to a number, in order.
    mutating func becomeProved(through number: UInt64) -> [Waiting] {
        let count = unproved.prefix { $0.proof <= number }.count
        defer { unproved.removeFirst(count) }
        return unproved.prefix(count).map(\.entry)
    }

    /// The sequences of a client whose results wait, in order.
    func waitingSequences(of author: String) -> [UInt64] {
        waiting.filter { $0.entry.author == author && $0.entry.isJournalled }
            .map(\.entry.result.clientSequence)
    }

    /// Registers records as durable.
    ///
    /// - Returns: The records that became durable, and the results that waited for them.
    mutating func becomeDurable(
        through sequence: UInt64
    ) -> (records: [JournalRecord], results: [Waiting]) {
        let before = durableSequence
        durableSequence = max(durableSequence, min(sequence, lastSequence))
        let now = durableSequence
        let ready = waiting.filter { $0.sequence <= now }.map(\.entry)
        waiting.removeAll { $0.sequence <= now }
        guard now > before else { return ([], ready) }
        var new: [JournalRecord] = []
        changeKept { records in
            new = records.filter { $0.sequence > before && $0.sequence <= now }
            // Records before the last durable snapshot are not needed again.
            if let start = records.lastIndex(where: {
                $0.kind == .snapshot && $0.sequence <= now
            }) {
                records.removeFirst(start)
            }
        }
        return (new, ready)
    }

    /// Discards records that are not durable; returns the durable ones and the results that now
    /// fail.
    mutating func rewind() -> (records: [JournalRecord], failed: [Waiting]) {
        let durable = durableSequence
        changeKept { $0.removeAll { $0.sequence > durable } }
        let loose = kept
        lastSequence = durableSequence
        lastChecksum = loose.last?.checksum ?? 0
        let failed = waiting.map(\.entry)
        waiting.removeAll()
        for record in loose { count(record) }
        return (loose, failed)
    }
}
