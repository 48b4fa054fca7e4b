import ClusterJournal
import SceneCluster
import SceneDocument
import SceneModel
import SceneSession
import SceneWire
import SeededRandom

/// The nodes' processes, and the rooms in them.
extension JournalSimulation {
    func start(_ node: Int) {
        guard nodes[node].process == nil else { return }
        nodes[node].life += 1
        nodes[node].pausedUntil = 0
        let life = nodes[node].life
        let settings = NodeSettings(
            name: "n\(node + 1)", node: NodeID(UInt16(node + 1)), cluster: Self.cluster, map: map,
            subjects: subjects, version: ReleaseVersion(major: 1, minor: 0, patch: 0))
        nodes[node].process = SimulatedProcess(
            settings, life: UInt64(life * 10 + node), tickRate: Self.tickRate,
            options: SessionOptions(), at: instant)
        queue.plan(.tick(node: node, life: life), at: now + random.below(10))
        queue.plan(
            .rooms(node: node, life: life), at: now + random.below(Self.roomTickSpan))
    }

    func kill(_ node: Int) {
        guard nodes[node].process != nil else { return }
        outcome.kills += 1
        nodes[node].process = nil
        for index in connections.indices
        where connections[index].isOpen && connections[index].node == node {
            drop(index)
        }
        queue.plan(.start(node: node), at: now + 100 + random.below(3000))
    }

    /// Whether a process is there and does not stand still.
    func runs(_ node: Int, _ life: Int) -> Bool {
        nodes[node].life == life && nodes[node].process != nil && nodes[node].pausedUntil <= now
    }

    func tick(_ node: Int, _ life: Int) {
        guard nodes[node].life == life, nodes[node].process != nil else { return }
        queue.plan(.tick(node: node, life: life), at: max(now + 10, nodes[node].pausedUntil))
        guard nodes[node].pausedUntil <= now,
            let outputs = nodes[node].process?.journal.advance(to: instant)
        else { return }
        carryOut(outputs, of: node)
        seekOwners(node)
        exchange(node)
    }

    func tickRooms(_ node: Int, _ life: Int) {
        guard nodes[node].life == life, nodes[node].process != nil else { return }
        queue.plan(
            .rooms(node: node, life: life),
            at: max(now + Self.roomTickSpan, nodes[node].pausedUntil))
        guard nodes[node].pausedUntil <= now else { return }
        for name in roomNames {
            guard let room = nodes[node].process?.rooms[name] else { continue }
            let elapsed = UInt64((now - room.timeBase) / Self.roomTickSpan)
            let number = max(room.session.tick + 1, room.tickBase + elapsed)
            guard let next = room.session.nextTick, next <= number else { continue }
            handle(.tick(number), of: name, at: node)
        }
    }

    /// Passes an event to a room's session, if it is open there.
    func handle(_ event: SessionEvent, of room: String, at node: Int) {
        guard let session = nodes[node].process?.rooms[room]?.session else { return }
        carryOut(session.handle(event), of: room, at: node)
    }

    func ask(_ request: JournalNode.Request, of node: Int) {
        nodes[node].process?.journal.take(request, at: instant)
        collect(node)
    }

    func collect(_ node: Int) {
        guard let outputs = nodes[node].process?.journal.takeOutputs(at: instant) else { return }
        carryOut(outputs, of: node)
    }

    private func carryOut(_ outputs: [JournalNode.Output], of node: Int) {
        for output in outputs {
            switch output {
            case .ask(let id, let request):
                let isLate = !isHealed && random.chance(1, of: 50)
                queue.plan(
                    .request(node: node, life: nodes[node].life, id, request),
                    at: now + random.below(isLate ? 1500 : 8))
            case .beat(let bytes): send(bytes, on: subjects.beat)
            case .tellVersion(let bytes): send(bytes, on: subjects.version)
            case .notify(let notice, let room): notify(room, notice, at: node)
            case .answer(let number, let answer): end(number, answer, at: node)
            case .shadow(.follow(let room, let records)):
                ask(.shadowed(room: room, through: records.last?.sequence), of: node)
            case .note(.error, let text) where text.contains("is stopped"):
                outcome.faults.append("node \(node): \(text)")
            case .shadow(.forget), .note, .copy, .committed, .tookOver, .drained: break
            }
        }
        followOwners(node)
    }

    // MARK: The journal and its rooms

    private func notify(_ name: String, _ notice: RoomNotice, at node: Int) {
        switch notice {
        case .loaded(let records): open(name, records, at: node)
        case .unreadable(let reason):
            outcome.faults.append("room \(name) cannot be read at node \(node): \(reason)")
        case .handedOver(let hash): nodes[node].process?.loading[name]?.handedOver = hash
        case .elsewhere: giveUpLoading(name, at: node)
        case .durable(let sequence):
            let last = nodes[node].process?.rooms[name]?.records.last?.sequence
            keep(name, through: plant == .toldTwice ? last ?? sequence : sequence, at: node)
        case .stalled(let reason): handle(.journalStalled(reason), of: name, at: node)
        case .resumed: handle(.journalResumed, of: name, at: node)
        case .held(let isHeld):
            handle(.journalHeld(isHeld), of: name, at: node)
            guard isHeld, let session = nodes[node].process?.rooms[name]?.session else { break }
            let hash = session.journalHash
            ask(.held(room: name, plant == .otherState ? hash ^ 1 : hash), of: node)
        case .moved(let reason):
            guard let session = nodes[node].process?.rooms[name]?.session else { break }
            handle(.journalMoved(session.members, reason), of: name, at: node)
        case .lost(let reason):
            giveUpLoading(name, at: node)
            handle(.journalLost(reason), of: name, at: node)
            nodes[node].process?.rooms[name] = nil
        }
    }

    private func giveUpLoading(_ name: String, at node: Int) {
        let loading = nodes[node].process?.loading.removeValue(forKey: name)
        for (member, _) in loading?.applicants ?? [] {
            close(member, .draining, "room \(name) is served by another node", at: node)
        }
    }

    private func keep(_ name: String, through sequence: UInt64, at node: Int) {
        guard let room = nodes[node].process?.rooms[name] else { return }
        for record in room.records
        where record.sequence > room.durableThrough && record.sequence <= sequence {
            judge.keep(record, of: name)
        }
        nodes[node].process?.rooms[name]?.durableThrough = sequence
        handle(.durable(through: sequence), of: name, at: node)
    }

    private func open(_ name: String, _ records: [JournalRecord], at node: Int) {
        guard let loading = nodes[node].process?.loading.removeValue(forKey: name) else { return }
        incarnation += 1
        var options = SessionOptions()
        options.incarnation = incarnation
        options.provesAnswers = true
        options.snapshotBytes = 200_000
        do {
            var effects: [SessionEffect] = []
            let session: SceneSession
            if records.isEmpty {
                let document = try SceneDocument.parse(Array(Simulation.document.utf8))
                (session, effects) = SceneSession.create(
                    room: name, tickRate: Self.tickRate, model: try SceneModel(document),
                    options: options)
            } else {
                outcome.openings += 1
                session = SceneSession(
                    room: name, tickRate: Self.tickRate,
                    replay: try JournalReplay(records, options: options), options: options)
                compare(session, name, loading.handedOver)
            }
            nodes[node].process?.rooms[name] = SimulatedProcess.Room(
                session: session, tickBase: session.tick + 1, timeBase: now, records: records,
                durableThrough: records.last?.sequence ?? 0)
            for record in records { judge.load(record, of: name) }
            carryOut(effects, of: name, at: node)
        } catch {
            outcome.faults.append("room \(name) does not open at node \(node): \(error)")
        }
        for (member, applicant) in loading.applicants { join(member, applicant, name, at: node) }
    }

    private func compare(_ session: SceneSession, _ name: String, _ expected: UInt64?) {
        guard let expected else { return }
        outcome.comparisons += 1
        if session.journalHash != expected {
            outcome.faults.append(
                "room \(name) has another state at tick \(session.tick) than its former owner had"
            )
        }
    }

    private func end(_ number: UInt64, _ answer: JournalAnswer, at node: Int) {
        guard let (room, call) = nodes[node].process?.calls.removeValue(forKey: number) else {
            return
        }
        switch call {
        case .join(let member, var applicant):
            guard nodes[node].process?.unproved.remove(member) != nil else { break }
            applicant.isProved = answer == .done
            join(member, applicant, room, at: node)
        case .proof(let through, let session):
            guard answer == .done, nodes[node].process?.rooms[room]?.session === session else {
                break
            }
            handle(.proved(through: through), of: room, at: node)
        }
    }

    // MARK: Sessions

    private func carryOut(_ effects: [SessionEffect], of room: String, at node: Int) {
        let records = effects.compactMap { effect in
            if case .append(let record) = effect { record } else { nil }
        }
        for record in records { judge.append(record, of: room) }
        if !records.isEmpty {
            nodes[node].process?.rooms[room]?.records += records
            ask(.append(records.map { RoomRecord(room: room, record: $0) }), of: node)
        }
        for effect in effects {
            switch effect {
            case .append, .record, .replacedScene, .readJournal, .readScene, .suggestionChanged:
                break
            case .send(let payloads, _, let members), .offer(let payloads, _, let members):
                send(payloads, to: members, at: node)
            case .prove(let number): prove(number, room, at: node)
            case .close(let member, let code, let reason): close(member, code, reason, at: node)
            case .overran: nodes[node].process?.rooms[room]?.session.slice = .max
            case .abandon(let reason):
                outcome.faults.append("room \(room) gave up at node \(node): \(reason)")
            }
        }
    }

    private func prove(_ number: UInt64, _ room: String, at node: Int) {
        guard let session = nodes[node].process?.rooms[room]?.session else { return }
        guard
            let request = nodes[node].process?.begin(
                .proof(through: number, session), of: room)
        else { return }
        ask(request, of: node)
    }
}
