import ClusterJournal
import SceneCluster
import SceneRelay
import SceneSession
import SceneWire
import SeededRandom

/// Members of rooms: those whose connections are at the room's owner, and those at other nodes.
extension JournalSimulation {
    // MARK: Connections

    /// A client says hello: its room is served here, or over a link to its owner.
    func admit(_ hello: Hello, over id: Int) {
        let (client, node) = (clients[connections[id].client], connections[id].node)
        let room = roomOf[client.number]
        let member = MemberID(UInt64(id))
        let applicant = Applicant(
            role: client.role, makesRooms: false, format: client.format, hello: hello)
        guard nodes[node].process?.state.isRelayed(map.shard(ofRoom: room)) == true else {
            return join(member, applicant, room, at: node)
        }
        connections[id].isRelayed = true
        let (session, token) = makeNames()
        relay(at: node) { edge, now in
            edge.join(
                room, member, applicant,
                as: Admission(
                    applicant, session: session, resumeToken: token, monotonicMilliseconds: 0),
                at: now)
        }
        seekOwners(node)
    }

    /// Passes a client's message to where its room is served.
    func pass(_ message: ClientMessage, over id: Int) {
        let (node, room) = (connections[id].node, roomOf[connections[id].client])
        let member = MemberID(UInt64(id))
        guard connections[id].isRelayed else {
            return handle(.received(member, message), of: room, at: node)
        }
        relay(at: node) { $0.receive(message, from: member, of: room, at: $1) }
    }

    /// A connection at a process that is still there has ended.
    func leave(_ id: Int) {
        let (node, room) = (connections[id].node, roomOf[connections[id].client])
        let member = MemberID(UInt64(id))
        guard connections[id].isRelayed else { return leave(member, room, at: node) }
        relay(at: node) { $0.leave(member, of: room, at: $1) }
    }

    // MARK: Rooms

    /// A member joins a room, which is opened first if it is not open here.
    func join(_ member: MemberID, _ applicant: Applicant, _ room: String, at node: Int) {
        guard let session = nodes[node].process?.rooms[room]?.session else {
            let isNew = nodes[node].process?.loading[room] == nil
            nodes[node].process?.loading[room, default: .init()].applicants.append(
                (member, applicant))
            if isNew { ask(.load(room: room, from: nil), of: node) }
            return
        }
        let resumed = session.resumableSession(applicant.hello.resume)
        // As the server has it: who comes back to a session that is not known here may come to an
        // owner that has been replaced.
        let isTrusted =
            applicant.isProved || applicant.role == .viewer || applicant.hello.resume == nil
        guard resumed != nil || isTrusted else { return prove(member, applicant, room, at: node) }
        catchUp(room, with: member, applicant.hello.resume, at: node)
        let (name, token) = makeNames()
        settledAt = nil
        handle(
            .joined(
                member,
                Admission(
                    applicant, session: resumed ?? name, resumeToken: token,
                    monotonicMilliseconds: 0)),
            of: room, at: node)
    }

    private func prove(
        _ member: MemberID, _ applicant: Applicant, _ room: String, at node: Int
    ) {
        nodes[node].process?.unproved.insert(member)
        guard let request = nodes[node].process?.begin(.join(member, applicant), of: room) else {
            return
        }
        ask(request, of: node)
    }

    /// A member at another node saw ticks of the room's last owner that left no record.
    private func catchUp(
        _ room: String, with member: MemberID, _ resume: Resume?, at node: Int
    ) {
        guard RelayHost.isRelayed(member), let seen = resume?.lastTick,
            let session = nodes[node].process?.rooms[room]?.session
        else { return }
        if seen >= session.tick {
            nodes[node].process?.rooms[room]?.tickBase = seen + 1
            nodes[node].process?.rooms[room]?.timeBase = now
        }
        handle(.shown(seen), of: room, at: node)
    }

    func leave(_ member: MemberID, _ room: String, at node: Int) {
        nodes[node].process?.loading[room]?.applicants.removeAll { $0.member == member }
        nodes[node].process?.unproved.remove(member)
        handle(.left(member), of: room, at: node)
    }

    private func makeNames() -> (session: String, token: String) {
        nextName += 1
        return ("session-\(nextName)", "token-\(nextName)")
    }

    // MARK: What members are told

    /// Sends what a room tells its members, wherever they are.
    func send(_ payloads: [[UInt8]], to members: [MemberID], at node: Int) {
        let relayed = members.filter(RelayHost.isRelayed)
        if !relayed.isEmpty, plant != .deliveryLost || !random.chance(1, of: 20) {
            nodes[node].process?.host.send(payloads, to: relayed)
        }
        for member in members where !RelayHost.isRelayed(member) {
            for payload in payloads { sendDown(payload, Int(member.rawValue)) }
        }
    }

    /// A room closes a member's connection.
    func close(_ member: MemberID, _ code: CloseCode, _ reason: String, at node: Int) {
        guard RelayHost.isRelayed(member) else { return closeSoon(member) }
        let effects = nodes[node].process?.host.close(member, code, reason: reason)
        carryOut(effects ?? [], at: node)
    }

    /// Closes a connection behind what was sent over it.
    func closeSoon(_ member: MemberID) {
        let id = Int(member.rawValue)
        queue.plan(.close(connection: id), at: max(connections[id].downstream, now + 1))
    }
}
