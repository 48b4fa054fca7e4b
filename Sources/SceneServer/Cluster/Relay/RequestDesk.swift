import SceneCluster
import SceneRelay

/// Carries out what administrators asked for at other nodes.
protocol NodeRequestHandler: Sendable {
    /// Carries a request of another node out.
    ///
    /// - Parameter reply: Called once, on any thread.
    func perform(
        _ request: NodeRequest, in room: String, for asker: NodeID,
        _ reply: @escaping @Sendable (NodeReply) -> Void)
}

/// What became of a request to another node.
enum NodeOutcome: Equatable, Sendable {
    /// The node replied, or nobody knows what it did.
    case ended(RequestEdge.Outcome)
    /// Nothing was sent: too many requests are under way, or they take too much memory.
    case refused
}

/// Administrators' requests to other nodes and from them, and the closures that wait for replies.
/// Belongs to the relay's thread.
struct RequestDesk {
    /// What is to be done, in order.
    enum Effect {
        case packet(LinkPacket)
        case trouble(String)
        /// Carries out a request of another node.
        case perform(NodeRequest, room: String, RequestHost.Key)
        /// Calls the closure that waits for a request with its outcome.
        case tell(@Sendable (NodeOutcome) -> Void, NodeOutcome)
    }

    private var edge: RequestEdge
    private var host: RequestHost
    private var waiting: [UInt64: @Sendable (NodeOutcome) -> Void] = [:]

    init(_ identity: NodeLife) {
        edge = RequestEdge(identity)
        host = RequestHost(identity)
    }

    /// The bytes of requests and replies that are on their way.
    var byteCount: Int { edge.byteCount + host.byteCount }

    /// Sends a request to another node.
    ///
    /// - Parameter bytesMaximum: The most bytes of all requests and replies that may be on their
    ///   way.
    mutating func ask(
        _ request: NodeRequest, of receiver: NodeLife, room: String, bytesMaximum: Int,
        at now: MonotonicInstant, _ tell: @escaping @Sendable (NodeOutcome) -> Void
    ) -> [Effect] {
        guard byteCount + request.byteCount <= bytesMaximum,
            let number = edge.ask(request, of: receiver, room: room, at: now)
        else { return [.tell(tell, .refused)] }
        waiting[number] = tell
        return []
    }

    /// Takes a packet of a request's link.
    mutating func receive(
        _ packet: LinkPacket, bodyMaximum: Int, at now: MonotonicInstant
    ) -> [Effect] {
        guard packet.isFromEdge else { return effects(of: edge.receive(packet, at: now)) }
        return effects(of: host.receive(packet, bytesMaximum: bodyMaximum, at: now))
    }

    /// Sends a reply to the node that asked.
    mutating func reply(_ reply: NodeReply, to key: RequestHost.Key) { host.reply(reply, to: key) }

    /// What is to be sent now.
    mutating func advance(to now: MonotonicInstant) -> [Effect] {
        effects(of: edge.advance(to: now)) + effects(of: host.advance(to: now))
    }

    /// Ends the requests to and of nodes that are no more.
    mutating func endRequests(where isGone: (NodeLife) -> Bool) -> [Effect] {
        host.endRequests(where: isGone)
        return effects(of: edge.endRequests(where: isGone))
    }

    private mutating func effects(of effects: [RequestEdge.Effect]) -> [Effect] {
        effects.compactMap { effect -> Effect? in
            switch effect {
            case .packet(let packet): .packet(packet)
            case .ended(let number, let outcome):
                waiting.removeValue(forKey: number).map { .tell($0, .ended(outcome)) }
            }
        }
    }

    private func effects(of effects: [RequestHost.Effect]) -> [Effect] {
        effects.map { effect -> Effect in
            switch effect {
            case .packet(let packet): .packet(packet)
            case .perform(let request, let room, let key): .perform(request, room: room, key)
            case .trouble(let text): .trouble(text)
            }
        }
    }
}
