import SceneModel
import SceneProtocol

/// Telling members what changed: one encode for each way in which they are told, and for each format.
extension SceneSession {
    // MARK: Each tick

    func broadcastChanges() {
        let changes = model.takeChanges()
        movedViewCount &+= UInt64(changes.frames.count)
        if !changes.isEmpty {
            if changes.isComplete {
                broadcastEverything()
                return
            }
            do {
                try advanceLanes(changes)
            } catch {
                // Members would fail on the same message, so all start from the scene as it is.
                broadcastEverything()
                return
            }
        }
        serveSlowMembers()
    }

    private func advanceLanes(_ changes: SceneChanges) throws(MirrorError) {
        var whole: [Bool: Lane.Changes] = [:]
        for index in lanes.indices where lanes[index].key.roots.isEmpty {
            let isSettled = lanes[index].key.isSettled
            let own = Lane.Changes(changes, isSettled: isSettled, model)
            whole[isSettled] = own
            try advance(index, own)
        }
        for index in lanes.indices where !lanes[index].key.roots.isEmpty {
            let key = lanes[index].key
            guard let all = laneIndex(LaneKey(isSettled: key.isSettled)),
                let own = whole[key.isSettled]
            else { continue }
            let scene = lanes[all].baseline
            let part = lanes[index].part(of: own, whole: scene)
            try advance(index, part)
        }
    }

    private func advance(_ index: Int, _ changes: Lane.Changes) throws(MirrorError) {
        let messages = try lanes[index].advance(changes, tick: tick, durableTick: durableTick)
        guard !messages.isEmpty else { return }
        let rate = UInt64(max(tickRate, 1))
        hashDueTick = hashDueTick ?? (tick / rate + 1) * rate
        for (format, ids) in inStep(index) where !ids.isEmpty {
            effects.append(
                .send(payloads: messages.map { $0.encoded(as: format) }, format: format, to: ids))
        }
        let key = lanes[index].key
        for member in order where member.getsEveryTick && member.lane == key {
            expectAcknowledgement(of: tick, from: member)
        }
    }

    /// The members of a lane that get every tick, by format.
    private func inStep(_ lane: Int) -> [(Subprotocol, [MemberID])] {
        let lists = recipients ?? makeRecipients()
        recipients = lists
        return Subprotocol.allCases.map { ($0, lists[lane][$0] ?? []) }
    }

    /// Those who may change the scene come first, since they wait for what the others do; of a thousand, the last gets a
    /// frame milliseconds after the first.
    private func makeRecipients() -> [[Subprotocol: [MemberID]]] {
        let members =
            order.filter { $0.admission.role != .viewer }
            + order.filter { $0.admission.role == .viewer }
        return lanes.map { lane in
            var lists: [Subprotocol: [MemberID]] = [:]
            for member in members where member.getsEveryTick && member.lane == lane.key {
                lists[member.admission.format, default: []].append(member.id)
            }
            return lists
        }
    }

    /// Notes that a frame is on its way; one who owes too many gets no more until it has caught up.
    func expectAcknowledgement(of tick: UInt64, from member: Member) {
        member.sentTick = tick
        if member.unacknowledged.last != tick { member.unacknowledged.append(tick) }
        guard member.unacknowledged.count > options.unacknowledgedMaximum,
            member.phase == .inStep
        else { return }
        member.phase = .behind
        recipients = nil
    }

    /// One merged frame for each member that wants fewer frames and has waited long enough.
    func serveSlowMembers() {
        for member in order where member.interval > 1 && member.phase == .inStep {
            guard let lane = laneIndex(member.lane), lanes[lane].tick > member.sentTick,
                tick >= member.sentTick + member.interval
            else { continue }
            catchUp(member)
        }
    }

    // MARK: Everything

    /// A snapshot for everybody, after which all are in step.
    func broadcastEverything() {
        startFromScratch()
        sendState(to: order.filter { $0.phase != .watching })
    }

    /// Sends the state, encoded once for all who ask for it before it changes.
    func sendState(to members: [Member]) {
        noteActivity()
        for index in lanes.indices {
            let key = lanes[index].key
            let own = members.filter { $0.lane == key }
            for format in Subprotocol.allCases {
                let ids = own.filter { $0.admission.format == format }.map(\.id)
                guard !ids.isEmpty else { continue }
                let payloads = lanes[index].statePayloads(format)
                effects.append(.send(payloads: payloads, format: format, to: ids))
            }
            for member in own {
                if member.phase == .behind { recipients = nil }
                if member.phase != .watching { member.phase = .inStep }
                member.unacknowledged.removeAll()
                member.hasOldNumbers = false
                member.sentTick = lanes[index].tick
            }
        }
    }

    /// Gives views new numbers, so that neighbours in the tree have neighbouring ones.
    func renumber() {
        keyframeTick = tick
        numberingTick = tick
        // Who is behind is told nothing before it has caught up, and no frame leads from the old numbers to the new.
        for member in order where member.phase == .behind { member.hasOldNumbers = true }
        let numbers = model.renumber()
        for index in lanes.indices where lanes[index].key.roots.isEmpty {
            let keyframe: Keyframe
            do {
                keyframe = try lanes[index].renumber(numbers)
            } catch {
                broadcastEverything()
                return
            }
            let own = order.filter { $0.lane == lanes[index].key && $0.phase == .inStep }
            let able = own.filter {
                $0.has(Capability.keyframes) && $0.sentTick == lanes[index].tick
            }
            send([.keyframe(keyframe)], to: able)
            sendState(to: own.filter { member in !able.contains { $0 === member } })
        }
        for index in lanes.indices where !lanes[index].key.roots.isEmpty {
            startLane(index)
            sendState(to: order.filter { $0.lane == lanes[index].key && $0.phase == .inStep })
        }
    }

    // MARK: Once a second

    /// About once a second after a change, what members can check themselves against.
    func broadcastHash() {
        guard let due = hashDueTick, tick >= due else { return }
        hashDueTick = nil
        for index in lanes.indices where lanes[index].hashTick != lanes[index].tick {
            lanes[index].hashTick = lanes[index].tick
            let lane = lanes[index]
            send(
                [.hash(hash(of: lane))],
                to: order.filter {
                    $0.lane == lane.key && $0.phase == .inStep && $0.sentTick == lane.tick
                })
        }
        broadcastDiagnostics()
        closeLanes()
    }

    func hash(of lane: Lane) -> StateHash {
        var hash = StateHash()
        hash.tick = lane.tick
        hash.hash = lane.stateHash
        return hash
    }

    /// Tells those who came what is wrong with the layout: at the tick after, since finding it out may take as long as many
    /// ticks, and what they came to see should be on its way by then.
    func tellNewReaders() {
        guard !newReaders.isEmpty else { return }
        lastDiagnostics = diagnostics()
        send([.diagnostics(lastDiagnostics)], to: newReaders)
        newReaders.removeAll()
    }

    private func broadcastDiagnostics() {
        let readers = order.filter { $0.has(Capability.diagnostics) && $0.phase == .inStep }
        guard !readers.isEmpty else { return }
        var present = diagnostics()
        let tick = present.tick
        present.tick = lastDiagnostics.tick
        guard present != lastDiagnostics else { return }
        present.tick = tick
        lastDiagnostics = present
        send([.diagnostics(present)], to: readers)
    }

    /// What is wrong with the layout at the tick that members have; worked out once for it.
    func diagnostics() -> Diagnostics {
        if let frozen { return frozen.diagnostics }
        if lastDiagnostics.tick == lanes[0].tick, lanes[0].tick > 0 { return lastDiagnostics }
        var diagnostics = Diagnostics()
        diagnostics.tick = lanes[0].tick
        diagnostics.ambiguous = model.ambiguousViewIDs()
        diagnostics.broken = model.brokenConstraintIDs
        diagnostics.feedbackLoop = feedbackLoop
        return diagnostics
    }

    // MARK: Sending

    /// Encodes messages once for each format in use and addresses them.
    func send(_ messages: [ServerMessage], to recipients: [Member]) {
        guard !messages.isEmpty, !recipients.isEmpty else { return }
        for format in Subprotocol.allCases {
            let ids = recipients.filter { $0.admission.format == format }.map(\.id)
            guard !ids.isEmpty else { continue }
            effects.append(
                .send(payloads: messages.map { $0.encoded(as: format) }, format: format, to: ids))
        }
    }
}
