import SceneModel

extension JournalReplay {
    /// The replayed scene as a snapshot that a room can begin with: bit for bit, and with nothing of the clients that
    /// changed it, whose names are secrets.
    ///
    /// - Complexity: O(views + constraints).
    public func snapshot() -> SnapshotPayload {
        SnapshotPayload(
            scene: timeline.model.snapshot(), tickRate: tickRate, author: "", clientSequence: 0,
            clients: [], ledger: nil)
    }
}
