public import SceneCluster

/// The asking end of administrators' requests that other nodes carry out: each has a link of its
/// own, over which the request goes once and its reply comes back. A state machine without I/O or
/// clock.
///
/// A request is sent over one link only. If that link fails before the reply, the request may have
/// been carried out or not; the outcome says so.
public struct RequestEdge: Sendable {
    /// How a request ended.
    public enum Outcome: Equatable, Sendable {
        /// The other node replied.
        case reply(NodeReply)
        /// No reply came; whether the request was carried out is unknown.
        case unknown(Silence)
    }

    /// Why no reply came.
    public enum Silence: Equatable, Sendable {
        /// The other node is not heard any more.
        case gone
        /// It took too long, or did not acknowledge what it was sent.
        case late
        /// It has ended the link.
        case ended
    }

    /// An effect.
    public enum Effect: Equatable, Sendable {
        /// Sends a packet to a node.
        case packet(LinkPacket)
        /// A request has ended.
        case ended(UInt64, Outcome)
    }

    private struct Request {
        let receiver: NodeLife
        let room: String
        let until: MonotonicInstant
        var ordered = OrderedLink()
    }

    /// Requests that may be under way at one time.
    public static let requestMaximum = 32
    /// For so long a reply is waited for.
    public static let patience = Duration.seconds(30)
    /// The links of requests have the highest bit set, so that none has the number of a link for
    /// members.
    private static let firstLink: UInt64 = 1 << 63

    private let identity: NodeLife
    private var requests: [UInt64: Request] = [:]
    private var nextLink = Self.firstLink

    /// Makes an end without requests.
    public init(_ identity: NodeLife) { self.identity = identity }

    /// Whether a packet is of a request's link.
    public static func isOfRequest(_ packet: LinkPacket) -> Bool { packet.link >= firstLink }

    /// How many requests are under way.
    public var count: Int { requests.count }

    /// The bytes of requests and replies that are not whole yet at the other end or here.
    ///
    /// - Complexity: O(requests).
    public var byteCount: Int {
        requests.values.reduce(0) { $0 + $1.ordered.waitingBytes + $1.ordered.partialBytes }
    }

    /// Begins a request; `advance` has its packets.
    ///
    /// - Parameter room: The room's name; empty for a request that concerns none.
    /// - Returns: The number that `Effect.ended` will name; `nil` where too many are under way, or
    ///   the request is too long: then nothing is sent.
    /// - Complexity: O(bytes).
    public mutating func ask(
        _ request: NodeRequest, of receiver: NodeLife, room: String, at now: MonotonicInstant
    ) -> UInt64? {
        guard requests.count < Self.requestMaximum, let bytes = try? request.encoded(),
            bytes.count <= OrderedLink.waitingBytesMaximum
        else { return nil }
        var begun = Request(
            receiver: receiver, room: room, until: now.advanced(by: Self.patience))
        begun.ordered.send(bytes)
        defer { nextLink += 1 }
        requests[nextLink] = begun
        return nextLink
    }

    /// Takes a packet of the node that was asked.
    public mutating func receive(_ packet: LinkPacket, at now: MonotonicInstant) -> [Effect] {
        guard let request = requests[packet.link], request.receiver == packet.sender else {
            // The other node sends the end of its reply again, which has come.
            guard case .frame(let frame) = packet.content, frame.piece != .none else { return [] }
            return [.packet(closing(packet.link, packet.sender, packet.room))]
        }
        guard case .frame(let frame) = packet.content else {
            return end(packet.link, .unknown(.ended))
        }
        guard let bytes = requests[packet.link]?.ordered.receive(frame, at: now).first else {
            return []
        }
        guard let reply = try? NodeReply.decode(bytes) else {
            return close(packet.link, .unknown(.ended))
        }
        return close(packet.link, .reply(reply))
    }

    /// Returns the packets that are due, and the requests that timed out. Call it about every
    /// ten milliseconds, and after `ask`.
    ///
    /// - Complexity: O(requests, and bytes).
    public mutating func advance(to now: MonotonicInstant) -> [Effect] {
        var effects: [Effect] = []
        for (link, request) in requests.sorted(by: { $0.key < $1.key }) {
            // Before anything is sent: a process that was suspended must not send expired requests.
            guard now < request.until else {
                effects += close(link, .unknown(.late))
                continue
            }
            for frame in requests[link]?.ordered.takeFrames(at: now) ?? [] {
                effects.append(.packet(packet(link, request.receiver, request.room, .frame(frame))))
            }
            if requests[link]?.ordered.failure != nil {
                effects += close(link, .unknown(.late))
            }
        }
        return effects
    }

    /// Ends the requests to nodes that are no more.
    public mutating func endRequests(where isGone: (NodeLife) -> Bool) -> [Effect] {
        requests.filter { isGone($0.value.receiver) }.keys.sorted()
            .flatMap { end($0, .unknown(.gone)) }
    }

    private mutating func end(_ link: UInt64, _ outcome: Outcome) -> [Effect] {
        requests.removeValue(forKey: link) == nil ? [] : [.ended(link, outcome)]
    }

    /// Ends a request, and tells the other node that nothing more will come.
    private mutating func close(_ link: UInt64, _ outcome: Outcome) -> [Effect] {
        guard let request = requests[link] else { return [] }
        return [.packet(closing(link, request.receiver, request.room))] + end(link, outcome)
    }

    private func closing(_ link: UInt64, _ receiver: NodeLife, _ room: String) -> LinkPacket {
        packet(link, receiver, room, .unknownLink)
    }

    private func packet(
        _ link: UInt64, _ receiver: NodeLife, _ room: String, _ content: LinkPacket.Content
    ) -> LinkPacket {
        LinkPacket(
            from: identity, to: receiver, link: link, isFromEdge: true, room: room, content)
    }
}
