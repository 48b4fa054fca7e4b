import Logging
import SceneRelay
import SceneSession
import SceneWire

/// What a scene thread does where rooms may be another node's.
extension SceneLoop {
    /// Whether an applicant is admitted only once it is proved that the room is this process's: it
    /// names a session that this room does not know. Where another node owns the room, that one
    /// may, and the applicant must not be given a new session, under which it would send again what
    /// is kept under the old one. Viewers ask for no changes.
    func needsProof(_ applicant: Applicant) -> Bool {
        configuration.session.provesAnswers && !applicant.isProved && applicant.role != .viewer
            && applicant.hello.resume != nil
    }

    /// Has an applicant come again once the room is proved.
    func prove(_ member: MemberID, _ applicant: Applicant, to room: String) {
        var proved = applicant
        proved.isProved = true
        configuration.unproved.add(member)
        configuration.journal.prove(room, then: .member(.join(member, proved)))
    }

    /// Refuses all requests that wait for a room that is not here.
    func isElsewhere(_ room: String, _ reason: String) {
        guard let loading = rooms.finishLoading(room) else { return }
        for (member, applicant) in loading.applicants {
            refuse(member, applicant, .draining, reason)
        }
        for question in loading.questions { question.reply(.failed(reason)) }
        switch loading.scene {
        case .empty: break
        // Another node serves it, from its journal or from the same scene.
        case .opened: configuration.openings.note(room, nil)
        case .imported(_, let reply), .restored(_, let reply): reply(.failed(reason))
        }
    }

    /// A room decides nothing more, for it is about to be another process's, or does again.
    func hold(_ room: String, _ isHeld: Bool) {
        handle(room, .journalHeld(isHeld))
        guard isHeld, let session = rooms.session(of: room) else { return }
        configuration.journal.hold(room, at: session.journalHash)
    }

    /// The room was handed over with a state that its records, which come next, have to lead to.
    func expect(_ hash: UInt64, of room: String) {
        guard var loading = rooms.loading(room) else { return }
        loading.handedOverHash = hash
        rooms.load(room, loading)
    }

    /// Holds what a room has come to against what its former owner had. Where they differ, the
    /// journal counts: members that come from there find another hash with the first frame, and ask
    /// for the state.
    func compare(_ session: SceneSession, _ name: String, _ loading: LoadingRoom) {
        guard let expected = loading.handedOverHash else { return }
        let isEqual = session.journalHash == expected
        configuration.metrics.noteHandOver(isEqual: isEqual)
        if isEqual { return }
        configuration.logger.error(
            "room \(name): its journal leads to a state with the hash \(ViewHash.text(session.journalHash)) here, and led to \(ViewHash.text(expected)) at its former owner"
        )
    }

    /// Has members here connect to the process that serves a room from now on.
    func sendMembersAway(from room: String, _ reason: String) {
        guard let session = rooms.session(of: room) else { return }
        let members = session.members.filter { !RelayHost.isRelayed($0) }
        handle(room, .journalMoved(members, reason))
    }

    /// Ends a room that is another process's from now on; its members are told to connect
    /// elsewhere.
    func lose(_ room: String, _ reason: String) {
        isElsewhere(room, reason)
        guard let session = rooms.session(of: room) else { return }
        carryOut(session.handle(.journalLost(reason)), room: room)
        remove(room)
        configuration.logger.info("room \(room) was given up: \(reason)")
    }
}
