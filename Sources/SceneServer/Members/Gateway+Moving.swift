import ConstraintLanguage
import Dispatch
import RoomNames
import SceneCluster
import SceneStore
import WebSocketTransport

/// Copies and renames rooms for administrators.
extension Gateway {
    /// Copies a room, as it is now, under another name, which may be another node's.
    ///
    /// The copy is made by one record, so after a crash it is whole or not there.
    ///
    /// - Parameter query: `to=NAME`.
    func copy(_ room: String, to query: String, _ answer: @escaping Answering) {
        guard let name = Self.newName(query, for: room) else { return answer(Self.badName) }
        askOwner(of: room, .exportRoom) { [self] response in
            guard response.status == 200 else { return answer(response) }
            blobs.share(of: room, with: name)
            askOwner(of: name, .importRoom(response.body), answer)
        }
    }

    /// Gives a room another name. Members are told the name, and connect to it themselves.
    ///
    /// - Parameter query: `to=NAME`.
    func rename(_ room: String, to query: String, _ answer: @escaping Answering) {
        guard let name = Self.newName(query, for: room) else { return answer(Self.badName) }
        guard cluster == nil else {
            return answer(.text(409, ReplicatedJournal.noRenaming + "\n"))
        }
        // Branches are called as their room is.
        rooms.post(
            .administer(.suggestions) { [self] reply in
                if case .suggestions(let ids) = reply, !ids.isEmpty {
                    return answer(
                        .text(
                            409,
                            "the room has \(ids.count) suggestions, whose branches have its name; remove them first, or copy the room\n"
                        ))
                }
                reserveAndRename(room, to: name, answer)
            }, to: room)
    }

    private func reserveAndRename(
        _ room: String, to name: String, _ answer: @escaping Answering
    ) {
        // Nobody may make a room of that name meanwhile.
        rooms.post(
            .administer(.reserve) { [self] reply in
                guard case .done = reply else { return answer(HTTPResponse(reply)) }
                rooms.post(
                    .administer(.rename(to: name)) { [self] reply in
                        rooms.post(.administer(.open) { _ in }, to: name)
                        if case .done = reply {
                            end(room, SceneLoop.renamed(to: name))
                            blobQueue.async { [self] in
                                blobs.share(of: room, with: name)
                                blobs.keep([], in: room)
                            }
                        }
                        answer(HTTPResponse(reply))
                    }, to: room)
            }, to: name)
    }

    /// The name of a query `to=NAME`; `nil` for none that a room may have, or for the room's own.
    private static func newName(_ query: String, for room: String) -> String? {
        guard query.hasPrefix("to=") else { return nil }
        let name = String(query.dropFirst(3))
        return Identifier.isValid(name) && name != room ? name : nil
    }

    private static let badName = HTTPResponse.text(
        422,
        "give the new name as ?to=NAME: a letter or _, then letters, digits, - and _; not the room's own\n"
    )
}

extension HTTPResponse {
    fileprivate init(_ reply: RoomReply) {
        guard case .answer(let status, let isJSON, let body) = NodeReply(reply) else {
            self = .text(500, "an answer to another question\n")
            return
        }
        self.init(status: Int(status), isJSON: isJSON, body: body)
    }
}
