import SceneProtocol
import SceneSession

/// Requests of administrators; carried out between ticks.
extension SceneLoop {
    /// Views and constraints of a document that is surely made within a tick.
    private static let quickDocument = 200

    func administer(
        _ room: String, _ request: RoomRequest, _ reply: @escaping @Sendable (RoomReply) -> Void
    ) {
        switch request {
        case .list:
            let away = rooms.awayNames.sorted().compactMap { rooms.away($0)?.summary }
            reply(.rooms(rooms.names.compactMap { summary(of: $0) } + away))
        case .export:
            guard let session = rooms.session(of: room) else { return reply(.noSuchRoom) }
            guard let document = session.document() else {
                return reply(.failed("room \(room) has to be read again; try it once more"))
            }
            reply(.document(document.json))
        case .replace(let document):
            // How dear it is shows only when it is made.
            if document.views.count + document.constraints.count > Self.quickDocument {
                moveToSlowLane(room)
                if forward(.administer(room: room, request, reply), to: room) { return }
            }
            if case .crashes(let reason) = configuration.quarantine.reason(for: room) {
                // Its journal would have to be read for that.
                return reply(.failed("room \(room) is put aside: \(reason); delete or release it"))
            }
            configuration.quarantine.release(room)
            guard let session = rooms.session(of: room) else {
                return beginImport(of: document, into: room, reply)
            }
            let effects = session.handle(.replaceScene(document))
            for case .replacedScene(let refusal) in effects {
                reply(refusal.map { .refused($0) } ?? .done)
            }
            carryOut(effects, room: room)
        case .revoke(let member):
            rooms.session(of: room)?.revoke(member)
            reply(.done)
        case .delete:
            configuration.quarantine.release(room)
            remove(room)
            configuration.journal.delete(room) { failure in
                reply(failure.map { .failed($0) } ?? .done)
            }
        }
    }

    func summary(of name: String) -> RoomSummary? {
        rooms.session(of: name).map {
            RoomSummary(
                name: name, tick: $0.tick, views: $0.viewCount, hash: $0.stateHash,
                isFrozen: $0.isFrozen)
        }
    }
}
