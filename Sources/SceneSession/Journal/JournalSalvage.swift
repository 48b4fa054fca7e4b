import SceneModel
public import SceneWire

/// The scene that a damaged journal still leads to: the records before the damage, then those
/// behind it as far as they fit.
///
/// Nothing that was acknowledged behind the damage is dropped because of what is missing before it;
/// a record that no longer fits is left out and named.
public struct JournalSalvage {
    /// The restored scene.
    public let timeline: SceneTimeline
    /// The last tick of the records that were used.
    public let tick: UInt64
    /// The number of records that fit, and of those that were left out in whole or in part.
    public let (used, leftOut): (Int, Int)
    /// Whether the scene is the one before the damage was done: nothing is missing but a snapshot,
    /// and all fits.
    public let isExact: Bool
    /// A sentence for each record that was left out, up to `notesMaximum`.
    public let notes: [String]
    private let player: JournalPlayer
    private let epoch: UInt64

    private static let notesMaximum = 20
    /// Seconds of ticks between the last tick and the restored scene.
    private static let pauseSeconds: UInt64 = 10

    /// Replays parts of a journal.
    ///
    /// - Parameter pieces: In their order; the first begins with a snapshot.
    /// - Throws: `JournalPlayer.Failure` if the first part cannot be replayed.
    /// - Complexity: That of a replay of all records.
    public init(_ pieces: [JournalPiece]) throws(JournalPlayer.Failure) {
        guard let first = pieces.first, let last = pieces.last?.records.last else {
            throw .noSnapshot
        }
        player = try JournalPlayer(first.records, tracksUndo: true)
        var budget = Int.max
        try player.advance(to: first.records.last?.tick ?? 0, budget: &budget)
        var (used, notes) = (first.records.count, [String]())
        var isExact = !pieces.contains(where: \.lacksEnd)
        var (leftOut, tick) = (0, player.tick)
        for piece in pieces.dropFirst() {
            if piece.lostSnapshot != nil { player.repeatSnapshot() } else { isExact = false }
            for record in piece.records {
                // A tick's records come before its cycle.
                if record.tick > tick + 1 {
                    try player.advance(to: record.tick - 1, budget: &budget)
                }
                tick = max(tick, record.tick)
                used += 1
                guard let reason = player.takeOrphan(record) else { continue }
                used -= 1
                leftOut += 1
                if notes.count < Self.notesMaximum { notes.append(reason) }
            }
            try player.advance(to: tick, budget: &budget)
        }
        timeline = player.timeline
        epoch = last.epoch
        self.tick = max(tick, player.tick)
        (self.used, self.leftOut) = (used, leftOut)
        self.isExact = isExact && leftOut == 0
        self.notes = player.notes + notes
    }

    /// The restored scene as records that continue a journal, with the clients' state and the steps
    /// to undo.
    ///
    /// They are later than any tick that members may have seen: without what was lost, views may
    /// have other numbers than they know, so that nothing leads on from these ticks.
    ///
    /// The same snapshot twice, of which the second repeats the scene: if one of the two is lost
    /// later, the other still has it.
    ///
    /// - Parameter before: The last record that the journal keeps.
    public func records(after before: JournalRecord) -> [JournalRecord] {
        let clients = player.clients.names.compactMap { name -> ClientRecord? in
            guard let history = player.clients[name], history.lastSequence > 0 else { return nil }
            var record = ClientRecord(
                name: name, tokenDigest: history.tokenDigest, lastSequence: history.lastSequence,
                committed: history.committed)
            record.kept = history.kept
            return record
        }
        var payload = SnapshotPayload(
            scene: timeline.model.snapshot(), tickRate: player.tickRate, author: "",
            clientSequence: 0, clients: clients, ledger: timeline.ledger.json)
        payload.annotations = timeline.annotations
        let bytes = JournalPayload.snapshot(payload).bytes
        var records: [JournalRecord] = []
        for isAgain in [false, true] {
            let last = records.last ?? before
            records.append(
                JournalRecord(
                    sequence: last.sequence + 1, epoch: max(epoch, before.epoch),
                    tick: tick + Self.pauseSeconds * UInt64(max(player.tickRate, 1)),
                    previous: last.checksum, kind: .snapshot, repeatsScene: isAgain,
                    payload: bytes))
        }
        return records
    }
}
