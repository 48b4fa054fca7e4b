import JSON
import SceneCluster
import SceneDocument
import SceneModel
import SceneRelay
import SceneSession
import SceneTestSupport
import SceneWire
import SeededRandom

/// A room, its owner and two other nodes over a network that loses, doubles and delays packets, and
/// clients at all of them.
final class RelayWorld {
    static let document = """
        {"scene": 1, "viewport": {"width": 400, "height": 200},
         "views": [{"id": "bar"}, {"id": "title", "parent": "bar", "kind": "label", "text": "Hello"}],
         "constraints": [
           "bar.leading == root.leading", "bar.top == root.top", "bar.height == 40",
           {"id": "w", "rule": "bar.width == 100"},
           "title.leading == bar.leading + 8", "title.top == bar.top + 8"]}
        """

    /// A fault that is planted, and that the checks have to find.
    enum Plant: CaseIterable {
        /// The next owner does not know the last record.
        case recordLost
        /// A member that comes back has no session there.
        case sessionsForgotten
        /// What a member is sent is thrown away now and then.
        case messagesDropped
    }

    private let plant: Plant?
    var owner: SceneSession
    var host: RelayHost
    var ownerLife = NodeLife(node: NodeID(0), life: 1)
    /// An owner that gave the room away, and ticks on.
    var former: FormerOwner?
    /// Nothing reaches the owner before this step, for it has to open the room.
    var opensAt: UInt64 = 0
    private var edges: [RelayEdge]
    private var edgeLives = [
        NodeLife(node: NodeID(1), life: 1), NodeLife(node: NodeID(2), life: 1),
    ]
    /// Who owns the room, as the edges know it.
    private var knownOwner: NodeLife?
    private(set) var journal: [JournalRecord] = []
    /// The nodes whose packets are lost, both ways.
    var cut: Set<Int> = []
    private var underWay: [(at: UInt64, packet: LinkPacket)] = []
    private var random: SplitMix64
    private(set) var step: UInt64 = 0
    private var nextID: UInt64 = 1
    var clients: [Client] = []
    /// Of a hundred packets, how many are lost, and how many are doubled.
    var losses = 0
    /// What is drawn for copies of packets that come seconds later; none come without it.
    var lateness: SplitMix64?
    /// Whether the journal keeps nothing at present.
    var isStalled = false { didSet { tellDurable() } }
    /// The last record that the owner has not been told to be kept.
    private(set) var decided: UInt64?
    private(set) var attaches = 0
    /// Why the owner gave the room up; usually nothing.
    var troubles: [String] = []
    /// How many members the owner was asked to admit for others.
    private(set) var relayedJoins = 0

    init(seed: UInt64, plant: Plant? = nil) throws {
        self.plant = plant
        random = SplitMix64(seed: seed)
        let model = try SceneModel(try SceneDocument.parse(Array(Self.document.utf8)))
        let (session, effects) = SceneSession.create(room: "hall", tickRate: 60, model: model)
        owner = session
        owner.traceClock = { 0 }
        host = RelayHost(ownerLife)
        edges = edgeLives.map { RelayEdge($0, tickRate: 60, options: SessionOptions()) }
        knownOwner = ownerLife
        carryOut(effects)
    }

    var now: MonotonicInstant {
        MonotonicInstant(nanoseconds: step * 1_000_000_000 / 60 + 1)
    }

    func client(_ name: String) -> Client? { clients.first { $0.name == name } }

    // MARK: Clients

    @discardableResult
    func join(
        _ name: String, edge: Int?, role: Role = .viewer,
        capabilities: UInt64 = Capability.keyframes, roots: [String] = [],
        resume: Resume? = nil, mirror: SceneMirror = SceneMirror()
    ) -> Client {
        var hello = Hello()
        hello.role = role
        hello.capabilities = capabilities
        hello.roots = roots
        hello.resume = resume
        let client = Client(
            name, MemberID(nextID), hello, edge: edge, mirror: mirror
        ) { [unowned self] in step }
        nextID += 1
        clients.append(client)
        let known =
            edge == nil && plant != .sessionsForgotten ? owner.resumableSession(resume) : nil
        let admission = Admission(
            session: known ?? "session-\(name)", resumeToken: "token-\(name)", role: role,
            format: .binary, monotonicMilliseconds: 0, hello: hello)
        guard let edge else {
            carryOut(owner.handle(.joined(client.id, admission)))
            return client
        }
        let applicant = Applicant(role: role, makesRooms: false, format: .binary, hello: hello)
        carryOut(edges[edge].join("hall", client.id, applicant, as: admission, at: now))
        return client
    }

    /// A client's connection is cut.
    func leave(_ client: Client) {
        guard client.closed == nil else { return }
        client.closed = .draining
        if let edge = client.edge {
            carryOut(edges[edge].leave(client.id, of: "hall", at: now))
        } else {
            carryOut(owner.handle(.left(client.id)))
        }
    }

    /// Whether an edge sends those whom the owner served back to itself.
    func leadOn(_ leadsOn: Bool, edge: Int) { edges[edge].leadsOn = leadsOn }

    /// An administrator removes a client at another node than the owner.
    func revoke(_ client: Client) {
        guard let edge = client.edge else { return }
        carryOut(edges[edge].revoke(client.id, of: "hall", at: now))
    }

    func send(_ message: ClientMessage, from client: Client) {
        guard let edge = client.edge else {
            return carryOut(owner.handle(.received(client.id, message)))
        }
        carryOut(edges[edge].receive(message, from: client.id, of: "hall", at: now))
    }

    func apply(_ ops: String, from client: Client, sequence: UInt64) throws {
        var message = Ops()
        message.clientSequence = sequence
        message.ops = try JSONReader.read(Array(ops.utf8))
        send(.ops(message), from: client)
    }

    // MARK: The owner's death

    /// A node dies that does not own the room, and another process takes its place.
    func killEdge(_ index: Int) {
        let life = edgeLives[index]
        underWay.removeAll { $0.packet.sender == life || $0.packet.receiver == life }
        for client in clients where client.edge == index && client.closed == nil {
            client.closed = .draining
        }
        edgeLives[index].life += 1
        edges[index] = RelayEdge(edgeLives[index], tickRate: 60, options: SessionOptions())
    }

    /// The owner takes a node that lives for gone, and that one knows nothing of it.
    func missEdge(_ index: Int) {
        let life = edgeLives[index]
        carryOut(host.endLinks(at: now) { $0 == life })
    }

    /// Forgets clients whose connection is closed.
    func forgetClosed() { clients.removeAll { $0.closed != nil } }

    /// The owner dies, and another process owns the room from its journal after some ticks.
    func killOwner(absentTicks: Int) throws {
        knownOwner = nil
        underWay.removeAll { $0.packet.sender == ownerLife || $0.packet.receiver == ownerLife }
        for client in clients where client.edge == nil {
            client.closed = client.closed ?? .draining
        }
        clients.removeAll { $0.edge == nil }
        run(ticks: absentTicks)
        ownerLife.life += 1
        if plant == .recordLost, journal.count > 1 { journal.removeLast() }
        try beginOwner()
    }

    /// Another process owns the room, from its journal.
    func beginOwner() throws {
        host = RelayHost(ownerLife)
        owner = SceneSession(room: "hall", tickRate: 60, replay: try JournalReplay(journal))
        knownOwner = ownerLife
    }

    // MARK: Time

    func run(ticks: Int, acknowledge: Bool = true) {
        for _ in 0..<ticks {
            step += 1
            let due = underWay.filter { $0.at <= step }
            underWay.removeAll { $0.at <= step }
            for item in due { deliver(item.packet) }
            if knownOwner != nil, step >= opensAt {
                carryOut(owner.handle(.tick(owner.tick + 1)))
            }
            tickFormer()
            for index in edges.indices {
                carryOut(edges[index].follow(at: now, isHeard: isHeard) { _ in knownOwner })
                carryOut(edges[index].advance(to: now))
            }
            if knownOwner != nil { carryOut(host.advance(to: now)) }
            guard acknowledge else { continue }
            for client in clients where client.closed == nil && !client.mirror.needsSnapshot {
                var ack = Ack()
                ack.tick = client.mirror.tick
                send(.ack(ack), from: client)
            }
        }
    }

    private func deliver(_ packet: LinkPacket) {
        if let former, packet.receiver == former.life {
            carryOut(former.host.receive(packet, at: now), of: former)
        } else if packet.receiver == ownerLife {
            guard step >= opensAt else { return underWay.append((opensAt, packet)) }
            if knownOwner != nil { carryOut(host.receive(packet, at: now)) }
        } else if let index = edgeLives.firstIndex(of: packet.receiver) {
            carryOut(edges[index].receive(packet, at: now))
        }
    }

    private func isHeard(_ life: NodeLife) -> Bool {
        knownOwner != nil && life == ownerLife || life == former?.life
    }

    func transmit(_ packet: LinkPacket) {
        let isCut = cut.contains {
            packet.sender == edgeLives[$0] || packet.receiver == edgeLives[$0]
        }
        guard !isCut, !random.chance(losses, of: 100) else { return }
        let copies = random.chance(losses, of: 100) ? 2 : 1
        for _ in 0..<copies {
            let delay = losses == 0 ? 1 : UInt64(1 + random.below(4))
            underWay.append((step + delay, packet))
        }
        if lateness?.chance(1, of: 20) == true {
            underWay.append((step + 30 + UInt64(lateness?.below(300) ?? 0), packet))
        }
    }

    // MARK: Effects

    func carryOut(_ effects: [SessionEffect]) {
        var last: UInt64?
        for effect in effects {
            switch effect {
            case .append(let record):
                journal.append(record)
                last = record.sequence
            case .send(let payloads, _, let members), .offer(let payloads, _, let members):
                host.send(payloads, to: members.filter(RelayHost.isRelayed))
                receive(payloads, members)
            case .close(let member, let code, let reason):
                if RelayHost.isRelayed(member) {
                    carryOut(host.close(member, code, reason: reason))
                } else {
                    close(member, code)
                }
            case .abandon(let reason): troubles.append(reason)
            case .prove, .record, .readJournal, .readScene, .suggestionChanged, .replacedScene,
                .overran:
                break
            }
        }
        if let last { decided = last }
        tellDurable()
    }

    private func tellDurable() {
        guard let last = decided, !isStalled else { return }
        decided = nil
        carryOut(owner.handle(.durable(through: last)))
    }

    private func carryOut(_ effects: [RelayHost.Effect]) {
        for effect in effects {
            switch effect {
            case .packet(let packet): transmit(packet)
            case .join(_, let member, let applicant):
                relayedJoins += 1
                var hello = applicant.hello
                // As the server does: ticks never fall for those who watch.
                if let seen = hello.resume?.lastTick { carryOut(owner.handle(.shown(seen))) }
                let known =
                    plant == .sessionsForgotten ? nil : owner.resumableSession(hello.resume)
                if known == nil, hello.resume?.session.isEmpty == false {
                    hello.resume?.session = "unknown"
                }
                let admission = Admission(
                    session: known ?? "relayed-\(ownerLife.life)-\(member.rawValue)",
                    resumeToken: "secret",
                    role: applicant.role, format: applicant.format, monotonicMilliseconds: 0,
                    hello: hello)
                carryOut(owner.handle(.joined(member, admission)))
            case .message(_, let member, let message, _):
                carryOut(owner.handle(.received(member, message)))
            case .left(_, let member): carryOut(owner.handle(.left(member)))
            case .revoke(_, let member): owner.revoke(member)
            case .trouble: break
            }
        }
    }

    private func carryOut(_ effects: [RelayEdge.Effect]) {
        for effect in effects {
            switch effect {
            case .packet(let packet): transmit(packet)
            case .send(let payloads, _, let members): receive(payloads, members)
            case .close(let member, let code, _): close(member, code)
            case .attached: attaches += 1
            case .emptied, .detached: break
            }
        }
    }

    private func receive(_ payloads: [[UInt8]], _ members: [MemberID]) {
        for member in members where !RelayHost.isRelayed(member) {
            if plant == .messagesDropped, random.chance(1, of: 100) { continue }
            guard let client = clients.first(where: { $0.id == member }) else { continue }
            for payload in payloads {
                if let message = try? ServerMessage.decode(payload, as: .binary) {
                    client.take(message)
                }
            }
        }
    }

    private func close(_ member: MemberID, _ code: CloseCode) {
        clients.first { $0.id == member }?.closed = code
        // The driver tells of the end of each connection.
        guard let client = clients.first(where: { $0.id == member }) else { return }
        if let edge = client.edge {
            carryOut(edges[edge].leave(member, of: "hall", at: now))
        } else {
            carryOut(owner.handle(.left(member)))
        }
    }
}
