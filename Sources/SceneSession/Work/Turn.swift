import SceneProtocol

/// What a tick has decided so far.
struct Turn {
    private struct Name: Hashable {
        var author: String
        var sequence: UInt64
    }

    /// The requests that were handed out, in order.
    private(set) var taken: [Inbox.Entry] = []
    /// What became of them, where there is something to tell.
    private(set) var decisions: [Decision] = []
    /// Units of work spent.
    private(set) var spent: UInt64 = 0
    /// Whether more is needed than a tick may take where the room is now. Nothing of the tick counts then.
    var hasOverrun = false
    private var names: Set<Name> = []

    /// Notes a request that was handed out.
    mutating func take(_ entry: Inbox.Entry) { taken.append(entry) }

    /// Holds what became of a request until its tick is laid out.
    mutating func hold(_ decision: Decision) {
        decisions.append(decision)
        names.insert(
            Name(author: decision.member.admission.session, sequence: decision.sequence))
    }

    /// Whether the tick has decided a client's message.
    func hasDecided(_ sequence: UInt64, of author: String) -> Bool {
        names.contains(Name(author: author, sequence: sequence))
    }

    /// Notes work for a request that is being decided.
    mutating func charge(_ units: UInt64, to decision: inout Decision) {
        decision.work &+= units
        spent &+= units
    }

    /// Refuses the one that changed the scene, since the tick cannot be laid out with it.
    mutating func refuseChange(_ refusal: Refusal) {
        guard let index = decisions.firstIndex(where: \.isChange) else { return }
        decisions[index].outcome = .refused(refusal)
        decisions[index].batches.removeAll()
    }

    /// Shares work that served all changes.
    mutating func share(_ units: UInt64) {
        spent &+= units
        let count = UInt64(decisions.count(where: \.isChange))
        guard count > 0 else { return }
        for index in decisions.indices where decisions[index].isChange {
            decisions[index].work &+= units / count
        }
    }
}
