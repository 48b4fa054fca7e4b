import SceneCluster
import SceneRelay
import SceneSession
import SceneWire

/// A node that gave a room away: the room is held, and ticks on for those who watch it at other
/// nodes.
final class FormerOwner {
    /// For so many ticks, as a server does.
    static let ticks: UInt64 = 18

    let session: SceneSession
    var host: RelayHost
    let life: NodeLife
    let endsAt: UInt64

    init(_ session: SceneSession, _ host: RelayHost, _ life: NodeLife, at step: UInt64) {
        (self.session, self.host, self.life) = (session, host, life)
        endsAt = step + Self.ticks
    }
}

extension RelayWorld {
    /// The owner gives the room to another process, which needs so many ticks to open it.
    func moveOwner(openingTicks: Int) throws {
        // What was decided has to be kept before.
        guard !isStalled, decided == nil else { return }
        carryOut(owner.handle(.journalHeld(true)))
        let here = owner.members.filter { !RelayHost.isRelayed($0) }
        carryOut(owner.handle(.journalMoved(here, "another node serves the room")))
        clients.removeAll { $0.edge == nil }
        former = FormerOwner(owner, host, ownerLife, at: step)
        ownerLife.life += 1
        try beginOwner()
        opensAt = step + UInt64(openingTicks)
    }

    func tickFormer() {
        guard let former else { return }
        let session = former.session
        carryOut(session.handle(.tick(session.tick + 1)), of: former)
        let isOver = step >= former.endsAt
        if isOver { carryOut(session.handle(.journalLost("it is over")), of: former) }
        carryOut(former.host.advance(to: now), of: former)
        if isOver { self.former = nil }
    }

    private func carryOut(_ effects: [SessionEffect], of former: FormerOwner) {
        for effect in effects {
            switch effect {
            case .append: troubles.append("a room that is held wrote a record")
            case .send(let payloads, _, let members), .offer(let payloads, _, let members):
                former.host.send(payloads, to: members.filter(RelayHost.isRelayed))
            case .close(let member, let code, let reason):
                carryOut(former.host.close(member, code, reason: reason), of: former)
            case .abandon(let reason): troubles.append(reason)
            case .prove, .record, .readJournal, .readScene, .suggestionChanged, .replacedScene,
                .overran:
                break
            }
        }
    }

    func carryOut(_ effects: [RelayHost.Effect], of former: FormerOwner) {
        for effect in effects {
            switch effect {
            case .packet(let packet): transmit(packet)
            case .left(_, let member):
                carryOut(former.session.handle(.left(member)), of: former)
            case .message(_, let member, let message, _):
                carryOut(former.session.handle(.received(member, message)), of: former)
            // Who comes late is sent on.
            case .join(_, let member, _):
                carryOut(former.host.close(member, .draining, reason: "moved"), of: former)
            case .revoke, .trouble: break
            }
        }
    }
}
