import SceneModel

extension JournalReplay {
    /// The replayed scene as the first snapshot of another room: equal to the bit, without the clients that changed it,
    /// whose names are secrets.
    ///
    /// - Complexity: O(views + constraints).
    public func snapshot() -> SnapshotPayload {
        SnapshotPayload(
            scene: timeline.model.snapshot(), tickRate: tickRate, author: "", clientSequence: 0,
            clients: [], ledger: nil)
    }
}
