import SceneDocument
import SceneModel
import SceneWire

/// Sends members the results of their messages, and keeps results for messages that are sent again.
extension SceneSession {
    func repeatResult(_ sequence: UInt64, _ history: ClientHistory, to member: Member) {
        if let result = history.results.last(where: { $0.clientSequence == sequence }) {
            send([.result(result)], to: [member])
            return
        }
        // A result that waits for the journal is sent when it is durable.
        guard !journal.isWaiting(for: sequence, of: member.admission.session) else { return }
        var result = OpsResult()
        result.clientSequence = sequence
        result.tick = tick
        if !history.committed.contains(sequence), !history.kept.contains(sequence) {
            // Refused ops leave no trace in the journal.
            result.outcome = .refused(
                Refusal(
                    code: .conflict,
                    message:
                        "decided before, or overtaken by a later message; its result is not stored")
            )
            return answer(result, to: member, isNoted: false)
        }
        send([.result(result)], to: [member])
    }

    /// - Parameter isFinal: Whether the decision is final; if not, the client may send the message
    ///   again.
    func refuse(
        _ sequence: UInt64, from member: Member, _ refusal: Refusal, work: UInt64 = 0,
        isFinal: Bool = true
    ) {
        var result = OpsResult()
        result.clientSequence = sequence
        result.tick = tick
        result.outcome = .refused(refusal)
        result.work = work
        if let sight = member.sight { cut(&result, to: sight) }
        answer(result, to: member, isNoted: isFinal)
    }

    /// Queues a result to be sent once all records up to now are on disk.
    func finish(
        _ sequence: UInt64, from member: Member, _ commit: Commit, work: UInt64,
        isJournalled: Bool, failingOn devices: [String] = []
    ) {
        var result = OpsResult()
        result.clientSequence = sequence
        result.tick = tick
        result.outcome = .committed(commit)
        result.work = work
        if !devices.isEmpty, member.has(Capability.devices) {
            var list = DeviceList()
            list.names = devices
            result.devices = list
        }
        if let sight = member.sight { cut(&result, to: sight) }
        let author = member.admission.session
        if let last = clients[author]?.lastSequence {
            clients[author]?.lastSequence = max(last, sequence)
        }
        // A result whose record is on its way waits for that; without a cluster every result does.
        guard journal.isDurable || options.provesAnswers && !isJournalled else {
            journal.wait(
                .init(
                    member: member.id, author: author, result: result, isJournalled: isJournalled))
            return
        }
        answer(result, to: member, isNoted: true)
    }

    func note(_ result: OpsResult, author: String, isJournalled: Bool = false) {
        clients[author]?.remember(result, isJournalled: isJournalled)
    }
}
