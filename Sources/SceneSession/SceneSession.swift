public import SceneModel
import SceneProtocol

/// One room as a state machine without I/O: members, roles, the inbox, the update cycle, what members were last
/// told, and what is to be written to the journal.
///
/// It has no clock, socket, file, thread or random source: events go in, effects come out, and the same list of
/// events gives the same effects, byte for byte. Its driver carries the effects out in order. Used from one
/// thread.
public final class SceneSession {
    /// Bits of `Welcome.capabilities` that a session can grant.
    public static let capabilities =
        Capability.diagnostics | Capability.animations | Capability.undo | Capability.subscribe
        | Capability.seek | Capability.trace | Capability.keyframes | Capability.mergedResume
        | Capability.inspect | Capability.devices | Capability.events

    /// The room's name.
    public let room: String
    /// Ticks in a second.
    public let tickRate: Int
    /// What the room was told to do otherwise.
    public let options: SessionOptions
    /// The room's epoch; it grows when the scene is rebuilt from the journal.
    public internal(set) var epoch: UInt64
    /// The tick of the last update cycle.
    public internal(set) var tick: UInt64
    /// The last tick whose records are all on disk.
    public internal(set) var durableTick: UInt64 = 0
    /// Whether changes are refused because the journal cannot be written.
    public internal(set) var isReadOnly = false

    /// Views whose frames members were told of since the room came up, each tick's counted anew.
    public internal(set) var movedViewCount: UInt64 = 0

    var scene: SceneState
    /// The tick at which the scene was last needed.
    var activeTick: UInt64
    var streams: StreamSet
    /// The scene on other devices than the main one.
    var devices = DeviceSet()
    /// The last epoch and tick that this one goes on from, where it was brought back from the journal.
    var continues: (epoch: UInt64, tick: UInt64)?
    var roster = Roster()
    var clients = ClientRegistry()
    var inbox = Inbox()
    var journal: JournalState
    var presences: PresenceBoard
    var events: EventExchange
    /// What people can do with the scene's views, while it is held in few bytes.
    var frozenInteractions: [InteractionChange] = []
    /// Whether members joined while the scene was being made again, which are told with the next tick what people can do.
    var someMissInteractions = false
    /// Events that came while the scene was not at hand, which the next tick passes on.
    var waitingEvents: [PendingEvent] = []
    var seekers = SeekerSet()
    var inspections = InspectionQueue()
    let traces = TraceRecorder()
    var diagnosticsBoard = DiagnosticsBoard()
    /// When members are next told the state hash.
    var hashDueTick: UInt64?
    /// When it is next found out what is wrong with the layout, if nothing moves before.
    var diagnosticsDueTick: UInt64?
    /// The tick of the last renumbering, or of the room's beginning.
    var keyframeTick: UInt64
    /// The tick in which views were last given other numbers; members that have an earlier one may not know them.
    var numberingTick: UInt64 = 0
    /// What work may cost here, and what it has cost.
    var work: WorkAccount
    /// What memory the room takes, and may take.
    var memory: MemoryAccount
    /// The tick of what members were last told.
    var toldTick: UInt64
    /// Whether the scene was written anew since, which members are told of with the next tick.
    var hasUntoldSnapshot = false
    var effects: [SessionEffect] = []

    /// A new room with a scene of its own, which is the first thing written to its journal.
    ///
    /// - Returns: The session and the first effects.
    public static func create(
        room: String, tickRate: Int, model: SceneModel, options: SessionOptions = SessionOptions()
    ) -> (session: SceneSession, effects: [SessionEffect]) {
        model.tickRate = tickRate
        // Who joins is told all of it.
        _ = model.takeInteractionChanges()
        let session = SceneSession(
            room: room, tickRate: tickRate, options: options,
            timeline: SceneTimeline(model, ledger: UndoLedger(stepMaximum: options.undoMaximum)),
            epoch: 1, tick: 0, journal: JournalState(last: (0, 0), kept: []))
        session.appendSnapshot(author: "", clientSequence: 0)
        session.startStreams()
        return (session, session.takeEffects())
    }

    /// A room brought back from its journal, under a new epoch. A member that knows the epoch before can go on from
    /// the ticks that the replay recalls.
    ///
    /// - Parameter tickRate: Ticks in a second; where it is not the room's, a snapshot under the new rate is the first
    ///   effect of the first event.
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
            options.work, tickRate: tickRate, tick: replay.tick, snapshot: replay.snapshotWork,
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
        continues = (replay.epoch, replay.tick)
        _ = replay.timeline.model.takeInteractionChanges()
        clients = replay.clients
        if streams.isEmpty { startStreams() }
        if replay.tickRate != tickRate {
            replay.timeline.model.tickRate = tickRate
            // The tick before names what was there before the scene was written anew.
            tick += 1
            appendSnapshot(author: "", clientSequence: 0)
        }
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
            options.work, tickRate: tickRate, tick: tick, snapshot: timeline.model.work, journal: 0)
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

    /// Units of work that one tick may take where the room is; what needs more is answered by `overran`. No limit by default.
    ///
    /// It decides where work is done and when, never what comes of it.
    public var slice: UInt64 {
        get { work.slice }
        set { work.slice = newValue }
    }

    /// Units of work that members' questions have cost since the room came up: inspections, diagnostics, devices, the past.
    public var questionWork: UInt64 { work.questionWork }

    /// Records what the room is doing, so that other threads can report it; `nil` records nothing.
    public var progress: WorkProgress?

    /// Whether ticks of the last second took an eighth of a slice each on average at most.
    public func isLight(within slice: UInt64, at tick: UInt64) -> Bool {
        work.isLight(within: slice, at: tick)
    }

    /// How many members there are.
    public var memberCount: Int { roster.count }
    /// The state hash of what members have that are in step and do not animate by themselves.
    public var stateHash: UInt64 { streams.stateHash }
    /// Whether everything that was appended to the journal is on disk.
    public var isDurable: Bool { journal.isDurable }
    /// The time in nanoseconds, for the durations in traces; they are left out without it.
    public var traceClock: (() -> UInt64)? {
        get { traces.clock }
        set {
            traces.clock = newValue
            followTraces()
        }
    }

    // MARK: When there is something to do

    /// Whether a tick would do anything at once; idle rooms need none.
    public var needsTick: Bool { nextTick.map { $0 <= tick + 1 } ?? false }

    /// The tick at which there is something to do, if nothing comes before; `nil` for none.
    public var nextTick: UInt64? {
        guard let presence = presences.nextTick else { return workTick }
        return min(workTick ?? .max, max(presence, tick + 1))
    }

    /// The same for all but presence.
    var workTick: UInt64? {
        let soon = tick + 1
        let asks =
            inspections.isAnswerable || diagnosticsBoard.hasNewReaders
            || devices.scenes.contains { $0.board.hasNewReaders && $0.model != nil }
            || roster.inOrder.contains { $0.wantedDevice != nil }
        let seeks = seekers.arePending(options)
        if !inbox.isEmpty && work.changes.isSolvent || asks && work.questions.isSolvent
            || hasPendingWork || seeks && work.questions.isSolvent || awaitsDevices
            || devices.havePendingWork || devices.areSuspended || !waitingEvents.isEmpty
        {
            return soon
        }
        var next = [hashDueTick, diagnosticsDueTick, events.nextTick].compactMap(\.self).min()
        if !inbox.isEmpty { next = min(next ?? .max, work.changes.solventTick) }
        if asks || seeks { next = min(next ?? .max, work.questions.solventTick) }
        for member in roster.inOrder where member.interval > 1 && member.phase == .inStep {
            if let stream = stream(member.stream), stream.tick > member.sentTick {
                let due = member.sentTick + member.interval
                next = min(next ?? due, due)
            }
        }
        return next.map { max($0, soon) }
    }

    private var hasPendingWork: Bool {
        if case .live(let timeline) = scene { timeline.model.hasPendingWork } else { false }
    }

    // MARK: Events

    /// Takes one event in and says what is to be done.
    public func handle(_ event: SessionEvent) -> [SessionEffect] {
        if case .lost = scene { return takeEffects() }
        switch event {
        case .joined(let id, let admission): join(id, admission)
        case .received(let id, let message): receive(message, from: id)
        case .left(let id): leave(id)
        case .tick(let number): runTick(number)
        case .durable(let sequence): becomeDurable(through: sequence)
        case .storeFailed(let reason): storeFailed(reason)
        case .storeRecovered: storeRecovered()
        case .journalRead(let id, let tick, let records): beginSeeking(id, tick, records)
        case .replaceScene(let document): effects.append(.replacedScene(replaceScene(document)))
        case .retire: retire()
        case .freeze: freeze()
        }
        return takeEffects()
    }

    func takeEffects() -> [SessionEffect] {
        defer { effects.removeAll(keepingCapacity: true) }
        return effects
    }

    // MARK: Sending

    /// Encodes messages once for each format in use and addresses them.
    func send(_ messages: [ServerMessage], to recipients: [Member]) {
        guard !messages.isEmpty, !recipients.isEmpty else { return }
        for format in Subprotocol.allCases {
            let ids = recipients.filter { $0.admission.format == format }.map(\.id)
            guard !ids.isEmpty else { continue }
            effects.append(
                .send(
                    payloads: messages.map { $0.encoded(as: format) }, format: format, to: ids))
        }
    }

    /// Says that something did not work; the connection goes on.
    func report(_ code: CloseCode, _ text: String, to member: Member) {
        var error = ErrorMessage()
        error.code = UInt32(code.rawValue)
        error.text = text
        send([.error(error)], to: [member])
    }
}
