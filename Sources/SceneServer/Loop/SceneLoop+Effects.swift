import Logging
import SceneSession
import SceneStore
import SceneWire

/// What sessions want done.
extension SceneLoop {
    func carryOut(_ effects: [SessionEffect], room: String) {
        keepRecords(of: effects, room)
        let (connections, journal) = (configuration.connections, configuration.journal)
        var hasOverrun = false
        for effect in effects {
            switch effect {
            // Kept above, all of them together.
            case .append: break
            case .send(let payloads, let format, let members):
                connections.send(payloads, format, to: members)
            case .offer(let payloads, let format, let members):
                connections.offer(payloads, format, to: members)
            case .prove(let number):
                journal.prove(room, then: .store(.proved(room: room, through: number)))
            case .record(let record): configuration.eventRecorder?.append(record, of: room)
            case .readJournal(let member, let tick):
                journal.loadHistory(of: room, for: member, tick: tick)
            case .close(let member, let code, let reason):
                connections.close(member, code, reason: reason)
            case .readScene(let member, let other): readScene(of: other, for: member, in: room)
            case .suggestionChanged(let id, let suggestion):
                tellBranch(of: id, in: room, suggestion)
            // `administer`, which sent the event, sends the reply.
            case .replacedScene: break
            case .overran: hasOverrun = true
            case .abandon(let reason):
                configuration.logger.error(
                    "room \(room) must be reopened from its journal: \(reason)")
                remove(room)
            }
        }
        if hasOverrun { moveToSlowLane(room) }
    }

    private func keepRecords(of effects: [SessionEffect], _ room: String) {
        var records = effects.compactMap { effect in
            if case .append(let record) = effect { record } else { nil }
        }
        guard !records.isEmpty else { return }
        if let first = rooms.takeUnwritten(of: room) { records.insert(first, at: 0) }
        configuration.journal.append(records.map { RoomRecord(room: room, record: $0) })
    }
}
