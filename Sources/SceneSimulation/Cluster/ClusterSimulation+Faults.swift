import SceneCluster
import SeededRandom

/// What goes wrong, and how it heals.
extension ClusterSimulation {
    /// One thing goes wrong; the next one is planned.
    func fault() {
        guard !isHealed else { return }
        let pause = random.chance(1, of: 4) ? random.below(100) : 100 + random.below(1500)
        queue.plan(.fault, at: now + pause * Self.millisecond)
        let node = random.below(nodes.count)
        let server = random.below(SimulatedEngine.serverCount)
        switch random.below(15) {
        case 0: crash(node)
        case 1, 2:
            guard nodes[node].process != nil else { break }
            outcome.pauses += 1
            nodes[node].pausedUntil = now + span(50, 6000)
        case 3:
            let jump = random.chance(1, of: 4) ? -span(1, 1000) : span(50, 10_000)
            nodes[node].clock.jump(by: jump, at: now)
        case 4: stop(server)
        case 5: loseLeader(staysUntil: nil, for: span(30, 300))
        case 6: cutSite(random.below(siteIsCut.count))
        case 7:
            nodeIsCut[node] = true
            queue.plan(.mend(.node(node)), at: now + span(100, 5000))
        case 8, 9: nodes[node].mutedUntil = now + span(300, 2500)
        case 10: nodes[node].deafUntil = now + span(300, 2500)
        case 11:
            slowUntil[server] = now + span(200, 3000)
        case 12:
            isBusyWithoutReason = true
            queue.plan(.mend(.busy), at: now + span(10, 400))
        case 13:
            if let link = linkOf[random.below(clients.count)] { drop(link) }
        default: move(random.below(map.count))
        }
    }

    /// A random span of microseconds between two counts of milliseconds; short ones are more
    /// frequent.
    private func span(_ least: Int, _ most: Int) -> Int {
        let upper = random.chance(1, of: 3) ? most : max(least + 1, most / 4)
        return (least + random.below(upper - least)) * Self.millisecond
    }

    private func crash(_ node: Int) {
        kill(node)
        // Sometimes the machine takes its server with it.
        if node < SimulatedEngine.serverCount, random.chance(1, of: 3) { stop(node) }
        queue.plan(.start(node: node), at: now + span(100, 4000))
    }

    /// A server of the engine dies.
    private func stop(_ server: Int) {
        guard !serverIsDown[server] else { return }
        serverIsDown[server] = true
        queue.plan(.mend(.server(server)), at: now + span(300, 9000))
        loseMajority(except: server, staysUntil: nil)
    }

    private func cutSite(_ site: Int) {
        guard !siteIsCut[site] else { return }
        siteIsCut[site] = true
        queue.plan(.mend(.site(site)), at: now + span(150, 14_000))
        guard site < SimulatedEngine.serverCount else { return }
        loseMajority(except: site, staysUntil: now + 10 * Self.second)
    }

    /// A server is gone: if it led, or the leader is left alone, there is no leader any more.
    private func loseMajority(except server: Int, staysUntil: Int?) {
        let connected = engine.applied.indices.filter(isConnected).count
        guard engine.leader == server || connected < 2 else { return }
        loseLeader(
            staysUntil: engine.leader == server ? staysUntil : nil,
            for: random.chance(1, of: 3) ? span(200, 1000) : span(4000, 9000))
    }

    private func loseLeader(staysUntil: Int?, for span: Int) {
        guard engine.leader != nil else { return }
        outcome.elections += 1
        engine.loseLeader(staysUntil: staysUntil, at: now, &random)
        planElection(after: span)
    }

    private func planElection(after span: Int) {
        guard !isElectionPlanned else { return }
        isElectionPlanned = true
        queue.plan(.elect, at: now + span)
    }

    func elect() {
        isElectionPlanned = false
        guard engine.leader == nil else { return }
        let eligible = engine.applied.indices.filter(isConnected)
        guard eligible.count >= 2 else {
            planElection(after: 300 * Self.millisecond)
            return
        }
        engine.elect(random.pick(eligible))
    }

    /// An operator moves a shard, or drains a node and starts it anew.
    private func move(_ shard: Int) {
        let id = ShardID(UInt16(shard))
        guard
            let owner = nodes.indices.first(where: {
                nodes[$0].process?.epoch(of: id) != nil && nodes[$0].pausedUntil <= now
            })
        else { return }
        if random.chance(1, of: 4) {
            nodes[owner].isDraining = true
            handle(.drain, at: owner)
            return
        }
        let receiver = NodeID(UInt16(1 + random.below(nodes.count)))
        guard receiver.rawValue != UInt16(owner + 1) else { return }
        handle(.move(id, to: receiver, states: []), at: owner)
    }

    func mend(_ mending: Mending) {
        switch mending {
        case .server(let server):
            serverIsDown[server] = false
            planCatchUp(server)
        case .site(let site):
            siteIsCut[site] = false
            if site < SimulatedEngine.serverCount { planCatchUp(site) }
        case .node(let node): nodeIsCut[node] = false
        case .busy: isBusyWithoutReason = false
        case .slow(let server): slowUntil[server] = 0
        }
    }

    private func planCatchUp(_ server: Int) {
        queue.plan(.catchUp(server: server), at: now + span(10, 1500))
    }

    /// From here on nothing goes wrong, and no client asks for anything new.
    func heal() {
        isHealed = true
        isBusyWithoutReason = false
        engine.retireOldLeader()
        for server in engine.applied.indices {
            serverIsDown[server] = false
            slowUntil[server] = 0
            queue.plan(.catchUp(server: server), at: now + 100 * Self.millisecond)
        }
        for site in siteIsCut.indices { siteIsCut[site] = false }
        for node in nodes.indices {
            nodeIsCut[node] = false
            nodes[node].mutedUntil = 0
            nodes[node].deafUntil = 0
            nodes[node].pausedUntil = min(nodes[node].pausedUntil, now + Self.second)
            if nodes[node].isDraining { kill(node) }
            queue.plan(.start(node: node), at: now + random.below(Self.second))
        }
        // The election that is planned may be far off.
        queue.plan(.elect, at: now + random.below(Self.second))
    }
}
