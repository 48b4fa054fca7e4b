import SceneSession
import SceneWire
import SeededRandom

extension Simulation {
    /// Undelivered messages beyond which a connection holds more than any reader may cause.
    private static let inFlightMaximum = 300

    // MARK: Connections

    func connect(_ client: Int) {
        guard connectionOf[client] == nil, !(isHealed && clients[client].lies) else { return }
        guard session != nil, !desertion.lasts(at: now) else {
            queue.plan(.connect(client: client), at: now + 30 + random.below(60))
            return
        }
        let id = connections.count
        connections.append(Connection(client: client, upstream: now, downstream: now))
        connectionOf[client] = id
        send(clients[client].connected(at: nanoseconds), over: id)
        queue.plan(.act(client: client), at: now + 10 + random.below(20))
    }

    /// Sends a client's messages, and notes when it has something to do next.
    func send(_ messages: [ClientMessage], over id: Int) {
        for message in messages { send(message, over: id) }
        let client = connections[id].client
        guard let time = clients[client].wakeTime else { return }
        let wake = max(moment(atOrAfter: time), now)
        if let planned = clients[client].plannedWake, planned <= wake { return }
        clients[client].plannedWake = wake
        queue.plan(.wake(client: client), at: wake)
    }

    /// Has a client do what is due.
    func wake(_ client: Int) {
        if clients[client].plannedWake == now { clients[client].plannedWake = nil }
        guard let id = connectionOf[client] else { return }
        send(clients[client].wake(at: nanoseconds), over: id)
        if clients[client].hasGivenUp { cut(id) }
    }

    /// Sends a client's message; some are sent twice.
    func send(_ message: ClientMessage, over id: Int) {
        guard connections[id].isOpen else { return }
        var copies = 1
        if case .ops = message, !isHealed, random.chance(1, of: 20) { copies = 2 }
        for _ in 0..<copies {
            let time = max(connections[id].upstream, now + 1 + random.below(12))
            connections[id].upstream = time
            queue.plan(.arrive(connection: id, message), at: time)
        }
    }

    func arrive(_ id: Int, _ message: ClientMessage) {
        guard connections[id].isOpen, let session else { return }
        let client = clients[connections[id].client]
        guard case .hello(let hello) = message else {
            carryOut(session.handle(.received(MemberID(UInt64(id)), message)))
            return
        }
        nextName += 1
        let name = session.resumableSession(hello.resume) ?? "session-\(nextName)"
        carryOut(
            session.handle(
                .joined(
                    MemberID(UInt64(id)),
                    Admission(
                        session: name, resumeToken: "token-\(nextName)", role: client.role,
                        format: client.format, monotonicMilliseconds: 0, hello: hello))))
    }

    func carryOut(_ effects: [SessionEffect]) {
        let records = effects.compactMap { effect in
            if case .append(let record) = effect { record } else { nil }
        }
        if !records.isEmpty { keep(records) }
        for effect in effects {
            switch effect {
            case .append: break
            case .readJournal(let member, let tick):
                queue.plan(
                    .readPast(connection: Int(member.rawValue), tick: tick, life: life),
                    at: now + 1 + random.below(20))
            case .readScene(let member, let room):
                queue.plan(
                    .readBranch(connection: Int(member.rawValue), room: room, life: life),
                    at: now + 1 + random.below(20))
            // The branches are made up.
            case .suggestionChanged: break
            case .replacedScene:
                faults.append("the room answers an administrator that is not there")
            case .record: faults.append("the room records events, which nobody asked for")
            // Elsewhere there is time for it.
            case .overran: session?.slice = .max
            // Only of rooms in a cluster.
            case .prove: break
            case .abandon(let reason): faults.append("the room gave up: \(reason)")
            case .close(let member, _, _):
                let id = Int(member.rawValue)
                let time = max(connections[id].downstream, now + 1)
                queue.plan(.close(connection: id), at: time)
            case .send(let payloads, _, let members), .offer(let payloads, _, let members):
                for member in members {
                    for payload in payloads { sendDown(payload, Int(member.rawValue)) }
                }
            }
        }
    }

    private func sendDown(_ payload: [UInt8], _ id: Int) {
        guard connections[id].isOpen else { return }
        // Now and then a reader stops for a while.
        let pause = !isHealed && random.chance(1, of: 150) ? 100 + random.below(400) : 0
        let time = max(connections[id].downstream, now + 1 + random.below(12)) + pause
        connections[id].downstream = time
        connections[id].inFlight += 1
        if connections[id].inFlight > Self.inFlightMaximum, !clients[connections[id].client].lies {
            faults.append(
                "\(connections[id].inFlight) messages wait for client \(connections[id].client)")
        }
        queue.plan(.deliver(connection: id, payload), at: time)
    }

    func deliver(_ id: Int, _ payload: [UInt8]) {
        connections[id].inFlight -= 1
        guard connections[id].isOpen else { return }
        let client = clients[connections[id].client]
        send(client.receive(payload, at: nanoseconds), over: id)
        if isHealed { dealWithEvents(client, over: id) }
    }

    /// Ends a connection at both ends; what is on its way is lost.
    func cut(_ id: Int) {
        guard connections[id].isOpen else { return }
        drop(id)
        if let session { carryOut(session.handle(.left(MemberID(UInt64(id))))) }
    }

    func drop(_ id: Int) {
        connections[id].isOpen = false
        let client = connections[id].client
        connectionOf[client] = nil
        clients[client].disconnected(at: nanoseconds)
        queue.plan(.connect(client: client), at: now + 20 + random.below(100))
    }

    func close(_ id: Int) { cut(id) }

    // MARK: What clients do

    func act(_ client: Int) {
        guard let id = connectionOf[client] else { return }
        guard !isHealed else { return }
        queue.plan(.act(client: client), at: now + 4 + random.below(40))
        let simulated = clients[client]
        guard simulated.isWelcomed else { return }
        if random.chance(1, of: 60) {
            cut(id)
            return
        }
        if simulated.lies {
            send(simulated.lie(&random), over: id)
            return
        }
        actWithEvents(simulated, over: id)
        annotate(simulated, over: id)
        if let device = devices.next(for: simulated) {
            send(simulated.change(device: device), over: id)
        }
        switch random.below(12) {
        case 0: send(simulated.presence(), over: id)
        case 1 where simulated.capabilities & Capability.seek != 0 && simulated.role == .viewer:
            var seek = Seek()
            seek.isLive = simulated.isWatchingPast && random.below(2) == 0
            seek.tick = UInt64(random.below(Int(session?.tick ?? 0) + 1))
            seek.speed = random.pick([0, 0.5, 1, 3, -1])
            send(simulated.seek(seek), over: id)
        case 2,
            3 where simulated.role == .editor && simulated.capabilities & Capability.undo != 0:
            guard simulated.capabilities & Capability.undo != 0, simulated.role == .editor else {
                return
            }
            send(simulated.takeBack(isUndo: random.below(3) > 0), over: id)
        default:
            guard simulated.role == .editor else { return }
            if client == bombs.client {
                let isAtomic = random.below(4) == 0
                return send(
                    simulated.ops(bombs.message(), group: 0, isAtomic: isAtomic), over: id)
            }
            let message =
                random.chance(1, of: 60)
                ? #"[{"op":"setScene","scene":1,"viewport":{"width":300,"height":200},"views":[{"id":"bar","frame":[1,2,3,4]},{"id":"v1"}],"constraints":["v1.left == \#(random.below(50))"]}]"#
                : ops.message()
            send(
                simulated.ops(
                    message, group: UInt32(random.below(3)), isAtomic: random.below(4) == 0),
                over: id)
        }
    }
}
