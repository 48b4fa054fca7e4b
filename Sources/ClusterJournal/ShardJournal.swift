import SceneCluster

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
        /// The request of that number.
        case history(UInt64, tick: UInt64)
        /// A later snapshot.
        case snapshot
        /// The room's replay ahead of time.
        case shadow
    }

    /// An action that the shard asks for.
    enum Effect {
        /// Tells a room something.
        case notify(RoomNotice, room: String)
        /// Answers the request of that number.
        case answer(UInt64, JournalAnswer)
        /// Tells the shard's owner something.
        case event(ClusterNode.Event)
        /// Asks the engine for something.
        case ask(EngineTicket, EngineRequest)
        /// Adds to the second copy.
        case copy(JournalCopy)
        /// Asks the thread that replays rooms ahead of time.
        case shadow(ShadowRequest)
        /// Logs an error.
        case trouble(String)
    }

    /// Rooms refuse new ops while more bytes than this wait, until a quarter of it is left.
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
    /// Actions that were not taken yet, in order.
    private var effects: [Effect] = []
    /// Rooms that are replayed ahead of time; `nil` while none is.
    var shadows: ShardShadows?
    /// Whether the owner was told that the shard's rooms are being made ready.
    var hasToldMakingReady = false
    var rooms: [String: RoomTail] = [:]
    /// The snapshots of rooms in the engine.
    var pointers: [String: SnapshotPointer] = [:]
    var desk: SnapshotDesk
    /// By room, what waits for the contents of its snapshot.
    var wants: [String: [Want]] = [:]
    var wish = SnapshotWish()
    var extent = ChainExtent()
    /// The rooms that were loaded since the node owns the shard, with the last sequence that was
    /// appended.
    var open: [String: UInt64] = [:]
    private(set) var waiting = WaitingEntries()
    var loads: [Load] = []
    /// Why the owner keeps nothing at present.
    private(set) var stall: String?
    /// Whether the rooms were told to refuse new ops.
    private(set) var hasToldStall = false
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

    /// Whether the rooms decide nothing, because the shard is about to be handed over.
    var isHeld: Bool { states.isHeld }
    /// Whether nothing waits to be kept.
    var isSettled: Bool { waiting.isEmpty }
    /// The rooms of which something waits to be kept.
    var waitingRooms: Set<String> { waiting.rooms }
    /// The memory of what was read and of what waits, in bytes, about.
    var byteCount: Int { waiting.byteCount + rooms.values.reduce(0) { $0 + $1.byteCount } }

    /// Removes the actions that wait.
    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects + desk.takeAsks().map { .ask($0, $1) }
    }

    mutating func add(_ effect: Effect) { effects.append(effect) }

    mutating func notify(_ room: String, _ notice: RoomNotice) {
        effects.append(.notify(notice, room: room))
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
            case .proof(let number), .deletion(let number): add(.answer(number, .done))
            case .snapshot: break
            }
        }
        extent.note(anchor, bytes: kept.reduce(0) { $0 + ($1.bytes?.count ?? 0) })
        for (room, sequence) in durable.sorted(by: { $0.key < $1.key }) where open[room] != nil {
            notify(room, .durable(through: sequence))
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
            extent.note(loaded.anchor, bytes: bytes)
        }
    }

    /// The node owns the shard.
    mutating func serve(at now: MonotonicInstant) {
        // If the shard was handed over and came back, sessions from before the hand-over are closed
        // before rooms are loaded again.
        endDeparture()
        isServing = true
        stall = nil
        giveUpParts()
        // A former owner may have moved the directory and have died before it removed what is
        // behind it.
        if let floor = extent.floor {
            desk.purge(subjects.journal(of: shard), below: floor.sequence)
        }
        // What was read behind a snapshot's place need not be read again by the next owner.
        for pointer in pointers.values where pointer.anchor.number > extent.floor?.number ?? 0 {
            add(
                .event(
                    .snapshotStored(
                        shard, room: pointer.room, number: pointer.anchor.number)))
        }
        answerLoads(at: now)
    }

    /// Forgets records of former owners of which parts are missing: none will come.
    private mutating func giveUpParts() {
        for room in rooms.keys.sorted() {
            rooms[room]?.giveUpParts()
            if rooms[room]?.isEmpty == true { rooms[room] = nil }
        }
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
            notify(room, reason.map { .stalled($0) } ?? .resumed)
        }
    }

    /// The node owns the shard no more: nothing that waits is answered, and all that was read is
    /// read again.
    mutating func lose(_ reason: String) {
        isServing = false
        states.hold(false)
        for room in open.keys.sorted() {
            notify(room, .lost(reason))
        }
        for item in takeWaiting() { giveUp(item.completion) }
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
        notify(room, .lost(reason))
    }

    mutating func takeWaiting() -> [WaitingEntries.Item] { Array(waiting.removeAll()) }

    mutating func giveUp(_ completion: WaitingEntries.Completion) {
        switch completion {
        case .none, .record, .snapshot: break
        case .proof(let number), .deletion(let number): add(.answer(number, .givenUp))
        }
    }
}
