/// One node of a cluster: hears the beats of all, has a `ShardOwner` for each shard, and decides
/// which shards to take. A state machine without I/O, clock or thread.
///
/// A shard that no node claims goes to the node that `Placement` names among those that are heard.
/// Being wrong about that does no harm: the shard's journal decides.
public struct ClusterNode: Sendable {
    /// How often a node beats.
    public static let beatInterval = Duration.milliseconds(75)
    /// How often a node tells its version: within the time in which a node that starts listens
    /// before it takes anything.
    public static let versionInterval = Duration.milliseconds(200)
    /// How often a node looks whether a shard has no owner.
    public static let placementInterval = Duration.milliseconds(25)
    /// How often the receiver of a hand-over reads the journal.
    public static let receiveInterval = Duration.milliseconds(20)
    /// How often the node that is to own a shard next reads its journal, so that it has little to
    /// read when it takes over.
    public static let standbyInterval = Duration.milliseconds(500)
    /// After so long without a beat of a shard's owner, the node that is to own the shard next
    /// makes ready what it will need.
    public static let readinessSilence = Duration.milliseconds(150)
    /// How many of its own beats a node remembers.
    private static let ownBeatMaximum = 8

    /// The process that this is.
    public let identity: NodeLife
    /// The version of its program.
    public let version: ReleaseVersion
    private let cluster: ClusterID
    private let subjects: ClusterSubjects
    private let address: String
    let zone: String
    private(set) var membership: Membership
    private(set) var absences = AbsenceWatch()
    private(set) var owners: [ShardOwner]
    private(set) var moves = ShardMoves()
    private var isDraining = false
    private var beatAt: MonotonicInstant
    /// Whether others wait for what this node has to say.
    private var beatIsUrgent = false
    private var versionAt: MonotonicInstant
    private var placeAt: MonotonicInstant
    private var standbyAt: MonotonicInstant
    /// The shards of other nodes that this one is to own next.
    private(set) var standbys: Set<ShardID> = []
    private var beatNumber: UInt64 = 0
    private var ownBeats: [(number: UInt64, at: MonotonicInstant)] = []

    /// Makes a node that owns nothing.
    ///
    /// - Parameters:
    ///   - address: Where clients reach the node, which its beats tell nodes of earlier versions;
    ///     others read it in the metadata (`NodeRegister`).
    ///   - zone: The part of the installation that fails as one, such as a building, that the node
    ///     is in; empty for none.
    ///   - version: The version of the node's program; `untold` is not announced.
    public init(
        _ identity: NodeLife, cluster: ClusterID, map: ShardMap,
        subjects: ClusterSubjects = ClusterSubjects(), address: String = "", zone: String = "",
        version: ReleaseVersion = .untold, at now: MonotonicInstant
    ) {
        self.identity = identity
        self.version = version
        self.address = address
        self.zone = zone
        self.cluster = cluster
        self.subjects = subjects
        membership = Membership(silence: OwnerLimits.silence, at: now)
        owners = []
        membership.note(version, of: identity)
        beatAt = now
        versionAt = now
        placeAt = now
        standbyAt = now
        owners = map.shards.map { shard in
            ShardOwner(identity, chain: beginning(of: shard), at: now)
        }
    }

    /// Handles an event.
    ///
    /// - Returns: What is to be done, in order.
    /// - Complexity: O(shards) for ticks and beats, otherwise that of `ShardOwner.handle`.
    public mutating func handle(_ event: Event, at now: MonotonicInstant) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .tick: tick(at: now, &effects)
        case .heard(let beat): hear(beat, at: now, &effects)
        case .heardVersion(let notice): membership.note(notice.version, of: notice.sender)
        case .unheard(let life): miss(life, at: now, &effects)
        case .reply(let ticket, let reply):
            pass(.reply(ticket, reply), to: ticket.shard, at: now, &effects)
        case .commit(let shard, let number, let entries):
            pass(.commit(number: number, entries), to: shard, at: now, &effects)
        case .snapshotStored(let shard, let room, let number):
            pass(.snapshotStored(room: room, number: number), to: shard, at: now, &effects)
        case .rebase(let shard, let anchor):
            pass(.rebase(anchor), to: shard, at: now, &effects)
        case .noFloor(let shard): pass(.noFloor, to: shard, at: now, &effects)
        case .prepare(let shard, let receiver):
            // Where it is not heard, or has an earlier version, that is said when the shard is to
            // go.
            if let life = membership.life(of: receiver, at: now),
                membership.version(of: life) >= version
            {
                moves.prepare(shard, for: receiver)
            }
            beatIsUrgent = true
        case .makesReady(let shard, let does):
            pass(.makesReady(does), to: shard, at: now, &effects)
        case .move(let shard, let receiver, let states):
            guard let life = membership.life(of: receiver, at: now) else {
                moves.cancel(shard)
                effects.append(.receiverSilent(shard, receiver))
                break
            }
            let other = membership.version(of: life)
            guard other >= version else {
                moves.cancel(shard)
                effects.append(.receiverEarlier(shard, receiver, other))
                break
            }
            pass(.handOver(to: life, states: states), to: shard, at: now, &effects)
            // The receiver begins to read along.
            beatIsUrgent = true
        case .beginDrain:
            isDraining = true
            beatIsUrgent = true
        case .drain:
            drain(at: now, &effects)
            beatIsUrgent = true
        }
        if beatIsUrgent { sendBeat(at: now, &effects) }
        return effects
    }

    // MARK: Time

    private mutating func tick(at now: MonotonicInstant, _ effects: inout [Effect]) {
        membership.advance(to: now)
        moves.advance(to: now)
        for index in owners.indices { pass(.tick, to: shard(index), at: now, &effects) }
        let quiet = membership.lives(quietFor: AbsenceWatch.patience, at: now)
        for life in absences.due(among: quiet.filter { $0 != identity }, at: now) {
            effects.append(.probe(life))
        }
        if now >= placeAt { place(at: now, &effects) }
        if now >= standbyAt {
            standbyAt = now.advanced(by: Self.standbyInterval)
            chooseStandbys(at: now)
        }
        if now >= beatAt { beatIsUrgent = true }
        if now >= versionAt, version != .untold {
            versionAt = now.advanced(by: Self.versionInterval)
            effects.append(.tellVersion(VersionNotice(sender: identity, version: version)))
        }
    }

    private mutating func sendBeat(at now: MonotonicInstant, _ effects: inout [Effect]) {
        beatIsUrgent = false
        beatAt = now.advanced(by: Self.beatInterval)
        effects.append(.beat(beat(at: now)))
    }

    /// Takes unclaimed shards that placement gives to this node.
    private mutating func place(at now: MonotonicInstant, _ effects: inout [Effect]) {
        placeAt = now.advanced(by: Self.placementInterval)
        guard !isDraining, membership.hasListened(at: now) else { return }
        let candidates = membership.candidates(at: now)
        guard isCandidate(candidates) else { return }
        let claims = membership.claims(at: now)
        guard claims.count < owners.count else { return }
        let zones = membership.lastZones()
        for index in owners.indices
        where owners[index].phase == .follower && claims[shard(index)] == nil {
            let next = Placement.next(
                for: shard(index), among: candidates, after: zones[shard(index)])
            guard next == identity.node else { continue }
            pass(.takeOver, to: shard(index), at: now, &effects)
        }
    }

    private mutating func miss(
        _ life: NodeLife, at now: MonotonicInstant, _ effects: inout [Effect]
    ) {
        guard absences.miss(life) else { return }
        membership.leave(life)
        place(at: now, &effects)
    }

    /// Finds the shards that are this node's as soon as their owners are silent.
    private mutating func chooseStandbys(at now: MonotonicInstant) {
        standbys = []
        let candidates = membership.candidates(at: now)
        guard !isDraining, isCandidate(candidates) else { return }
        let zones = membership.lastZones()
        for (shard, claim) in membership.claims(at: now) where claim.owner != identity {
            let others = candidates.filter { $0.node != claim.owner.node }
            if Placement.next(for: shard, among: others, after: zones[shard]) == identity.node {
                standbys.insert(shard)
            }
        }
    }

    private func isCandidate(_ candidates: [Placement.Candidate]) -> Bool {
        candidates.contains { $0.node == identity.node }
    }

    private mutating func beat(at now: MonotonicInstant) -> Beat {
        beatNumber += 1
        ownBeats.append((beatNumber, now))
        if ownBeats.count > Self.ownBeatMaximum { ownBeats.removeFirst() }
        var claims: [Beat.Claim] = []
        for index in owners.indices {
            switch owners[index].phase {
            case .serving(let epoch):
                claims.append(
                    .init(
                        shard: shard(index), epoch: epoch,
                        receiver: moves.receiver(of: shard(index))))
            case .handing(let epoch, let receiver):
                claims.append(
                    .init(shard: shard(index), epoch: epoch, receiver: receiver?.node))
            case .follower, .sealing, .reading, .resigned, .stopped:
                guard let offer = moves.offer(of: shard(index)) else { break }
                claims.append(
                    .init(shard: shard(index), epoch: offer.epoch, receiver: offer.receiver))
            }
        }
        return Beat(
            sender: identity, number: beatNumber, claims: claims, isDraining: isDraining,
            address: address, zone: zone)
    }

    // MARK: Beats

    private mutating func hear(
        _ beat: Beat, at now: MonotonicInstant, _ effects: inout [Effect]
    ) {
        switch membership.hear(beat, at: now) {
        case .stale: return
        case .numberTakenTwice(let node):
            effects.append(.numberTakenTwice(node))
            return
        case .tooManyNodes(let maximum):
            effects.append(.tooManyNodes(maximum: maximum))
            return
        case .heard: break
        }
        guard beat.sender != identity else {
            // One that was held up, as by a pause of this process, proves nothing about the
            // present.
            guard let sent = ownBeats.first(where: { $0.number == beat.number }),
                now.elapsed(since: sent.at) < OwnerLimits.silence
            else { return }
            for index in owners.indices where owners[index].epoch != nil {
                pass(.heardSelf, to: shard(index), at: now, &effects)
            }
            return
        }
        for claim in beat.claims where owners.indices.contains(Int(claim.shard.rawValue)) {
            moves.hear(claim)
            let isReceiver = claim.receiver == identity.node
            if isReceiver { moves.isToReceive(claim.shard, at: now) }
            let interval =
                isReceiver
                ? Self.receiveInterval
                : standbys.contains(claim.shard) ? Self.standbyInterval : nil
            pass(
                .follow(every: interval, beginsNow: isReceiver), to: claim.shard, at: now,
                &effects)
            pass(
                .heardClaim(by: beat.sender, epoch: claim.epoch), to: claim.shard, at: now,
                &effects)
        }
    }

    private mutating func drain(at now: MonotonicInstant, _ effects: inout [Effect]) {
        isDraining = true
        // Where only earlier versions are there, shards are given up: who can read their journals
        // takes them.
        for index in owners.indices where owners[index].epoch != nil {
            let receiver =
                (moves.receiver(of: shard(index))
                ?? successor(of: shard(index), at: now))
                .flatMap { membership.life(of: $0, at: now) }
            pass(
                receiver.map { .handOver(to: $0, states: []) } ?? .drain, to: shard(index),
                at: now, &effects)
        }
    }

    // MARK: Owners

    func shard(_ index: Int) -> ShardID { ShardID(UInt16(index)) }

    private func beginning(of shard: ShardID) -> ShardChain {
        ShardChain(
            scope: RecordScope(cluster: cluster, shard: shard),
            subject: subjects.journal(of: shard))
    }

    /// Has a shard's owner handle an event. One that resigned is followed by a new follower.
    private mutating func pass(
        _ event: ShardOwner.Event, to shard: ShardID, at now: MonotonicInstant,
        _ effects: inout [Effect]
    ) {
        let index = Int(shard.rawValue)
        guard owners.indices.contains(index) else { return }
        for effect in owners[index].handle(event, at: now) {
            if case .resigned(.handedOver(let receiver, let epoch), _) = effect {
                moves.didHandOver(shard, to: receiver.node, epoch: epoch &- 1, at: now)
            }
            switch effect {
            // Other nodes wait for this: the next beat is sent at once.
            case .serving, .resigned, .lost:
                beatIsUrgent = true
                moves.settle(shard)
            case .request, .load, .committed, .refused, .suspect, .trusted, .stalled, .resumed,
                .snapshotWanted, .floorWanted, .yielded:
                break
            }
            effects.append(.shard(shard, effect))
        }
        if owners[index].phase == .resigned {
            owners[index] = ShardOwner(
                identity, chain: beginning(of: shard), after: owners[index], at: now)
        }
    }
}
