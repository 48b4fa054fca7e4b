import SceneProtocol
import SceneSession
import SceneStore

/// Keeps the records of rooms, and answers by mail to the rooms' threads. Safe from any thread.
protocol RoomJournal: Sendable {
    /// Queues a record. Records of one room are written in the order in which they are queued; `SceneMail.store` reports
    /// the outcome.
    func append(_ record: RoomRecord)
    /// Reads a room; `SceneMail.loaded` answers.
    ///
    /// - Parameter tick: The records begin with the last snapshot at or before it, or the oldest; `nil` for the last of all.
    func load(_ room: String, from tick: UInt64?)
    /// Reads a room from the snapshot that leads to a tick on; `SceneMail.history` answers.
    func loadHistory(of room: String, for member: MemberID, tick: UInt64)
    /// Removes a room and its records, after what was queued before.
    ///
    /// - Parameter done: Called on the store's thread with the failure, if there was one.
    func delete(_ room: String, _ done: @escaping @Sendable (_ failure: String?) -> Void)
}

extension RoomJournal {
    /// Reads a room from its last snapshot on.
    func load(_ room: String) { load(room, from: nil) }
}
