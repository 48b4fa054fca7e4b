import SceneDocument
import SceneSession

/// Executes administrators' requests between ticks.
extension SceneLoop {
    /// The number of views and constraints of a document that certainly fits into a tick.
    private static let quickDocument = 200

    func administer(
        _ room: String, _ request: RoomRequest, _ reply: @escaping @Sendable (RoomReply) -> Void
    ) {
        switch request {
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
                if forward(.administer(request, reply), to: room) { return }
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
        case .exportRecord, .suggestion, .suggestions, .sceneForOthers:
            answerOnceLoaded(request, of: room, reply)
        case .importRecord(let record): importRecord(record, as: room, reply)
        case .reserve: reserve(room, reply)
        case .open: openReserved(room, reply)
        case .rename(let name): rename(room, to: name, reply)
        case .endRenaming(let name, let outcome): endRenaming(room, to: name, outcome, reply)
        case .confirm: reply(.done)
        case .delete:
            configuration.quarantine.release(room)
            remove(room)
            configuration.journal.delete(room) { failure in
                reply(failure.map { .failed($0) } ?? .done)
            }
        }
    }

    /// Replies that what a room has just decided is done, once it is kept.
    func confirm(_ room: String, _ reply: @escaping @Sendable (RoomReply) -> Void) {
        configuration.journal.settle(room, reply)
    }

    /// All rooms of the thread, those in the slow lane as they were last.
    var summaries: [RoomSummary] {
        rooms.names.compactMap { summary(of: $0) }
            + rooms.awayNames.sorted().compactMap { rooms.away($0)?.summary }
    }

    func summary(of name: String) -> RoomSummary? {
        rooms.session(of: name).map {
            RoomSummary(
                name: name, tick: $0.tick, views: $0.viewCount, hash: $0.stateHash,
                isFrozen: $0.isFrozen)
        }
    }
}
