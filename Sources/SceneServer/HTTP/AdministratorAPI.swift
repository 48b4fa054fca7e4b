import ConstraintLanguage
import Dispatch
import FoundationEssentials
import JSON
import Logging
import RoomNames
import SceneCluster
import SceneDocument
import SceneModel
import SceneSession
import SceneStore
import SceneWire
import Synchronization
import WebSocketTransport

/// An administrator's request over HTTP.
///
/// | request | does |
/// |---|---|
/// | `GET /admin/rooms` | lists the rooms in the memory of all nodes, and those that are put aside |
/// | `GET /admin/rooms/ROOM/members` | lists a room's members |
/// | `DELETE /admin/rooms/ROOM/members/NUMBER` | ends a member's connections with 4003, and bans it |
/// | `GET /admin/rooms/ROOM/scene` | exports the scene as a document |
/// | `PUT /admin/rooms/ROOM/scene` | replaces the scene, or makes the room |
/// | `GET /admin/rooms/ROOM/snapshot` | exports the room as one journal record, bit for bit |
/// | `PUT /admin/rooms/ROOM/snapshot` | makes a room of an exported one, unless there is such a room |
/// | `POST /admin/rooms/ROOM/copy?to=NAME` | copies the room, as it is now, under another name |
/// | `POST /admin/rooms/ROOM/rename?to=NAME` | gives the room, with its past, another name |
/// | `POST /admin/rooms/ROOM/release` | lets a room be opened again that was put aside |
/// | `DELETE /admin/rooms/ROOM` | ends the room and removes its journal |
/// | `POST /admin/drain` | lets the server end as SIGTERM does |
enum AdministratorRequest: Equatable {
    case rooms
    case members(String)
    case kick(String, UInt64)
    case export(String)
    case importScene(String)
    case exportRoom(String)
    case importRoom(String)
    case copy(String)
    case rename(String)
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
        guard parts.first != "rooms" || parts.count == 1 || RoomName.isValid(room) else {
            return nil
        }
        // A branch is made by its suggestion, and called as that is.
        let isMadeHere = Identifier.isValid(room)
        switch (method, parts.count, parts.first, parts.count > 2 ? parts[2] : "") {
        case ("GET", 1, "rooms", _): self = .rooms
        case ("GET", 3, "rooms", "members"): self = .members(room)
        case ("DELETE", 4, "rooms", "members"):
            guard let number = UInt64(parts[3]) else { return nil }
            self = .kick(room, number)
        case ("GET", 3, "rooms", "scene"): self = .export(room)
        case ("PUT", 3, "rooms", "scene") where isMadeHere: self = .importScene(room)
        case ("GET", 3, "rooms", "snapshot"): self = .exportRoom(room)
        case ("PUT", 3, "rooms", "snapshot"): self = .importRoom(room)
        case ("POST", 3, "rooms", "copy"): self = .copy(room)
        case ("POST", 3, "rooms", "rename") where isMadeHere: self = .rename(room)
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
        case .members(let room): listMembers(of: room, responder)
        case .kick(let room, let number): remove(number, from: room, responder)
        case .export(let room): askOwner(of: room, .exportScene) { responder($0) }
        case .importScene(let room):
            askOwner(of: room, .replaceScene(request.body)) { responder($0) }
        case .exportRoom(let room): askOwner(of: room, .exportRoom) { responder($0) }
        case .importRoom(let room):
            askOwner(of: room, .importRoom(request.body)) { responder($0) }
        case .copy(let room): copy(room, to: request.query) { responder($0) }
        case .rename(let room): rename(room, to: request.query) { responder($0) }
        case .release(let room): release(room, responder)
        case .delete(let room): askOwner(of: room, .deleteRoom) { responder($0) }
        case .drain:
            responder(.json(202, .object([])))
            status.requestDrain()
        }
    }

    /// Carries out at this node what an administrator asked for, here or at another node.
    ///
    /// - Parameter reply: Called once, on any thread.
    func perform(
        _ request: NodeRequest, in room: String, _ reply: @escaping @Sendable (NodeReply) -> Void
    ) {
        switch request {
        case .exportScene: ask(room, .export, reply)
        case .replaceScene(let body):
            do throws(DocumentError) {
                ask(room, .replace(try SceneDocument.parse(body)), reply)
            } catch {
                reply(.text(422, "\(error)\n"))
            }
        case .exportRoom: ask(room, .exportRecord, reply)
        case .importRoom(let body):
            do throws(DecodeError) {
                ask(room, .importRecord(try JournalRecord.decode(body)), reply)
            } catch {
                reply(.text(422, "the file is no exported room: \(error)\n"))
            }
        case .deleteRoom:
            guard cluster?.view.isRelayed(room) != true else { return reply(.notOwner) }
            expel(from: room)
            expelElsewhere(from: room)
            deleteBranches(of: room) { [self] in
                ask(room, .delete) { [self] answer in
                    if case .answer(let status, _, _) = answer, status == 200 {
                        blobQueue.async { [self] in blobs.keep([], in: room) }
                    }
                    reply(answer)
                }
            }
        case .members: reply(.json(200, members(of: room)))
        case .rooms: listRoomsHere { reply(.json(200, $0)) }
        case .release:
            reply(
                quarantine.release(room)
                    ? .json(200, .object([])) : .text(404, "that room is not put aside\n"))
        case .remove(let connection):
            reply(remove(ConnectionID(rawValue: connection), from: room))
        case .exclude(let person):
            if let person = Bans.Person(bytes: person) { _ = exclude(person, from: room) }
            reply(.json(200, .object([])))
        case .expel:
            expel(from: room)
            reply(.json(200, .object([])))
        }
    }

    /// Ends a member's connections to a room and bans it for a while: by its subject, or by its
    /// token if it has no subject. Its sessions cannot be resumed.
    ///
    /// - Returns: As its body the person, or nothing for a member that is identified by its
    ///   connection alone.
    private func remove(_ id: ConnectionID, from room: String) -> NodeReply {
        let peer = table.withLock { $0.peers[id] }
        guard let peer, peer.room == room, peer.wasMember else {
            return .text(404, "no such member\n")
        }
        guard let person = peer.person else {
            end([id], in: room)
            return .answer(status: 200, isJSON: false, [])
        }
        guard exclude(person, from: room).contains(id) else {
            return .text(404, "no such member\n")
        }
        return .answer(status: 200, isJSON: false, person.bytes)
    }

    /// Ends a person's connections to a room, and bans the person for a while.
    ///
    /// - Returns: The connections.
    private func exclude(_ person: Bans.Person, from room: String) -> [ConnectionID] {
        let (now, limits) = (now, settings.current.limits)
        let removed = table.withLock { table -> [ConnectionID] in
            if limits.banSeconds > 0 {
                table.bans.add(
                    person, room: RoomName.main(of: room),
                    until: now + UInt64(limits.banSeconds) * 1_000_000_000,
                    now: now)
            }
            return table.peers.filter {
                $0.value.room == room && $0.value.wasMember && $0.value.person == person
            }.map(\.key).sorted()
        }
        end(removed, in: room)
        return removed
    }

    private func end(_ ids: [ConnectionID], in room: String) {
        for id in ids {
            let isRelayed = table.withLock { $0.peers[id]?.isRelayed ?? false }
            // Before the room learns of the end and removes the member.
            post(.revoke(MemberID(id.rawValue)), to: room, isRelayed)
            refuse(id, .forbidden, Self.removal)
        }
    }

    private func expel(from room: String) {
        end(room, "the room was deleted")
    }

    /// Ends the connections of all members of a room here, with a reason.
    func end(_ room: String, _ reason: String) {
        for id in ids(in: room) { refuse(id, .noSuchSession, reason) }
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
                    JSONMember(
                        "number",
                        .number(Double(MemberNumber.number(of: id, at: options.node?.node)))),
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

    /// Has the branches of a room's suggestions removed, before the room itself: with the room
    /// nothing would name them any more. A room that cannot be opened has none that it names.
    private func deleteBranches(of room: String, then body: @escaping @Sendable () -> Void) {
        guard RoomName.suggestion(of: room) == nil else { return body() }
        rooms.post(
            .administer(.suggestions) { [rooms] reply in
                if case .suggestions(let ids) = reply {
                    for id in ids {
                        rooms.post(
                            .suggestion(nil), to: RoomName.branch(of: room, suggestion: id))
                    }
                }
                body()
            }, to: room)
    }

    private func ask(
        _ room: String, _ request: RoomRequest, _ reply: @escaping @Sendable (NodeReply) -> Void
    ) {
        guard cluster?.view.isRelayed(room) != true else { return reply(.notOwner) }
        rooms.post(.administer(request) { reply(NodeReply($0)) }, to: room)
    }
}

extension NodeReply {
    static func text(_ status: UInt16, _ body: String) -> NodeReply {
        .answer(
            status: status, isJSON: false, Array(body.escapingControls(keepsLayout: true).utf8))
    }

    static func json(_ status: UInt16, _ value: JSONValue) -> NodeReply {
        .answer(
            status: status, isJSON: true, Array((value.text().escapingControls() + "\n").utf8))
    }

    init(_ reply: RoomReply) {
        self =
            switch reply {
            case .document(let json): .json(200, json)
            case .record(let bytes): .answer(status: 200, isJSON: false, bytes)
            case .made(let hash):
                .json(201, .object([JSONMember("hash", .string(ViewHash.text(hash)))]))
            case .nameTaken: .text(409, "there is such a room already\n")
            case .done: .json(200, .object([]))
            case .suggestion, .suggestions, .scene: .text(500, "an answer to another question\n")
            case .refused(let refusal):
                .text(422, "\(refusal.code.rawValue): \(refusal.message)\n")
            case .noSuchRoom: .text(404, "there is no such room\n")
            case .failed(let reason): .text(503, "\(reason)\n")
            case .unknown(let reason): .text(504, "\(reason)\n")
            }
    }
}
