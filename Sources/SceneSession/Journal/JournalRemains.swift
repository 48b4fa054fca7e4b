public import SceneWire

/// What is left of a damaged journal, and the scenes to which that leads.
public struct JournalRemains {
    /// What can be restored.
    public enum Result {
        /// No snapshot is left, or it cannot be replayed; the reason.
        case none(String)
        /// The last part, at this index, has a snapshot, so only the past is damaged, and where the
        /// scene is not exact, the end.
        case present(Int, JournalSalvage)
        /// The part with the last snapshot, at this index, the scene at its end, and the scene with
        /// the parts behind it.
        case parted(Int, before: JournalSalvage, behind: JournalSalvage)
    }

    /// What can be restored.
    public let result: Result
    /// The records behind the damage, where the last part has no snapshot.
    public let behind: ClosedRange<UInt64>?
    private let pieces: [JournalPiece]

    /// The piece to keep, and the records to append to it; `nil` if nothing can be restored. No
    /// record is appended if only the room's past is lost.
    ///
    /// - Parameter isBefore: Whether to drop the records behind the damage.
    public func restoration(
        before isBefore: Bool = false
    ) -> (piece: Int, next: [JournalRecord])? {
        let (index, scene): (Int, JournalSalvage)
        switch result {
        case .none: return nil
        case .present(let piece, let present):
            guard !present.isExact else { return (piece, []) }
            (index, scene) = (piece, present)
        case .parted(let piece, let before, let behind):
            (index, scene) = (piece, isBefore ? before : behind)
        }
        guard let last = pieces[index].records.last else { return nil }
        return (index, scene.records(after: last))
    }

    /// Replays the parts of a journal from the last snapshot on.
    ///
    /// - Parameter pieces: In their order.
    /// - Complexity: That of two replays.
    public init(_ pieces: [JournalPiece]) {
        self.pieces = pieces
        let start = pieces.lastIndex { $0.records.contains { $0.kind == .snapshot } }
        guard let start,
            let snapshot = pieces[start].records.lastIndex(where: { $0.kind == .snapshot })
        else {
            (result, behind) = (.none("no snapshot is left to begin with"), nil)
            return
        }
        let first = JournalPiece(
            records: Array(pieces[start].records[snapshot...]), lacksEnd: pieces[start].lacksEnd)
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
