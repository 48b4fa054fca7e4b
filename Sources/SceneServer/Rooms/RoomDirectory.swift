import Bytes

/// Maps rooms to the mailboxes of their threads.
///
/// Created before the users of rooms (gateway, store) and before the threads, so that none of them
/// depends on another.
final class RoomDirectory: Sendable {
    /// One for each home thread.
    let mailboxes: [SceneMailbox]
    /// The mailboxes of the slow lanes, one for each home thread.
    let slowMailboxes: [SceneMailbox]
    /// The rooms that exist at present.
    let census = RoomCensus()

    /// Makes the mailboxes of at least one thread.
    init(threads: Int, tickRate: Int) {
        mailboxes = (0..<max(1, threads)).map { _ in SceneMailbox(TickClock(rate: tickRate)) }
        slowMailboxes = mailboxes.map { _ in SceneMailbox(TickClock(rate: tickRate)) }
    }

    /// The mailbox of a room's home thread. The thread follows from a hash of the name that is the
    /// same in every run.
    func mailbox(of room: String) -> SceneMailbox {
        mailboxes[Int(FNV1a.hash(room.utf8) % UInt64(mailboxes.count))]
    }

    /// Posts mail to a room's home thread. From any thread.
    func post(_ mail: RoomMail, to room: String) { mailbox(of: room).post(.room(room, mail)) }
}
