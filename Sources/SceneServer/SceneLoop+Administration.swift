import SceneProtocol
import SceneSession

/// Executes administrators' requests between ticks.
extension SceneLoop {
    /// The number of views and constraints of a document that certainly fits into a tick.
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
                return reply(.failed("room \(room) must be reopened from its journal; try again"))
            }
            reply(.document(document.json))
        case .replace(let document):
            // The cost of the document is known only after it was built.
            if document.views.count + document.constraints.count > Self.quickDocument {
                moveToSlowLane(room)
                if forward(.administer(room: room, request, reply), to: room) { return }
            }
            switch configuration.quarantine.reason(for: room) {
            // The reply would require its journal.
            case let reason? where reason.keepsJournal:
                return reply(.failed("room \(room) is put aside: \(reason); delete or release it"))
            case .tooDear, .crashes, .damaged, nil: break
            }
            configuration.quarantine.release(room)
            guard let session = rooms.session(of: room) else {
                return beginImport(of: document, into: room, reply)
            }
            let effects = session.handle(.replaceScene(document))
            carryOut(effects, room: room)
            for case .replacedScene(let refusal) in effects {
                if let refusal { reply(.refused(refusal)) } else { confirm(room, reply) }
            }
        case .confirm: reply(.done)
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

    /// Replies that what a room has just decided is done: in a cluster once it is kept, for the next owner has nothing else.
    func confirm(_ room: String, _ reply: @escaping @Sendable (RoomReply) -> Void) {
        guard configuration.session.provesAnswers else { return reply(.done) }
        configuration.journal.prove(
            room, then: .administer(room: room, .confirm, reply))
    }

    func summary(of name: String) -> RoomSummary? {
        rooms.session(of: name).map {
            RoomSummary(
                name: name, tick: $0.tick, views: $0.viewCount, hash: $0.stateHash,
                isFrozen: $0.isFrozen)
        }
    }
}
