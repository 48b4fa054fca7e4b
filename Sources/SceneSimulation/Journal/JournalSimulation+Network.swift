import ClusterJournal
import SceneCluster
import SceneSession
import SceneWire
import SeededRandom

/// Messages of clients, nodes and the stream.
extension JournalSimulation {
    // MARK: Clients

    func connect(_ client: Int) {
        guard connectionOf[client] == nil else { return }
        let node = nextNode[client]
        nextNode[client] = (node + 1) % nodes.count
        guard nodes[node].process != nil else { return retry(client) }
        connections.append(Connection(client: client, node: node, life: nodes[node].life))
        connectionOf[client] = connections.count - 1
        send(clients[client].connected(at: nanoseconds), over: connections.count - 1)
    }

    private func retry(_ client: Int) {
        queue.plan(.connect(client: client), at: now + 20 + random.below(80))
    }

    /// Sends a client's messages, some of them twice, and plans its next wake-up.
    func send(_ messages: [ClientMessage], over id: Int) {
        for message in messages where connections[id].isOpen {
            var copies = 1
            if case .ops = message, !isHealed, random.chance(1, of: 20) { copies = 2 }
            for _ in 0..<copies {
                let time = max(connections[id].upstream, now + 1 + random.below(8))
                connections[id].upstream = time
                queue.plan(.arrive(connection: id, message), at: time)
            }
        }
        let client = connections[id].client
        guard let time = clients[client].wakeTime else { return }
        let wake = max(Int((time + 999_999) / 1_000_000), now)
        if let planned = clients[client].plannedWake, planned <= wake { return }
        clients[client].plannedWake = wake
        queue.plan(.wake(client: client), at: wake)
    }

    func wake(_ client: Int) {
        if clients[client].plannedWake == now { clients[client].plannedWake = nil }
        guard let id = connectionOf[client] else { return }
        send(clients[client].wake(at: nanoseconds), over: id)
        if clients[client].hasGivenUp { cut(id) }
    }

    func arrive(_ message: ClientMessage, over id: Int) {
        let (node, life) = (connections[id].node, connections[id].life)
        guard connections[id].isOpen, nodes[node].life == life, nodes[node].process != nil else {
            return
        }
        guard nodes[node].pausedUntil <= now else {
            let time = max(nodes[node].pausedUntil, connections[id].upstream)
            connections[id].upstream = time
            return queue.plan(.arrive(connection: id, message), at: time)
        }
        if case .hello(let hello) = message { return admit(hello, over: id) }
        pass(message, over: id)
    }

    func sendDown(_ payload: [UInt8], _ id: Int) {
        guard connections[id].isOpen else { return }
        let time = max(connections[id].downstream, now + 1 + random.below(8))
        connections[id].downstream = time
        queue.plan(.deliver(connection: id, payload), at: time)
    }

    func deliver(_ payload: [UInt8], over id: Int) {
        guard connections[id].isOpen else { return }
        let client = connections[id].client
        send(clients[client].receive(payload, at: nanoseconds), over: id)
    }

    /// Ends a connection at both ends; messages on their way are lost.
    func cut(_ id: Int) {
        guard connections[id].isOpen else { return }
        drop(id)
        guard nodes[connections[id].node].life == connections[id].life else { return }
        leave(id)
    }

    func drop(_ id: Int) {
        connections[id].isOpen = false
        let client = connections[id].client
        connectionOf[client] = nil
        // The next owner may not have what this client saw last.
        clients[client].serverDied()
        clients[client].disconnected(at: nanoseconds)
        retry(client)
    }

    func act(_ client: Int) {
        guard !isHealed else { return }
        queue.plan(.act(client: client), at: now + 30 + random.below(300))
        guard let id = connectionOf[client], clients[client].isWelcomed,
            clients[client].unanswered.count < 8
        else { return }
        if random.chance(1, of: 50) { return cut(id) }
        let simulated = clients[client]
        guard simulated.role == .editor else {
            // The owner alone can answer that.
            guard random.chance(1, of: 8) else { return }
            return send(simulated.inspect(), over: id)
        }
        if simulated.capabilities != 0, random.chance(1, of: 8) {
            return send(simulated.takeBack(isUndo: random.below(3) > 0), over: id)
        }
        let message = random.chance(longShare, of: 8) ? longMessage() : ops.message()
        send(
            simulated.ops(message, group: 0, isAtomic: random.chance(1, of: 4)), over: id)
    }

    /// Ops that take much of a journal and little work: constraints with long notes, which replace
    /// others.
    private func longMessage() -> String {
        let ops = (0..<4).map { number in
            // What repeats itself would be deflated.
            let note = (0..<2500).map { _ in String(random.next(), radix: 16) }.joined()
            return
                #"{"op":"removeConstraint","id":"note\#(number)"},"#
                + #"{"op":"addConstraint","id":"note\#(number)","rule":"bar.width >= 1 @1","identifier":"\#(note)"}"#
        }
        return "[" + ops.joined(separator: ",") + "]"
    }

    // MARK: Nodes

    func send(_ bytes: [UInt8], on subject: String) {
        for node in nodes.indices where isHealed || !random.chance(1, of: 25) {
            queue.plan(.heard(node: node, subject: subject, bytes), at: now + random.below(5))
        }
    }

    func hear(_ subject: String, _ bytes: [UInt8], at node: Int) {
        guard runs(node, nodes[node].life), nodes[node].deafUntil <= now else { return }
        nodes[node].process?.journal.take(
            .heard(subject: subject, bytes: bytes), at: instant)
        collect(node)
    }

    // MARK: The stream

    func carry(_ request: EngineRequest, _ id: UInt64, _ node: Int, _ life: Int) {
        let reply = stream.carryOut(harmed(request), &random)
        let isLost = !isHealed && random.chance(1, of: 40)
        queue.plan(
            .reply(
                node: node, life: life, id,
                isLost ? .unknown("no answer came within 2 seconds") : reply),
            at: now + (isLost ? 2000 : random.below(12)))
    }

    func deliver(_ reply: EngineReply, _ id: UInt64, _ node: Int, _ life: Int) {
        guard nodes[node].life == life, nodes[node].process != nil else { return }
        guard nodes[node].pausedUntil <= now else {
            return queue.plan(
                .reply(node: node, life: life, id, reply), at: nodes[node].pausedUntil)
        }
        nodes[node].process?.journal.take(.replied(id, reply), at: instant)
        collect(node)
    }

    /// The planted fault of that name: a directory calls the end of the journal its place.
    private func harmed(_ request: EngineRequest) -> EngineRequest {
        guard plant == .directoryAhead, case .publish(let subject, let bytes, let last) = request,
            let shard = map.shards.first(where: {
                subject == subjects.snapshot(of: SnapshotDirectory.room, in: $0)
            }), let end = end(of: shard),
            var pointer = try? SnapshotPointer.decode(
                bytes, scope: RecordScope(cluster: Self.cluster, shard: shard))
        else { return request }
        // Its chunks stay where they are.
        pointer.anchor = ChainAnchor(
            sequence: pointer.anchor.sequence, number: end.number, checksum: end.checksum,
            epoch: end.epoch, owner: end.owner)
        guard let changed = try? pointer.encoded() else { return request }
        return .publish(subject: subject, bytes: changed, expectedLast: last)
    }

    /// The last record of a shard's journal.
    private func end(of shard: ShardID) -> ChainAnchor? {
        let scope = RecordScope(cluster: Self.cluster, shard: shard)
        guard let last = stream.messages(of: subjects.journal(of: shard)).last,
            let (record, checksum) = try? ChainRecord.decode(last.bytes, scope: scope)
        else { return nil }
        return ChainAnchor(
            sequence: last.sequence, number: record.number, checksum: checksum,
            epoch: record.epoch, owner: record.author)
    }

    func advanceStream() {
        queue.plan(.stream, at: now + 10)
        if let at = electAt, at <= now || isHealed {
            stream.elect(random.below(3))
            electAt = nil
        }
        if retireAt <= now || isHealed { stream.retireOldLeader() }
        for server in 0..<3 where laggingUntil[server] <= now {
            stream.replicate(to: server, atMost: isHealed ? .max : random.below(20))
        }
    }

    // MARK: Faults

    func fault() {
        guard !isHealed else { return }
        queue.plan(.fault, at: now + 50 + random.below(1200))
        let node = random.below(nodes.count)
        switch random.below(8) {
        case 0: kill(node)
        case 1: nodes[node].pausedUntil = now + 50 + random.below(4000)
        case 2: nodes[node].deafUntil = now + 300 + random.below(1500)
        case 3 where stream.leader != nil:
            outcome.elections += 1
            stream.loseLeader(staysOn: random.chance(1, of: 2))
            electAt = now + 300 + random.below(5000)
            retireAt = now + 8000
        case 4, 5: laggingUntil[node] = now + 200 + random.below(3000)
        default:
            let order = ClusterOrder.move(
                random.pick(map.shards), to: NodeID(UInt16(1 + random.below(nodes.count))))
            send(order.encoded(cluster: Self.cluster), on: subjects.order)
        }
    }

    /// From here on nothing goes wrong, and clients ask for nothing new.
    func heal() {
        isHealed = true
        laggingUntil = [0, 0, 0]
        for node in nodes.indices {
            nodes[node].pausedUntil = min(nodes[node].pausedUntil, now + 200)
            nodes[node].deafUntil = 0
            queue.plan(.start(node: node), at: now + random.below(500))
        }
    }
}
