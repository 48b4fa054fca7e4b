import SceneDocument
import SceneWire

/// The other members: their pointers and selections.
struct Members: Hashable {
    struct Member: Hashable {
        var client: UInt32
        var clock: UInt32
        var name: String
        var color: Color
        var cursor: Point?
        var place: PresencePlace?
        var selection: [String]
        var awareness: PresenceAwareness
        /// The time of its last message.
        var time: Double

        /// The name, or the number of a member without one.
        var title: String { name.isEmpty ? "#\(client)" : name }

        /// Whether the member has a pointer.
        var points: Bool { cursor != nil || place != nil }

        /// The pointer's position in units of a mirror's root: relative to a view, which is valid
        /// on every device, or else a point. `nil` if that view is not visible.
        func pointer(in mirror: SceneMirror, _ metrics: SceneMetrics) -> (x: Double, y: Double)? {
            if let place { return mirror.point(of: place) }
            guard let cursor, cursor.x.isFinite, cursor.y.isFinite, cursor.x.magnitude < 1e6,
                cursor.y.magnitude < 1e6
            else { return nil }
            return (cursor.x * metrics.unitsPerPoint, cursor.y * metrics.unitsPerPoint)
        }
    }

    /// Seconds of silence after which a member is removed: the protocol's, and a margin.
    private static let expiry = 35.0
    private static let countMaximum = 256
    private static let palette: [UInt32] = [
        0xF7768EFF, 0x9ECE6AFF, 0xE0AF68FF, 0x7AA2F7FF, 0xBB9AF7FF, 0x7DCFFFFF, 0xFF9E64FF,
    ]

    /// By number.
    private(set) var all: [Member] = []

    /// A colour for a member without one.
    static func color(_ number: UInt32) -> Color {
        Color(rgba: palette[Int(number % UInt32(palette.count))])
    }

    /// - Returns: The member, if it begins to ask everybody to follow.
    mutating func note(_ presence: Presence, now: Double) -> Member? {
        let index = all.firstIndex { $0.client >= presence.client } ?? all.count
        let isKnown = index < all.count && all[index].client == presence.client
        if isKnown, all[index].clock > presence.clock { return nil }
        guard !presence.isGone else {
            if isKnown { all.remove(at: index) }
            return nil
        }
        let member = Member(
            client: presence.client, clock: presence.clock, name: presence.name,
            color: presence.color ?? Self.color(presence.client), cursor: presence.cursor,
            place: presence.place, selection: Array(presence.selection.prefix(64)),
            awareness: presence.awareness ?? PresenceAwareness(), time: now)
        var asked = false
        if isKnown {
            asked = all[index].awareness.isSpotlight
            all[index] = member
        } else if all.count < Self.countMaximum {
            all.insert(member, at: index)
        } else {
            return nil
        }
        return member.awareness.isSpotlight && !asked ? member : nil
    }

    /// The member of a number.
    func member(_ client: UInt32) -> Member? { all.first { $0.client == client } }

    mutating func forgetSilent(now: Double) { all.removeAll { now - $0.time > Self.expiry } }

    mutating func removeAll() { all.removeAll() }

    /// The next member; nil after the last.
    func next(after client: UInt32?) -> Member? {
        guard let client else { return all.first }
        return all.first { $0.client > client }
    }
}
