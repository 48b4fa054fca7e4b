import SceneDocument
import SceneWire

/// What a session does where its journal lies in a cluster: another node may have taken the room
/// over without this one knowing, and have kept what this one would refuse.
///
/// Records prove themselves: one that the journal keeps was written by the room's owner. Answers
/// without a record wait for a proof of their own, `SessionEffect.prove`. While the journal stalls,
/// only ops that no other node can have are refused.
extension SceneSession {
    /// Why connections are closed that wait for a stalled journal with more than the inbox holds.
    static let tooMuchWaits = "the journal keeps nothing at present; connect again"

    static func refusal(stalled reason: String) -> Refusal {
        Refusal(
            code: .storeFailed,
            message: "nothing can be kept at present, send it again later: \(reason)")
    }

    /// Deals with a request that is not to wait for a tick: one that was decided before, and one
    /// that comes while the journal stalls.
    ///
    /// - Returns: Whether nothing more is to be done with it.
    func settlesAtOnce(_ request: Inbox.Request, from member: Member) -> Bool {
        let sequence = request.clientSequence
        let isNew = sequence > member.highestSequence
        member.highestSequence = max(member.highestSequence, sequence)
        // A full inbox must not refuse what is kept.
        if let history = clients[member.admission.session], sequence > 0,
            sequence <= history.lastSequence
        {
            repeatResult(sequence, history, to: member)
            return true
        }
        guard let stall = gate.stall else { return false }
        // A member that came back may have sent it to another node before.
        guard isNew, member.admission.hello.resume == nil else {
            guard memoryExcess(of: member, bytes: request.byteEstimate) == nil else {
                closeForWaiting(member)
                return true
            }
            return false
        }
        var result = OpsResult()
        result.clientSequence = sequence
        result.tick = tick
        result.outcome = .refused(Self.refusal(stalled: stall))
        send([.result(result)], to: [member])
        return true
    }

    /// Closes a connection that has sent more than can wait. Nothing can be proved at present, so
    /// nothing is refused.
    func closeForWaiting(_ member: Member) {
        effects.append(.close(member.id, .draining, Self.tooMuchWaits))
    }

    /// Sends a result without a record of its own, at once or when it is proved.
    ///
    /// - Parameter isNoted: Whether it is remembered for a client that asks again.
    func answer(_ result: OpsResult, to member: Member, isNoted: Bool) {
        let author = member.admission.session
        guard options.provesAnswers else {
            if isNoted { note(result, author: author) }
            send([.result(result)], to: [member])
            return
        }
        if isNoted, let last = clients[author]?.lastSequence {
            clients[author]?.lastSequence = max(last, result.clientSequence)
        }
        journal.waitForProof(
            .init(
                member: member.id, author: author, result: result, isJournalled: false,
                isNoted: isNoted))
    }

    /// Sends results that are proved.
    func becomeProved(through number: UInt64) {
        for entry in journal.becomeProved(through: number) {
            if entry.isNoted { note(entry.result, author: entry.author) }
            send([.result(entry.result)], to: recipients(of: entry))
        }
    }

    /// Ends the session: another node owns the room, or none does.
    func loseJournal(_ reason: String) {
        close(roster.inOrder, reason)
        scene = .lost
        gate.close()
    }

    /// Members go to the process that has the room; the others are not told that they left, for
    /// they are there with the next tick.
    func sendAway(_ ids: [MemberID], _ reason: String) {
        let members = ids.compactMap { roster.remove($0) }
        close(members, reason)
        for member in members {
            seekers.forget(member)
            inspections.forget(member)
            _ = reads.take(member.id)
        }
        membersDidChange()
    }

    private func close(_ members: [Member], _ reason: String) {
        var error = ErrorMessage()
        error.code = UInt32(CloseCode.draining.rawValue)
        error.isRetryable = true
        error.text = reason
        send([.error(error)], to: members)
        for member in members { effects.append(.close(member.id, .draining, reason)) }
    }
}
