import SceneCluster
import SeededRandom

/// A replicated stream of three servers: one leads and keeps what is published, the others follow
/// at a distance.
struct SimulatedEngine {
    /// How the engine takes conditions.
    enum Kind: String {
        /// A condition is judged with regard to what is under way.
        case fencing
        /// Two publishers that are under way at once may both pass.
        case racy
        /// Conditions do not count.
        case unconditional
    }

    /// A message that the stream has.
    struct Stored {
        var sequence: UInt64
        var bytes: [UInt8]
        /// When it was kept.
        var time: Int
    }

    /// A publish that the leader has taken and not yet kept.
    struct Proposal {
        var subject: String
        var bytes: [UInt8]
        var call: EngineCall
    }

    /// What the leader does with a publish.
    enum Verdict {
        case answer(EngineReply)
        /// It is kept when `commit` is called with this number.
        case propose(Int)
    }

    static let serverCount = 3

    let kind: Kind
    /// The server that leads; nil during an election.
    private(set) var leader: Int?
    /// A leader that does not know yet that it was replaced, and until when.
    private(set) var oldLeader: (server: Int, until: Int)?
    private(set) var journals: [String: [Stored]] = [:]
    private var lastSequence: UInt64 = 0
    /// What each server has applied, as the last sequence number.
    private(set) var applied = [UInt64](repeating: 0, count: serverCount)
    private var proposals: [Int: Proposal] = [:]
    private var nextProposal = 0

    init(kind: Kind, leader: Int) {
        self.kind = kind
        self.leader = leader
    }

    // MARK: Publishing

    /// A publish reaches the leader, or one that takes itself for it.
    mutating func publish(
        _ bytes: [UInt8], to subject: String, expectedLast: UInt64, by call: EngineCall,
        at server: Int
    ) -> Verdict {
        guard server == leader else {
            // It has no majority, so that nothing is kept; but it judges.
            let last = last(of: subject, at: server)
            return .answer(last == expectedLast ? .unknown("no majority") : .superseded)
        }
        let isUnderWay = proposals.values.contains { $0.subject == subject }
        switch kind {
        case .unconditional: break
        case .fencing where isUnderWay: return .answer(.busy)
        case .fencing, .racy:
            guard journals[subject]?.last?.sequence ?? 0 == expectedLast else {
                return .answer(.superseded)
            }
        }
        nextProposal += 1
        proposals[nextProposal] = Proposal(subject: subject, bytes: bytes, call: call)
        return .propose(nextProposal)
    }

    /// A majority has a proposal.
    ///
    /// - Returns: Who proposed it and its sequence number; nil for one that was lost with a leader.
    mutating func commit(_ number: Int, at time: Int) -> (call: EngineCall, sequence: UInt64)? {
        guard let proposal = proposals.removeValue(forKey: number) else { return nil }
        lastSequence += 1
        journals[proposal.subject, default: []].append(
            Stored(sequence: lastSequence, bytes: proposal.bytes, time: time))
        if let leader { applied[leader] = lastSequence }
        return (proposal.call, lastSequence)
    }

    /// A message is gone, although it was acknowledged.
    mutating func forget(_ sequence: UInt64) {
        for subject in journals.keys {
            journals[subject]?.removeAll { $0.sequence == sequence }
        }
    }

    /// A message comes from a program that knows of no conditions.
    mutating func insert(_ bytes: [UInt8], to subject: String, at time: Int) {
        lastSequence += 1
        journals[subject, default: []].append(
            Stored(sequence: lastSequence, bytes: bytes, time: time))
        if let leader { applied[leader] = lastSequence }
    }

    // MARK: Reading

    /// The messages of a subject from a sequence number on that a server has.
    func messages(
        of subject: String, from sequence: UInt64, maximum: Int, at server: Int
    ) -> EngineReply {
        let journal = journals[subject] ?? []
        var low = 0
        var high = journal.count
        while low < high {
            let middle = (low + high) / 2
            if journal[middle].sequence < sequence { low = middle + 1 } else { high = middle }
        }
        let here = journal[low...].prefix { $0.sequence <= applied[server] }
        return .messages(
            here.prefix(maximum).map {
                EngineMessage(subject: subject, sequence: $0.sequence, bytes: $0.bytes)
            }, isEnd: here.count <= maximum)
    }

    private func last(of subject: String, at server: Int) -> UInt64 {
        journals[subject]?.last { $0.sequence <= applied[server] }?.sequence ?? 0
    }

    // MARK: Servers

    /// A server catches up with everything that is kept.
    mutating func catchUp(_ server: Int) { applied[server] = lastSequence }

    /// A server learns of a message.
    mutating func replicate(_ sequence: UInt64, to server: Int) {
        applied[server] = max(applied[server], sequence)
    }

    /// The leader is gone. What it had taken is kept by the next one, or lost.
    mutating func loseLeader(staysUntil: Int?, at time: Int, _ random: inout SplitMix64) {
        guard let leader else { return }
        if let staysUntil { oldLeader = (leader, staysUntil) }
        self.leader = nil
        for number in proposals.keys.sorted() {
            if random.chance(1, of: 2) {
                _ = commit(number, at: time)
            } else {
                proposals[number] = nil
            }
        }
    }

    /// A server leads from here on; it has everything.
    mutating func elect(_ server: Int) {
        leader = server
        if oldLeader?.server == server { oldLeader = nil }
        catchUp(server)
    }

    /// A leader that was replaced learns of it.
    mutating func retireOldLeader() { oldLeader = nil }
}

/// A request on its way to the engine.
struct EngineCall {
    var node: Int
    var life: Int
    var ticket: EngineTicket
    var request: EngineRequest
}
