import SceneCluster
import SceneRelay
import SeededRandom

/// A node that asks and one that carries out, over a network that loses, doubles and delays
/// packets.
final class RequestWorld {
    let asker = NodeLife(node: NodeID(1), life: 11)
    let owner = NodeLife(node: NodeID(2), life: 22)
    var edge: RequestEdge
    var host: RequestHost
    /// What was carried out, in order.
    private(set) var performed: [NodeRequest] = []
    /// How requests ended, in order.
    private(set) var ended: [(number: UInt64, outcome: RequestEdge.Outcome)] = []
    private(set) var troubles: [String] = []
    /// All packets that were sent; those that a test wants to have come once more.
    private(set) var sent: [LinkPacket] = []
    /// What the owner answers; `nil` while it does not.
    var reply: NodeReply? = .answer(status: 200, isJSON: true, [0x7B, 0x7D])
    /// Requests that were carried out and have no reply.
    private(set) var unanswered: [RequestHost.Key] = []
    /// Of a hundred packets, how many are lost, and how many are doubled.
    var losses = 0
    /// Whether the owner's packets are lost, and those to it.
    var isCut = false
    var bytesMaximum = 8 << 20
    private var underWay: [(at: UInt64, packet: LinkPacket)] = []
    private var random: SplitMix64
    private var milliseconds: UInt64 = 0

    init(seed: UInt64 = 1) {
        random = SplitMix64(seed: seed)
        edge = RequestEdge(asker)
        host = RequestHost(owner)
    }

    private var now: MonotonicInstant {
        MonotonicInstant(nanoseconds: 1 + milliseconds * 1_000_000)
    }

    func ask(_ request: NodeRequest) -> UInt64? {
        edge.ask(request, of: owner, room: "hall", at: now)
    }

    func run(milliseconds count: UInt64) {
        for _ in 0..<count {
            milliseconds += 1
            let due = underWay.filter { $0.at <= milliseconds }
            underWay.removeAll { $0.at <= milliseconds }
            for item in due { deliver(item.packet) }
            guard milliseconds % 10 == 0 else { continue }
            carryOut(edge.advance(to: now))
            carryOut(host.advance(to: now))
        }
    }

    /// A packet comes that was sent before.
    func deliver(_ packet: LinkPacket) {
        if packet.isFromEdge {
            carryOut(host.receive(packet, bytesMaximum: bytesMaximum, at: now))
        } else {
            carryOut(edge.receive(packet, at: now))
        }
    }

    /// The owner is not heard any more, or the asker is not heard there.
    func endRequests() { carryOut(edge.endRequests { $0 == owner }) }
    func forgetAsker() { host.endRequests { $0 == asker } }

    private func carryOut(_ effects: [RequestEdge.Effect]) {
        for effect in effects {
            switch effect {
            case .packet(let packet): transmit(packet)
            case .ended(let number, let outcome): ended.append((number, outcome))
            }
        }
    }

    private func carryOut(_ effects: [RequestHost.Effect]) {
        for effect in effects {
            switch effect {
            case .packet(let packet): transmit(packet)
            case .perform(let request, _, let key):
                performed.append(request)
                if let reply { host.reply(reply, to: key) } else { unanswered.append(key) }
            case .trouble(let text): troubles.append(text)
            }
        }
    }

    private func transmit(_ packet: LinkPacket) {
        sent.append(packet)
        guard !isCut, !random.chance(losses, of: 100) else { return }
        for _ in 0..<(random.chance(losses, of: 100) ? 2 : 1) {
            let delay = losses == 0 ? 1 : UInt64(1 + random.below(60))
            underWay.append((milliseconds + delay, packet))
        }
    }
}
