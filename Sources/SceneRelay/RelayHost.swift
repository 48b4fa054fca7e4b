public import SceneCluster
public import SceneSession
public import SceneWire

/// The owner's end of all links: members at other nodes take part in rooms here like local ones. A
/// state machine without I/O or clock.
///
/// Each node that serves members of a room has a link for it. What a room sends several members of
/// one node goes over once.
public struct RelayHost: Sendable {
    /// An effect.
    public enum Effect: Sendable {
        /// Sends a packet to a node.
        case packet(LinkPacket)
        /// Admits a member to a room.
        case join(room: String, MemberID, Applicant)
        /// Passes a member's message of `byteCount` bytes to a room.
        case message(room: String, MemberID, ClientMessage, byteCount: Int)
        /// A member is gone.
        case left(room: String, MemberID)
        /// A member's session is not to be resumed.
        case revoke(room: String, MemberID)
        /// Something is wrong at the other end, for the log.
        case trouble(String)
    }

    private struct LinkKey: Hashable {
        var edge: NodeLife
        var number: UInt64
    }

    private struct Link {
        let room: String
        var ordered = OrderedLink()
        /// The members by the numbers that the edge gave them.
        var members: [UInt64: MemberID] = [:]
    }

    /// Members of other nodes have the highest bit set, so that none has the number of a connection
    /// here.
    private static let firstMember: UInt64 = 1 << 63
    /// Members that one link may have.
    private static let memberMaximum = 65_536
    /// Links of one node that are remembered one by one, which is more than it begins within the
    /// second in which a first piece that was lost is sent again.
    private static let rememberedMaximum = 65_536

    private let identity: NodeLife
    private var links: [LinkKey: Link] = [:]
    private var places: [MemberID: (link: LinkKey, number: UInt64)] = [:]
    private var nextMember = Self.firstMember
    /// Links that time means something to.
    private var busy: Set<LinkKey> = []
    private var begun = BegunLinks(linksMaximum: Self.rememberedMaximum)
    private var ended = EndedLinks()

    /// Makes a host without links.
    public init(_ identity: NodeLife) { self.identity = identity }

    /// Whether a member's connection is at another node.
    public static func isRelayed(_ member: MemberID) -> Bool { member.rawValue >= firstMember }

    /// The numbers of links, and of members at other nodes.
    public var counts: (links: Int, members: Int) { (links.count, places.count) }

    // MARK: From the edges

    /// Takes a packet of an edge.
    public mutating func receive(_ packet: LinkPacket, at now: MonotonicInstant) -> [Effect] {
        let key = LinkKey(edge: packet.sender, number: packet.link)
        guard case .frame(let frame) = packet.content else { return drop(key) }
        if links[key] == nil {
            // Packets of a dropped link are answered with a notice. So is the first piece of a link
            // that was already begun: an edge without an answer sends it again, and the room would
            // apply the request twice.
            guard case .data(let number, _, _) = frame.piece, frame.acknowledged == 1,
                !begun.contains(key.number, of: key.edge)
            else { return [unknown(key, packet.room)] }
            // A later piece has overtaken the first one; both are sent again.
            guard number == 1 else { return [] }
            begun.insert(key.number, of: key.edge)
            links[key] = Link(room: packet.room)
        }
        let messages = links[key]?.ordered.receive(frame, at: now) ?? []
        busy.insert(key)
        var effects: [Effect] = []
        for bytes in messages {
            do throws(PacketError) {
                take(try RelayRequest.decode(bytes), key, &effects)
            } catch {
                effects.append(.trouble("node \(packet.sender.node.rawValue): \(error)"))
                return effects + drop(key)
            }
        }
        return effects
    }

    private mutating func take(
        _ request: RelayRequest, _ key: LinkKey, _ effects: inout [Effect]
    ) {
        guard let link = links[key] else { return }
        switch request {
        case .join(let number, let applicant):
            guard link.members[number] == nil, link.members.count < Self.memberMaximum,
                let relayed = Applicant(applicant)
            else {
                close(number, .badFrame, "the node sent what this one cannot read", key)
                return
            }
            let member = MemberID(nextMember)
            nextMember += 1
            links[key]?.members[number] = member
            places[member] = (key, number)
            effects.append(.join(room: link.room, member, relayed))
        case .message(let number, let bytes):
            guard let member = link.members[number] else { return }
            // The edge has read it before.
            guard let message = try? ClientMessage.decode(bytes, as: .binary) else { return }
            effects.append(
                .message(room: link.room, member, message, byteCount: bytes.count))
        case .leave(let number):
            guard let member = links[key]?.members.removeValue(forKey: number) else { return }
            places[member] = nil
            effects.append(.left(room: link.room, member))
        case .revoke(let number):
            guard let member = link.members[number] else { return }
            effects.append(.revoke(room: link.room, member))
        }
    }

    // MARK: To the edges

    /// Queues messages for members; `advance` has the packets.
    public mutating func send(_ payloads: [[UInt8]], to members: [MemberID]) {
        var numbers: [LinkKey: [UInt64]] = [:]
        var order: [LinkKey] = []
        for member in members {
            guard let place = places[member] else { continue }
            if numbers[place.link] == nil { order.append(place.link) }
            numbers[place.link, default: []].append(place.number)
        }
        for key in order {
            deliver(.send(members: numbers[key] ?? [], payloads: payloads), key)
        }
    }

    /// Closes a member's connection, and tells the room that it is gone.
    public mutating func close(
        _ member: MemberID, _ code: CloseCode, reason: String
    ) -> [Effect] {
        guard let place = places.removeValue(forKey: member),
            let room = links[place.link]?.room
        else { return [] }
        links[place.link]?.members[place.number] = nil
        close(place.number, code, reason, place.link)
        return [.left(room: room, member)]
    }

    private mutating func close(
        _ number: UInt64, _ code: CloseCode, _ reason: String, _ key: LinkKey
    ) {
        deliver(.close(member: number, code: code.rawValue, reason: reason), key)
    }

    private mutating func deliver(_ delivery: RelayDelivery, _ key: LinkKey) {
        // A reason of the program's own fits.
        guard let bytes = try? delivery.encoded() else { return }
        links[key]?.ordered.send(bytes)
        busy.insert(key)
    }

    // MARK: Time

    /// Returns packets that are due, and the outcome of links that lag. Call it about every ten
    /// milliseconds, and after `send`.
    ///
    /// - Complexity: O(links that have something under way, and bytes).
    public mutating func advance(to now: MonotonicInstant) -> [Effect] {
        var effects = ended.takeDue(at: now).map { edge, number, room in
            unknown(LinkKey(edge: edge, number: number), room)
        }
        for key in busy.sorted(by: { ($0.edge.node, $0.number) < ($1.edge.node, $1.number) }) {
            guard let room = links[key]?.room else {
                busy.remove(key)
                continue
            }
            for frame in links[key]?.ordered.takeFrames(at: now) ?? [] {
                effects.append(.packet(packet(key, room, .frame(frame))))
            }
            if links[key]?.ordered.failure != nil {
                effects.append(unknown(key, room))
                effects += drop(key)
            } else if links[key]?.ordered.isIdle == true {
                busy.remove(key)
            }
        }
        return effects
    }

    /// Ends the links of nodes that are silent. `advance` tells these nodes, in case one of them
    /// lives.
    ///
    /// - Parameter isGone: Whether a life of a node is silent.
    /// - Complexity: O(links).
    public mutating func endLinks(
        at now: MonotonicInstant, where isGone: (NodeLife) -> Bool
    ) -> [Effect] {
        let gone = links.keys.filter { isGone($0.edge) }
            .sorted { ($0.edge.node, $0.number) < ($1.edge.node, $1.number) }
        for (edge, keys) in Dictionary(grouping: gone, by: \.edge) {
            let rooms = keys.compactMap { key in links[key].map { (key.number, $0.room) } }
            ended.add(Dictionary(uniqueKeysWithValues: rooms), of: edge, at: now)
        }
        return gone.flatMap { drop($0) }
    }

    /// Forgets a link: its members are gone.
    private mutating func drop(_ key: LinkKey) -> [Effect] {
        busy.remove(key)
        guard let link = links.removeValue(forKey: key) else { return [] }
        return link.members.values.sorted().map { member in
            places[member] = nil
            return .left(room: link.room, member)
        }
    }

    private func unknown(_ key: LinkKey, _ room: String) -> Effect {
        .packet(packet(key, room, .unknownLink))
    }

    private func packet(
        _ key: LinkKey, _ room: String, _ content: LinkPacket.Content
    ) -> LinkPacket {
        LinkPacket(
            from: identity, to: key.edge, link: key.number, isFromEdge: false, room: room, content)
    }
}
