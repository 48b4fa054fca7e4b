import Annotations
import Logging
import RoomNames
import SceneDocument
import SceneSession
import SceneWire

/// Rooms and the branches of their suggestions, which may be on different threads of one process:
/// a cluster places a branch with its room.
///
/// A branch is opened once its room has told the suggestion, for that may have been decided or
/// removed while the branch was not in memory. What becomes of a suggestion afterwards comes as
/// mail.
extension SceneLoop {
    private func post(_ mail: RoomMail, to room: String) {
        guard let post = configuration.post else { return mailbox.post(.room(room, mail)) }
        post(mail, room)
    }

    // MARK: Opening branches

    /// Loads a room's journal; that of a branch once its room has told the suggestion.
    func beginLoading(_ name: String) {
        guard let id = RoomName.suggestion(of: name) else {
            return configuration.journal.load(name)
        }
        let main = RoomName.main(of: name)
        let answer = configuration.post ?? { [mailbox] in mailbox.post(.room($1, $0)) }
        post(
            .administer(.suggestion(id)) { answer(.origin(BranchOrigin($0)), name) }, to: main)
    }

    /// Answers what a suggestion of a room is.
    func tellSuggestion(_ id: String, of room: String, _ reply: (RoomReply) -> Void) {
        guard let session = rooms.session(of: room) else { return reply(.noSuchRoom) }
        do throws(Refusal) {
            reply(.suggestion(try session.suggestion(id)))
        } catch {
            reply(.refused(error))
        }
        schedule(room)
    }

    /// Goes on opening a branch, or refuses those who wait for one that there is not.
    func takeOrigin(_ origin: BranchOrigin, of name: String) {
        guard var loading = rooms.loading(name) else { return }
        let (main, id) = (RoomName.main(of: name), RoomName.suggestion(of: name) ?? "")
        switch origin {
        case .suggestion(let suggestion):
            loading.suggestion = suggestion
            rooms.load(name, loading)
            configuration.journal.load(name)
        case .none:
            _ = rooms.finishLoading(name)
            for (member, applicant) in loading.applicants {
                refuse(
                    member, applicant, .noSuchSession, "room \(main) has no suggestion \(id)")
            }
            for question in loading.questions { question.reply(.noSuchRoom) }
        case .failed(let reason):
            _ = rooms.finishLoading(name)
            for (member, applicant) in loading.applicants {
                refuse(member, applicant, .draining, reason)
            }
            for question in loading.questions { question.reply(.failed(reason)) }
        }
    }

    /// Makes a branch of the scene with which its suggestion was opened, for those who want to join
    /// it. It is written with its first change.
    func createBranch(
        _ name: String, _ loading: LoadingRoom, workLimit: UInt64
    ) throws(Refusal) {
        guard let suggestion = loading.suggestion, !loading.applicants.isEmpty else { return }
        let document: SceneDocument
        do throws(DocumentError) {
            document = try suggestion.base.scene.document()
        } catch {
            throw Refusal(error, opIndex: 0)
        }
        try create(name, document, workLimit: workLimit, isKept: false, branchOf: suggestion)
    }

    /// Brings a branch that was opened from its journal to what its room has told.
    ///
    /// - Returns: Whether the journal is that suggestion's. One of an earlier suggestion of the
    ///   same name, which was removed while the branch was not in memory, is deleted.
    func settleOrigin(of name: String, _ loading: LoadingRoom, isNew: Bool) -> Bool {
        guard !isNew, let suggestion = loading.suggestion, let session = rooms.session(of: name)
        else { return true }
        guard let own = session.ownSuggestion, own.isSame(as: suggestion) else {
            configuration.logger.notice("the branch \(name) of an earlier suggestion is deleted")
            let reason = "the branch of an earlier suggestion of this name is deleted; come back"
            remove(name)
            configuration.journal.delete(name) { _ in }
            for (member, applicant) in loading.applicants {
                refuse(member, applicant, .draining, reason)
            }
            for question in loading.questions { question.reply(.failed(reason)) }
            return false
        }
        handle(name, .suggestion(suggestion))
        schedule(name)
        return true
    }

    // MARK: Reading and telling

    /// Reads the scene of another room for a member of this one.
    func readScene(of other: String, for member: MemberID, in room: String) {
        let answer = configuration.post ?? { [mailbox] in mailbox.post(.room($1, $0)) }
        post(
            .administer(.sceneForOthers) { reply in
                let scene: OtherScene =
                    switch reply {
                    case .scene(let scene): scene
                    case .noSuchRoom: .none
                    case .failed(let reason), .unknown(let reason): .failed(reason)
                    case .refused(let refusal): .failed(refusal.message)
                    case .document, .done, .record, .made, .suggestion, .suggestions, .nameTaken:
                        .failed("an answer to another question")
                    }
                answer(.sceneRead(member, scene), room)
            }, to: other)
    }

    /// Has a branch learn what became of its suggestion, once that is kept: what the room's journal
    /// loses must not have ended the branch.
    func tellBranch(of id: String, in room: String, _ suggestion: Suggestion?) {
        let branch = RoomName.branch(of: room, suggestion: id)
        let tell = configuration.post ?? { [mailbox] in mailbox.post(.room($1, $0)) }
        configuration.journal.settle(room) { reply in
            if case .done = reply { tell(.suggestion(suggestion), branch) }
        }
    }

    /// Takes news of the suggestion of which a room is the branch.
    func branchChanged(_ name: String, _ suggestion: Suggestion?) {
        guard let suggestion else { return endBranch(name) }
        if var loading = rooms.loading(name) {
            if loading.suggestion != nil { loading.suggestion = suggestion }
            return rooms.load(name, loading)
        }
        handle(name, .suggestion(suggestion))
        schedule(name)
    }

    /// Ends a branch whose suggestion was removed, with its members and its journal.
    private func endBranch(_ name: String) {
        let reason = "the suggestion was removed"
        if let loading = rooms.finishLoading(name) {
            for (member, applicant) in loading.applicants {
                refuse(member, applicant, .noSuchSession, reason)
            }
            for question in loading.questions { question.reply(.noSuchRoom) }
        }
        for member in rooms.session(of: name)?.members ?? [] {
            configuration.connections.close(member, .noSuchSession, reason: reason)
        }
        remove(name)
        configuration.journal.delete(name) { [logger = configuration.logger] failure in
            if let failure { logger.error("the branch \(name) is not deleted: \(failure)") }
        }
    }
}
