import SceneCluster
import SeededRandom

/// How beats, requests and clients' messages travel.
extension ClusterSimulation {
    // MARK: Who reaches whom

    /// Whether a node reaches a server of the engine. Each node has a server at its own site.
    private func reaches(_ node: Int, server: Int) -> Bool {
        !nodeIsCut[node] && !serverIsDown[server]
            && (node == server || !siteIsCut[node] && !siteIsCut[server])
    }

    /// Whether a server reaches the others.
    func isConnected(_ server: Int) -> Bool { !serverIsDown[server] && !siteIsCut[server] }

    // MARK: Beats

    func send(_ beat: Beat, from node: Int) {
        for other in nodes.indices where nodes[other].process != nil {
            if other != node {
                guard nodes[node].mutedUntil <= now, !nodeIsCut[node], !nodeIsCut[other],
                    !siteIsCut[node], !siteIsCut[other]
                else { continue }
            } else if nodeIsCut[node] {
                continue
            }
            guard nodes[other].deafUntil <= now else { continue }
            for time in arrivals() {
                queue.plan(.beat(node: other, life: nodes[other].life, beat), at: time)
            }
        }
    }

    /// Carries out a node's probe of another one. The engine reports a dead process at once, and
    /// now and then a live one that moves between servers.
    func probe(_ other: NodeLife, from node: Int) {
        guard !nodeIsCut[node] else { return }
        let isThere = nodes.contains { $0.process?.identity == other }
        guard !isThere || !isHealed && random.chance(1, of: 10) else { return }
        queue.plan(
            .unheard(node: node, life: nodes[node].life, other),
            at: now + 150 + random.below(3 * Self.millisecond))
    }

    // MARK: The engine

    func ask(_ request: EngineRequest, _ ticket: EngineTicket, of node: Int) {
        if case .publish(_, let bytes, _) = request {
            if plant == .readBeforeSeal, bytes.count > 5, bytes[5] == 2 {
                nodes[node].hasSealed.insert(Int(ticket.shard.rawValue))
            }
            if plant == .acknowledgeBeforeReadBack { nodes[node].groups[ticket] = bytes }
        }
        let isLate = !isHealed && random.chance(1, of: 200)
        let latency = 150 + random.below(isLate ? 4 * Self.second : 2 * Self.millisecond)
        let call = EngineCall(
            node: node, life: nodes[node].life, ticket: ticket, request: request)
        queue.plan(.call(call), at: now + latency)
    }

    /// A request reaches the engine, or nothing.
    func arrive(_ call: EngineCall) {
        if let old = engine.oldLeader, old.until <= now { engine.retireOldLeader() }
        switch call.request {
        case .publish(let subject, let bytes, let expectedLast):
            guard let server = leader(for: call.node) else {
                leaveUnanswered(call)
                return
            }
            if !isHealed, isBusyWithoutReason || random.chance(1, of: 300) {
                answer(.busy, to: call)
                return
            }
            switch engine.publish(
                bytes, to: subject, expectedLast: expectedLast, by: call, at: server)
            {
            case .answer(let reply): answer(reply, to: call)
            case .propose(let number):
                let isSlow = !isHealed && random.chance(1, of: 20)
                let latency = 400 + random.below((isSlow ? 300 : 12) * Self.millisecond)
                queue.plan(.commit(proposal: number), at: now + latency)
            }
        case .read(let subject, let sequence, let maximum, let source):
            guard let server = server(for: call.node, source) else {
                leaveUnanswered(call)
                return
            }
            let limit = random.chance(1, of: 4) ? min(maximum, 2 + random.below(12)) : maximum
            answer(
                engine.messages(of: subject, from: sequence, maximum: limit, at: server),
                to: call)
        case .last, .purge, .probe: leaveUnanswered(call)
        }
    }

    /// The server that a node takes for the leader.
    private func leader(for node: Int) -> Int? {
        if let leader = engine.leader, reaches(node, server: leader) { return leader }
        guard let old = engine.oldLeader, reaches(node, server: old.server) else { return nil }
        return old.server
    }

    private func server(for node: Int, _ source: EngineRequest.Source) -> Int? {
        switch source {
        case .leader: return leader(for: node)
        case .anyReplica:
            let reachable = engine.applied.indices.filter { reaches(node, server: $0) }
            // Sometimes one is asked that does not answer.
            guard !reachable.isEmpty, isHealed || !random.chance(1, of: 30) else { return nil }
            return random.pick(reachable)
        }
    }

    func commit(_ proposal: Int) {
        guard let (call, sequence) = engine.commit(proposal, at: now) else { return }
        harm(sequence)
        for server in engine.applied.indices where server != engine.leader {
            let isSlow = slowUntil[server] > now || !isHealed && random.chance(1, of: 40)
            let lag = isSlow ? random.below(2 * Self.second) : random.below(20 * Self.millisecond)
            queue.plan(.replicate(server: server, sequence: sequence), at: now + lag)
        }
        answer(.kept(sequence: sequence), to: call)
    }

    /// The faults of those names.
    private func harm(_ sequence: UInt64) {
        switch plant {
        case .forgets where random.chance(1, of: 30): engine.forget(sequence)
        case .foreignRecord where random.chance(1, of: 30):
            let shard = random.pick(map.shards)
            engine.insert(Array("hello".utf8), to: subjects.journal(of: shard), at: now)
        case .forgets, .foreignRecord, .noFence, .readBeforeSeal, .acknowledgeBeforeReadBack,
            .unnumbered, .oldEpochs, nil:
            break
        }
    }

    func replicate(_ sequence: UInt64, to server: Int) {
        guard isConnected(server) else { return }
        engine.replicate(sequence, to: server)
    }

    func catchUp(_ server: Int) {
        if isConnected(server) { engine.catchUp(server) }
    }

    private func answer(_ reply: EngineReply, to call: EngineCall) {
        if !isHealed, random.chance(1, of: 80) || nodeIsCut[call.node] {
            leaveUnanswered(call)
            return
        }
        let isLate = !isHealed && random.chance(1, of: 40)
        let latency = 150 + random.below((isLate ? 400 : 3) * Self.millisecond)
        queue.plan(.reply(call, reply), at: now + latency)
    }

    /// No answer comes, or word that none came.
    private func leaveUnanswered(_ call: EngineCall) {
        guard isHealed || random.chance(2, of: 3) else { return }
        let latency =
            random.chance(1, of: 2)
            ? random.below(5 * Self.millisecond) : random.below(Self.second)
        queue.plan(.reply(call, .unknown("no answer came")), at: now + 150 + latency)
    }

    // MARK: Clients

    func connect(_ client: Int) {
        guard linkOf[client] == nil else { return }
        let node = clients[client].nextNode
        clients[client].nextNode = (node + 1) % nodes.count
        guard nodes[node].process != nil else {
            retry(client)
            return
        }
        links.append(
            Link(
                client: client, node: node, life: nodes[node].life,
                sentThrough: clients[client].sentThrough))
        linkOf[client] = links.count - 1
        queue.plan(.check(client: client), at: now + ClusterClient.patience)
        send(.hello, over: links.count - 1)
    }

    private func retry(_ client: Int) {
        queue.plan(
            .connect(client: client), at: now + (20 + random.below(100)) * Self.millisecond)
    }

    /// Ends a connection; what is on its way is lost.
    func drop(_ link: Int) {
        guard links[link].isOpen else { return }
        links[link].isOpen = false
        let client = links[link].client
        clients[client].disconnected()
        linkOf[client] = nil
        retry(client)
    }

    func act(_ client: Int) {
        guard !isHealed else { return }
        queue.plan(.act(client: client), at: now + (10 + random.below(250)) * Self.millisecond)
        guard clients[client].canAct else { return }
        let link = linkOf[client].flatMap { links[$0].isWelcomed ? $0 : nil }
        let value = UInt32(random.below(1 << 30))
        let op = clients[client].act(value: value, isConnected: link != nil, at: now)
        records.invoked(op, room: clients[client].room, at: now, isRecording: isRecording)
        if let link { send(.op(op, isResent: false), over: link) }
    }

    func checkPatience(_ client: Int) {
        guard let link = linkOf[client] else { return }
        if clients[client].isImpatient(at: now) || !links[link].isWelcomed {
            drop(link)
        } else {
            queue.plan(.check(client: client), at: now + 500 * Self.millisecond)
        }
    }

    /// Sends a client's message; some ops are sent twice.
    private func send(_ call: ClientCall, over link: Int) {
        var copies = 1
        if case .op = call, !isHealed, random.chance(1, of: 20) { copies = 2 }
        for _ in 0..<copies {
            links[link].upstream = max(
                links[link].upstream, now + 200 + random.below(8 * Self.millisecond))
            queue.plan(.upstream(link: link, call), at: links[link].upstream)
        }
    }

    func answer(_ answer: ClusterClient.Answer, for number: UInt32, over link: Int) {
        if answer == .acknowledged {
            let client = clients[links[link].client]
            records.acknowledge(
                session: client.session, number, room: client.room, at: now)
        }
        self.answer(.result(number, answer), over: link)
    }

    func answer(_ answer: NodeAnswer, over link: Int) {
        guard links[link].isOpen else { return }
        links[link].downstream = max(
            links[link].downstream, now + 200 + random.below(8 * Self.millisecond))
        queue.plan(.downstream(link: link, answer), at: links[link].downstream)
    }

    func receive(_ answer: NodeAnswer, over link: Int) {
        guard links[link].isOpen else { return }
        let client = links[link].client
        switch answer {
        case .elsewhere: drop(link)
        case .welcome:
            links[link].isWelcomed = true
            for (op, isResent) in clients[client].welcomed(at: now) {
                send(.op(op, isResent: isResent), over: link)
            }
        case .result(let number, let answer):
            guard clients[client].take(answer, for: number) else { return }
            switch answer {
            case .acknowledged: outcome.acknowledged += 1
            case .refused: outcome.refused += 1
            }
            records.told(
                answer, session: clients[client].session, number, at: now,
                isRecording: isRecording)
        }
    }
}
