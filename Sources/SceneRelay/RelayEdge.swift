public import SceneCluster
public import SceneSession
public import SceneWire

/// A node's end of all links to owners of rooms: its members of rooms that other nodes own. A state
/// machine without I/O or clock.
public struct RelayEdge: Sendable {
    /// An effect.
    public enum Effect: Sendable {
        /// Sends a packet to a node.
        case packet(LinkPacket)
        /// Sends messages to members with the same format.
        case send([[UInt8]], Subprotocol, to: [MemberID])
        /// Closes a member's connection.
        case close(MemberID, CloseCode, String)
        /// The last viewer of the room at this node has left.
        case emptied(room: String)
        /// A room's link was begun.
        case attached(room: String)
        /// A room's link has ended, with the reason.
        case detached(room: String, String)
    }

    struct Link {
        let owner: NodeLife
        let number: UInt64
        var ordered = OrderedLink()

        /// Whether a packet came over it.
        func carries(_ packet: LinkPacket) -> Bool {
            number == packet.link && owner == packet.sender
        }
    }

    // Unchecked, for a session is a reference: the edge is the only holder of its rooms' sessions,
    // and is never copied.
    struct Room: @unchecked Sendable {
        var members: EdgeRoom
        var link: Link?
        /// The link to an owner that gave the room away, until the next one has it.
        var former: Link?
        /// The former link is kept no longer than that.
        var formerUntil: MonotonicInstant
        /// The moment up to which its ticks are counted.
        var countedAt: MonotonicInstant
        /// Not before then another link is begun.
        var attachAt: MonotonicInstant
    }

    /// How long after the end of a link another one to the same owner is begun.
    private static let attachInterval = Duration.milliseconds(100)
    /// The interval of ticks of rooms.
    private static let tickInterval = Duration.milliseconds(10)

    /// Whether members whose owner is gone are to come back here. Where the node hears no other, it
    /// may be the one that is cut off, and other nodes serve them sooner.
    public var leadsOn = true

    private let identity: NodeLife
    private let tickRate: Int
    private let options: SessionOptions
    var rooms: [String: Room] = [:]
    private var nextLink: UInt64 = 1
    private var memberCount = 0
    /// Rooms without a link.
    private var unlinked: Set<String> = []
    /// Rooms in which something has happened since they were at rest.
    private var timed: Set<String> = []
    /// Rooms whose links have something under way.
    var busy: Set<String> = []

    /// Makes an edge without members.
    ///
    /// - Parameters:
    ///   - tickRate: Ticks in a second, until an owner says otherwise.
    ///   - options: The limits of members that lag.
    public init(_ identity: NodeLife, tickRate: Int, options: SessionOptions) {
        self.identity = identity
        self.tickRate = tickRate
        self.options = options
    }

    /// The numbers of rooms and of their members here.
    public var counts: (rooms: Int, members: Int) { (rooms.count, memberCount) }

    // MARK: Members

    /// Takes a member in.
    ///
    /// - Parameter admission: The member's admission, where the owner is not needed for it.
    public mutating func join(
        _ room: String, _ member: MemberID, _ applicant: Applicant, as admission: Admission,
        at now: MonotonicInstant
    ) -> [Effect] {
        if rooms[room] == nil {
            let session = RelaySession(room: room, tickRate: tickRate, options: options)
            rooms[room] = Room(
                members: EdgeRoom(session), formerUntil: now, countedAt: now, attachAt: now)
            unlinked.insert(room)
        }
        return change(room, at: now) { $0.join(member, applicant, as: admission) }
    }

    /// Takes a member's message.
    public mutating func receive(
        _ message: ClientMessage, from member: MemberID, of room: String, at now: MonotonicInstant
    ) -> [Effect] { change(room, at: now) { $0.receive(message, from: member) } }

    /// A member's connection is gone.
    public mutating func leave(
        _ member: MemberID, of room: String, at now: MonotonicInstant
    ) -> [Effect] { change(room, at: now) { $0.leave(member) } }

    /// An administrator removes a member; its connection's end follows.
    public mutating func revoke(
        _ member: MemberID, of room: String, at now: MonotonicInstant
    ) -> [Effect] { change(room, at: now) { $0.revoke(member) } }

    mutating func change(
        _ room: String, at now: MonotonicInstant, _ body: (inout EdgeRoom) -> [EdgeRoom.Effect]
    ) -> [Effect] {
        guard var entry = rooms.removeValue(forKey: room) else { return [] }
        let before = entry.members.memberCount
        let effects = body(&entry.members)
        memberCount += entry.members.memberCount - before
        // Whether time means anything to it is asked at intervals, for that takes a look at each
        // member.
        if timed.insert(room).inserted { entry.countedAt = now }
        defer { rooms[room] = entry }
        return carryOut(effects, room, &entry) + endFormerIfUnused(room, &entry)
    }

    private mutating func carryOut(
        _ effects: [EdgeRoom.Effect], _ name: String, _ room: inout Room
    ) -> [Effect] {
        effects.compactMap { effect in
            switch effect {
            case .send(let payloads, let format, let members):
                return .send(payloads, format, to: members)
            case .close(let member, let code, let reason): return .close(member, code, reason)
            case .request(let request):
                // A subject of more than 64 KB is longer than any token that was admitted.
                guard let bytes = try? request.encoded() else { return nil }
                room.link?.ordered.send(bytes)
                busy.insert(name)
                return nil
            }
        }
    }

    // MARK: Owners

    /// Ends links to nodes that own their rooms no more, and begins others. To be called when
    /// owners may have changed.
    ///
    /// - Parameters:
    ///   - isHeard: Whether a process is heard: one that owns a room no more gave it away, and
    ///     ticks on for a moment.
    ///   - owner: Who owns a room, as far as this node knows.
    /// - Complexity: O(rooms).
    public mutating func follow(
        at now: MonotonicInstant, isHeard: (NodeLife) -> Bool, owner: (_ room: String) -> NodeLife?
    ) -> [Effect] {
        var effects: [Effect] = []
        for name in rooms.keys.sorted() {
            effects += endFormer(of: name, at: now) { !isHeard($0.owner) }
            guard let link = rooms[name]?.link, link.owner != owner(name) else { continue }
            let reason = "the room is about to be served by another node"
            if isHeard(link.owner) {
                effects += keepAsFormer(link, name, reason, at: now)
            } else {
                effects += detach(name, reason, at: now)
            }
        }
        return effects + seek(at: now, owner: owner)
    }

    /// Whether a room waits for an owner.
    public var seeksOwners: Bool { !unlinked.isEmpty }

    /// Begins links for rooms that have none. To be called after members have joined, and about
    /// every ten milliseconds while `seeksOwners`.
    ///
    /// - Complexity: O(rooms without a link).
    public mutating func seek(
        at now: MonotonicInstant, owner: (_ room: String) -> NodeLife?
    ) -> [Effect] {
        var effects: [Effect] = []
        for name in unlinked.sorted() {
            guard let room = rooms[name], now >= room.attachAt, let present = owner(name) else {
                continue
            }
            rooms[name]?.link = Link(owner: present, number: nextLink)
            unlinked.remove(name)
            nextLink += 1
            effects.append(.attached(room: name))
            effects += change(name, at: now) { $0.attach() }
        }
        return effects
    }

    /// - Parameter livesOn: Whether the owner gave the room away, and ticks on for a moment.
    mutating func detach(
        _ name: String, _ reason: String, livesOn: Bool = false, at now: MonotonicInstant
    ) -> [Effect] {
        rooms[name]?.link = nil
        rooms[name]?.attachAt = now
        unlinked.insert(name)
        busy.remove(name)
        let code = leadsOn ? CloseCode.ownerChanged : .draining
        return [.detached(room: name, reason)]
            + change(name, at: now) { $0.detach(code, reason, livesOn: livesOn) }
    }

    /// Takes a packet of an owner.
    public mutating func receive(_ packet: LinkPacket, at now: MonotonicInstant) -> [Effect] {
        guard let link = rooms[packet.room]?.link, link.carries(packet) else {
            return receiveOfFormer(packet, at: now)
        }
        guard case .frame(let frame) = packet.content else {
            return detach(packet.room, "the room's owner has ended the link", at: now)
                + holdBack(packet.room, at: now)
        }
        let messages = rooms[packet.room]?.link?.ordered.receive(frame, at: now) ?? []
        busy.insert(packet.room)
        var effects: [Effect] = []
        for bytes in messages {
            do throws(PacketError) {
                let delivery = try RelayDelivery.decode(bytes)
                effects += change(packet.room, at: now) { $0.take(delivery) }
            } catch {
                return effects + [end(link, packet.room)]
                    + detach(packet.room, "the room's owner: \(error)", at: now)
                    + holdBack(packet.room, at: now)
            }
        }
        return effects
    }

    private mutating func holdBack(_ room: String, at now: MonotonicInstant) -> [Effect] {
        rooms[room]?.attachAt = now.advanced(by: Self.attachInterval)
        return []
    }

    // MARK: Time

    /// Returns the effects that are due. Call it about every ten milliseconds, and
    /// after members' messages.
    ///
    /// - Complexity: O(rooms whose links or members wait for something, and bytes).
    public mutating func advance(to now: MonotonicInstant) -> [Effect] {
        var effects: [Effect] = []
        for name in timed.sorted() { effects += pass(name, at: now) }
        for name in busy.sorted() {
            effects += advanceFormer(of: name, at: now)
            guard let link = rooms[name]?.link else {
                if rooms[name]?.former == nil { busy.remove(name) }
                continue
            }
            for frame in rooms[name]?.link?.ordered.takeFrames(at: now) ?? [] {
                effects.append(packet(link, name, .frame(frame)))
            }
            if rooms[name]?.link?.ordered.failure != nil {
                effects += detach(name, "the room's owner does not answer", at: now)
                effects += holdBack(name, at: now)
            } else if rooms[name]?.link?.ordered.isIdle == true, rooms[name]?.former == nil {
                busy.remove(name)
            }
        }
        return effects
    }

    private mutating func pass(_ name: String, at now: MonotonicInstant) -> [Effect] {
        guard let room = rooms[name] else { return [] }
        if room.members.isEmpty {
            // News for the owner, such as a removed member, goes first.
            guard room.link.map({ $0.ordered.waitingBytes == 0 }) ?? true else { return [] }
            rooms[name] = nil
            timed.remove(name)
            unlinked.remove(name)
            busy.remove(name)
            return [room.link, room.former].compactMap { $0.map { end($0, name) } }
                + [.emptied(room: name)]
        }
        let elapsed = now.elapsed(since: room.countedAt)
        guard elapsed >= Self.tickInterval else { return [] }
        guard room.members.needsTime else {
            timed.remove(name)
            return []
        }
        let rate = max(room.members.tickRate, 1)
        let ticks = UInt64(elapsed / .seconds(1) * Double(rate))
        guard ticks > 0 else { return [] }
        rooms[name]?.countedAt = room.countedAt.advanced(
            by: .nanoseconds(Int64(clamping: ticks * 1_000_000_000 / UInt64(rate))))
        return change(name, at: now) { $0.elapse(ticks) }
    }
    // MARK: Packets

    /// Tells an owner that this node has nothing more to say over a link, so that it does not wait.
    func end(_ link: Link, _ room: String) -> Effect { packet(link, room, .unknownLink) }

    func packet(
        _ link: Link, _ room: String, _ content: LinkPacket.Content
    ) -> Effect {
        .packet(
            LinkPacket(
                from: identity, to: link.owner, link: link.number, isFromEdge: true, room: room,
                content))
    }
}
