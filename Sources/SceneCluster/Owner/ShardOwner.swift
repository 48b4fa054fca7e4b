/// One node's part in one shard: it follows the shard's journal, takes the shard over, and owns it.
/// A state machine without I/O, clock or thread: events go in with the present moment, and what is
/// to be done comes out.
///
///     follower ─ takeOver ▸ sealing ─ seal kept ▸ reading ─ own seal read ▸ serving
///     follower ─ reads along, hand-over to it read ▸ serving
///     serving ─ another owner's record read ▸ resigned
///     serving ─ handOver, drain ▸ handing ▸ resigned
///     any ─ the journal cannot be followed ▸ stopped
///
/// The journal alone decides. A record counts once it has been read back from its place in the
/// chain, regardless of earlier answers of the engine. Of an answer only its content counts,
/// because replicas lag. A record whose fate is unknown is published again with the same bytes
/// until the journal shows it, or another one in its place. So the engine may lose answers, give
/// old ones, refuse without a reason, or keep what two publishers sent at once, and no commit that
/// was acknowledged is lost, doubled or kept after it was given up.
public struct ShardOwner: Sendable {
    /// The process that this is.
    public let identity: NodeLife
    /// Where the node stands.
    public internal(set) var phase = Phase.follower
    /// Whether the node makes ready what it will need of the shard.
    private var makesReady = false
    var outbox: Outbox
    var reader: JournalReader
    /// The record on its way, of which there is at most one.
    var append: RecordAppend?
    var queue = CommitQueue()
    var watch: OwnerWatch
    var tail = TailLedger()
    /// The highest number of a commit that was read back.
    var committedThrough: UInt64 = 0
    /// The state hashes for the hand-over.
    var handOverStates: [ChainRecord.StateHash] = []
    /// Whether the chain ends with a hand-over to this process.
    var isHandedOver = false
    /// The gap that the journal was found to have, while the place from which it is whole is
    /// awaited.
    var gap: ChainError?
    /// The highest epoch in which this process has owned the shard. A stale replica may show a
    /// journal that ends before that epoch's claim, and the same claim made again would be taken
    /// for a new one.
    public internal(set) var servedThrough: UInt64
    private var lastCommit: UInt64 = 0
    private var followInterval: Duration?
    private var followAt: MonotonicInstant
    private var followSource = EngineRequest.Source.anyReplica
    private var publishTrouble: String?

    /// Makes a follower.
    ///
    /// - Parameters:
    ///   - chain: Where to begin to read: the journal's beginning, or a snapshot's place.
    ///   - predecessor: The previous owner of the shard in this process, if there was one.
    public init(
        _ identity: NodeLife, chain: ShardChain, after predecessor: ShardOwner? = nil,
        at now: MonotonicInstant
    ) {
        self.identity = identity
        servedThrough = predecessor?.servedThrough ?? 0
        let firstTicket = predecessor?.outbox.nextTicket ?? 1
        outbox = Outbox(shard: chain.scope.shard, firstTicket: firstTicket)
        reader = JournalReader(chain: chain)
        watch = OwnerWatch(at: now)
        followAt = now
    }

    /// The chain as it was read.
    public var chain: ShardChain { reader.chain }
    /// The epoch in which the node owns the shard, if it does.
    public var epoch: UInt64? {
        switch phase {
        case .serving(let epoch), .handing(let epoch, _): epoch
        case .follower, .sealing, .reading, .resigned, .stopped: nil
        }
    }
    private var isFollowing: Bool { followInterval != nil }
    /// The number of bytes of the journal that a new owner would have to read.
    public var tailBytes: Int { tail.byteCount }
    /// The number of the oldest record of a room that no snapshot covers; nil where snapshots cover
    /// everything.
    public var tailStart: UInt64? { tail.oldest }
    /// The number of bytes of commits that wait.
    public var waitingBytes: Int { queue.byteCount }

    /// Handles an event.
    ///
    /// - Returns: What is to be done, in order.
    /// - Complexity: O(1), and O(bytes) for replies and commits.
    public mutating func handle(_ event: Event, at now: MonotonicInstant) -> [OwnerEffect] {
        guard !isOver else {
            if case .commit(let number, _) = event {
                outbox.tell(.refused(commit: number, .notServing))
            }
            return outbox.empty()
        }
        switch event {
        case .tick: advance(to: now)
        case .reply(let ticket, let reply): take(reply, for: ticket, at: now)
        case .heardSelf: watch.heardSelf(at: now)
        case .heardClaim(let owner, let epoch): hear(owner, epoch, at: now)
        case .takeOver: takeOver(at: now)
        case .follow(let interval, let beginsNow):
            if followInterval == nil || beginsNow { followAt = now }
            followInterval = interval
            // The receiver of a hand-over must not miss it at a replica that lags.
            followSource = beginsNow ? .leader : .anyReplica
        case .makesReady(let does): makesReady = does
        case .commit(let number, let entries): commit(entries, number: number, at: now)
        case .snapshotStored(let room, let number): tail.cover(room, through: number)
        case .rebase(let anchor): rebase(on: anchor, at: now)
        case .noFloor:
            if let gap { stop(gap) }
        case .handOver(let receiver, let states): give(to: receiver, states)
        case .drain: give(to: nil, [])
        }
        proceed(at: now)
        if epoch != nil {
            if let room = tail.nextWanted() { outbox.tell(.snapshotWanted(room: room)) }
            watch.tell(at: now, trouble: reader.lastTrouble ?? publishTrouble, &outbox)
        }
        return outbox.empty()
    }

    var isOver: Bool {
        switch phase {
        case .resigned, .stopped: true
        case .follower, .sealing, .reading, .serving, .handing: false
        }
    }

    // MARK: Events

    private mutating func advance(to now: MonotonicInstant) {
        reader.advance(to: now, &outbox)
        guard let append else { return }
        switch append.step {
        case .publishing(_, let since):
            guard now.elapsed(since: since) >= append.patience else { return }
            self.append?.giveUp()
            look("a publish was not answered in time", at: now)
        case .waiting(let until):
            if now >= until { self.append?.publish(after: reader, at: now, &outbox) }
        case .readingBack, .looking: break
        }
    }

    private mutating func take(
        _ reply: EngineReply, for ticket: EngineTicket, at now: MonotonicInstant
    ) {
        if case .publishing(ticket, _) = append?.step {
            takePublished(reply, at: now)
            return
        }
        do throws(ChainError) {
            guard let progress = try reader.take(reply, for: ticket, at: now, &outbox) else {
                return
            }
            absorb(progress, at: now)
        } catch {
            if case .gap = error.reason { miss(error) } else { stop(error) }
        }
    }

    /// Handles the engine's answer about the record under way. Only the journal decides its
    /// outcome.
    private mutating func takePublished(_ reply: EngineReply, at now: MonotonicInstant) {
        switch reply {
        case .kept(let sequence):
            guard sequence > reader.chain.lastSequence else {
                stop(.init(place: place(sequence), reason: .rewritten))
                return
            }
            append?.readBack(sequence)
            if append?.purpose == .claim { phase = .reading }
            reader.begin(
                .acknowledged(sequence: sequence), from: .leader, at: now, &outbox)
        case .superseded: look("the journal goes on otherwise than was read", at: now)
        case .busy: look("another publish is under way", at: now)
        case .unknown(let reason), .failed(let reason): look(reason, at: now)
        case .messages, .purged, .unheard:
            look("the engine answered a publish as if it were something else", at: now)
        }
    }

    private mutating func look(_ trouble: String, at now: MonotonicInstant) {
        publishTrouble = trouble
        append?.look()
        reader.begin(.known, from: .leader, at: now, &outbox)
    }

    private mutating func hear(
        _ owner: NodeLife, _ epoch: UInt64, at now: MonotonicInstant
    ) {
        switch phase {
        case .serving(let own), .handing(let own, _):
            if epoch > own { watch.heardLaterClaim(epoch: epoch, at: now) }
        case .sealing:
            // An owner that was thought silent is not. Once the claim is on its way it is too late
            // for that.
            guard append == nil, owner != identity, epoch >= chain.head?.epoch ?? 0 else {
                return
            }
            yield(to: owner, epoch)
        case .follower, .reading, .resigned, .stopped: break
        }
    }

    private mutating func commit(
        _ entries: [ChainRecord.Entry], number: UInt64, at now: MonotonicInstant
    ) {
        precondition(number > lastCommit, "commits are numbered upwards")
        lastCommit = number
        let refusal: CommitRefusal? =
            switch phase {
            case .serving: watch.isStalled ? .stalled : queue.append(entries, number: number)
            case .handing: .handing
            case .follower, .sealing, .reading, .resigned, .stopped: .notServing
            }
        if let refusal {
            outbox.tell(.refused(commit: number, refusal))
        } else {
            watch.commitsWait(at: now)
        }
    }

    private mutating func give(to receiver: NodeLife?, _ states: [ChainRecord.StateHash]) {
        guard case .serving(let epoch) = phase else { return }
        phase = .handing(epoch: epoch, to: receiver)
        var bytes = 0
        handOverStates = Array(
            states.prefix { state in
                bytes += 2 + state.room.utf8.count + 8
                return bytes <= OwnerLimits.handOverBytesMaximum
                    && state.room.utf8.count <= ChainRecord.Entry.roomBytesMaximum
            })
    }

    // MARK: What is done next

    /// Begins what can be begun.
    mutating func proceed(at now: MonotonicInstant) {
        guard append == nil, !reader.isReading, gap == nil else { return }
        switch phase {
        case .follower where isHandedOver && isFollowing && !makesReady:
            // A follower that reads along for this moment takes what it is given.
            takeWhatIsGiven(at: now)
        case .follower:
            guard let followInterval, now >= followAt else { return }
            followAt = now.advanced(by: followInterval)
            reader.begin(.end, from: followSource, at: now, &outbox)
        case .sealing where isHandedOver, .reading where isHandedOver: takeWhatIsGiven(at: now)
        case .sealing, .reading:
            phase = .sealing
            publish(.seal, for: .claim, at: now)
        case .serving: serve(at: now)
        case .handing(_, let receiver):
            guard !serve(at: now) else { return }
            guard let receiver else {
                resign(.drained)
                return
            }
            guard !watch.doubts(at: now) else { return }
            publish(
                .handOver(to: receiver, states: handOverStates),
                for: .handOver(to: receiver), at: now)
        case .resigned, .stopped: break
        }
    }

    /// The journal, as far as it is read, ends with a hand-over to this process.
    private mutating func takeWhatIsGiven(at now: MonotonicInstant) {
        guard let head = chain.head else { return }
        own(in: head.epoch, at: now)
        serve(at: now)
    }

    /// Looks at the journal where a later owner is heard of, or writes what waits.
    ///
    /// - Returns: Whether there is anything to do, be it now or later.
    @discardableResult
    private mutating func serve(at now: MonotonicInstant) -> Bool {
        if watch.probeIsDue(at: now) {
            reader.begin(.known, from: .leader, at: now, &outbox)
            return true
        }
        guard let group = queue.group() else { return false }
        guard !watch.doubts(at: now) else { return true }
        publish(.group(group.entries), for: .commits(through: group.through), at: now)
        return true
    }

    private mutating func publish(
        _ content: ChainRecord.Content, for purpose: RecordAppend.Purpose,
        at now: MonotonicInstant
    ) {
        let record = chain.next(content, by: identity)
        do throws(RecordError) {
            append = try RecordAppend(record, for: purpose, after: reader, at: now, &outbox)
        } catch {
            stop(.init(place: place(chain.lastSequence), reason: .record(error)))
        }
    }

    func place(_ sequence: UInt64) -> RecordPlace {
        RecordPlace(subject: chain.subject, sequence: sequence)
    }
}
