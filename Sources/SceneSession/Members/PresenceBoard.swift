import SceneWire

/// The presence of each member: its latest message, forwarded at a limited rate, removed after
/// `expirySeconds`.
struct PresenceBoard {
    /// Seconds after which a silent member's presence is removed.
    static let expirySeconds = 30
    /// The maximum number of updates in a second.
    static let updatesPerSecond = 20
    /// Seconds from one spotlight to the next one of the room.
    static let spotlightSeconds = 10

    private struct Entry {
        var presence: Presence
        var tick: UInt64
        var isFresh: Bool
    }

    private var entries: [Entry] = []
    private var lastUpdate: UInt64 = 0
    private let interval: UInt64
    private let expiry: UInt64
    private let spotlightInterval: UInt64
    /// The tick of the last spotlight that began.
    private var lastSpotlight: UInt64?

    init(tickRate: Int) {
        let rate = max(tickRate, 1)
        interval = UInt64((rate + Self.updatesPerSecond - 1) / Self.updatesPerSecond)
        expiry = UInt64(Self.expirySeconds * rate)
        spotlightInterval = UInt64(Self.spotlightSeconds * rate)
    }

    /// The tick at which an update or a removal is due.
    var nextTick: UInt64? {
        guard let oldest = entries.map(\.tick).min() else { return nil }
        let forgets = oldest + expiry
        guard entries.contains(where: \.isFresh) else { return forgets }
        return min(forgets, lastUpdate + interval)
    }

    /// Stores a member's latest presence; an older one is ignored. A spotlight that begins too soon
    /// after the room's last one is left out.
    ///
    /// - Parameter isEditor: Whether the member may ask the others to follow.
    mutating func set(_ presence: Presence, isEditor: Bool, tick: UInt64) {
        let index = entries.firstIndex { $0.presence.client == presence.client }
        if let index, presence.clock < entries[index].presence.clock { return }
        var entry = Entry(presence: presence, tick: tick, isFresh: true)
        if presence.awareness?.isSpotlight == true {
            let continues = index.map { entries[$0].presence.awareness?.isSpotlight == true }
            entry.presence.awareness?.isSpotlight =
                isEditor && (continues == true || beginsSpotlight(tick: tick))
        }
        if let index {
            entries[index] = entry
        } else if !presence.isGone {
            entries.append(entry)
        }
    }

    private mutating func beginsSpotlight(tick: UInt64) -> Bool {
        if let last = lastSpotlight, tick < last + spotlightInterval { return false }
        lastSpotlight = tick
        return true
    }

    /// Removes a member; returns the message for the others if they know the member.
    mutating func remove(_ client: UInt32) -> Presence? {
        guard let index = entries.firstIndex(where: { $0.presence.client == client }) else {
            return nil
        }
        var presence = entries.remove(at: index).presence
        presence.isGone = true
        return presence
    }

    /// The name that a member goes by; `nil` while it says nothing of itself.
    func name(of client: UInt32) -> String? {
        entries.first { $0.presence.client == client }?.presence.name
    }

    /// The presence messages for a joining member.
    func messages() -> [ServerMessage] {
        entries.filter { !$0.presence.isGone }.map { .presence($0.presence) }
    }

    /// The messages due at a tick: the latest presence of each member.
    mutating func takeMessages(tick: UInt64) -> [ServerMessage] {
        guard !entries.isEmpty, tick >= lastUpdate + interval else { return [] }
        for index in entries.indices
        where !entries[index].presence.isGone && entries[index].tick + expiry <= tick {
            entries[index].presence.isGone = true
            entries[index].isFresh = true
        }
        let fresh = entries.filter(\.isFresh).map { ServerMessage.presence($0.presence) }
        guard !fresh.isEmpty else { return [] }
        lastUpdate = tick
        entries.removeAll { $0.presence.isGone }
        for index in entries.indices { entries[index].isFresh = false }
        return fresh
    }
}
