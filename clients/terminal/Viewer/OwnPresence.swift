import SceneDocument
import SceneWire

/// This member's pointer and selection, and the times at which they are sent.
struct OwnPresence {
    /// Seconds between two messages while something changes, and while nothing does.
    private static let interval = 0.1
    private static let repetition = 10.0
    /// Seconds without input after which a member is idle.
    private static let idleInterval = 60.0

    private var presence = Presence()
    private var sentTime = -Double.infinity
    private var isChanged = false
    /// The time of the last input; until there was one, that of the first message.
    private var inputTime: Double?
    private var awareness = PresenceAwareness()
    /// This member's number, once known.
    private var client: UInt32?

    /// - Parameter clock: The initial clock of the messages; a random number, by which the server's
    ///   copies of them are recognised.
    init(name: String, clock: UInt32) {
        presence.name = name
        presence.clock = clock
    }

    /// Restarts for another connection, on which this member has another number.
    mutating func connected() {
        sentTime = -.infinity
        isChanged = true
        client = nil
    }

    /// Registers this member's number, if the server tells it.
    mutating func welcomed(as client: UInt64?) {
        if let client { self.client = UInt32(truncatingIfNeeded: client) }
    }

    /// Registers a change of the selection.
    mutating func selectionChanged() { isChanged = true }

    /// Sets the pointer, in points of the root and relative to a view; nil leaves it unchanged.
    mutating func point(at point: Point?, place: PresencePlace?) {
        if let point { (presence.cursor, presence.place) = (point, place) }
        isChanged = true
    }

    /// Whether this member wants to say something.
    var isHandRaised: Bool { awareness.isHandRaised }
    /// Whether this member asks everybody to follow.
    var isSpotlight: Bool { awareness.isSpotlight }

    mutating func toggleHand() {
        awareness.isHandRaised.toggle()
        isChanged = true
    }

    mutating func toggleSpotlight() {
        awareness.isSpotlight.toggle()
        isChanged = true
    }

    /// Sets the device that this member watches the scene on; empty for one without a name.
    mutating func watches(_ device: String) {
        guard device != awareness.device else { return }
        awareness.device = device
        isChanged = true
    }

    /// Registers a key or a movement of the mouse.
    mutating func input(now: Double) {
        inputTime = now
        if awareness.isIdle { setIdle(false) }
    }

    private mutating func setIdle(_ isIdle: Bool) {
        awareness.isIdle = isIdle
        isChanged = true
    }

    /// Whether a received presence is this member's own: the server sends each one to all members.
    mutating func isOwn(_ received: Presence) -> Bool {
        if client == nil, received.clock == presence.clock, received.name == presence.name {
            client = received.client
        }
        return received.client == client
    }

    /// The due message; nil if none is due.
    mutating func takeDueMessage(selection: String?, now: Double) -> Presence? {
        let lastInput = inputTime ?? now
        inputTime = lastInput
        if !awareness.isIdle, now - lastInput >= Self.idleInterval { setIdle(true) }
        let silence = now - sentTime
        guard silence >= Self.repetition || isChanged && silence >= Self.interval else {
            return nil
        }
        sentTime = now
        isChanged = false
        presence.clock &+= 1
        presence.selection = selection.map { [$0] } ?? []
        // Servers and clients that know nothing of it take its absence for the default.
        presence.awareness = awareness == PresenceAwareness() ? nil : awareness
        return presence
    }

    /// The time of the next message about a change; nil without a change.
    func deadline(now: Double) -> Double? {
        isChanged ? max(now, sentTime + Self.interval) : nil
    }
}
