import ClusterJournal
import Dispatch
import Logging
import SceneCluster
import SceneRelay
import SceneSession
import SceneWire
import Threads

/// The work of the relay's thread: drives both ends of the links between nodes. Belongs to that
/// thread.
final class RelayLoop {
    /// The parts of the server that the thread uses.
    struct Parts: Sendable {
        var cluster: ClusterID
        var subjects: ClusterSubjects
        var view: ClusterView
        var rooms: RoomDirectory
        /// Members' connections at this node.
        var connections: any MemberConnections
        var settings: ServerSettings
        var memory: MemoryLedger
        var metrics: ServerMetrics
        var logger: Logger
        var activity: Activity
        var tickRate: Int
        var session: SessionOptions
        /// Makes names and secrets of sessions; `nil` while the system provides no random numbers.
        var makeToken: @Sendable () -> String? = SessionToken.make
    }

    private static let tickNanoseconds: UInt64 = 10_000_000

    private let identity: NodeLife
    private var engine: any ClusterEngine
    private let inbox: Monitor<[RelayThread.Mail]>
    let parts: Parts
    private var edge: RelayEdge
    private var host: RelayHost
    /// Requests of administrators, here and at other nodes.
    var desk: RequestDesk
    /// Carries out what was asked at other nodes; `nil` until it is named.
    private(set) var handler: (any NodeRequestHandler)?
    private var nextTick: UInt64 = 0
    private var isStopping = false
    /// Packets for this node itself, which owns rooms that members here came to while another did.
    private var own: [LinkPacket] = []
    /// What was noted and is not noted again.
    private var toldTroubles: Set<String> = []

    init(
        _ identity: NodeLife, engine: any ClusterEngine, inbox: Monitor<[RelayThread.Mail]>,
        parts: Parts
    ) {
        self.identity = identity
        self.engine = engine
        self.inbox = inbox
        self.parts = parts
        edge = RelayEdge(identity, tickRate: parts.tickRate, options: parts.session)
        host = RelayHost(identity)
        desk = RequestDesk(identity)
    }

    private static var nanoseconds: UInt64 { DispatchTime.now().uptimeNanoseconds }
    /// What other threads have for this one.
    var mailbox: RelayMailbox { RelayMailbox(inbox) }
    private var now: MonotonicInstant { MonotonicInstant(nanoseconds: Self.nanoseconds) }

    /// Works until it is told to stop.
    func run() {
        nextTick = Self.nanoseconds
        while !isStopping {
            let mail = take()
            parts.activity.begin("members at other nodes")
            let now = now
            for item in mail { take(item, at: now) }
            let time = Self.nanoseconds
            if time >= nextTick {
                nextTick = time + Self.tickNanoseconds
                if edge.seeksOwners { seekOwners(at: now) }
            }
            exchange()
        }
        parts.activity.rest()
    }

    private func take() -> [RelayThread.Mail] {
        parts.activity.rest()
        return inbox.wait { mail, hasTimedOut in
            let now = Self.nanoseconds
            guard mail.isEmpty, !hasTimedOut, now < nextTick else {
                defer { mail = [] }
                return .finish(mail)
            }
            return .waitAtMost(nanoseconds: nextTick - now)
        }
    }

    /// Sends what is to be sent, until nothing of it is for this node itself.
    private func exchange() {
        repeat {
            let now = now
            let packets = own
            own = []
            for packet in packets { take(packet, at: now) }
            carryOut(edge.advance(to: now))
            carryOut(host.advance(to: now))
            carryOut(desk.advance(to: now))
        } while !own.isEmpty
        let (rooms, members) = edge.counts
        let (links, guests) = host.counts
        parts.memory.note(requestsOf: desk.byteCount)
        parts.metrics.relay.set(
            edgeRooms: rooms, edgeMembers: members, hostLinks: links, hostMembers: guests)
    }

    // MARK: Mail

    private func take(_ mail: RelayThread.Mail, at now: MonotonicInstant) {
        switch mail {
        case .edge(let room, let mail): take(mail, of: room, at: now)
        case .send(let payloads, let members): host.send(payloads, to: members)
        case .close(let member, let code, let reason):
            carryOut(host.close(member, code, reason: reason))
        case .packet(let bytes):
            do throws(PacketError) {
                take(try LinkPacket.decode(bytes, cluster: parts.cluster), at: now)
            } catch {
                tellOnce(error.description)
            }
        case .request(let request, let room, let node, let tell):
            ask(request, of: node, in: room, at: now, tell)
        case .reply(let reply, let key): desk.reply(reply, to: key)
        case .handler(let handler): self.handler = handler
        case .engine(let engine): self.engine = engine
        case .view: followOwners(at: now)
        case .stop: isStopping = true
        }
    }

    private func take(_ mail: MemberMail, of room: String, at now: MonotonicInstant) {
        switch mail {
        case .join(let member, let applicant): join(room, member, applicant, at: now)
        case .message(let member, let message, _):
            carryOut(edge.receive(message, from: member, of: room, at: now))
        case .left(let member): carryOut(edge.leave(member, of: room, at: now))
        case .revoke(let member): carryOut(edge.revoke(member, of: room, at: now))
        }
    }

    private func take(_ packet: LinkPacket, at now: MonotonicInstant) {
        // One for an earlier process of this node.
        guard packet.receiver == identity else { return }
        if RequestEdge.isOfRequest(packet) {
            receive(requestPacket: packet, at: now)
        } else if packet.isFromEdge {
            carryOut(host.receive(packet, at: now))
        } else {
            carryOut(edge.receive(packet, at: now))
        }
    }

    private func join(
        _ room: String, _ member: MemberID, _ applicant: Applicant, at now: MonotonicInstant
    ) {
        guard let name = parts.makeToken(), let token = parts.makeToken() else {
            return parts.connections.close(
                member, .noSuchSession,
                reason: "the system provides no random numbers; try again later")
        }
        let admission = Admission(
            applicant, session: name, resumeToken: token,
            monotonicMilliseconds: parts.rooms.mailbox(of: room).clock.elapsed / 1_000_000)
        carryOut(edge.join(room, member, applicant, as: admission, at: now))
        seekOwners(at: now)
    }

    private func seekOwners(at now: MonotonicInstant) {
        let view = parts.view
        carryOut(edge.seek(at: now) { view.owner(of: $0) })
    }

    private func followOwners(at now: MonotonicInstant) {
        let view = parts.view
        edge.leadsOn = view.present.hearsOthers
        let nodes = view.present.nodes
        carryOut(
            edge.follow(at: now, isHeard: { $0 == identity || nodes.contains($0) }) {
                view.owner(of: $0)
            })
        // Its own beats may be late without anything being wrong with it.
        carryOut(host.endLinks(at: now) { $0 != identity && !nodes.contains($0) })
        carryOut(desk.endRequests { $0 != identity && !nodes.contains($0) })
    }

    // MARK: What is done

    private func carryOut(_ effects: [RelayEdge.Effect]) {
        for effect in effects {
            switch effect {
            case .packet(let packet): send(packet)
            case .send(let payloads, let format, let members):
                parts.connections.send(payloads, format, to: members)
            case .close(let member, let code, let reason):
                parts.connections.close(member, code, reason: reason)
            case .emptied: break
            case .attached: parts.metrics.relay.attaches.add()
            case .detached(let room, let reason):
                parts.metrics.relay.gaps.add()
                parts.logger.info("the link for room \(room) has ended: \(reason)")
            }
        }
    }

    private func carryOut(_ effects: [RelayHost.Effect]) {
        for effect in effects {
            switch effect {
            case .packet(let packet): send(packet)
            case .join(let room, let member, var applicant):
                let settings = parts.settings.current
                applicant.limits = settings.limits.granted
                applicant.alternates = settings.alternates.addresses(of: room)
                parts.rooms.post(.member(.join(member, applicant)), to: room)
            case .message(let room, let member, let message, let byteCount):
                guard let claim = parts.memory.admit(messageOf: byteCount) else {
                    carryOut(
                        host.close(
                            member, .rateLimited, reason: "too many messages wait for busy rooms"))
                    break
                }
                parts.rooms.post(.member(.message(member, message, claim)), to: room)
            case .left(let room, let member):
                parts.rooms.post(.member(.left(member)), to: room)
            case .revoke(let room, let member):
                parts.rooms.post(.member(.revoke(member)), to: room)
            case .trouble(let text): tellOnce(text)
            }
        }
    }

    func send(_ packet: LinkPacket) {
        guard packet.receiver != identity else {
            own.append(packet)
            return
        }
        // A room's name that was admitted fits.
        guard let bytes = try? packet.encoded(cluster: parts.cluster) else { return }
        engine.send(bytes, to: parts.subjects.link(to: packet.receiver.node))
    }

    /// Notes a trouble that may come many times a second.
    func tellOnce(_ text: String) {
        guard toldTroubles.count < 64, toldTroubles.insert(text).inserted else { return }
        parts.logger.error("\(text)")
    }
}
