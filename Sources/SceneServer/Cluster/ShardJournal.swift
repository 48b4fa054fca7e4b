import SceneCluster
import SceneSession
import SceneStore

/// One shard's part of a node's journal: what its rooms' journals hold, what waits to be kept, and
/// the rooms that are open here. Without I/O.
///
/// What waits is given to the shard's owner as one commit at a time, so that nothing of it is
/// refused and forgotten: a commit that is not taken goes back to the front.
struct ShardJournal {
    /// A room's records that are to be loaded.
    struct Load {
        var room: String
        var tick: UInt64?
        var until: MonotonicInstant
    }

    /// What the contents of a room's snapshot are wanted for.
    enum Want {
        case load(Load)
        case history(MemberID, tick: UInt64)
        /// A later snapshot.
        case snapshot
        /// The room's replay ahead of time.
        case shadow
    }

    /// What goes to the second copy.
    enum Copy {
        case record(RoomRecord)
        case deletion(String)
    }

    /// A place of the chain at which the directory may stand.
    struct Mark {
        var anchor: ChainAnchor
        /// The bytes of all records up to it since the node has read the shard.
        var bytes: Int
    }

    /// Beyond so many bytes that wait, rooms refuse new ops; below a quarter of it they take them
    /// again.
    static let waitingBytesMaximum = 4 << 20
    /// For so long a room's opening waits for somebody to serve the shard.
    static let loadPatience = Duration.seconds(3)

    /// Whether the node owns the shard.
    private(set) var isServing = false
    let shard: ShardID
    let subjects: ClusterSubjects
    let scope: RecordScope
    /// Why the shard cannot be served by this process any more.
    private(set) var fault: ShardFault?
    /// What is to be sent to rooms, with the room's name.
    var mail: [(SceneMail, room: String)] = []
    /// What is to be told to administrators.
    private(set) var finished: [(@Sendable (String?) -> Void, String?)] = []
    /// What is to be told to the shard's owner.
    var events: [ClusterNode.Event] = []
    /// What was kept here, for the second copy.
    var copies: [Copy] = []
    /// Rooms that are replayed ahead of time; `nil` while none is.
    var shadows: ShardShadows?
    /// Whether the owner was told that the shard's rooms are being made ready.
    var hasToldMakingReady = false
    /// What is to be asked of the thread that replays them.
    var requests: [ShadowThread.Request] = []
    /// What is to be logged as an error.
    var troubles: [String] = []
    var rooms: [String: RoomTail] = [:]
    /// The snapshots of rooms in the engine.
    var pointers: [String: SnapshotPointer] = [:]
    var desk: SnapshotDesk
    /// By room, what waits for the contents of its snapshot.
    var wants: [String: [Want]] = [:]
    /// The room that is to have a snapshot.
    var wanted: String?
    /// Not before then is a snapshot tried again.
    var wantedFrom: MonotonicInstant?
    /// Where the chain ends, as far as it was taken here.
    var head: ChainAnchor?
    var marks: [Mark] = []
    var chainBytes = 0
    /// Where the directory stands.
    var floor: Mark?
    /// The rooms that were loaded since the node owns the shard, with the last sequence that was
    /// appended.
    var open: [String: UInt64] = [:]
    private(set) var waiting = WaitingEntries()
    var loads: [Load] = []
    /// Why the owner keeps nothing at present.
    private(set) var stall: String?
    /// Whether the rooms were told to refuse new ops.
    private(set) var hasToldStall = false
    /// Whether the rooms decide nothing, because the shard is about to be handed over.
    var isHeld = false
    /// What rooms came to, for the receiver of the shard.
    var states = HandOverStates()
    /// Rooms that were handed over, and tick on until their receiver serves them.
    var departure: ShardDeparture?

    init(_ scope: RecordScope, _ subjects: ClusterSubjects) {
        self.scope = scope
        self.subjects = subjects
        shard = scope.shard
        desk = SnapshotDesk(scope, subjects)
    }

    /// Whether nothing waits to be kept.
    var isSettled: Bool { waiting.isEmpty }
    /// The memory of what was read and of what waits, in bytes, about.
    var byteCount: Int { waiting.byteCount + rooms.values.reduce(0) { $0 + $1.byteCount } }

    /// Removes what is to be sent.
    mutating func takeMail() -> [(SceneMail, room: String)] {
        defer { mail = [] }
        return mail
    }

    /// Removes what is to be told to the owner.
    mutating func takeEvents() -> [ClusterNode.Event] {
        defer { events = [] }
        return events
    }

    /// Removes what is to be copied.
    mutating func takeCopies() -> [Copy] {
        defer { copies = [] }
        return copies
    }

    /// Removes what is to be logged.
    mutating func takeTroubles() -> [String] {
        defer { troubles = [] }
        return troubles
    }

    /// Removes what is to be told to administrators.
    mutating func takeFinished() -> [(@Sendable (String?) -> Void, String?)] {
        defer { finished = [] }
        return finished
    }

    mutating func add(_ item: WaitingEntries.Item) { waiting.add(item) }

    // MARK: Commits

    /// The entries of the next commit, if one is to be made.
    mutating func nextCommit(
        _ number: UInt64, at now: MonotonicInstant
    ) -> [ChainRecord.Entry]? {
        guard isServing, stall == nil else { return nil }
        return waiting.nextCommit(number, at: now)
    }

    /// A commit is in the journal.
    ///
    /// - Parameter anchor: The chain's end, which the commit's record is.
    /// - Returns: How long it took; `nil` for one that is not under way.
    mutating func committed(
        through number: UInt64, as anchor: ChainAnchor, at now: MonotonicInstant
    ) -> Duration? {
        guard let (kept, begun) = waiting.taken(through: number) else { return nil }
        var durable: [String: UInt64] = [:]
        for item in kept {
            if let bytes = item.bytes {
                take(bytes, of: item.room, at: anchor.number)
            }
            switch item.completion {
            case .none: break
            case .record(let sequence): durable[item.room] = sequence
            case .proof(let item): mail.append((item, room: item.addressee ?? ""))
            case .deletion(let done): finished.append((done, nil))
            case .snapshot: break
            }
        }
        note(anchor, bytes: kept.reduce(0) { $0 + ($1.bytes?.count ?? 0) })
        for (room, sequence) in durable.sorted(by: { $0.key < $1.key }) where open[room] != nil {
            mail.append((.store(.durable(room: room, through: sequence)), room: room))
        }
        tellStall()
        answerLoads(at: now)
        return now.elapsed(since: begun)
    }

    /// A commit was not taken, for a reason that passes: it is made again later.
    mutating func notTaken(_ number: UInt64) { waiting.notTaken(number) }

    // MARK: What the owner tells

    /// Records of the journal that other nodes wrote.
    mutating func read(_ records: [LoadedRecord]) {
        for loaded in records {
            var bytes = 0
            switch loaded.record.content {
            case .group(let entries):
                for entry in entries {
                    bytes += entry.bytes.count
                    take(entry.bytes, of: entry.room, at: loaded.anchor.number)
                }
            case .handOver(_, let told): states.begin(told)
            case .seal: states.forget()
            }
            note(loaded.anchor, bytes: bytes)
        }
    }

    /// The node owns the shard.
    mutating func serve(at now: MonotonicInstant) {
        // If the shard was handed over and came back, sessions from before the hand-over are closed
        // before rooms are loaded again.
        endDeparture()
        isServing = true
        stall = nil
        // What was read behind a snapshot's place need not be read again by the next owner.
        for pointer in pointers.values where pointer.anchor.number > floor?.anchor.number ?? 0 {
            events.append(
                .snapshotStored(shard, room: pointer.room, number: pointer.anchor.number))
        }
        answerLoads(at: now)
    }

    /// The owner keeps nothing at present, or does again.
    mutating func note(stall reason: String?) {
        stall = reason
        tellStall()
    }

    /// Tells the rooms whether they may take new ops.
    mutating func tellStall() {
        let maximum = hasToldStall ? Self.waitingBytesMaximum / 4 : Self.waitingBytesMaximum
        let reason =
            stall
            ?? (waiting.byteCount > maximum
                ? "\(waiting.byteCount) bytes wait for the cluster's engine" : nil)
        guard (reason != nil) != hasToldStall else { return }
        hasToldStall = reason != nil
        for room in open.keys.sorted() {
            let outcome =
                reason.map { StoreOutcome.stalled(room: room, reason: $0) } ?? .resumed(room: room)
            mail.append((.store(outcome), room: room))
        }
    }

    /// The node owns the shard no more: nothing that waits is answered, and all that was read is
    /// read again.
    mutating func lose(_ reason: String) {
        isServing = false
        isHeld = false
        for room in open.keys.sorted() {
            mail.append((.store(.lost(room: room, reason: reason)), room: room))
        }
        for item in takeWaiting() { giveUp(item.completion, item.room) }
        for case .load(let load) in wants.values.flatMap({ $0 }) { loads.append(load) }
        open = [:]
        forget()
        stall = nil
        hasToldStall = false
    }

    /// The shard's journal cannot be followed here.
    mutating func lose(_ fault: ShardFault) {
        self.fault = fault
        lose(fault.reason)
    }

    mutating func lose(_ room: String, _ reason: String) {
        open[room] = nil
        mail.append((.store(.lost(room: room, reason: reason)), room: room))
    }

    private static let unknownOutcome =
        "the room went to another node, which may have the change or not; look at the room before you ask again"

    mutating func takeWaiting() -> [WaitingEntries.Item] { Array(waiting.removeAll()) }

    mutating func giveUp(_ completion: WaitingEntries.Completion, _ room: String) {
        switch completion {
        case .none, .record, .snapshot: break
        case .proof(let item):
            // Who asks to join is told where the room is; a session's own proof went with the
            // session.
            if case .join = item { mail.append((item.unproved, room: room)) }
            if case .administer(_, _, let reply) = item {
                finished.append(({ reply(.unknown($0 ?? "")) }, Self.unknownOutcome))
            }
        case .deletion(let done):
            finished.append(
                (done, "this node does not serve the room; ask the node that does"))
        }
    }
}
