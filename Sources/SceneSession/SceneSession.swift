public import SceneModel
import SceneProtocol

/// One room as a state machine without I/O: members, roles, the inbox, the update cycle, what members were last
/// told, and what is to be written to the journal.
///
/// It has no clock, socket, file, thread or random source: events go in, effects come out, and the same list of
/// events gives the same effects, byte for byte. Whoever drives it carries the effects out in order. Used from one
/// thread.
public final class SceneSession {
    /// Bits of `Welcome.capabilities` that a session can grant.
    public static let capabilities =
        Capability.diagnostics | Capability.animations | Capability.undo | Capability.subscribe
        | Capability.seek | Capability.trace | Capability.keyframes | Capability.mergedResume
        | Capability.inspect

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

    /// How large the scene may become.
    public var sceneLimits = SceneLimits()

    /// The scene; while it is frozen, one without anything in it.
    var held: SceneTimeline
    /// What is kept of the scene while the room is at rest.
    var frozen: FrozenScene?
    /// Whether the scene could not be brought back, so that nothing more may be done or written.
    var isLost = false
    /// The tick at which the scene was last needed.
    var activeTick: UInt64
    /// What members are told: the whole scene first, then the other ways in use.
    var lanes: [Lane]
    /// The last epoch and tick that this one goes on from, where it was brought back from the journal.
    var continues: (epoch: UInt64, tick: UInt64)?
    var members: [MemberID: Member] = [:]
    /// Members in the order in which they came; no dictionary decides an order.
    var order: [Member] = []
    var clients = ClientRegistry()
    var inbox: [(member: MemberID, request: Request)] = []
    var inboxOps = 0
    var journal: JournalState
    var presences: PresenceBoard
    var nextClient: UInt32 = 1
    /// When members are next told the state hash.
    var hashDueTick: UInt64?
    var keyframeTick: UInt64
    /// The tick in which views were last given other numbers; who has an earlier one may not know them.
    var numberingTick: UInt64 = 0
    var watches: [Watch] = []
    var questions: [Question] = []
    var trace: [TraceLine] = []
    /// The time in nanoseconds, for the durations in traces; they are left out without it. A clock is nothing that the
    /// scene depends on: it is read only while somebody traces, and only told.
    public var traceClock: (() -> UInt64)? {
        didSet { followTrace() }
    }
    var feedbackLoop: [String] = []
    var lastDiagnostics = Diagnostics()
    /// Who came since the last tick, and can read diagnostics.
    var newReaders: [Member] = []
    /// Members of each lane that get every tick, by format; `nil` when somebody came, went or fell behind.
    var recipients: [[Subprotocol: [MemberID]]]?
    var effects: [SessionEffect] = []

    /// What members ask for that is decided at the tick, in order of arrival.
    enum Request {
        case ops(Ops)
        case step(UndoLedger.Direction, clientSequence: UInt64)

        var clientSequence: UInt64 {
            switch self {
            case .ops(let ops): ops.clientSequence
            case .step(_, let sequence): sequence
            }
        }
    }

    /// A new room with a scene of its own, which is the first thing written to its journal.
    ///
    /// - Returns: The session and the first effects.
    public static func create(
        room: String, tickRate: Int, model: SceneModel, options: SessionOptions = SessionOptions()
    ) -> (session: SceneSession, effects: [SessionEffect]) {
        model.tickRate = tickRate
        let session = SceneSession(
            room: room, tickRate: tickRate, options: options,
            timeline: SceneTimeline(model, ledger: UndoLedger(stepMaximum: options.undoMaximum)),
            epoch: 1, tick: 0, journal: JournalState(last: (0, 0), kept: []), lanes: [])
        session.appendSnapshot(author: "", clientSequence: 0)
        session.startFromScratch()
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
        held = replay.timeline
        activeTick = replay.tick
        epoch = replay.epoch + 1
        tick = replay.tick
        durableTick = replay.tick
        keyframeTick = replay.tick
        journal = JournalState(last: replay.last, kept: replay.records)
        presences = PresenceBoard(tickRate: tickRate)
        lanes = replay.lanes
        continues = (replay.epoch, replay.tick)
        clients = replay.clients
        if lanes.isEmpty { startFromScratch() }
        if replay.tickRate != tickRate {
            model.tickRate = tickRate
            // The tick before names what was there before the scene was written anew.
            tick += 1
            appendSnapshot(author: "", clientSequence: 0)
        }
    }

    private init(
        room: String, tickRate: Int, options: SessionOptions, timeline: SceneTimeline,
        epoch: UInt64, tick: UInt64, journal: JournalState, lanes: [Lane]
    ) {
        self.room = room
        self.tickRate = tickRate
        self.options = options
        held = timeline
        activeTick = tick
        self.epoch = epoch
        self.tick = tick
        self.journal = journal
        self.lanes = lanes
        keyframeTick = tick
        presences = PresenceBoard(tickRate: tickRate)
    }

    /// The scene; it is thawed for whoever asks.
    public var model: SceneModel { timeline.model }

    var timeline: SceneTimeline {
        get {
            if frozen != nil { thaw() }
            return held
        }
        set {
            frozen = nil
            held = newValue
            noteActivity()
        }
    }

    /// How many members there are.
    public var memberCount: Int { order.count }
    /// The state hash of what members have that are in step and do not animate by themselves.
    public var stateHash: UInt64 { lanes[0].stateHash }
    /// Whether everything that was appended to the journal is on disk.
    public var isDurable: Bool { journal.isSettled }

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
        if !inbox.isEmpty || hasQuestions || frozen == nil && held.model.hasPendingWork
            || watches.contains(where: { $0.isPending(options) }) || !newReaders.isEmpty
        {
            return soon
        }
        var next = hashDueTick
        func add(_ tick: UInt64?) {
            if let tick { next = min(next ?? tick, tick) }
        }
        for member in order where member.interval > 1 && member.phase == .inStep {
            if let lane = laneIndex(member.lane), lanes[lane].tick > member.sentTick {
                add(member.sentTick + member.interval)
            }
        }
        return next.map { max($0, soon) }
    }

    /// Takes one event in and says what is to be done.
    public func step(_ event: SessionEvent) -> [SessionEffect] {
        guard !isLost else { return takeEffects() }
        switch event {
        case .joined(let id, let admission): join(id, admission)
        case .received(let id, let message): receive(message, from: id)
        case .left(let id): leave(id)
        case .tick(let number): runTick(number)
        case .durable(let sequence): becomeDurable(through: sequence)
        case .storeFailed(let reason): storeFailed(reason)
        case .storeRecovered: storeRecovered()
        case .journalRead(let id, let tick, let records): beginWatching(id, tick, records)
        case .retire: retire()
        case .freeze: freeze()
        }
        return takeEffects()
    }

    func takeEffects() -> [SessionEffect] {
        defer { effects.removeAll(keepingCapacity: true) }
        return effects
    }

    // MARK: Lanes

    func laneIndex(_ key: LaneKey) -> Int? { lanes.firstIndex { $0.key == key } }

    /// Makes what members have from the scene as it stands.
    func startFromScratch() {
        if lanes.isEmpty {
            lanes = [Lane(key: LaneKey(), historyCostMaximum: options.historyCostMaximum)]
        }
        model.tellsSettledFrames = lanes.contains { $0.key.isSettled }
        model.discardChanges()
        model.rememberAllAsSent()
        for index in lanes.indices { startLane(index) }
    }

    func startLane(_ index: Int) {
        let key = lanes[index].key
        if key.roots.isEmpty {
            lanes[index].start(epoch: epoch, tick: tick, model: model)
        } else if let whole = laneIndex(LaneKey(isSettled: key.isSettled)) {
            let scene = lanes[whole].baseline
            lanes[index].start(
                epoch: epoch, tick: scene.tick,
                records: Subtrees.records(of: scene, roots: key.roots))
        }
    }

    /// Makes a lane for those who want it; `nil` when there are too many already.
    func openLane(_ key: LaneKey) -> Int? {
        if let index = laneIndex(key) {
            lanes[index].emptySince = nil
            return index
        }
        noteActivity()
        if !key.roots.isEmpty {
            let count = lanes.count { !$0.key.roots.isEmpty }
            guard count < options.subtreeMaximum,
                openLane(LaneKey(isSettled: key.isSettled)) != nil
            else { return nil }
        } else if key.isSettled, frozen == nil {
            model.tellsSettledFrames = true
        }
        var lane = Lane(key: key, historyCostMaximum: options.historyCostMaximum)
        if key.roots.isEmpty {
            // It begins where the others are; what is pending comes with the next tick. At rest nothing is on its way.
            let scene = lanes[0].baseline
            lane.start(
                epoch: epoch, tick: scene.tick,
                records: key.isSettled && frozen == nil
                    ? scene.records.map { Lane.settled($0, model) } : scene.records)
        }
        lanes.append(lane)
        recipients = nil
        if !key.roots.isEmpty { startLane(lanes.count - 1) }
        return lanes.count - 1
    }

    /// Lets lanes go that nobody has been on for ten seconds.
    func closeLanes() {
        guard lanes.count > 1 else { return }
        for index in lanes.indices.dropFirst() {
            let key = lanes[index].key
            let isUsed =
                order.contains { $0.lane == key }
                || (key.roots.isEmpty
                    && lanes.contains { !$0.key.roots.isEmpty && $0.key.isSettled == key.isSettled })
            lanes[index].emptySince = isUsed ? nil : lanes[index].emptySince ?? tick
        }
        let patience = UInt64(10 * tickRate)
        let count = lanes.count
        lanes.removeAll { lane in lane.emptySince.map { tick - $0 >= patience } ?? false }
        guard lanes.count < count else { return }
        if frozen == nil { model.tellsSettledFrames = lanes.contains { $0.key.isSettled } }
        recipients = nil
    }
}
