import ClusterJournal
import Essentials
import FoundationEssentials
import RoomNames
import SceneSession
import SceneWire
import Synchronization
import WebSocketTransport

/// Admits connections to rooms, removes them, and announces the server's shutdown.
extension Gateway {
    /// Whether a request without a token is allowed: never with keys; without keys from this
    /// machine, with a certificate that was verified, and from anywhere if insecure binding is
    /// allowed.
    func isOpen(to source: some RequestSource) -> Bool {
        settings.current.authenticator == nil
            && (options.allowsInsecureBind || source.isThisMachines(options.origins)
                || source.certificateName != nil)
    }

    /// The rights of a token, or of no token without keys; the certificate names the subject where
    /// the token does not.
    private func named(_ grant: Grant, _ info: ConnectionInfo) -> Grant {
        guard grant.subject.isEmpty, let name = info.certificateName else { return grant }
        var grant = grant
        grant.subject = Self.certificatePrefix + name
        return grant
    }

    /// What the subjects of certificates begin with, so that they are no token's by chance.
    private static let certificatePrefix = "cert:"

    /// Admits a connection after its hello: at once without keys, else after its token is verified.
    func admit(_ id: ConnectionID, _ hello: Hello) {
        guard let peer = table.withLock({ $0.peers[id] }) else { return }
        guard hello.room.isEmpty || hello.room == peer.room else {
            refuse(id, .noSuchSession, "the address says \(peer.room), hello says \(hello.room)")
            return
        }
        guard let authenticator = settings.current.authenticator else {
            var grant = Grant()
            // Without keys, clients receive the role that they ask for.
            grant.role = hello.role
            grant.rights = options.openRights
            grant.rooms = ["*"]
            join(id, named(grant, peer.info), token: "")
            return
        }
        let token = Self.bearerToken(peer.info.authorization) ?? hello.token
        // Verification does not run on the event loop, since it would delay frames.
        Task { [self] in
            do throws(TokenError) {
                let grant = try authenticator.verify(token)
                guard grant.covers(room: peer.room) else {
                    refuse(id, .unauthenticated, "the token is not for room \(peer.room)")
                    return
                }
                join(id, named(grant, peer.info), token: token)
            } catch {
                refuse(id, .unauthenticated, error.description)
            }
        }
    }

    /// The token of an `Authorization: Bearer` header. RFC 6750, section 2.1.
    static func bearerToken(_ header: String?) -> String? {
        guard let header, header.lowercased().hasPrefix("bearer ") else { return nil }
        return String(header.dropFirst(7)).trimmed
    }

    /// Adds a connection to its room, then forwards the messages that waited. Messages that arrive
    /// meanwhile wait too, to preserve their order.
    private func join(_ id: ConnectionID, _ grant: Grant, token: String) {
        enum Step {
            case refuse(CloseCode, String)
            case join(Peer, GrantedLimits)
        }
        let limits = settings.current.limits
        guard let room = table.withLock({ $0.peers[id]?.room }) else { return }
        let isRelayed = cluster?.view.isRelayed(room) ?? false
        guard enter(room, id, grant, limits) else { return }
        let step = table.withLock { table -> Step? in
            guard let peer = table.peers[id], peer.stage == .verifying else { return nil }
            let person = Bans.Person(grant, token: token)
            guard !table.bans.hold(person, room: RoomName.main(of: peer.room), now: now) else {
                return .refuse(.forbidden, Self.removal)
            }
            table.peers[id]?.grant = grant
            table.peers[id]?.token = token
            table.peers[id]?.wasMember = true
            table.peers[id]?.isRelayed = isRelayed
            table.peers[id]?.stage = .entering
            return .join(peer, limits.granted)
        }
        switch step {
        case nil: rooms.census.leave(room)
        case .refuse(let code, let text):
            rooms.census.leave(room)
            refuse(id, code, text)
        case .join(let peer, let granted):
            var role = Role.least(grant.role, peer.hello.role)
            // A client without events does not know the role either.
            if role == .participant, peer.hello.capabilities & Capability.events == 0 {
                role = .viewer
            }
            var applicant = Applicant(
                role: role, makesRooms: makesRooms(grant, as: role),
                format: peer.format, hello: peer.hello, subject: grant.subject,
                rights: grant.rights)
            applicant.limits = granted
            applicant.alternates = settings.current.alternates.addresses(of: peer.room)
            // Capabilities that the token does not allow are not granted, as if the client did not
            // support them.
            if !grant.seeks { applicant.hello.capabilities &= ~Capability.seek }
            if !grant.inspects {
                applicant.hello.capabilities &=
                    ~(Capability.inspect | Capability.fitting | Capability.follow)
            }
            // The room does not need the token.
            applicant.hello.token = ""
            // Before the room is notified, so that the announced limits apply from the welcome on.
            transport.admit(id)
            post(.join(MemberID(id.rawValue), applicant), to: room, isRelayed)
            while case let waiting = table.withLock({ $0.peers[id]?.handOver() ?? [] }),
                !waiting.isEmpty
            {
                for message in waiting {
                    post(.message(MemberID(id.rawValue), message), to: room, isRelayed)
                }
            }
            // If the connection closed meanwhile, the room received its end before its beginning.
            if table.withLock({ $0.peers[id] == nil }) {
                post(.left(MemberID(id.rawValue)), to: room, isRelayed)
            }
        }
    }

    /// Counts a connection as a member of its room, or refuses it.
    ///
    /// - Returns: Whether it was counted.
    private func enter(
        _ room: String, _ id: ConnectionID, _ grant: Grant, _ limits: ServerLimits
    ) -> Bool {
        let address = table.withLock { $0.peers[id]?.info.remoteAddress }.map {
            AddressGroup($0)
        }
        let opener: RoomCensus.Opener? =
            grant.subject.isEmpty
            ? address.map { .address($0) } : .subject(Subject(grant.subject))
        let entry = rooms.census.enter(
            room, by: opener,
            RoomCensus.Maxima(
                members: limits.membersPerRoom, rooms: limits.rooms,
                roomsOfOpener: limits.roomsPerPerson(at: address, subject: grant.subject)))
        if case .entered(_, let evicted?) = entry { rooms.post(.evict, to: evicted) }
        switch entry {
        case .tooManyMembers: refuse(id, .limit, "room \(room) is full")
        case .tooManyRooms:
            refuse(
                id, .rateLimited, "there are too many rooms with members; come back",
                retryAfter: Self.fullnessMilliseconds)
        case .tooManyOfOpener:
            refuse(
                id, .rateLimited,
                "too many rooms that you or your address have opened have members; come back",
                retryAfter: Self.fullnessMilliseconds)
        case .entered(opens: false, _): return true
        case .entered(opens: true, _) where memory.isShort:
            rooms.census.leave(room)
            refuse(
                id, .rateLimited, "the server has no memory for another room at present",
                retryAfter: Self.shortageMilliseconds)
        case .entered(opens: true, _):
            // Creating or loading a room costs far more than joining a loaded one.
            let wait = table.withLock { table -> UInt64 in
                guard let address else { return 0 }
                return table.openings.take(
                    60, of: address, perSecond: limits.roomsPerMinute(of: address), now: now)
            }
            guard wait > 0 else { return true }
            rooms.census.leave(room)
            refuse(
                id, .rateLimited, "too many rooms were opened from your address",
                retryAfter: UInt32(clamping: wait / 1_000_000 + 1))
        }
        return false
    }

    /// The close reason for a member that an administrator removed.
    static let removal = "removed by an administrator"

    private func makesRooms(_ grant: Grant, as role: Role) -> Bool {
        if let makesRooms = grant.makesRooms { return makesRooms && role == .editor }
        return options.roomMakers == .editors ? role == .editor : grant.isAdministrator
    }

    /// Replaces a connection's token. The new one must name the same subject and room, and no lower
    /// role or fewer rights, since these do not change during a session.
    func refresh(_ id: ConnectionID, _ token: String) {
        guard let peer = table.withLock({ $0.peers[id] }),
            let authenticator = settings.current.authenticator
        else { return }
        Task { [self] in
            do throws(TokenError) {
                let grant = named(try authenticator.verify(token), peer.info)
                guard grant.covers(room: peer.room),
                    Subject(grant.subject) == Subject(peer.grant.subject),
                    grant.role.rank >= peer.grant.role.rank,
                    grant.rights == peer.grant.rights,
                    grant.seeks || !peer.grant.seeks, grant.inspects || !peer.grant.inspects
                else {
                    refuse(id, .unauthenticated, "the new token is not for the same")
                    return
                }
                table.withLock {
                    $0.peers[id]?.grant.expires = grant.expires
                    $0.peers[id]?.token = token
                }
            } catch {
                refuse(id, .unauthenticated, error.description)
            }
        }
    }

    /// Closes connections that sent no hello in time, whose token has expired, or that have been
    /// silent for too long. Must be called about once a second.
    func checkDeadlines() {
        let (moment, seconds) = (now, Date().timeIntervalSince1970)
        let limits = settings.current.limits
        let late = table.withLock { table in
            table.peers.compactMap { id, peer -> (ConnectionID, CloseCode?, String)? in
                switch peer.stage {
                case .ended: return nil
                case .greeting, .verifying:
                    let limit = limits.helloSeconds
                    guard moment > peer.openedAt + UInt64(limit) * 1_000_000_000 else { return nil }
                    return (id, .unauthenticated, "no hello within \(limit) s")
                case .entering, .joined:
                    if let end = peer.grant.expires, end <= seconds {
                        return (id, .unauthenticated, TokenError.expired.description)
                    }
                    let limit = limits.idleSeconds
                    guard limit > 0,
                        moment > peer.heardAt + UInt64(limit) * 1_000_000_000
                    else { return nil }
                    return (id, .tooSlow, "no message within \(limit) s")
                }
            }
        }
        for (id, code, text) in late.sorted(by: { $0.0 < $1.0 }) {
            if let code { refuse(id, code, text) }
        }
    }

    /// Announces the server's shutdown to all connections, with a delay before they reconnect:
    /// spread over some seconds, so that they do not reconnect at once. Where other nodes serve the
    /// rooms there is nothing to wait for, so the first ones come to them at once.
    func announceDrain() {
        let areOthersThere = cluster.map { !$0.view.present.others.isEmpty } ?? false
        // 0 would leave it to clients how long they wait.
        let first = areOthersThere ? 1 : 500
        let peers = table.withLock { table in
            table.peers.filter { $0.value.stage != .ended }.map { ($0.key, $0.value.format) }
        }
        let spread = min(10_000, first + peers.count * 5)
        for (index, (id, format)) in peers.sorted(by: { $0.0 < $1.0 }).enumerated() {
            var error = ErrorMessage()
            error.code = UInt32(CloseCode.draining.rawValue)
            error.isRetryable = true
            error.retryAfterMilliseconds = UInt32(
                clamping: first + spread * index / max(peers.count, 1))
            error.text = "the server is going away; come back"
            send(.error(error), to: id, format)
        }
    }
}
