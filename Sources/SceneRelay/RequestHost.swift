public import SceneCluster

/// The end of administrators' requests that carries them out for other nodes. A state machine
/// without I/O or clock.
///
/// A request is carried out once at most: the number of a link that was begun is remembered, so
/// that a packet that comes doubled or late begins nothing.
public struct RequestHost: Sendable {
    /// A request under way.
    public struct Key: Hashable, Sendable {
        /// The node that asks.
        public var asker: NodeLife
        fileprivate var link: UInt64
    }

    /// An effect.
    public enum Effect: Equatable, Sendable {
        /// Sends a packet to a node.
        case packet(LinkPacket)
        /// Carries a request out; its reply goes to `reply`.
        case perform(NodeRequest, room: String, Key)
        /// Something is wrong at the other end, for the log.
        case trouble(String)
    }

    private struct Request {
        let room: String
        let until: MonotonicInstant
        var ordered = OrderedLink()
        var isWhole = false
    }

    /// The requests of one node that may be under way at one time: more than it sends, since it
    /// knows first that one has ended.
    private static let requestMaximum = 2 * RequestEdge.requestMaximum
    /// The maximum of links of one node that are remembered one by one; more than it has under way.
    private static let rememberedMaximum = 1024
    /// The time after which a request is dropped, because its sender has given up.
    private static let patience = RequestEdge.patience * 2
    /// The longest reply in bytes; a longer one is not sent.
    public static let replyBytesMaximum = 16 << 20

    private let identity: NodeLife
    private var requests: [Key: Request] = [:]
    private var begun = BegunLinks(linksMaximum: Self.rememberedMaximum)

    /// Makes an end without requests.
    public init(_ identity: NodeLife) { self.identity = identity }

    /// How many requests are under way.
    public var count: Int { requests.count }

    /// The bytes of requests and replies that are not whole yet here or at the other end.
    ///
    /// - Complexity: O(requests).
    public var byteCount: Int {
        requests.values.reduce(0) { $0 + $1.ordered.waitingBytes + $1.ordered.partialBytes }
    }

    /// Takes a packet of a node that asks.
    ///
    /// - Parameter bytesMaximum: The longest body that is taken.
    public mutating func receive(
        _ packet: LinkPacket, bytesMaximum: Int, at now: MonotonicInstant
    ) -> [Effect] {
        let key = Key(asker: packet.sender, link: packet.link)
        guard case .frame(let frame) = packet.content else {
            requests[key] = nil
            return []
        }
        if requests[key] == nil {
            if begun.contains(key.link, of: key.asker) { return [unknown(key, packet.room)] }
            // A later piece that overtakes the first one is sent again.
            guard begin(key, frame, packet.room, at: now) else { return [] }
        }
        let messages = requests[key]?.ordered.receive(frame, at: now) ?? []
        if let partial = requests[key]?.ordered.partialBytes, partial > bytesMaximum + 64 {
            requests[key] = nil
            return [
                unknown(key, packet.room),
                trouble(
                    key,
                    "a request of more than \(bytesMaximum) bytes; give all nodes the same limits"),
            ]
        }
        guard let bytes = messages.first, requests[key]?.isWhole == false else { return [] }
        requests[key]?.isWhole = true
        do throws(PacketError) {
            return [.perform(try NodeRequest.decode(bytes), room: packet.room, key)]
        } catch {
            reply(.notUnderstood, to: key)
            return [trouble(key, "a request that this version does not know: \(error)")]
        }
    }

    /// Begins a request with its first piece; nothing while the node has too many under way.
    private mutating func begin(
        _ key: Key, _ frame: OrderedLink.Frame, _ room: String, at now: MonotonicInstant
    ) -> Bool {
        guard case .data(1, _, _) = frame.piece, frame.acknowledged == 1,
            requests.keys.count(where: { $0.asker == key.asker }) < Self.requestMaximum
        else { return false }
        begun.insert(key.link, of: key.asker)
        requests[key] = Request(room: room, until: now.advanced(by: Self.patience))
        return true
    }

    /// Queues the reply to a request that is carried out; `advance` has its packets. Does nothing
    /// if the sender has given up.
    public mutating func reply(_ reply: NodeReply, to key: Key) {
        guard let bytes = try? reply.encoded() else { return }
        requests[key]?.ordered.send(bytes)
    }

    /// Returns the packets that are due. Call it about every ten milliseconds, and after `reply`.
    ///
    /// - Complexity: O(requests, and bytes).
    public mutating func advance(to now: MonotonicInstant) -> [Effect] {
        var effects: [Effect] = []
        for key in requests.keys.sorted(by: { ($0.asker.node, $0.link) < ($1.asker.node, $1.link) })
        {
            guard let request = requests[key], now < request.until else {
                requests[key] = nil
                continue
            }
            for frame in requests[key]?.ordered.takeFrames(at: now) ?? [] {
                effects.append(.packet(packet(key, request.room, .frame(frame))))
            }
            if requests[key]?.ordered.failure != nil { requests[key] = nil }
        }
        return effects
    }

    /// Forgets the requests of nodes that are no more, but not that they were begun.
    public mutating func endRequests(where isGone: (NodeLife) -> Bool) {
        requests = requests.filter { !isGone($0.key.asker) }
    }

    private func trouble(_ key: Key, _ text: String) -> Effect {
        .trouble("node \(key.asker.node.rawValue) sent \(text)")
    }

    private func unknown(_ key: Key, _ room: String) -> Effect {
        .packet(packet(key, room, .unknownLink))
    }

    private func packet(
        _ key: Key, _ room: String, _ content: LinkPacket.Content
    ) -> LinkPacket {
        LinkPacket(
            from: identity, to: key.asker, link: key.link, isFromEdge: false, room: room, content)
    }
}
