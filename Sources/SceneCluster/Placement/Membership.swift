/// Which nodes are there, as one observer hears them.
///
/// A node is present while its beats come; what counts is when they came by the observer's own
/// monotonic clock, so clocks that differ or run at different speeds do no harm. Being wrong does
/// none either: who owns a shard is decided by the shard's journal, and membership only says when
/// to ask.
public struct Membership: Sendable {
    /// The outcome of a beat.
    public enum Reception: Equatable, Sendable {
        /// It is news.
        case heard
        /// It is doubled, late, or of a life that another one replaced.
        case stale
        /// Two processes use the number of one node: a replaced life keeps beating.
        case numberTakenTwice(NodeID)
        /// There are more nodes than a cluster may have, so it was not noted.
        case tooManyNodes(maximum: Int)
    }

    private struct Member {
        var life: UInt64
        var number: UInt64
        var heardAt: MonotonicInstant
        var isDraining: Bool
        var claims: [Beat.Claim]
        var zone: String
        /// The life before this one, with its last beat, and when it was replaced.
        var replaced: (life: UInt64, number: UInt64, at: MonotonicInstant)?
        /// Whether it is known to be gone, until another beat comes.
        var isGone = false
    }

    /// The largest number of nodes that an observer notes.
    public static let nodeMaximum = 1024

    /// After so long without a beat a node is silent.
    public let silence: Duration

    private var members: [NodeID: Member] = [:]
    /// The versions that nodes told, with the lives that did.
    private var versions: [NodeID: (life: UInt64, version: ReleaseVersion)] = [:]
    /// Since when the observer has listened without a pause.
    private var listeningSince: MonotonicInstant
    private var advancedAt: MonotonicInstant

    /// Starts to listen.
    public init(silence: Duration, at now: MonotonicInstant) {
        self.silence = silence
        listeningSince = now
        advancedAt = now
    }

    /// Lets time pass; to be called several times within `silence`.
    ///
    /// If the observer itself was suspended for half that time, missing beats prove nothing, and it
    /// starts to listen again.
    public mutating func advance(to now: MonotonicInstant) {
        if now.elapsed(since: advancedAt) * 2 > silence { listeningSince = now }
        advancedAt = now
    }

    /// Notes a beat.
    ///
    /// - Complexity: O(claims).
    public mutating func hear(_ beat: Beat, at now: MonotonicInstant) -> Reception {
        let node = beat.sender.node
        var replaced: (life: UInt64, number: UInt64, at: MonotonicInstant)?
        if let member = members[node] {
            if member.life == beat.sender.life {
                guard beat.number > member.number else { return .stale }
                replaced = member.replaced
            } else if let last = member.replaced, last.life == beat.sender.life {
                guard beat.number > last.number else { return .stale }
                // Where the life that seemed to replace it is not heard, that one was the late one:
                // beats are reordered.
                guard now.elapsed(since: max(member.heardAt, listeningSince)) > silence else {
                    // One beat that was late after a restart is no second process; one sent long
                    // after it is.
                    return now.elapsed(since: last.at) <= silence * 4
                        ? .stale : .numberTakenTwice(node)
                }
                replaced = (member.life, member.number, now)
            } else {
                replaced = (member.life, member.number, now)
            }
        } else if members.count >= Self.nodeMaximum {
            return .tooManyNodes(maximum: Self.nodeMaximum)
        }
        members[node] = Member(
            life: beat.sender.life, number: beat.number, heardAt: now,
            isDraining: beat.isDraining, claims: beat.claims, zone: beat.zone, replaced: replaced)
        return .heard
    }

    /// Notes the version that a node tells.
    public mutating func note(_ version: ReleaseVersion, of sender: NodeLife) {
        guard versions.count < Self.nodeMaximum || versions[sender.node] != nil else { return }
        versions[sender.node] = (sender.life, version)
    }

    /// The version of a node's life; `untold` where it has not told it.
    public func version(of sender: NodeLife) -> ReleaseVersion {
        guard let told = versions[sender.node], told.life == sender.life else { return .untold }
        return told.version
    }

    /// Whether nothing has been heard of a life of a node for `silence`. A life that was replaced
    /// is silent at once.
    public func isSilent(_ sender: NodeLife, at now: MonotonicInstant) -> Bool {
        isSilent(sender, for: silence, at: now)
    }

    /// The same for another span of time.
    public func isSilent(_ sender: NodeLife, for span: Duration, at now: MonotonicInstant) -> Bool {
        guard let member = members[sender.node] else {
            return now.elapsed(since: listeningSince) > span
        }
        guard member.life == sender.life else { return true }
        return isSilent(member, for: span, at: now)
    }

    private func isSilent(
        _ member: Member, for span: Duration, at now: MonotonicInstant
    ) -> Bool {
        member.isGone || now.elapsed(since: max(member.heardAt, listeningSince)) > span
    }

    /// The lives that are not silent, and that nothing has been heard of for a shorter span of
    /// time.
    ///
    /// - Complexity: O(nodes).
    public func lives(quietFor span: Duration, at now: MonotonicInstant) -> [NodeLife] {
        members.compactMap { node, member in
            isSilent(member, for: span, at: now) && !isSilent(member, for: silence, at: now)
                ? NodeLife(node: node, life: member.life) : nil
        }
    }

    /// Takes a life of a node for silent until something is heard of it again.
    public mutating func leave(_ sender: NodeLife) {
        guard members[sender.node]?.life == sender.life else { return }
        members[sender.node]?.isGone = true
    }

    /// The nodes that may own shards, in order: heard within `silence`, and not draining.
    ///
    /// - Complexity: O(nodes · log nodes).
    public func candidates(at now: MonotonicInstant) -> [Placement.Candidate] {
        members.filter { node, member in
            !member.isDraining && !isSilent(member, for: silence, at: now)
        }.map { node, member in
            Placement.Candidate(
                node: node, zone: member.zone,
                version: version(of: NodeLife(node: node, life: member.life)))
        }
        .sorted { $0.node < $1.node }
    }

    /// For each shard, the zone of the node that claimed it last as far as it was heard, whether
    /// that is silent now or not.
    ///
    /// - Complexity: O(claims of all nodes).
    public func lastZones() -> [ShardID: String] {
        var last: [ShardID: (epoch: UInt64, node: NodeID, zone: String)] = [:]
        for (node, member) in members {
            for claim in member.claims {
                if let known = last[claim.shard], (known.epoch, known.node) > (claim.epoch, node) {
                    continue
                }
                last[claim.shard] = (claim.epoch, node, member.zone)
            }
        }
        return last.mapValues(\.zone)
    }

    /// The node that says that it serves a shard, with the highest epoch of all that say so and are
    /// not silent.
    ///
    /// - Complexity: O(claims of all nodes).
    public func claimant(
        of shard: ShardID, at now: MonotonicInstant
    ) -> (owner: NodeLife, epoch: UInt64)? {
        var best: (owner: NodeLife, epoch: UInt64)?
        for (node, member) in members {
            for claim in member.claims where claim.shard == shard {
                let owner = NodeLife(node: node, life: member.life)
                guard !isSilent(owner, at: now) else { continue }
                // Equal epochs are a node's error; the answer must still not depend on the
                // dictionary's order.
                if let best, (best.epoch, node) > (claim.epoch, best.owner.node) { continue }
                best = (owner, claim.epoch)
            }
        }
        return best
    }

    /// Whether the observer has listened for so long that a node it has not heard is silent.
    public func hasListened(at now: MonotonicInstant) -> Bool {
        now.elapsed(since: listeningSince) > silence
    }

    /// For each shard that a node that is not silent says to serve, the claim with the highest
    /// epoch.
    ///
    /// - Complexity: O(claims of all nodes).
    public func claims(
        at now: MonotonicInstant
    ) -> [ShardID: (owner: NodeLife, epoch: UInt64)] {
        var claims: [ShardID: (owner: NodeLife, epoch: UInt64)] = [:]
        for (node, member) in members {
            let owner = NodeLife(node: node, life: member.life)
            guard !isSilent(owner, at: now) else { continue }
            for claim in member.claims {
                if let best = claims[claim.shard],
                    (best.epoch, node) > (claim.epoch, best.owner.node)
                {
                    continue
                }
                claims[claim.shard] = (owner, claim.epoch)
            }
        }
        return claims
    }

    /// Whether a beat of another node has come within a span of time.
    ///
    /// - Complexity: O(nodes).
    public func hearsOthers(
        than own: NodeID, within span: Duration, at now: MonotonicInstant
    ) -> Bool {
        members.contains { $0.key != own && now.elapsed(since: $0.value.heardAt) <= span }
    }

    /// The present lives of the nodes that are not silent.
    ///
    /// - Complexity: O(nodes).
    public func lives(at now: MonotonicInstant) -> Set<NodeLife> {
        Set(members.map { NodeLife(node: $0.key, life: $0.value.life) }).filter {
            !isSilent($0, at: now)
        }
    }

    /// The present life of a node that is not silent.
    public func life(of node: NodeID, at now: MonotonicInstant) -> NodeLife? {
        guard let member = members[node] else { return nil }
        let life = NodeLife(node: node, life: member.life)
        return isSilent(life, at: now) ? nil : life
    }
}
