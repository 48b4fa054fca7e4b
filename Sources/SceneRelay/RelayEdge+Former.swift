import SceneCluster

/// Links to owners that gave a room away. Such an owner ticks on for a moment, and what it sends is
/// shown until the next one has the room, so that viewers see no pause.
extension RelayEdge {
    /// An owner ends a room that it gave away within less.
    private static let formerPatience = Duration.seconds(1)

    /// Keeps the link to an owner that gave the room away, unless there is one already whose
    /// streams are still shown.
    mutating func keepAsFormer(
        _ link: Link, _ name: String, _ reason: String, at now: MonotonicInstant
    ) -> [Effect] {
        guard rooms[name]?.former == nil else {
            // The streams still show the owner before that one.
            return [end(link, name)] + detach(name, reason, livesOn: true, at: now)
        }
        rooms[name]?.former = link
        rooms[name]?.formerUntil = now.advanced(by: Self.formerPatience)
        let effects = detach(name, reason, livesOn: true, at: now)
        if rooms[name]?.former != nil { busy.insert(name) }
        return effects
    }

    /// Ends a former link over which nothing comes that is shown.
    func endFormerIfUnused(_ name: String, _ room: inout Room) -> [Effect] {
        guard let former = room.former, !room.members.followsFormer else { return [] }
        room.former = nil
        return [end(former, name)]
    }

    /// Ends a former link, and what is shown of it stands still.
    mutating func endFormer(
        of name: String, at now: MonotonicInstant, where isOver: (Link) -> Bool
    ) -> [Effect] {
        guard let former = rooms[name]?.former, isOver(former) else { return [] }
        return change(name, at: now) { $0.endFormer() }
    }

    mutating func receiveOfFormer(_ packet: LinkPacket, at now: MonotonicInstant) -> [Effect] {
        let name = packet.room
        guard let former = rooms[name]?.former, former.carries(packet) else { return [] }
        guard case .frame(let frame) = packet.content else {
            return endFormer(of: name, at: now) { _ in true }
        }
        let messages = rooms[name]?.former?.ordered.receive(frame, at: now) ?? []
        busy.insert(name)
        var effects: [Effect] = []
        for bytes in messages {
            guard let delivery = try? RelayDelivery.decode(bytes) else {
                return effects + endFormer(of: name, at: now) { _ in true }
            }
            effects += change(name, at: now) { $0.takeOfFormer(delivery) }
        }
        return effects
    }

    /// Acknowledges what came over a former link, and ends it in time.
    mutating func advanceFormer(of name: String, at now: MonotonicInstant) -> [Effect] {
        guard let former = rooms[name]?.former else { return [] }
        let frames = rooms[name]?.former?.ordered.takeFrames(at: now) ?? []
        let isOver =
            rooms[name]?.former?.ordered.failure != nil || now >= rooms[name]?.formerUntil ?? now
        return frames.map { packet(former, name, .frame($0)) }
            + endFormer(of: name, at: now) { _ in isOver }
    }
}
