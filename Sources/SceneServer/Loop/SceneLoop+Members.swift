import SceneRelay
import SceneSession
import SceneWire

/// Adds members to rooms and removes them.
extension SceneLoop {
    func join(_ room: String, _ member: MemberID, _ applicant: Applicant) {
        if applicant.isProved, !configuration.unproved.remove(member) { return }
        guard rooms.live(room) == nil else { return admit(member, applicant, to: room) }
        if let reason = configuration.quarantine.reason(for: room) {
            return refuse(
                member, applicant, .noSuchSession, "room \(room) is put aside: \(reason)")
        }
        if rooms.loading(room) == nil { beginLoading(room) }
        var loading = rooms.loading(room) ?? LoadingRoom()
        loading.applicants.append((member, applicant))
        rooms.load(room, loading)
    }

    func leave(_ room: String, _ member: MemberID) {
        if var loading = rooms.loading(room) {
            loading.applicants.removeAll { $0.0 == member }
            rooms.load(room, loading)
        }
        configuration.unproved.remove(member)
        handle(room, .left(member))
        guard rooms.session(of: room)?.memberCount == 0 else { return }
        rooms.vacate(room, at: clock.tick)
        // Nothing of it was ever written: the next visitor finds the same.
        if rooms.live(room)?.unwritten != nil { remove(room) }
    }

    func admit(_ member: MemberID, _ applicant: Applicant, to room: String) {
        guard let session = rooms.session(of: room) else {
            refuse(
                member, applicant, .noSuchSession,
                "there is no room \(room), and this client may not create it"
            )
            return
        }
        let resumed = session.resumableSession(
            applicant.hello.resume, of: applicant.subject)
        guard resumed != nil || !needsProof(applicant) else {
            return prove(member, applicant, to: room)
        }
        guard let name = resumed ?? configuration.makeToken(), let token = configuration.makeToken()
        else {
            refuse(
                member, applicant, .noSuchSession,
                "the system provides no random numbers; try again later")
            return
        }
        let admission = Admission(
            applicant, session: name, resumeToken: token,
            monotonicMilliseconds: clock.elapsed / 1_000_000)
        rooms.occupy(room)
        guard let live = rooms.live(room) else { return }
        timing(live) {
            passTime(in: room)
            catchUp(with: applicant.hello.resume, of: member, in: room)
            carryOut(session.handle(.joined(member, admission)), room: room)
        }
    }

    /// The most seconds by which a room is moved forward for a member that has seen later ticks.
    private static let catchUpSeconds: UInt64 = 600

    /// Moves a room forward to the tick that a member at another node has seen from the room's last
    /// owner. Ticks without a change leave no record, so the journal may end earlier; but no member
    /// is to see ticks fall.
    private func catchUp(with resume: Resume?, of member: MemberID, in room: String) {
        guard RelayHost.isRelayed(member), let session = rooms.session(of: room),
            let seen = resume?.lastTick,
            seen <= session.tick + Self.catchUpSeconds * UInt64(session.tickRate)
        else { return }
        if seen >= session.tick { rooms.advance(room, to: seen + 1, at: clock.tick) }
        carryOut(session.handle(.shown(seen)), room: room)
    }

    func refuse(
        _ member: MemberID, _ applicant: Applicant, _ code: CloseCode, _ text: String
    ) {
        var error = ErrorMessage()
        error.code = UInt32(code.rawValue)
        error.isRetryable = code.isRetryable
        error.text = text
        configuration.connections.send(
            [ServerMessage.error(error).encoded(as: applicant.format)], applicant.format,
            to: [member])
        configuration.connections.close(member, code, reason: text)
    }
}
