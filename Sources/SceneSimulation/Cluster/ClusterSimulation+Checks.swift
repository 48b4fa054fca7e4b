import SceneCluster

/// What has to hold.
extension ClusterSimulation {
    /// Notes what a node takes for a shard's rooms by the journal.
    func noteState(of node: Int, _ shard: Int) {
        guard nodes[node].shards[shard].epoch != nil else { return }
        for (name, room) in nodes[node].shards[shard].durable {
            records.note(RoomState(room: name, count: room.count, hash: room.hash))
        }
    }

    /// Notes that a node serves.
    func noteEpoch(_ epoch: UInt64, _ shard: Int) {
        if !records.note(epoch: epoch, shard: shard) {
            outcome.faults.append("epoch \(epoch) of shard \(shard) is served twice")
        }
    }

    /// Compares everything once the world has healed.
    func check() {
        for client in clients {
            for waiting in client.unanswered {
                if isRecording {
                    records.unknown(session: client.session, waiting.op.number, at: now)
                }
                guard outcome.faults.isEmpty else { continue }
                outcome.faults.append(
                    "session \(client.session) waits for op \(waiting.op.number)")
            }
        }
        for observer in observers { outcome.faults += observer.faults }
        var kept: [String: [JournalJudge.Kept]] = [:]
        var states: Set<RoomState> = []
        for shard in map.shards {
            let judge = judge(shard)
            kept.merge(judge.kept) { first, _ in first }
            for room in judge.kept.keys { states.formUnion(judge.states(of: room)) }
            checkOwner(shard, judge)
        }
        checkOrder(kept)
        checkAnswers(kept)
        checkStates(states)
        outcome.history = records.history
    }

    private func judge(_ shard: ShardID) -> JournalJudge {
        let subject = subjects.journal(of: shard)
        let messages = engine.journals[subject] ?? []
        let judge = JournalJudge(
            messages, scope: RecordScope(cluster: Self.cluster, shard: shard))
        outcome.faults += judge.faults.prefix(3).map { "shard \(shard.rawValue): \($0)" }
        outcome.skipped += judge.skipped
        outcome.hash = outcome.hash &* 31 ^ judge.last.high
        // An engine that fences keeps nothing but the chain; without the plant of that name it is
        // one of two.
        if engine.kind != .racy, judge.skipped > 0 {
            outcome.faults.append(
                "shard \(shard.rawValue): \(judge.skipped) messages passed the fence that are no part of the chain"
            )
        }
        if isRecording {
            records.journal(
                subject: subject, shard: shard.rawValue, cluster: Self.cluster.rawValue,
                messages: messages)
        }
        return judge
    }

    /// The owner at the end has what the journal leads to.
    private func checkOwner(_ shard: ShardID, _ judge: JournalJudge) {
        let owners = nodes.filter { $0.process?.epoch(of: shard) != nil }
        guard let owner = owners.first, owners.count == 1 else {
            outcome.faults.append("shard \(shard.rawValue) has \(owners.count) owners at the end")
            return
        }
        let rooms = owner.shards[Int(shard.rawValue)]
        for (name, kept) in judge.kept {
            let expected = judge.states(of: name).last
            let state = rooms.durable[name].map {
                RoomState(room: name, count: $0.count, hash: $0.hash)
            }
            if state != expected {
                outcome.faults.append(
                    "room \(name) has \(state?.count ?? 0) ops at its owner, \(kept.count) in the journal"
                )
            }
        }
        if rooms.working != rooms.durable {
            outcome.faults.append("shard \(shard.rawValue) does not come to rest")
        }
    }

    /// Each op counts once, and the ops of a session are in its order.
    private func checkOrder(_ kept: [String: [JournalJudge.Kept]]) {
        for (room, ops) in kept.sorted(by: { $0.key < $1.key }) {
            var last: [UInt16: UInt32] = [:]
            for kept in ops {
                if kept.op.number <= last[kept.op.session] ?? 0 {
                    outcome.faults.append(
                        "room \(room): op \(kept.op.number) of session \(kept.op.session) comes after \(last[kept.op.session] ?? 0)"
                    )
                }
                last[kept.op.session] = kept.op.number
            }
        }
    }

    /// What was acknowledged is in the journal, and was when it was acknowledged; what was refused
    /// is not.
    private func checkAnswers(_ kept: [String: [JournalJudge.Kept]]) {
        var times: [[UInt32]: Int] = [:]
        for ops in kept.values {
            for kept in ops {
                times[[UInt32(kept.op.session), kept.op.number]] = kept.time
            }
        }
        for told in records.acknowledgements {
            guard let time = times[[UInt32(told.session), told.number]], time <= told.time else {
                outcome.faults.append(
                    "op \(told.number) of session \(told.session) was acknowledged and is not in the journal"
                )
                continue
            }
        }
        for client in clients {
            for (number, answer) in client.answers.sorted(by: { $0.key < $1.key }) {
                let isKept = times[[UInt32(client.session), number]] != nil
                switch answer {
                case .acknowledged where !isKept:
                    outcome.faults.append(
                        "op \(number) of session \(client.session) is lost")
                case .refused where isKept:
                    outcome.faults.append(
                        "op \(number) of session \(client.session) was refused and kept")
                case .acknowledged, .refused: break
                }
            }
        }
    }

    /// Whatever an owner had for the journal's, or showed, is what the journal led to at some
    /// place.
    private func checkStates(_ states: Set<RoomState>) {
        let shown = observers.reduce(into: records.states) { $0.formUnion($1.states) }
        for state in shown.sorted(by: { ($0.room, $0.count) < ($1.room, $1.count) })
        where !states.contains(state) {
            outcome.faults.append(
                "room \(state.room) was shown with \(state.count) ops that the journal does not have in this order"
            )
        }
    }
}
