import SceneCluster
import SeededRandom

/// What the nodes' processes do.
extension ClusterSimulation {
    func start(_ node: Int) {
        guard nodes[node].process == nil else { return }
        nodes[node].life += 1
        let life = nodes[node].life
        lastLife += 1
        nodes[node].isDraining = false
        nodes[node].shards = Array(repeating: SimulatedShard(), count: map.count)
        nodes[node].nextCommit = 1
        nodes[node].hasSealed = []
        nodes[node].groups = [:]
        nodes[node].process = ClusterNode(
            NodeLife(node: NodeID(UInt16(node + 1)), life: lastLife), cluster: Self.cluster,
            map: map, subjects: subjects, at: nodes[node].clock.reading(at: now))
        queue.plan(.tick(node: node, life: life), at: now + random.below(Self.tickSpan))
        queue.plan(.frames(node: node, life: life), at: now + 50 * Self.millisecond)
    }

    func kill(_ node: Int) {
        guard nodes[node].process != nil else { return }
        outcome.kills += 1
        for shard in nodes[node].shards.indices { noteState(of: node, shard) }
        nodes[node].process = nil
        nodes[node].pausedUntil = 0
        for link in links.indices where links[link].isOpen && links[link].node == node {
            drop(link)
        }
    }

    func tick(_ node: Int, _ life: Int) {
        guard runs(node, life, .tick(node: node, life: life)) else { return }
        queue.plan(.tick(node: node, life: life), at: now + Self.tickSpan)
        handle(.tick, at: node)
    }

    func hear(_ beat: Beat, at node: Int, _ life: Int) {
        guard runs(node, life, .beat(node: node, life: life, beat)) else { return }
        handle(.heard(beat), at: node)
    }

    func miss(_ other: NodeLife, at node: Int, _ life: Int) {
        guard runs(node, life, .unheard(node: node, life: life, other)) else { return }
        handle(.unheard(other), at: node)
    }

    func deliver(_ reply: EngineReply, to call: EngineCall) {
        guard runs(call.node, call.life, .reply(call, reply)) else { return }
        if plant == .acknowledgeBeforeReadBack { acknowledgeEarly(reply, to: call) }
        handle(.reply(call.ticket, reply), at: call.node)
    }

    func handle(_ event: ClusterNode.Event, at node: Int) {
        let instant = nodes[node].clock.reading(at: now)
        guard let effects = nodes[node].process?.handle(event, at: instant) else { return }
        for effect in effects { carryOut(effect, of: node) }
    }

    private func carryOut(_ effect: ClusterNode.Effect, of node: Int) {
        switch effect {
        case .beat(let beat): send(beat, from: node)
        case .probe(let life): probe(life, from: node)
        case .shard(let shard, let effect): carryOut(effect, of: node, Int(shard.rawValue))
        // A beat of a process that died may be so late that it looks like a second process.
        case .receiverSilent, .numberTakenTwice: break
        // All have one version.
        case .tellVersion, .receiverEarlier: break
        case .tooManyNodes:
            outcome.faults.append("there are said to be too many nodes")
        }
    }

    private func carryOut(_ effect: OwnerEffect, of node: Int, _ shard: Int) {
        switch effect {
        case .request(let ticket, let request): ask(request, ticket, of: node)
        case .load(let records):
            if plant == .readBeforeSeal, nodes[node].hasSealed.contains(shard) { return }
            nodes[node].shards[shard].load(records)
        case .serving(let epoch):
            outcome.takeovers += 1
            nodes[node].hasSealed.remove(shard)
            nodes[node].shards[shard].epoch = epoch
            noteState(of: node, shard)
            noteEpoch(epoch, shard)
        case .committed(let number): commit(through: number, of: node, shard)
        case .refused(let commit, let refusal):
            outcome.faults.append(
                "node \(node) refuses commit \(commit), which it was to take: \(refusal)")
        case .suspect, .trusted, .snapshotWanted, .floorWanted: break
        case .yielded: nodes[node].hasSealed.remove(shard)
        case .stalled:
            outcome.stalls += 1
            nodes[node].shards[shard].isStalled = true
        case .resumed: nodes[node].shards[shard].isStalled = false
        case .resigned: resign(node, shard)
        case .lost(let error):
            outcome.faults.append("node \(node) stops shard \(shard): \(error)")
        }
    }

    private func resign(_ node: Int, _ shard: Int) {
        outcome.resignations += 1
        noteState(of: node, shard)
        nodes[node].shards[shard] = SimulatedShard()
        nodes[node].hasSealed.remove(shard)
        for link in links.indices
        where links[link].isOpen && links[link].node == node
            && clients[links[link].client].shard == shard
        {
            drop(link)
        }
    }

    private func commit(through number: UInt64, of node: Int, _ shard: Int) {
        for commit in nodes[node].shards[shard].commit(through: number) where !commit.isTold {
            answer(
                commit.op == nil ? .refused : .acknowledged, for: commit.opNumber,
                over: commit.link)
        }
    }

    /// The fault of that name: what the engine acknowledges is acknowledged.
    private func acknowledgeEarly(_ reply: EngineReply, to call: EngineCall) {
        guard let bytes = nodes[call.node].groups.removeValue(forKey: call.ticket),
            case .kept = reply,
            let scope = map.shards.first(where: { $0 == call.ticket.shard }),
            let record = try? ChainRecord.decode(
                bytes, scope: RecordScope(cluster: Self.cluster, shard: scope)
            ).record, case .group(let entries) = record.content
        else { return }
        let ops = Set(entries.compactMap { SimulatedOp($0.bytes) })
        let shard = Int(call.ticket.shard.rawValue)
        for index in nodes[call.node].shards[shard].waiting.indices {
            let waiting = nodes[call.node].shards[shard].waiting[index]
            guard let op = waiting.op, ops.contains(op), !waiting.isTold else { continue }
            nodes[call.node].shards[shard].waiting[index].isTold = true
            answer(.acknowledged, for: waiting.opNumber, over: waiting.link)
        }
    }

    // MARK: Clients at a node

    func receive(_ call: ClientCall, over link: Int) {
        let node = links[link].node
        guard links[link].isOpen,
            runs(node, links[link].life, .upstream(link: link, call))
        else { return }
        let client = clients[links[link].client]
        switch nodes[node].process?.phase(of: ShardID(UInt16(client.shard))) {
        case .serving: break
        case .follower, .sealing, .reading, .handing, .resigned, .stopped, nil:
            answer(.elsewhere, over: link)
            return
        }
        switch call {
        case .hello:
            links[link].isWelcomed = true
            answer(.welcome, over: link)
        case .op(let op, let isResent): decide(op, isResent: isResent, client, over: link)
        }
    }

    private func decide(
        _ op: SimulatedOp, isResent: Bool, _ client: ClusterClient, over link: Int
    ) {
        let node = links[link].node
        let shard = nodes[node].shards[client.shard]
        let isUnnumbered = plant == .unnumbered && isResent
        let known = shard.waiting.firstIndex {
            $0.session == op.session && $0.opNumber == op.number
        }
        if let known, !isUnnumbered {
            nodes[node].shards[client.shard].waiting[known].link = link
            return
        }
        let decision: SimulatedRoom.Decision =
            isUnnumbered ? .keep : (shard.working[client.room] ?? SimulatedRoom()).decide(op)
        switch decision {
        case .known: answer(.acknowledged, for: op.number, over: link)
        case .keep, .refuse:
            if shard.hasRefused(op.number, of: op.session), !isUnnumbered {
                answer(.refused, for: op.number, over: link)
                return
            }
            if shard.isStalled {
                // A node that may have been replaced cannot know what became of an op that was sent
                // to another one before; only one that is new may it refuse.
                guard op.number > links[link].sentThrough else { return }
                nodes[node].shards[client.shard].refuse(op.number, of: op.session)
                answer(.refused, for: op.number, over: link)
                return
            }
            propose(decision == .keep ? op : nil, op.number, client, over: link)
        }
    }

    /// Keeps an op, or proves a refusal.
    private func propose(
        _ op: SimulatedOp?, _ number: UInt32, _ client: ClusterClient, over link: Int
    ) {
        let node = links[link].node
        let commit = nodes[node].nextCommit
        nodes[node].nextCommit += 1
        nodes[node].shards[client.shard].waiting.append(
            .init(
                number: commit, room: client.room, op: op, session: client.session,
                opNumber: number, link: link))
        if let op { nodes[node].shards[client.shard].work(op, in: client.room) }
        let entries = op.map { [ChainRecord.Entry(room: client.room, bytes: $0.bytes)] } ?? []
        handle(
            .commit(ShardID(UInt16(client.shard)), number: commit, entries), at: node)
    }

    // MARK: Frames

    func showFrames(_ node: Int, _ life: Int) {
        guard runs(node, life, .frames(node: node, life: life)) else { return }
        let pause = 60 + random.below(100)
        queue.plan(.frames(node: node, life: life), at: now + pause * Self.millisecond)
        for shard in nodes[node].shards.indices {
            guard let epoch = nodes[node].shards[shard].epoch else { continue }
            nodes[node].shards[shard].frameTick += 1
            let tick = nodes[node].shards[shard].frameTick
            for (name, room) in nodes[node].shards[shard].durable.sorted(by: { $0.key < $1.key }) {
                let frame = RoomFrame(
                    room: name, epoch: epoch, tick: tick, count: room.count, hash: room.hash)
                for observer in observers.indices {
                    for time in arrivals() {
                        queue.plan(.frame(observer: observer, frame), at: time)
                    }
                }
            }
        }
    }

    /// When a core message arrives: once, not at all, or twice.
    func arrivals() -> [Int] {
        let isLost = !isHealed && random.chance(1, of: 25)
        let isDoubled = !isHealed && random.chance(1, of: 25)
        return (0..<(isLost ? 0 : isDoubled ? 2 : 1)).map { _ in
            let isLate = !isHealed && random.chance(1, of: 50)
            return now + 200 + random.below(isLate ? 2 * Self.second : 4 * Self.millisecond)
        }
    }
}
