import Annotations
import RoomNames
import SceneCluster
import SceneComparison
import SceneDocument
import SceneModel
import SceneSession
import SceneWire
import WebSocketTransport

/// What accepting a suggestion would change, in words: `GET /suggestions/ROOM~ID`, for holders of a
/// token for the room who see all of it.
///
/// | key | meaning |
/// |---|---|
/// | `scene` | what the suggestion is called |
/// | `changes` | list of {`kind`, `subject`, `id`, `text`}: views and constraints that are added, removed and changed, then views that move |
/// | `devices` | the names of the devices on which views move |
/// | `conflicts` | what stands in the way of accepting, list of text |
/// | `behind` | whether the room has changed since the suggestion's base |
extension Gateway {
    /// The branch below `/suggestions/`; nil for another path.
    static func branchName(_ path: String) -> String? {
        let prefix = "/suggestions/"
        guard path.hasPrefix(prefix) else { return nil }
        let name = String(path.dropFirst(prefix.count))
        return RoomName.isValid(name) && RoomName.suggestion(of: name) != nil ? name : nil
    }

    func showSuggestion(_ request: HTTPRequest, _ branch: String, _ responder: HTTPResponder) {
        guard request.method == "GET" else {
            return responder(.text(405, "GET /suggestions/ROOM~ID\n"))
        }
        authorizeBlob(request, { responder($0) }) { [self] grant in
            guard grant.covers(room: branch), grant.rights.see == nil else {
                return responder(.text(403, "the token is not for seeing all of this room\n"))
            }
            askOwner(of: RoomName.main(of: branch), .exportRoom) { [self] main in
                guard main.status == 200 else { return responder(main) }
                askOwner(of: branch, .exportRoom) { [self] there in
                    // Nobody may have joined the branch yet.
                    guard there.status == 200 || there.status == 404 else {
                        return responder(there)
                    }
                    let body = there.status == 200 ? there.body : nil
                    let isTaken = conversions.add {
                        responder(Self.comparison(of: branch, main.body, body))
                    }
                    if !isTaken {
                        responder(.text(503, "other scenes are being compared; try again\n"))
                    }
                }
            }
        }
    }

    /// Compares exported rooms.
    private static func comparison(
        of branch: String, _ main: [UInt8], _ there: [UInt8]?
    ) -> HTTPResponse {
        let id = RoomName.suggestion(of: branch) ?? ""
        do {
            let main = try JournalReplay([try JournalRecord.decode(main)])
            guard let suggestion = main.timeline.annotations.suggestions[id] else {
                return .text(404, "there is no suggestion \(id)\n")
            }
            let there = try there.map { try JournalReplay([try JournalRecord.decode($0)]) }
            let own = there?.timeline.annotations.ownSuggestion ?? suggestion
            let base = try own.base.scene.document()
            let shown = try SuggestionComparison(
                title: suggestion.name, base: base, main: main.timeline.model.document(),
                branch: there?.timeline.model.document() ?? base)
            return .json(200, shown.json.value)
        } catch {
            return .text(422, "suggestion \(id) cannot be shown: \(error)\n")
        }
    }
}
