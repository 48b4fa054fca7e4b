import ClusterJournal
import JSON
import Logging
import RoomNames
import SceneCluster
import SceneRelay
import WebSocketTransport

/// Administrators' requests that concern other nodes of the cluster.
extension Gateway: NodeRequestHandler {
    /// So often a request is sent on after the node that was asked did not own the room.
    private static let passMaximum = 2
    /// After so many seconds an owner is there again, as a rule.
    private static let retrySeconds = "1"

    func perform(
        _ request: NodeRequest, in room: String, for asker: NodeID,
        _ reply: @escaping @Sendable (NodeReply) -> Void
    ) {
        guard request == .rooms || RoomName.isValid(room) else {
            return reply(.text(404, "nothing here\n"))
        }
        logger.notice(
            "administration for another node",
            metadata: [
                "node": "\(asker.rawValue)", "room": "\(room)", "request": "\(request.name)",
            ])
        perform(request, in: room) { answer in
            guard case .answer(_, _, let body) = answer,
                body.count > RequestHost.replyBytesMaximum
            else { return reply(answer) }
            reply(
                .text(
                    503,
                    "the answer has \(body.count) bytes, and nodes carry \(RequestHost.replyBytesMaximum) to others; ask the node that serves room \(room)\n"
                ))
        }
    }

    // MARK: A room's owner

    /// Sends a response; called once, on any thread.
    typealias Answering = @Sendable (HTTPResponse) -> Void

    /// Has the node that owns a room carry a request out.
    func askOwner(
        of room: String, _ request: NodeRequest, passes: Int = 0, _ responder: @escaping Answering
    ) {
        guard let cluster, cluster.view.isRelayed(room) else {
            return perform(request, in: room) { [self] reply in
                answer(.ended(.reply(reply)), to: request, in: room, responder)
            }
        }
        guard passes < Self.passMaximum, let owner = cluster.view.owner(of: room),
            owner.node != options.node?.node
        else { return responder(nobodyOwns(room)) }
        cluster.relay.post(
            .request(request, room: room, of: owner) { [self] outcome in
                guard case .ended(.reply(.notOwner)) = outcome else {
                    return answer(outcome, to: request, in: room, responder)
                }
                askOwner(of: room, request, passes: passes + 1, responder)
            })
    }

    private func answer(
        _ outcome: NodeOutcome, to request: NodeRequest, in room: String, _ responder: Answering
    ) {
        switch outcome {
        case .ended(.reply(.answer(let status, let isJSON, let body))):
            var response = HTTPResponse(status: Int(status), isJSON: isJSON, body: body)
            if request == .exportRoom, status == 200 {
                response.contentType = "application/octet-stream"
            }
            responder(response)
        case .ended(.reply(.notOwner)): responder(nobodyOwns(room))
        case .ended(.reply(.notUnderstood)):
            responder(
                .text(
                    501,
                    "the node that serves room \(room) runs another version, which does not know this request; upgrade all nodes\n"
                ))
        case .ended(.unknown) where request.changesSomething:
            responder(
                .text(
                    504,
                    "the node that serves room \(room) did not answer, and may have done what was asked; look at the room before you ask again\n"
                ))
        case .ended(.unknown):
            responder(
                later("the node that serves room \(room) did not answer; try again in a second"))
        case .refused:
            responder(
                later(
                    "too many administrators' requests are on their way to other nodes; try again in a second"
                ))
        }
    }

    private func nobodyOwns(_ room: String) -> HTTPResponse {
        later("no node owns room \(room) at present; try again in a second")
    }

    func later(_ text: String) -> HTTPResponse {
        var response = HTTPResponse.text(503, text + "\n")
        response.headers.append(("retry-after", Self.retrySeconds))
        return response
    }

    // MARK: All nodes

    /// Has every node carry a request out that is heard, this one among them.
    ///
    /// - Parameter done: Called once with what became of it; of a node that went away meanwhile
    ///   there is nothing.
    func askAll(
        _ request: NodeRequest, in room: String,
        _ done: @escaping @Sendable ([(node: NodeID, outcome: NodeOutcome)]) -> Void
    ) {
        let here = options.node?.node ?? NodeID(0)
        let others = (cluster?.view.present.nodes ?? []).filter { $0.node != here }
        let replies = Replies(others.count + 1, done)
        perform(request, in: room) { replies.add(here, .ended(.reply($0))) }
        for other in others {
            cluster?.relay.post(
                .request(request, room: room, of: other) { outcome in
                    switch outcome {
                    case .ended(.unknown(.gone)), .ended(.reply(.notOwner)):
                        replies.add(other.node, nil)
                    case .ended, .refused: replies.add(other.node, outcome)
                    }
                })
        }
    }

    /// The nodes that did not carry a request out as they should have, in words; `nil` if all have.
    func complaint(_ replies: [(node: NodeID, outcome: NodeOutcome)]) -> String? {
        let complaints = replies.compactMap { reply -> String? in
            switch reply.outcome {
            case .ended(.reply(.answer)): nil
            case .ended(.reply(.notUnderstood)):
                "node \(reply.node.rawValue) runs another version, which does not know this request"
            case .ended, .refused: "node \(reply.node.rawValue) did not answer"
            }
        }
        return complaints.isEmpty ? nil : complaints.joined(separator: " and ")
    }

    func listMembers(of room: String, _ responder: HTTPResponder) {
        askAll(.members, in: room) { [self] replies in
            if let complaint = complaint(replies) {
                return responder(
                    later("\(complaint), so the list has gaps; try again in a second"))
            }
            var members: [JSONValue] = []
            for case .ended(.reply(.answer(_, _, let body))) in replies.map({ $0.outcome }) {
                // A node wrote it.
                if let part = (try? JSONReader.read(body))?.array { members += part }
            }
            members.sort { ($0["number"]?.number ?? 0) < ($1["number"]?.number ?? 0) }
            responder(.json(200, .object([JSONMember("members", .array(members))])))
        }
    }

    /// Lets a room be opened again, at whichever nodes have put it aside.
    func release(_ room: String, _ responder: HTTPResponder) {
        askAll(.release, in: room) { [self] replies in
            if let complaint = complaint(replies) {
                return responder(
                    .text(
                        504,
                        "\(complaint), and may keep the room aside; ask again once it is back\n"))
            }
            let isReleased = replies.contains { reply in
                if case .ended(.reply(.answer(200, _, _))) = reply.outcome { true } else { false }
            }
            responder(
                isReleased ? .json(200, .object([])) : .text(404, "that room is not put aside\n"))
        }
    }

    /// Removes a member from a room, at whichever node its connection is, and keeps the person out
    /// at all nodes.
    func remove(_ number: UInt64, from room: String, _ responder: HTTPResponder) {
        let nobody = HTTPResponse.text(404, "no such member\n")
        guard let options = options.node, let cluster else {
            return perform(.remove(connection: number), in: room) { [self] reply in
                finishRemoval(from: room, .ended(.reply(reply)), responder)
            }
        }
        guard let (node, connection) = MemberNumber.parts(of: number) else {
            return responder(nobody)
        }
        let request = NodeRequest.remove(connection: connection.rawValue)
        guard node != options.node else {
            return perform(request, in: room) { [self] reply in
                finishRemoval(from: room, .ended(.reply(reply)), responder)
            }
        }
        guard let life = cluster.view.present.nodes.first(where: { $0.node == node }) else {
            return responder(nobody)
        }
        cluster.relay.post(
            .request(request, room: room, of: life) { [self] outcome in
                guard case .ended(.reply(.notOwner)) = outcome else {
                    return finishRemoval(from: room, outcome, responder)
                }
                responder(nobody)
            })
    }

    /// Keeps a removed person out at the other nodes too.
    private func finishRemoval(
        from room: String, _ outcome: NodeOutcome, _ responder: HTTPResponder
    ) {
        guard case .ended(.reply(.answer(200, _, let person))) = outcome else {
            return answer(outcome, to: .remove(connection: 0), in: room) { responder($0) }
        }
        guard cluster != nil, !person.isEmpty else { return responder(.json(200, .object([]))) }
        askAll(.exclude(person: person), in: room) { [self] replies in
            if let complaint = complaint(replies) {
                return responder(
                    .text(
                        504,
                        "the member was removed, but \(complaint), and may still admit it; look at the room's members\n"
                    ))
            }
            responder(.json(200, .object([])))
        }
    }

    /// Ends the connections of a deleted room's members at the other nodes.
    func expelElsewhere(from room: String) {
        guard let cluster, let here = options.node?.node else { return }
        for other in cluster.view.present.nodes where other.node != here {
            cluster.relay.post(.request(.expel, room: room, of: other) { _ in })
        }
    }
}

extension NodeRequest {
    /// For the log.
    fileprivate var name: String {
        switch self {
        case .exportScene: "export the scene"
        case .replaceScene: "replace the scene"
        case .exportRoom: "export the room"
        case .importRoom: "import a room"
        case .deleteRoom: "delete the room"
        case .members: "list members"
        case .release: "release the room"
        case .remove(let connection): "remove member \(connection)"
        case .exclude: "exclude a person"
        case .expel: "end all connections"
        case .rooms: "list rooms"
        }
    }
}

extension HTTPResponse {
    init(status: Int, isJSON: Bool, body: [UInt8]) {
        self.init(
            status: status,
            contentType: isJSON ? "application/json" : "text/plain; charset=utf-8", body: body,
            headers: Self.plainHeaders)
    }
}
