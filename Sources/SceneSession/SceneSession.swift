public import Annotations
public import SceneModel
import SceneWire

/// One room as a state machine without I/O: members, roles, the inbox, the update cycle, the
/// members' baselines, and the records for the journal.
///
/// It has no clock, socket, file, thread or random source: events go in, effects come out, and the
/// same list of events gives the same effects, byte for byte. Its driver executes the effects in
/// order. Used from one thread.
public final class SceneSession: Audience {
    /// Bits of `Welcome.capabilities` that a session can grant.
    public static let capabilities =
        Capability.diagnostics | Capability.animations | Capability.undo | Capability.subscribe
        | Capability.seek | Capability.trace | Capability.keyframes | Capability.mergedResume
        | Capability.inspect | Capability.devices | Capability.events | Capability.fitting
        | Capability.insets | Capability.annotations | Capability.follow
        | Capability.suggestions

    /// The room's name.
    public let room: String
    /// Ticks in a second.
    public let tickRate: Int
    /// The options that the room was made with.
    public let options: SessionOptions
    /// The room's epoch; it grows when the scene is rebuilt from the journal.
    public internal(set) var epoch: UInt64
    /// The tick of the last update cycle.
    public internal(set) var tick: UInt64
    /// The last tick whose records are all on disk.
    public internal(set) var durableTick: UInt64 = 0
    /// Whether changes are refused because the journal cannot be written.
    public var isReadOnly: Bool { gate.isReadOnly }
    var gate = JournalGate()

    /// The number of views whose frames changed in messages to members since the room was opened; a
    /// view counts once per tick.
    public internal(set) var movedViewCount: UInt64 = 0

    var scene: SceneState
    /// The tick at which the scene was last used.
    var activeTick: UInt64
    var streams: StreamSet
    /// The insets of scroll views on the main device, as members were told.
    var insets = InsetTable()
    /// The scene on other devices than the main one.
    var devices = DeviceSet()
    /// The epoch that this one goes on from, if the room was opened from its journal.
    var former: FormerEpoch?
    var roster = Roster()
    var clients = ClientRegistry()
    var inbox = Inbox()
    var journal: JournalState
    /// The snapshot that the scene was last rebuilt from after a refusal, until there is another or
    /// the room is frozen.
    var restoringSnapshot: ParsedSnapshot?
    var presences: PresenceBoard
    var events: EventExchange
    /// The interactions of the views while the scene is frozen.
    var frozenInteractions: [InteractionChange] = []
    /// Whether members joined while the scene was being rebuilt; they receive the interactions with
    /// the next tick.
    var someMissInteractions = false
    /// Events that arrived while the scene was not in memory; the next tick routes them.
    var waitingEvents: [PendingEvent] = []
    var annotationState = AnnotationState()
    /// The requests that wait for another room's scene.
    var reads = SceneReads()
    var seekers = SeekerSet()
    var inspections = InspectionQueue()
    var feed = RecordFeed()
    let traces = TraceRecorder()
    var diagnosticsBoard = DiagnosticsBoard()
    /// The tick at which members next receive the state hash.
    var hashDueTick: UInt64?
    /// The tick at which diagnostics are next computed if nothing moves before.
    var diagnosticsDueTick: UInt64?
    /// The tick of the last renumbering, or of the room's beginning.
    var keyframeTick: UInt64
    /// The tick of the last renumbering; members with an earlier one may not know the present
    /// numbers.
    var numberingTick: UInt64 = 0
    /// The budget of work and the work done.
    var work: WorkAccount
    /// The memory that the room takes, and its budget.
    var memory: MemoryAccount
    /// The tick of the members' baseline.
    var toldTick: UInt64
    /// The last tick that members at other nodes were shown by an earlier owner.
    var lastShownTick: UInt64 = 0
    /// Whether a snapshot was written since, which members receive the effects of with the next
    /// tick.
    var hasUntoldSnapshot = false
    var effects: [SessionEffect] = []

    /// Creates a room with a new scene, which is the first record of its journal.
    ///
    /// - Parameter suggestion: That of which the room is the branch, if it is one.
    /// - Returns: The session and the first effects.
    public static func create(
        room: String, tickRate: Int, model: SceneModel, options: SessionOptions = SessionOptions(),
        branchOf suggestion: Suggestion? = nil
    ) -> (session: SceneSession, effects: [SessionEffect]) {
        model.tickRate = tickRate
        // Members that join receive the whole scene.
        _ = model.takeInteractionChanges()
        let session = SceneSession(
            room: room, tickRate: tickRate, options: options,
            timeline: SceneTimeline(model, ledger: UndoLedger(stepMaximum: options.undoMaximum)),
            epoch: 1, tick: 0, journal: JournalState(last: (0, 0), kept: []))
        if let suggestion {
            session.wake()?.annotations = Annotations(branchOf: suggestion)
        }
        session.appendSnapshot(author: "", clientSequence: 0)
        session.startStreams()
        return (session, session.takeEffects())
    }

    /// Opens a room from its journal, under a new epoch. A member that knows the former epoch can
    /// resume from the ticks that the replay recalls.
    ///
    /// - Parameter tickRate: Ticks in a second; if it differs from the room's, or the room was laid
    ///   out by the rules of an earlier release, the first effect of the first event is a snapshot
    ///   of the scene as it is now.
    public init(
        room: String, tickRate: Int, replay: JournalReplay,
        options: SessionOptions = SessionOptions()
    ) {
        self.room = room
        self.tickRate = tickRate
        self.options = options
        scene = .live(replay.timeline)
        activeTick = replay.tick
        toldTick = replay.tick
        work = WorkAccount(
            options, tickRate: tickRate, tick: replay.tick, snapshot: replay.snapshotWork,
            journal: replay.workSinceSnapshot)
        memory = MemoryAccount(options.memory)
        epoch = replay.epoch + 1
        tick = replay.tick
        durableTick = replay.tick
        keyframeTick = replay.tick
        journal = JournalState(last: replay.last, kept: replay.records)
        presences = PresenceBoard(tickRate: tickRate)
        events = EventExchange(
            options.events, tickRate: tickRate, recordsSteps: options.recordsEvents)
        streams = StreamSet(replay.streams, options)
        former = FormerEpoch(
            epoch: replay.epoch, tick: replay.tick,
            mayHaveLostNumbers: replay.timeline.model.isFragmented)
        _ = replay.timeline.model.takeInteractionChanges()
        _ = replay.timeline.annotations.takeChanges()
        clients = replay.clients
        if streams.isEmpty { startStreams() } else { insets = replay.timeline.model.insets }
        journalHash = streams.stateHash
        if replay.tickRate != tickRate { replay.timeline.model.tickRate = tickRate }
        // What follows is accepted by the present rules, and must not be repeated by earlier ones.
        if replay.tickRate != tickRate || replay.isOfEarlierRules { rewriteScene() }
        noteLockHolders()
    }

    private init(
        room: String, tickRate: Int, options: SessionOptions, timeline: SceneTimeline,
        epoch: UInt64, tick: UInt64, journal: JournalState
    ) {
        self.room = room
        self.tickRate = tickRate
        self.options = options
        scene = .live(timeline)
        activeTick = tick
        toldTick = tick
        work = WorkAccount(
            options, tickRate: tickRate, tick: tick, snapshot: timeline.model.work, journal: 0)
        memory = MemoryAccount(options.memory)
        self.epoch = epoch
        self.tick = tick
        self.journal = journal
        streams = StreamSet([], options)
        keyframeTick = tick
        presences = PresenceBoard(tickRate: tickRate)
        events = EventExchange(
            options.events, tickRate: tickRate, recordsSteps: options.recordsEvents)
    }

    /// Units of work that one tick may take on the room's present thread; a tick that needs more
    /// ends with `overran`. No limit by default.
    ///
    /// It decides where and when work is done, never its result.
    public var slice: UInt64 {
        get { work.slice }
        set { work.slice = newValue }
    }

    /// Units of work for members' questions since the room was opened: inspections, diagnostics,
    /// devices, the past.
    public var questionWork: UInt64 { work.questionWork }

    /// Units of work since the room was opened: what its ticks changed, and members' questions.
    public var totalWork: UInt64 { work.totalWork }

    /// Publishes the room's present work to other threads; `nil` publishes nothing.
    public var progress: WorkProgress?

    /// Whether the ticks of the last second took at most an eighth of a slice each on average.
    public func isLight(within slice: UInt64, at tick: UInt64) -> Bool {
        work.isLight(within: slice, at: tick)
    }

    /// The number of members.
    public var memberCount: Int { roster.count }
    /// All members, the earliest first.
    public var members: [MemberID] { roster.inOrder.map(\.id) }
    /// The state hash of members that are in step and do not animate locally.
    public var stateHash: UInt64 { streams.stateHash }
    /// The state hash of the tick of the last record, as a replay of the journal comes to it.
    public internal(set) var journalHash: UInt64 = 0
    /// Whether all appended records are on disk.
    public var isDurable: Bool { journal.isDurable }
    /// Returns the time in nanoseconds, for the durations in traces; without it traces have no
    /// durations.
    public var traceClock: (() -> UInt64)? {
        get { traces.clock }
        set {
            traces.clock = newValue
            followTraces()
        }
    }

    /// Returns milliseconds since 1970, for what people say about the scene. What it returned is
    /// journalled, so that a replay does without it.
    public var wallClock: () -> Int64 = { 0 }

    // MARK: When there is something to do

    /// Whether the next tick would do anything; idle rooms need none.
    public var needsTick: Bool { nextTick.map { $0 <= tick + 1 } ?? false }

    /// The tick at which work is due if no event comes before; `nil` for none.
    public var nextTick: UInt64? {
        guard let presence = presences.nextTick else { return workTick }
        return min(workTick ?? .max, max(presence, tick + 1))
    }

    /// The same without presence.
    var workTick: UInt64? {
        let soon = tick + 1
        let asks =
            inspections.isAnswerable || diagnosticsBoard.hasNewReaders
            || devices.scenes.contains { $0.board.hasNewReaders && $0.model != nil }
            || roster.isAnyWaitingForDevice || feed.isAnyReadyToStart
        let seeks = seekers.arePending(options)
        let isDeciding = !inbox.isEmpty && gate.decides
        let pauseEnd = pauseEndTick
        if isDeciding && work.changes.isSolvent || asks && work.questions.isSolvent
            || hasPendingWork && pauseEnd == nil || seeks && work.questions.isSolvent
            || awaitsDevices || devices.havePendingWork || devices.areSuspended
            || !waitingEvents.isEmpty
        {
            return soon
        }
        var next: UInt64?
        // Without a list, since each event asks.
        func note(_ due: UInt64?) {
            if let due { next = min(next ?? due, due) }
        }
        note(pauseEnd)
        note(hashDueTick)
        note(diagnosticsDueTick)
        note(events.nextTick)
        note(lockTick)
        if annotationState.someMissThem { note(soon) }
        if annotationState.news != nil, gate.writes { note(soon) }
        if isDeciding { note(work.changes.solventTick) }
        if asks || seeks { note(work.questions.solventTick) }
        note(slowMemberTick)
        return next.map { max($0, soon) }
    }

    private var hasPendingWork: Bool {
        if case .live(let timeline) = scene { timeline.model.hasPendingWork } else { false }
    }

    // MARK: Events

    /// Handles one event and returns the effects to execute.
    public func handle(_ event: SessionEvent) -> [SessionEffect] {
        if case .lost = scene { return takeEffects() }
        switch event {
        case .joined(let id, let admission): join(id, admission)
        case .received(let id, let message): receive(message, from: id)
        case .left(let id): leave(id)
        case .tick(let number): runTick(number)
        case .shown(let tick): goOn(after: tick)
        case .durable(let sequence): becomeDurable(through: sequence)
        case .storeFailed(let reason): storeFailed(reason)
        case .storeRecovered: storeRecovered()
        case .proved(let number): becomeProved(through: number)
        case .journalStalled(let reason): gate.stall(reason)
        case .journalResumed: gate.stall(nil)
        case .journalHeld(let isHeld): gate.hold(isHeld)
        case .journalMoved(let members, let reason): sendAway(members, reason)
        case .journalLost(let reason): loseJournal(reason)
        case .journalRead(let id, let tick, let records): beginSeeking(id, tick, records)
        case .sceneRead(let id, let scene): sceneWasRead(id, scene)
        case .suggestion(let suggestion): suggestionChanged(suggestion)
        case .replaceScene(let document): effects.append(.replacedScene(replaceScene(document)))
        case .retire: retire()
        case .freeze: freeze()
        }
        tellFollowers()
        return takeEffects()
    }

    func takeEffects() -> [SessionEffect] {
        if let proof = journal.takeProofToAsk() { effects.append(.prove(proof)) }
        defer { effects.removeAll(keepingCapacity: true) }
        return effects
    }
}
