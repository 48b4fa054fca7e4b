import SceneSession
import SceneStore
import SceneWire

/// Stores the records of rooms and answers with mail to the rooms' threads. Safe from any thread.
protocol RoomJournal: Sendable {
    /// Sends mail to a room once it is proved that the room was this process's after the call. A
    /// journal that is nobody else's is proof itself.
    func prove(_ room: String, then mail: RoomMail)
    /// Queues records of one room, which are kept together or not at all: the members of the room
    /// were sent a tick whose records they are, and a journal with some of them would have another
    /// state under that tick. Records of one room are written in the order of the calls;
    /// `RoomMail.store` reports the outcome.
    ///
    /// A replicated journal divides what is larger than one of its commits.
    func append(_ records: [RoomRecord])
    /// Loads a room; answered with `RoomMail.loaded`.
    ///
    /// - Parameter tick: The records start at the last snapshot at or before this tick, or at the
    ///   oldest; `nil` for the last snapshot.
    func load(_ room: String, from tick: UInt64?)
    /// Loads a room from the snapshot that leads to a tick; answered with `RoomMail.history`.
    func loadHistory(of room: String, for member: MemberID, tick: UInt64)
    /// Takes the hash of the state that the room's records led to, after the journal had the room
    /// held (`StoreOutcome.held`). A journal that is nobody else's holds no room.
    func hold(_ room: String, at hash: UInt64)
    /// Removes a room and its records, after the records queued before.
    ///
    /// - Parameter done: Called on the store's thread with the failure, if any.
    func delete(_ room: String, _ done: @escaping @Sendable (_ failure: String?) -> Void)
    /// Replies `.done` once the records of a room that were queued before are kept, or with the
    /// reason why they are not.
    ///
    /// - Parameter reply: Called once, on any thread.
    func settle(_ room: String, _ reply: @escaping @Sendable (RoomReply) -> Void)
    /// Gives a room another name, after the records queued before.
    ///
    /// - Parameter mail: Makes the mail that tells the room, under its old name, of the outcome.
    func rename(
        _ room: String, to name: String, then mail: @escaping @Sendable (RoomReply) -> RoomMail)
}

/// A journal with a thread of its own.
protocol JournalThread: RoomJournal {
    /// Starts the thread. Must be called once.
    ///
    /// - Throws: `NodeFailure` where the journal lies in a cluster that this process cannot be a
    ///   part of.
    func start() throws(NodeFailure)
    /// Writes what is queued and ends the thread; returns once it has ended.
    func stop()
}

extension RoomJournal {
    func hold(_ room: String, at hash: UInt64) {}

    func settle(_ room: String, _ reply: @escaping @Sendable (RoomReply) -> Void) {
        prove(room, then: .administer(.confirm, reply))
    }

    /// Loads a room from its last snapshot.
    func load(_ room: String) { load(room, from: nil) }
}
