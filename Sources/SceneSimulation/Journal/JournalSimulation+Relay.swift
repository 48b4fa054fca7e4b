import ClusterJournal
import SceneCluster
import SceneRelay
import SceneSession
import SceneWire
import SeededRandom

/// Links between the nodes: what the server's relay thread does, in virtual time.
extension JournalSimulation {
    /// Has a node's end of the links to owners do something, and carries the effects out.
    func relay(
        at node: Int, _ body: (inout RelayEdge, MonotonicInstant) -> [RelayEdge.Effect]
    ) {
        guard var process = nodes[node].process else { return }
        let effects = body(&process.edge, instant)
        nodes[node].process = process
        carryOut(effects, at: node)
        exchange(node)
    }

    /// Begins links for rooms whose members wait for an owner.
    func seekOwners(_ node: Int) {
        guard let process = nodes[node].process, process.edge.seeksOwners else { return }
        let owner = owners(knownTo: process)
        relay(at: node) { $0.seek(at: $1, owner: owner) }
    }

    private func owners(knownTo process: SimulatedProcess) -> (String) -> NodeLife? {
        let (map, owners) = (map, process.state.owningLives)
        return { owners[map.shard(ofRoom: $0)] }
    }

    /// Takes note of what a node has learnt about the cluster.
    func followOwners(_ node: Int) {
        guard let state = nodes[node].process?.journal.takeView(at: instant),
            let earlier = nodes[node].process?.state
        else { return }
        nodes[node].process?.state = state
        guard state.concernsLinks(after: earlier), let process = nodes[node].process else {
            return
        }
        let isHeard = { (life: NodeLife) in
            life == process.identity || state.nodes.contains(life)
        }
        nodes[node].process?.edge.leadsOn = state.hearsOthers
        let owner = owners(knownTo: process)
        relay(at: node) { $0.follow(at: $1, isHeard: isHeard, owner: owner) }
        let ended = nodes[node].process?.host.endLinks(at: instant) { !isHeard($0) }
        carryOut(ended ?? [], at: node)
    }

    // MARK: Packets

    /// Sends what both ends have to send, until nothing of it is for the node itself.
    func exchange(_ node: Int) {
        repeat {
            let packets = nodes[node].process?.ownPackets ?? []
            nodes[node].process?.ownPackets = []
            for packet in packets { take(packet, at: node) }
            let ofEdge = nodes[node].process?.edge.advance(to: instant)
            carryOut(ofEdge ?? [], at: node)
            let ofHost = nodes[node].process?.host.advance(to: instant)
            carryOut(ofHost ?? [], at: node)
        } while nodes[node].process?.ownPackets.isEmpty == false
    }

    private func send(_ packet: LinkPacket, from node: Int) {
        guard packet.receiver != nodes[node].process?.identity else {
            nodes[node].process?.ownPackets.append(packet)
            return
        }
        guard let bytes = try? packet.encoded(cluster: Self.cluster) else {
            outcome.faults.append("node \(node): a packet cannot be written")
            return
        }
        let receiver = Int(packet.receiver.node.rawValue) - 1
        guard isHealed || !random.chance(1, of: 25) else { return }
        let time = max(packetsDue[node][receiver], now + random.below(5))
        packetsDue[node][receiver] = time
        queue.plan(.packet(node: receiver, bytes), at: time)
        // A copy may come much later.
        guard !isHealed, random.chance(1, of: 20) else { return }
        queue.plan(.packet(node: receiver, bytes), at: now + random.below(3000))
    }

    func hear(packet bytes: [UInt8], at node: Int) {
        guard let process = nodes[node].process, nodes[node].deafUntil <= now else { return }
        guard nodes[node].pausedUntil <= now else {
            return queue.plan(.packet(node: node, bytes), at: nodes[node].pausedUntil)
        }
        guard let packet = try? LinkPacket.decode(bytes, cluster: Self.cluster) else {
            outcome.faults.append("node \(node): a packet cannot be read")
            return
        }
        // One for an earlier process of this node.
        guard packet.receiver == process.identity else { return }
        take(packet, at: node)
        exchange(node)
    }

    private func take(_ packet: LinkPacket, at node: Int) {
        guard packet.isFromEdge else {
            let effects = nodes[node].process?.edge.receive(packet, at: instant)
            return carryOut(effects ?? [], at: node)
        }
        let effects = nodes[node].process?.host.receive(packet, at: instant)
        carryOut(effects ?? [], at: node)
    }

    // MARK: What is done

    private func carryOut(_ effects: [RelayEdge.Effect], at node: Int) {
        for effect in effects {
            switch effect {
            case .packet(let packet): send(packet, from: node)
            case .send(let payloads, _, let members):
                for member in members {
                    for payload in payloads { sendDown(payload, Int(member.rawValue)) }
                }
            case .close(let member, _, _): closeSoon(member)
            case .attached: outcome.links += 1
            case .detached, .emptied: break
            }
        }
    }

    func carryOut(_ effects: [RelayHost.Effect], at node: Int) {
        for effect in effects {
            switch effect {
            case .packet(let packet): send(packet, from: node)
            case .join(let room, let member, let applicant):
                join(member, applicant, room, at: node)
            case .message(let room, let member, let message, _):
                handle(.received(member, message), of: room, at: node)
                if plant == .requestTwice, case .ops(let sent) = message {
                    // Under another number, as a session would that forgets.
                    var ops = sent
                    ops.clientSequence += 1_000_000
                    handle(.received(member, .ops(ops)), of: room, at: node)
                }
            case .left(let room, let member): leave(member, room, at: node)
            case .revoke(let room, let member):
                nodes[node].process?.rooms[room]?.session.revoke(member)
            case .trouble(let text): outcome.faults.append("node \(node): \(text)")
            }
        }
    }
}
