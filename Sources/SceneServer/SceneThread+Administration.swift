import SceneModel
import SceneProtocol
import SceneSession
import Synchronization

/// What administrators ask of rooms; carried out between ticks, on the rooms' own thread.
extension SceneThread {
    /// What is asked.
    enum Wish: Sendable {
        case list
        case export
        case replace(SceneDocument)
        case delete
    }

    /// What is answered.
    enum Answer: Sendable {
        case rooms([RoomSummary])
        case document(JSONValue)
        case done
        case refused(Refusal)
        case noSuchRoom
        case failed(String)
    }

    /// A room in a list.
    struct RoomSummary: Sendable {
        var name: String
        var tick: UInt64
        var views: Int
        var hash: UInt64
    }

    func administer(
        _ room: String, _ wish: Wish, _ reply: @escaping @Sendable (Answer) -> Void
    ) {
        switch wish {
        case .list:
            reply(
                .rooms(
                    order.compactMap { name in
                        rooms[name].map {
                            RoomSummary(
                                name: name, tick: $0.session.tick,
                                views: $0.session.viewCount, hash: $0.session.stateHash)
                        }
                    }))
        case .export:
            guard let session = rooms[room]?.session else { return reply(.noSuchRoom) }
            guard let document = session.document() else {
                return reply(.failed("the room has to be read again"))
            }
            reply(.document(document.json))
        case .replace(let document):
            guard let session = rooms[room]?.session else {
                return make(room, document, reply)
            }
            let effects = session.step(.replaceScene(document))
            for case .replacedScene(let refusal) in effects {
                reply(refusal.map { .refused($0) } ?? .done)
            }
            carryOut(effects, room: room)
        case .delete:
            remove(room)
            outlets.delete(room) { error in
                reply(error.map { .failed($0) } ?? .done)
            }
        }
    }

    /// A room that is not in memory may be in the journal; an empty one is made only where there is none.
    private func make(
        _ room: String, _ document: SceneDocument,
        _ reply: @escaping @Sendable (Answer) -> Void
    ) {
        guard waiting[room] == nil else { return reply(.failed("the room is being read")) }
        waiting[room] = []
        imports[room] = (document, reply)
        outlets.load(room, nil)
    }

    /// Goes on with an import that waited for the journal.
    func finishImport(_ room: String) {
        guard let (document, reply) = imports.removeValue(forKey: room) else { return }
        if rooms[room] == nil {
            do throws(Refusal) {
                try create(room, document, for: [])
                return reply(.done)
            } catch {
                return reply(.refused(error))
            }
        }
        administer(room, .replace(document), reply)
    }
}
