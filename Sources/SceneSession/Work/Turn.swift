import SceneDocument
import SceneWire

/// The decisions of a tick so far.
struct Turn {
    private struct Name: Hashable {
        var author: String
        var sequence: UInt64
    }

    /// The requests taken from the inbox, in order.
    private(set) var taken: [Inbox.Entry] = []
    /// The decisions that have a result to send.
    private(set) var decisions: [Decision] = []
    /// Units of work spent.
    private(set) var spent: UInt64 = 0
    /// Whether the tick needs more than its slice on the present thread. Then nothing of the tick
    /// counts.
    var hasOverrun = false
    private var names: Set<Name> = []

    /// Registers a request taken from the inbox.
    mutating func take(_ entry: Inbox.Entry) { taken.append(entry) }

    /// Stores a decision until its tick is laid out.
    mutating func hold(_ decision: Decision) {
        decisions.append(decision)
        names.insert(
            Name(author: decision.member.admission.session, sequence: decision.sequence))
    }

    /// Whether the tick has decided a client's message.
    func hasDecided(_ sequence: UInt64, of author: String) -> Bool {
        names.contains(Name(author: author, sequence: sequence))
    }

    /// Charges work to a request that is being decided.
    mutating func charge(_ units: UInt64, to decision: inout Decision) {
        decision.work &+= units
        spent &+= units
    }

    /// Charges work to a request before it is done, if its price is within a limit and the rest of
    /// the slice; or else refuses the request, or has the turn overrun.
    ///
    /// - Parameter deed: What takes the work, for people, such as `reading the scene`.
    /// - Returns: Whether the work may be done.
    mutating func pay(
        _ price: UInt64, within limit: UInt64, of slice: UInt64, for deed: String,
        _ decision: inout Decision
    ) -> Bool {
        guard price <= limit else {
            decision.outcome = .refused(
                Refusal(
                    code: .tooExpensive,
                    message: "\(deed) takes \(price) units of work, more than allowed"))
            return false
        }
        guard price <= slice - min(spent, slice) else {
            hasOverrun = true
            return false
        }
        charge(price, to: &decision)
        return true
    }

    /// Refuses the only request that changed the scene, since the tick cannot be laid out with it.
    mutating func refuseChange(_ refusal: Refusal) {
        guard let index = decisions.firstIndex(where: \.isChange) else { return }
        decisions[index].outcome = .refused(refusal)
        decisions[index].batches.removeAll()
    }

    /// Divides work that served all changes among them.
    mutating func share(_ units: UInt64) {
        spent &+= units
        let count = UInt64(decisions.count(where: \.isChange))
        guard count > 0 else { return }
        for index in decisions.indices where decisions[index].isChange {
            decisions[index].work &+= units / count
        }
    }
}
