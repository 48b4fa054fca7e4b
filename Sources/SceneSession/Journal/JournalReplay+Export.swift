import Annotations
import SceneModel
public import SceneWire

extension JournalReplay {
    /// The replayed scene as the first snapshot of another room: equal to the bit, without the
    /// clients that changed it, whose names are secrets.
    ///
    /// - Complexity: O(views + constraints).
    public func snapshot() -> SnapshotPayload {
        SnapshotPayload(exporting: timeline, tickRate: tickRate)
    }

    /// The replayed scene as the first record of another room's journal: the content of an exported
    /// file.
    ///
    /// - Complexity: O(views + constraints).
    ///
    /// - Parameter suggestion: That of which the other room is the branch; `nil` for another room.
    public func exportedRecord(asBranchOf suggestion: String?) -> JournalRecord {
        var payload = snapshot()
        if payload.annotations.ownSuggestion?.id != suggestion {
            payload.annotations.removeOwnSuggestion()
        }
        return JournalRecord(exporting: payload, at: tick)
    }

    /// The replayed scene as the first record of another room's journal, of a branch with its
    /// suggestion.
    ///
    /// - Complexity: O(views + constraints).
    public func exportedRecord() -> JournalRecord { JournalRecord(exporting: snapshot(), at: tick) }
}

extension SceneSession {
    /// The scene as the first record of another room's journal, as `JournalReplay.exportedRecord`;
    /// `nil` once it is lost. Thaws it.
    ///
    /// - Complexity: O(views + constraints).
    public func exportedRecord() -> JournalRecord? {
        guard let timeline = wake() else { return nil }
        return JournalRecord(
            exporting: SnapshotPayload(exporting: timeline, tickRate: tickRate), at: tick)
    }
}

extension SnapshotPayload {
    fileprivate init(exporting timeline: SceneTimeline, tickRate: Int) {
        self.init(
            scene: timeline.model.snapshot(), tickRate: tickRate, author: "", clientSequence: 0,
            clients: [], ledger: nil)
        annotations = timeline.annotations
        annotations.removeLocks()
    }
}

extension JournalRecord {
    fileprivate init(exporting payload: SnapshotPayload, at tick: UInt64) {
        self.init(
            sequence: 1, epoch: 1, tick: tick, previous: 0, kind: .snapshot,
            payload: JournalPayload.snapshot(payload).bytes)
    }
}
