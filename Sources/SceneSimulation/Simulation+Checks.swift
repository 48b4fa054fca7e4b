import Annotations
import SceneModel
import SceneSession
import SceneWire

extension Simulation {
    /// What has to hold once everything has healed.
    func check() {
        guard faults.isEmpty else { return }
        guard let session else {
            faults.append("the server is not there")
            return
        }
        for client in clients where !client.lies {
            faults += client.faults.map { "client \(client.number): \($0)" }
            if !client.unanswered.isEmpty {
                faults.append(
                    "client \(client.number) still waits for \(client.unanswered)")
            }
        }
        if session.needsTick { faults.append("the room does not come to rest") }
        // What a room at rest thaws for the comparison may take what it takes.
        session.slice = .max
        guard let model = session.wake()?.model else {
            faults.append("the room has lost its scene")
            return
        }
        judgeEvents()
        judgeAnnotations(session)
        checkMirrors(session, model)
        let records = store.records
        checkReplay(session, model, records)
        checkOrder(records)
    }

    /// The live scene is what every client has, bit for bit.
    private func checkMirrors(_ session: SceneSession, _ model: SceneModel) {
        let scene = model.stateHash
        if session.stateHash != scene {
            faults.append("members were told another state than the scene's")
        }
        for client in clients where !client.lies {
            let mirror = client.mirror
            guard !mirror.needsSnapshot else {
                faults.append("client \(client.number) has no state")
                continue
            }
            let isPart =
                !client.roots.isEmpty && client.capabilities & Capability.subscribe != 0
            let all =
                client.sessions.last.flatMap { session.records(shownTo: $0) } ?? model.records()
            let expected = isPart ? part(of: all, client.roots) : all
            if SceneMirror.stateHash(of: expected) != mirror.stateHash {
                faults.append("client \(client.number) has another state")
            }
            if let insets = client.sessions.last.flatMap({ session.insets(shownTo: $0) }),
                insets != mirror.insets
            {
                faults.append(
                    "client \(client.number) has the insets \(mirror.insets.changes), not \(insets.changes)"
                )
            }
            if expected.map(\.id) != mirror.records.map(\.id) {
                faults.append("client \(client.number) has the views in another order")
            }
        }
    }

    private func part(of all: [ViewRecord], _ roots: [String]) -> [ViewRecord] {
        var wanted: Set<ViewNumber> = []
        var byNumber: [ViewNumber: ViewRecord] = [:]
        for record in all { byNumber[record.number] = record }
        for record in all {
            var above: ViewRecord? = record
            while let next = above {
                if roots.contains(next.id) { wanted.insert(record.number) }
                above = next.parent.flatMap { byNumber[$0] }
            }
            guard roots.contains(record.id) else { continue }
            above = record
            while let next = above {
                wanted.insert(next.number)
                above = next.parent.flatMap { byNumber[$0] }
            }
        }
        return all.filter { $0.parent == nil || wanted.contains($0.number) }
    }

    private func checkReplay(
        _ session: SceneSession, _ model: SceneModel, _ records: [JournalRecord]
    ) {
        // The next release measures text otherwise.
        faces.startLife(life + 1)
        do {
            let replay = try JournalReplay(
                records, through: max(session.tick, records.last?.tick ?? 0))
            if replay.timeline.model.stateHash != model.stateHash {
                faults.append("the journal replays to another state")
            }
            if replay.timeline.model.document() != model.document() {
                faults.append("the journal replays to another document")
            }
            if replay.timeline.annotations.json != session.wake()?.annotations.json {
                faults.append("the journal replays to other annotations")
            }
        } catch {
            faults.append("the journal does not replay: \(error)")
        }
    }

    /// Every acknowledged message is in the journal once, no other more than once, each client's in
    /// order.
    private func checkOrder(_ records: [JournalRecord]) {
        var sequences: [String: [UInt64]] = [:]
        for record in records {
            guard let payload = try? JournalPayload(record) else {
                faults.append("record \(record.sequence) cannot be read")
                continue
            }
            switch payload {
            case .batch(let batch) where batch.clientSequence > 0:
                sequences[batch.author, default: []].append(batch.clientSequence)
            case .snapshot(let snapshot) where snapshot.clientSequence > 0:
                sequences[snapshot.author, default: []].append(snapshot.clientSequence)
            // What the room itself wrote has no author.
            case .batch, .snapshot: break
            }
        }
        for (author, list) in sequences
        where zip(list, list.dropFirst()).contains(where: { $0 >= $1 }) {
            faults.append("\(author)'s messages are out of order or doubled: \(list)")
        }
        for client in clients where !client.lies {
            let journalled = client.sessions.flatMap { sequences[$0] ?? [] }
            if Set(journalled).count < journalled.count {
                faults.append("client \(client.number): messages are doubled over its sessions")
            }
            let lost = client.committed.subtracting(journalled).subtracting(
                client.sessions.flatMap { harm.forgiven[$0] ?? [] })
            // A message of which every op was refused alone is committed, and nothing of it is
            // journalled.
            if !lost.subtracting(client.empty).isEmpty {
                faults.append(
                    "client \(client.number): acknowledged and lost: \(lost.sorted())")
            }
            let again = Set(client.sessions.flatMap { harm.folded[$0] ?? [] })
                .intersection(journalled)
            if !again.isEmpty {
                faults.append("client \(client.number): kept before and again: \(again.sorted())")
            }
            let ghosts = client.refused.intersection(journalled)
            if !ghosts.isEmpty {
                faults.append("client \(client.number): refused and kept: \(ghosts.sorted())")
            }
        }
    }
}
