import JSON
import SceneCluster
import SceneRelay
import SceneSession
import SceneWire
import Synchronization
import WebSocketTransport

/// The list of all rooms, for administrators.
extension Gateway {
    func listRooms(_ responder: HTTPResponder) {
        guard cluster != nil else { return listRoomsHere { responder(.json(200, $0)) } }
        askAll(.rooms, in: "") { [self] replies in
            if let complaint = complaint(replies) {
                return responder(
                    later("\(complaint), so the list has gaps; try again in a second"))
            }
            var listing = RoomListing()
            for reply in replies {
                // A node wrote it.
                guard case .ended(.reply(.answer(_, _, let body))) = reply.outcome,
                    let answer = try? JSONReader.read(body)
                else { continue }
                listing.add(answer, of: reply.node)
            }
            responder(.json(200, listing.json))
        }
    }

    /// The rooms in this node's memory, those that it has put aside, and in a cluster those whose
    /// members it has while another node has the room.
    ///
    /// - Parameter done: Called once, on any thread.
    func listRoomsHere(_ done: @escaping @Sendable (JSONValue) -> Void) {
        let putAside = quarantine.all.map { room, reason in
            JSONValue.object([
                JSONMember("room", .string(room)),
                JSONMember("reason", .string(reason.description)),
            ])
        }
        let collector = RoomCollector(rooms.mailboxes.count) { [self] loaded in
            let members = rooms.census.members
            var listed = loaded.map { (name: $0.name, json: json(of: $0, members[$0.name] ?? 0)) }
            if cluster != nil {
                let names = Set(loaded.map(\.name))
                listed += members.filter { !names.contains($0.key) }.map { name, count in
                    (name, .object(Self.heading(name, count)))
                }
            }
            let inOrder = listed.sorted { $0.name < $1.name }.map(\.json)
            done(
                .object([
                    JSONMember("rooms", .array(inOrder)), JSONMember("putAside", .array(putAside)),
                ]))
        }
        for mailbox in rooms.mailboxes {
            mailbox.post(.list { collector.add($0) })
        }
    }

    private func json(of room: RoomSummary, _ members: Int) -> JSONValue {
        .object(
            Self.heading(room.name, members) + [
                JSONMember("tick", .number(Double(room.tick))),
                JSONMember("views", .number(Double(room.views))),
                JSONMember("hash", .string(ViewHash.text(room.hash))),
                JSONMember(
                    "memoryBytes", .number(Double(memory.use(of: room.name)?.total ?? 0))),
            ])
    }

    private static func heading(_ name: String, _ members: Int) -> [JSONMember] {
        [JSONMember("room", .string(name)), JSONMember("members", .number(Double(members)))]
    }
}

/// Collects the replies of all scene threads.
private final class RoomCollector: Sendable {
    private let state: Mutex<(missing: Int, rooms: [RoomSummary])>
    private let done: @Sendable ([RoomSummary]) -> Void

    init(_ count: Int, done: @escaping @Sendable ([RoomSummary]) -> Void) {
        state = Mutex((count, []))
        self.done = done
    }

    func add(_ rooms: [RoomSummary]) {
        let all = state.withLock { state -> [RoomSummary]? in
            state.rooms += rooms
            state.missing -= 1
            return state.missing == 0 ? state.rooms : nil
        }
        if let all { done(all) }
    }
}
