import SceneCluster
import SceneModel
import SceneSession
import SceneWire

/// The invariants.
extension JournalSimulation {
    /// Compares everything once the world has healed.
    func check() {
        outcome.cuts = stream.purges
        for client in clients {
            outcome.committed += client.committed.count
            outcome.refused += client.refused.count
            outcome.faults += client.faults.map { "client \(client.number): \($0)" }
            if !client.unanswered.isEmpty {
                outcome.faults.append(
                    "client \(client.number) still waits for \(client.unanswered)")
            }
        }
        for client in clients where !client.inspections.isEmpty {
            outcome.faults.append("client \(client.number) still waits for an inspection")
        }
        for shard in map.shards where journalBytes(of: shard) > Self.journalBytesMaximum {
            outcome.faults.append(
                "the journal of shard \(shard.rawValue) stays \(journalBytes(of: shard)) bytes long"
            )
        }
        guard outcome.faults.isEmpty else { return }
        for room in Set(roomOf).sorted() { check(room) }
    }

    private func check(_ name: String) {
        let owners = owners(of: name)
        guard owners.count == 1, let room = nodes[owners[0]].process?.rooms[name],
            let last = room.records.last
        else {
            outcome.faults.append("room \(name) is open at the nodes \(owners)")
            return
        }
        let (records, faults) = judge.chain(of: name, endingWith: last)
        outcome.faults += faults
        guard faults.isEmpty else { return }
        checkAnswers(name, records)
        checkState(name, room.session, records)
    }

    /// Each acknowledged request is in the journal once and in its session's order, and no refused
    /// one is.
    private func checkAnswers(_ name: String, _ records: [JournalRecord]) {
        var sequences: [String: [UInt64]] = [:]
        for record in records {
            switch try? JournalPayload(record) {
            case .batch(let batch)? where batch.clientSequence > 0:
                sequences[batch.author, default: []].append(batch.clientSequence)
            case .snapshot(let snapshot)? where snapshot.clientSequence > 0:
                sequences[snapshot.author, default: []].append(snapshot.clientSequence)
            // Records of the room itself have no author.
            case .batch, .snapshot: break
            case nil:
                outcome.faults.append("room \(name): record \(record.sequence) cannot be read")
            }
        }
        for (author, list) in sequences
        where zip(list, list.dropFirst()).contains(where: { $0 >= $1 }) {
            outcome.faults.append("room \(name): requests of \(author) come in the order \(list)")
        }
        for client in clients where roomOf[client.number] == name {
            let journalled = client.sessions.flatMap { sequences[$0] ?? [] }
            if Set(journalled).count < journalled.count {
                outcome.faults.append("client \(client.number): requests are doubled")
            }
            let lost = client.committed.subtracting(journalled).subtracting(client.empty)
            if !lost.isEmpty {
                outcome.faults.append("client \(client.number): lost \(lost.sorted())")
            }
            let ghosts = client.refused.intersection(journalled)
            if !ghosts.isEmpty {
                outcome.faults.append(
                    "client \(client.number): refused and kept \(ghosts.sorted())")
            }
        }
    }

    /// The room, a replay of its journal and its clients have one state.
    private func checkState(_ name: String, _ session: SceneSession, _ records: [JournalRecord]) {
        session.slice = .max
        guard let model = session.wake()?.model else {
            outcome.faults.append("room \(name) has lost its scene")
            return
        }
        outcome.hash = outcome.hash &* 31 ^ model.stateHash
        do {
            let replay = try JournalReplay(
                records, through: max(session.tick, records.last?.tick ?? 0))
            if replay.timeline.model.stateHash != model.stateHash {
                outcome.faults.append("room \(name): the journal replays to another state")
            }
        } catch {
            outcome.faults.append("room \(name): the journal does not replay: \(error)")
        }
        for client in clients where roomOf[client.number] == name {
            if client.mirror.stateHash != model.stateHash {
                outcome.faults.append(
                    "client \(client.number), a \(client.role), has another state at tick \(client.mirror.tick) than its room at tick \(session.tick)"
                )
            }
        }
    }
}
