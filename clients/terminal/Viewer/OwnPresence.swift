import SceneProtocol

/// This member's pointer and selection, and when the others hear of them.
struct OwnPresence {
    /// Seconds between two messages while something changes, and while nothing does.
    private static let interval = 0.1
    private static let repetition = 10.0

    private var presence = Presence()
    private var sentTime = -Double.infinity
    private var isChanged = false
    /// This member's number among the members, once it is known.
    private var client: UInt32?

    /// - Parameter clock: Where the clock of the messages begins; a random number, by which the server's copies of them are
    ///   recognised.
    init(name: String, clock: UInt32) {
        presence.name = name
        presence.clock = clock
    }

    /// Begins anew with another connection, on which this member has another number.
    mutating func connected() {
        sentTime = -.infinity
        isChanged = true
        client = nil
    }

    /// Notes that the selection has changed.
    mutating func selectionChanged() { isChanged = true }

    /// Notes where the pointer is, in points of the root and as a place in a view; nil leaves it where it was.
    mutating func point(at point: Point?, place: PresencePlace?) {
        if let point { (presence.cursor, presence.place) = (point, place) }
        isChanged = true
    }

    /// Whether a presence that the server sent is this member's own: it sends each one to all members.
    mutating func isOwn(_ received: Presence) -> Bool {
        if received.clock == presence.clock, received.name == presence.name {
            client = received.client
        }
        return received.client == client
    }

    /// The message that is due; nil when none is.
    mutating func takeDueMessage(selection: String?, now: Double) -> Presence? {
        let silence = now - sentTime
        guard silence >= Self.repetition || isChanged && silence >= Self.interval else {
            return nil
        }
        sentTime = now
        isChanged = false
        presence.clock &+= 1
        presence.selection = selection.map { [$0] } ?? []
        return presence
    }

    /// When the next message about a change is due; nil when nothing has changed.
    func deadline(now: Double) -> Double? {
        isChanged ? max(now, sentTime + Self.interval) : nil
    }
}
