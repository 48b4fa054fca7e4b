import ConstraintLanguage
import FoundationEssentials
import Logging
import SceneModel
import SceneProtocol
import SceneSession
import Synchronization
import WebSocketTransport

/// An administrator's request over HTTP.
///
/// | request | does |
/// |---|---|
/// | `GET /admin/rooms` | lists the rooms in memory, and those that are put aside |
/// | `GET /admin/rooms/ROOM/members` | lists a room's members |
/// | `DELETE /admin/rooms/ROOM/members/NUMBER` | ends a member's connections with 4003, and bans it |
/// | `GET /admin/rooms/ROOM/scene` | exports the scene as a document |
/// | `PUT /admin/rooms/ROOM/scene` | replaces the scene, or makes the room |
/// | `POST /admin/rooms/ROOM/release` | lets a room be opened again that was put aside |
/// | `DELETE /admin/rooms/ROOM` | ends the room and removes its journal |
/// | `POST /admin/drain` | lets the server end as SIGTERM does |
enum AdministratorRequest: Equatable {
    case rooms
    case members(String)
    case kick(String, UInt64)
    case export(String)
    case importScene(String)
    case release(String)
    case delete(String)
    case drain

    static func isAdministrative(_ path: String) -> Bool {
        path == "/admin" || path.hasPrefix("/admin/")
    }

    /// Parses a request; `nil` for an unknown path or method.
    init?(method: String, path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2)
            .map(String.init)
        let room = parts.count > 1 ? parts[1] : ""
        guard parts.first != "rooms" || parts.count == 1 || Identifier.isValid(room) else {
            return nil
        }
        switch (method, parts.count, parts.first, parts.count > 2 ? parts[2] : "") {
        case ("GET", 1, "rooms", _): self = .rooms
        case ("GET", 3, "rooms", "members"): self = .members(room)
        case ("DELETE", 4, "rooms", "members"):
            guard let number = UInt64(parts[3]) else { return nil }
            self = .kick(room, number)
        case ("GET", 3, "rooms", "scene"): self = .export(room)
        case ("PUT", 3, "rooms", "scene"): self = .importScene(room)
        case ("POST", 3, "rooms", "release"): self = .release(room)
        case ("DELETE", 2, "rooms", _): self = .delete(room)
        case ("POST", 1, "drain", _): self = .drain
        default: return nil
        }
    }
}

extension Gateway {
    /// Executes a request of an authenticated administrator.
    func administer(_ request: HTTPRequest, _ responder: HTTPResponder) {
        guard let command = AdministratorRequest(method: request.method, path: request.path) else {
            return responder(.text(404, "nothing here\n"))
        }
        logger.notice(
            "administration",
            metadata: [
                "method": "\(request.method)", "path": "\(request.path)",
                "address": "\(request.remoteAddress)",
            ])
        switch command {
        case .rooms: listRooms(responder)
        case .members(let room):
            responder(.json(200, .object([JSONMember("members", members(of: room))])))
        case .kick(let room, let number):
            remove(ConnectionID(rawValue: number), from: room, responder)
        case .export(let room):
            ask(room, .export, responder)
        case .importScene(let room):
            do throws(DocumentError) {
                ask(room, .replace(try SceneDocument.parse(request.body)), responder)
            } catch {
                responder(.text(422, "\(error)\n"))
            }
        case .release(let room):
            responder(
                quarantine.release(room)
                    ? .json(200, .object([])) : .text(404, "that room is not put aside\n"))
        case .delete(let room):
            for id in ids(in: room) { refuse(id, .noSuchSession, "the room was deleted") }
            ask(room, .delete, responder)
        case .drain:
            responder(.json(202, .object([])))
            status.requestDrain()
        }
    }

    /// Ends a member's connections to a room and bans it for a while: by its subject, or by its token if it has no
    /// subject. Its sessions cannot be resumed.
    private func remove(
        _ id: ConnectionID, from room: String, _ responder: HTTPResponder
    ) {
        let (now, limits) = (now, settings.current.limits)
        let removed = table.withLock { table -> [ConnectionID] in
            guard let peer = table.peers[id], peer.room == room, peer.wasMember else { return [] }
            guard let person = peer.person else { return [id] }
            if limits.banSeconds > 0 {
                table.bans.add(
                    person, room: room, until: now + UInt64(limits.banSeconds) * 1_000_000_000,
                    now: now)
            }
            return table.peers.filter {
                $0.value.room == room && $0.value.wasMember && $0.value.person == person
            }.map(\.key).sorted()
        }
        guard !removed.isEmpty else { return responder(.text(404, "no such member\n")) }
        for id in removed {
            // Before the room learns of the end and removes the member.
            rooms.post(
                .administer(room: room, .revoke(MemberID(id.rawValue))) { _ in }, to: room)
            refuse(id, .forbidden, Self.removal)
        }
        responder(.json(200, .object([])))
    }

    private func ids(in room: String) -> [ConnectionID] {
        table.withLock { table in
            table.peers.filter { $0.value.room == room && $0.value.wasMember }.map(\.key)
        }.sorted()
    }

    private func members(of room: String) -> JSONValue {
        let peers = table.withLock { $0.peers }.filter {
            $0.value.room == room && $0.value.wasMember
        }
        return .array(
            peers.sorted { $0.key < $1.key }.map { id, peer in
                .object([
                    JSONMember("number", .number(Double(id.rawValue))),
                    JSONMember("address", .string(peer.info.remoteAddress)),
                    JSONMember("subject", .string(peer.grant.subject)),
                    JSONMember(
                        "role",
                        .string(Role.least(peer.grant.role, peer.hello.role).rawValue)),
                    JSONMember("format", .string(peer.format.rawValue)),
                    JSONMember(
                        "seconds", .number(Double((now - min(now, peer.openedAt)) / 1_000_000_000))),
                    JSONMember("expires", peer.grant.expires.map { .number($0) } ?? .null),
                ])
            })
    }

    private func ask(_ room: String, _ request: RoomRequest, _ responder: HTTPResponder) {
        if let directions = cluster?.view.directions(to: room) {
            return responder(.text(421, directions + "\n"))
        }
        if cluster?.view.isRelayed(room) == true {
            return responder(
                .text(503, "no node owns room \(room) at present; try again in a second\n"))
        }
        rooms.post(
            .administer(room: room, request) { responder(Self.response($0)) }, to: room)
    }

    private func listRooms(_ responder: HTTPResponder) {
        let (census, memory) = (rooms.census, memory)
        let putAside = quarantine.all.map { room, reason in
            JSONValue.object([
                JSONMember("room", .string(room)),
                JSONMember("reason", .string(reason.description)),
            ])
        }
        let collector = RoomCollector(rooms.mailboxes.count) { rooms in
            responder(
                .json(
                    200,
                    .object([
                        JSONMember(
                            "rooms",
                            .array(
                                rooms.sorted { $0.name < $1.name }.map { room in
                                    .object([
                                        JSONMember("room", .string(room.name)),
                                        JSONMember(
                                            "members",
                                            .number(Double(census.members(of: room.name)))),
                                        JSONMember("tick", .number(Double(room.tick))),
                                        JSONMember("views", .number(Double(room.views))),
                                        JSONMember("hash", .string(ViewHash.text(room.hash))),
                                        JSONMember(
                                            "memoryBytes",
                                            .number(
                                                Double(memory.use(of: room.name)?.total ?? 0))),
                                    ])
                                })),
                        JSONMember("putAside", .array(putAside)),
                    ])))
        }
        for mailbox in rooms.mailboxes {
            mailbox.post(
                .administer(room: "", .list) { reply in
                    if case .rooms(let rooms) = reply { collector.add(rooms) }
                })
        }
    }

    private static func response(_ reply: RoomReply) -> HTTPResponse {
        switch reply {
        case .rooms: .text(500, "an answer to another question\n")
        case .document(let json): .json(200, json)
        case .done: .json(200, .object([]))
        case .refused(let refusal): .text(422, "\(refusal.code.rawValue): \(refusal.message)\n")
        case .noSuchRoom: .text(404, "there is no such room\n")
        case .failed(let reason): .text(503, "\(reason)\n")
        }
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
