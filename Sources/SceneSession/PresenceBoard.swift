import SceneProtocol

/// Who is there and looks where: the latest word of each member, sent on at a low rate, forgotten after a while.
struct PresenceBoard {
    /// Seconds after which a silent member's presence is forgotten.
    static let expirySeconds = 30
    /// Ticks at least between two updates, at 60 a second.
    static let ticksBetweenUpdates: UInt64 = 3

    private var entries: [(presence: Presence, tick: UInt64, isFresh: Bool)] = []
    private var lastUpdate: UInt64 = 0

    /// Whether there is anything to send or to forget.
    var isPending: Bool { !entries.isEmpty }

    mutating func set(_ presence: Presence, tick: UInt64) {
        if presence.isGone {
            guard let index = entries.firstIndex(where: { $0.presence.client == presence.client })
            else { return }
            entries[index] = (presence, tick, true)
            return
        }
        if let index = entries.firstIndex(where: { $0.presence.client == presence.client }) {
            entries[index] = (presence, tick, true)
        } else {
            entries.append((presence, tick, true))
        }
    }

    /// Forgets a member; what to tell the others, if they knew of it.
    mutating func remove(_ client: UInt32) -> Presence? {
        guard let index = entries.firstIndex(where: { $0.presence.client == client }) else {
            return nil
        }
        var presence = entries.remove(at: index).presence
        presence.isGone = true
        return presence
    }

    /// All that somebody who comes now should know.
    func messages() -> [ServerMessage] {
        entries.filter { !$0.presence.isGone }.map { .presence($0.presence) }
    }

    /// What is to be sent at a tick.
    mutating func takeMessages(tick: UInt64, tickRate: Int) -> [ServerMessage] {
        guard !entries.isEmpty, tick >= lastUpdate + Self.ticksBetweenUpdates else { return [] }
        lastUpdate = tick
        let expiry = UInt64(Self.expirySeconds * max(tickRate, 1))
        for index in entries.indices
        where !entries[index].presence.isGone && entries[index].tick + expiry <= tick {
            entries[index].presence.isGone = true
            entries[index].isFresh = true
        }
        let fresh = entries.filter(\.isFresh).map { ServerMessage.presence($0.presence) }
        entries.removeAll { $0.presence.isGone }
        for index in entries.indices { entries[index].isFresh = false }
        return fresh
    }
}
