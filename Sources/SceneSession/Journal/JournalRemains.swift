import SceneWire

/// What is left of a damaged journal, and the scenes to which that leads.
public struct JournalRemains {
    /// What can be restored.
    public enum Result {
        /// No snapshot is left, or it cannot be replayed; the reason.
        case none(String)
        /// The last part, at this index, has a snapshot, so only the past is damaged.
        case present(Int, JournalSalvage)
        /// The part with the last snapshot, at this index, the scene at its end, and the scene with
        /// the parts behind it.
        case parted(Int, before: JournalSalvage, behind: JournalSalvage)
    }

    /// What can be restored.
    public let result: Result
    /// The records behind the damage, where the last part has no snapshot.
    public let behind: ClosedRange<UInt64>?

    /// Replays the parts of a journal from the last snapshot on.
    ///
    /// - Parameter pieces: In their order.
    /// - Complexity: That of two replays.
    public init(_ pieces: [JournalSalvage.Piece]) {
        let start = pieces.lastIndex { $0.records.contains { $0.kind == .snapshot } }
        guard let start,
            let snapshot = pieces[start].records.lastIndex(where: { $0.kind == .snapshot })
        else {
            (result, behind) = (.none("no snapshot is left to begin with"), nil)
            return
        }
        let first = JournalSalvage.Piece(records: Array(pieces[start].records[snapshot...]))
        let rest = Array(pieces[(start + 1)...])
        do throws(JournalPlayer.Failure) {
            let before = try JournalSalvage([first])
            guard let head = rest.first?.records.first, let tail = rest.last?.records.last else {
                (result, behind) = (.present(start, before), nil)
                return
            }
            let salvage = try JournalSalvage([first] + rest)
            result = .parted(start, before: before, behind: salvage)
            behind = head.sequence...max(head.sequence, tail.sequence)
        } catch {
            (result, behind) = (.none(error.description), nil)
        }
    }
}
