import SceneModel
import SceneProtocol

/// What the session knows of its journal: what comes next, what is not on disk yet, and what waits for it.
struct JournalState {
    /// A result that leaves when the records before it are on disk.
    struct Waiting {
        var member: MemberID
        var author: String
        var token: String
        var result: OpsResult
    }

    private(set) var lastSequence: UInt64
    private(set) var lastChecksum: UInt64
    private(set) var durableSequence: UInt64
    private(set) var batchesSinceSnapshot = 0
    /// The last durable snapshot and what follows it: from these the scene is rebuilt when the store fails.
    private(set) var kept: [JournalRecord] = []
    private var waiting: [(sequence: UInt64, entry: Waiting)] = []

    init(last: (sequence: UInt64, checksum: UInt64)) {
        lastSequence = last.sequence
        lastChecksum = last.checksum
        durableSequence = last.sequence
    }

    /// Whether everything appended is on disk.
    var isSettled: Bool { durableSequence == lastSequence }

    mutating func makeRecord(
        _ kind: JournalRecord.Kind, epoch: UInt64, tick: UInt64, payload: [UInt8]
    ) -> JournalRecord {
        let record = JournalRecord(
            sequence: lastSequence + 1, epoch: epoch, tick: tick, previous: lastChecksum,
            kind: kind, payload: payload)
        lastSequence = record.sequence
        lastChecksum = record.checksum
        batchesSinceSnapshot = kind == .snapshot ? 0 : batchesSinceSnapshot + 1
        kept.append(record)
        return record
    }

    mutating func wait(_ entry: Waiting) {
        waiting.append((lastSequence, entry))
    }

    func isWaiting(for clientSequence: UInt64, of token: String) -> Bool {
        waiting.contains {
            $0.entry.result.clientSequence == clientSequence && $0.entry.token == token
        }
    }

    /// Notes what is on disk and hands out the results that waited for it.
    mutating func becomeDurable(through sequence: UInt64) -> [Waiting] {
        durableSequence = max(durableSequence, min(sequence, lastSequence))
        let ready = waiting.filter { $0.sequence <= durableSequence }.map(\.entry)
        waiting.removeAll { $0.sequence <= durableSequence }
        // Nothing before the last durable snapshot is needed again.
        if let start = kept.lastIndex(where: {
            $0.kind == .snapshot && $0.sequence <= durableSequence
        }) {
            kept.removeFirst(start)
        }
        return ready
    }

    /// Forgets what never reached the disk; returns the durable records and the results that now fail.
    mutating func rewind() -> (records: [JournalRecord], failed: [Waiting]) {
        kept.removeAll { $0.sequence > durableSequence }
        lastSequence = durableSequence
        if let last = kept.last { lastChecksum = last.checksum }
        let failed = waiting.map(\.entry)
        waiting.removeAll()
        return (kept, failed)
    }
}

extension SceneSession {
    func appendBatch(
        _ ops: [Op], author: String, clientSequence: UInt64, atomic: Bool
    ) {
        let payload = JournalPayload.batch(
            author: author, clientSequence: clientSequence, atomic: atomic, ops: ops)
        append(.batch, payload)
    }

    /// Writes the scene anew and rebuilds the live one from the same snapshot, so that both stay identical.
    func appendSnapshot(author: String, clientSequence: UInt64) {
        let snapshot = model.rebuildCanonically()
        append(
            .snapshot,
            .snapshot(
                snapshot, tickRate: tickRate, author: author, clientSequence: clientSequence))
    }

    private func append(_ kind: JournalRecord.Kind, _ payload: JournalPayload) {
        effects.append(
            .append(
                journal.makeRecord(kind, epoch: epoch, tick: tick, payload: payload.bytes)))
    }

    func becomeDurable(through sequence: UInt64) {
        for entry in journal.becomeDurable(through: sequence) {
            note(entry.result, author: entry.author)
            guard let recipient = recipient(of: entry) else { continue }
            send([.result(entry.result)], to: [recipient])
        }
        if journal.isSettled { durableTick = tick }
    }

    /// The connection that asked, or the one that the same client has now.
    private func recipient(of entry: JournalState.Waiting) -> MemberID? {
        if members[entry.member] != nil { return entry.member }
        return order.last { members[$0]?.admission.session == entry.author }
    }

    /// Goes back to what is on disk, under a new epoch; nobody may change anything until the store is back.
    func storeFailed(_ reason: String) {
        let (records, failed) = journal.rewind()
        isReadOnly = true
        for entry in failed {
            var result = entry.result
            result.outcome = .refused(
                Refusal(code: .storeFailed, message: "the journal could not be written: \(reason)"))
            note(result, author: entry.author)
            if let recipient = recipient(of: entry) { send([.result(result)], to: [recipient]) }
        }
        epoch += 1
        do {
            timeline = try JournalReplay(records).timeline
        } catch {
            // Nothing of the room was ever durable: it goes on with the scene it has, read-only.
        }
        broadcastEverything()
    }

    /// Takes changes again; the first record under the new epoch is the scene as it stands.
    func storeRecovered() {
        guard isReadOnly else { return }
        isReadOnly = false
        appendSnapshot(author: "", clientSequence: 0)
    }
}
