import SceneProtocol

/// Knows the mailbox of every room's thread.
///
/// It is made before everything that talks to rooms (gateway, store) and before the threads themselves, so that none of
/// them has to know another.
final class RoomDirectory: Sendable {
    /// One for each scene thread.
    let mailboxes: [SceneMailbox]
    /// Those of the threads to which rooms go that need more time than a tick has; one for each scene thread.
    let slowMailboxes: [SceneMailbox]
    /// Which rooms there are at present.
    let census = RoomCensus()

    /// Makes the mailboxes of so many threads, one at least.
    init(threads: Int, tickRate: Int) {
        mailboxes = (0..<max(1, threads)).map { _ in SceneMailbox(TickClock(rate: tickRate)) }
        slowMailboxes = mailboxes.map { _ in SceneMailbox(TickClock(rate: tickRate)) }
    }

    /// The mailbox of a room's thread. A room stays with its thread; rooms are spread by a hash that is the same on every
    /// run.
    func mailbox(of room: String) -> SceneMailbox {
        mailboxes[Int(FNV1a.hash(room.utf8) % UInt64(mailboxes.count))]
    }

    /// Adds mail to the mailbox of a room's thread. From any thread.
    func post(_ mail: SceneMail, to room: String) { mailbox(of: room).post(mail) }
}
