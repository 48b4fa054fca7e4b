package import SceneCluster
import SceneWire

/// A node of a cluster as a journal of rooms, without I/O, clock or thread: what rooms ask for,
/// what the engine tells and ticks go in; requests to the engine, beats and mail to rooms come out.
///
/// `ClusterNode` decides which node owns which shard; the shard's `ShardJournal` handles its rooms.
package struct JournalNode {
    /// How often places are looked at, and what waits for them.
    static let reviewInterval = Duration.milliseconds(50)
    /// For so long a node that ends waits for what is to be kept, before it hands its shards over
    /// all the same.
    static let drainPatience = Duration.milliseconds(1500)

    let settings: NodeSettings
    /// The process.
    package let identity: NodeLife
    var node: ClusterNode
    private var register: NodeRegister
    /// What each request about registrations is for.
    private var lookups: [UInt64: NodeRegister.Step] = [:]
    var shards: [ShardJournal]
    var outputs: [Output] = []
    /// Which owner's request an engine's request is.
    private var tickets: [UInt64: EngineTicket] = [:]
    /// The process that each probe of the engine is about, by the request's number.
    var probes: [UInt64: NodeLife] = [:]
    var lastRequest: UInt64 = 0
    private var lastCommit: UInt64 = 0
    private var reviewAt: MonotonicInstant
    /// The time since which no node claims a shard.
    var vacantSince: [ShardID: MonotonicInstant] = [:]
    /// The highest epoch in which a node said to serve a shard.
    var heardEpochs: [ShardID: UInt64] = [:]
    private var isConnected = false
    /// Shards that are to go to other nodes.
    var moves: [ShardID: Move] = [:]
    var drainUntil: MonotonicInstant?
    var isHandingOver = false
    var hasToldDrained = false
    var viewIsStale = true
    /// What was noted and is not noted again.
    private var toldTroubles: Set<String> = []

    /// Starts a process of a node.
    ///
    /// - Parameter address: The address where clients reach it; empty for none.
    package init(
        _ settings: NodeSettings, life: UInt64, address: String, at now: MonotonicInstant
    ) {
        self.settings = settings
        identity = NodeLife(node: settings.node, life: life)
        node = ClusterNode(
            identity, cluster: settings.cluster, map: settings.map, subjects: settings.subjects,
            address: address, zone: settings.zone, version: settings.version, at: now)
        register = NodeRegister(
            settings.node, address: address, subjects: settings.subjects, at: now)
        shards = settings.map.shards.map { shard in
            ShardJournal(
                RecordScope(cluster: settings.cluster, shard: shard), settings.subjects)
        }
        reviewAt = now
    }

    /// What the node knows of its cluster; `nil` where nothing is likely to have changed since the
    /// last call.
    package mutating func takeView(at now: MonotonicInstant) -> ClusterState? {
        guard viewIsStale else { return nil }
        viewIsStale = false
        let claims = node.claims(at: now)
        let addresses = addresses(at: now)
        var state = ClusterState(isConnected: isConnected)
        state.others = addresses.filter { $0.key != identity.node && !$0.value.isEmpty }
            .sorted { $0.key < $1.key }.map(\.value)
        state.nodes = node.lives(at: now)
        state.hearsOthers = node.hearsOthers(at: now)
        for shard in settings.map.shards {
            let journal = shards[Int(shard.rawValue)]
            if journal.isServing {
                state.shards.append(.owner)
                state.stalls[shard] = journal.stall
                state.owningLives[shard] = identity
            } else if let owner = claims[shard]?.owner, owner.node != identity.node,
                journal.fault?.isOfLaterVersion ?? true
            {
                state.shards.append(.standby)
                state.owners[shard] = addresses[owner.node] ?? ""
                state.owningLives[shard] = owner
            } else if journal.fault != nil {
                state.shards.append(.stopped)
            } else {
                state.shards.append(.vacant)
            }
            // To rooms that tick on here members stay linked until their receiver serves them.
            if journal.departure?.isTaken == false { state.owningLives[shard] = identity }
        }
        return state
    }

    /// The memory of what is kept here, in bytes, about.
    package var byteCount: Int { shards.reduce(0) { $0 + $1.byteCount } }

    // MARK: What comes in

    /// Lets time pass; to be called about every ten milliseconds.
    package mutating func advance(to now: MonotonicInstant) -> [Output] {
        pass(.tick, at: now)
        if now >= reviewAt {
            for index in shards.indices {
                let shard = ShardID(UInt16(index))
                let start = shards[index].mayMoveFloor ? node.tailStart(of: shard) : nil
                shards[index].advanceSnapshots(to: now, start: start)
            }
            reviewAt = now.advanced(by: Self.reviewInterval)
            review(at: now)
            viewIsStale = true
        }
        for step in register.takeSteps(at: now) { look(step) }
        advanceShadows(to: now)
        advanceMoves(to: now)
        advanceDrain(to: now)
        return takeOutputs(at: now)
    }

    /// Takes a request.
    package mutating func take(_ request: Request, at now: MonotonicInstant) {
        switch request {
        case .append(let entries):
            guard let room = entries.first?.room else { return }
            shards[index(of: room)].append(entries)
        case .prove(let room, let number, let needsRoom):
            shards[index(of: room)].prove(room, number, needsRoom: needsRoom)
        case .load(let room, let tick):
            shards[index(of: room)].load(room, from: tick, at: now)
            // Who knows already that the room is elsewhere says so at once.
            giveLoadsUp(settings.map.shard(ofRoom: room), node.claims(at: now), at: now)
        case .history(let room, let number, let tick):
            shards[index(of: room)].answerHistory(of: room, tick: tick, number, at: now)
        case .delete(let room, let number): shards[index(of: room)].delete(room, number)
        case .shadowed(let room, let sequence):
            shards[index(of: room)].shadows?.ready[room] = sequence ?? .max
        case .held(let room, let hash): shards[index(of: room)].note(hash, ofHeld: room)
        case .drain: beginDrain(at: now)
        }
    }

    /// Takes what the engine tells.
    package mutating func take(_ news: EngineNews, at now: MonotonicInstant) {
        switch news {
        case .replied(let id, let reply):
            if let step = lookups.removeValue(forKey: id) { return take(reply, to: step, at: now) }
            if let life = probes.removeValue(forKey: id) {
                if reply == .unheard { pass(.unheard(life), at: now) }
                return
            }
            guard let ticket = tickets.removeValue(forKey: id) else { return }
            guard ticket.number < SnapshotDesk.firstTicket else {
                return shards[Int(ticket.shard.rawValue)].take(reply, for: ticket, at: now)
            }
            pass(.reply(ticket, reply), at: now)
        case .heard(let subject, let bytes):
            if subject == settings.subjects.order {
                obey(bytes, at: now)
            } else if subject == settings.subjects.version {
                hearVersion(bytes, at: now)
            } else {
                hear(bytes, at: now)
            }
        case .connected(let server):
            isConnected = true
            outputs.append(.note(.notice, "the cluster's engine is reached: \(server)"))
        case .disconnected(let reason):
            isConnected = false
            outputs.append(.note(.warning, "the cluster's engine is not reached: \(reason)"))
        case .closed(let reason):
            isConnected = false
            lookups = [:]
            register.forgetQuestions(at: now)
            outputs.append(.note(.error, "the connection to the engine was given up: \(reason)"))
        case .trouble(let text): outputs.append(.note(.error, text))
        }
    }

    /// Makes the commits that can be made, and returns what is to be done.
    package mutating func takeOutputs(at now: MonotonicInstant) -> [Output] {
        for index in shards.indices {
            if !shards[index].isSettled { commit(index, at: now) }
            collect(index, at: now)
        }
        defer { outputs = [] }
        return outputs
    }

    private func index(of room: String) -> Int {
        Int(settings.map.shard(ofRoom: room).rawValue)
    }

    private mutating func hear(_ bytes: [UInt8], at now: MonotonicInstant) {
        do throws(BeatError) {
            let beat = try Beat.decode(bytes, cluster: settings.cluster)
            guard register.hears(beat.sender, at: now) else { return }
            pass(.heard(beat), at: now)
            // Members of a room that has another owner now wait for it.
            for claim in beat.claims where claim.receiver == nil {
                guard claim.epoch > heardEpochs[claim.shard] ?? 0 else { continue }
                heardEpochs[claim.shard] = claim.epoch
                viewIsStale = true
                if beat.sender != identity, shards.indices.contains(Int(claim.shard.rawValue)) {
                    shards[Int(claim.shard.rawValue)].receiverServes(at: now)
                }
            }
        } catch {
            tellOnce(error.description)
        }
    }

    private mutating func hearVersion(_ bytes: [UInt8], at now: MonotonicInstant) {
        do throws(VersionNoticeError) {
            let notice = try VersionNotice.decode(bytes, cluster: settings.cluster)
            guard register.has(notice.sender.node) else { return }
            pass(.heardVersion(notice), at: now)
        } catch {
            tellOnce(error.description)
        }
    }

    // MARK: Registrations

    /// Where clients reach the nodes that are heard, as these have written to the metadata.
    ///
    /// - Complexity: O(nodes).
    func addresses(at now: MonotonicInstant) -> [NodeID: String] {
        var addresses: [NodeID: String] = [:]
        for life in node.lives(at: now) {
            addresses[life.node] = register.address(of: life.node)
        }
        return addresses
    }

    private mutating func look(_ step: NodeRegister.Step, expectedLast: UInt64 = 0) {
        lastRequest += 1
        lookups[lastRequest] = step
        outputs.append(
            .ask(lastRequest, register.request(step, expectedLast: expectedLast)))
    }

    private mutating func take(
        _ reply: EngineReply, to step: NodeRegister.Step, at now: MonotonicInstant
    ) {
        if case .registration(let node) = step, case .messages([], _) = reply {
            tellOnce(
                "a node beats that has not registered, as number \(node.rawValue) or a later one; its beats do not count"
            )
        }
        if let expected = register.take(reply, to: step, at: now) {
            look(.write, expectedLast: expected)
        }
        viewIsStale = true
    }

    /// Notes a trouble that may come many times a second.
    mutating func tellOnce(_ text: String) {
        guard toldTroubles.count < 64, toldTroubles.insert(text).inserted else { return }
        outputs.append(.note(.error, text))
    }

    // MARK: What is done

    mutating func ask(_ request: EngineRequest, _ ticket: EngineTicket) {
        lastRequest += 1
        tickets[lastRequest] = ticket
        outputs.append(.ask(lastRequest, request))
    }

    private mutating func commit(_ index: Int, at now: MonotonicInstant) {
        guard let entries = shards[index].nextCommit(lastCommit + 1, at: now) else { return }
        lastCommit += 1
        pass(.commit(ShardID(UInt16(index)), number: lastCommit, entries), at: now)
    }

    private mutating func collect(_ index: Int, at now: MonotonicInstant) {
        while case let effects = shards[index].takeEffects(), !effects.isEmpty {
            for effect in effects {
                switch effect {
                case .notify(let notice, let room): outputs.append(.notify(notice, room: room))
                case .answer(let number, let answer): outputs.append(.answer(number, answer))
                case .event(let event): pass(event, at: now)
                case .ask(let ticket, let request): ask(request, ticket)
                case .copy(let copy): outputs.append(.copy(copy))
                case .shadow(let request): outputs.append(.shadow(request))
                case .trouble(let text): tellOnce(text)
                }
            }
        }
    }
}
