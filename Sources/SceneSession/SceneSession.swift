public import SceneModel
public import SceneProtocol

/// One room as a state machine without I/O: members, roles, the inbox, the update cycle, what members were last
/// told, and what is to be written to the journal.
///
/// It has no clock, socket, file, thread or random source: events go in, effects come out, and the same list of
/// events gives the same effects, byte for byte. Whoever drives it carries the effects out in order. Used from one
/// thread.
public final class SceneSession {
    /// Frames that a member may leave unacknowledged before it leaves the group that gets every frame.
    public static let unacknowledgedMaximum = 10
    /// Batches after which the scene is written anew, so that coming back from the journal stays quick.
    public static let batchesPerSnapshot = 256

    /// Bits of `Welcome.capabilities` that a session can grant.
    public static let capabilities = Capability.diagnostics

    /// The room's name.
    public let room: String
    /// Ticks in a second.
    public let tickRate: Int
    /// The room's epoch; members of another one have to start from a snapshot.
    public internal(set) var epoch: UInt64
    /// The tick of the last update cycle.
    public internal(set) var tick: UInt64
    /// The last tick whose records are all on disk.
    public internal(set) var durableTick: UInt64 = 0
    /// Whether changes are refused because the journal cannot be written.
    public internal(set) var isReadOnly = false

    /// How large the scene may become.
    public var sceneLimits = SceneLimits()

    var timeline: SceneTimeline
    /// What the members that are in step have.
    var baseline = SceneMirror()
    var encoder = FrameEncoder()
    var members: [MemberID: Member] = [:]
    /// Members in the order in which they came; no dictionary decides an order.
    var order: [MemberID] = []
    var clients: [String: ClientHistory] = [:]
    var inbox: [(member: MemberID, ops: Ops)] = []
    var journal: JournalState
    var presences = PresenceBoard()
    var nextClient: UInt32 = 1
    var hashIsDue = false
    /// The state as it was last encoded, and which state that was.
    private var statePayloads: [Subprotocol: [[UInt8]]] = [:]
    private var stateTick: UInt64 = 0
    private var stateHashSent: UInt64 = 0
    var effects: [SessionEffect] = []

    /// A new room with a scene of its own, which is the first thing written to its journal.
    ///
    /// - Returns: The session and the first effects.
    public static func create(
        room: String, tickRate: Int, model: SceneModel
    ) -> (session: SceneSession, effects: [SessionEffect]) {
        let session = SceneSession(
            room: room, tickRate: tickRate, timeline: SceneTimeline(model), epoch: 1, tick: 0,
            last: (0, 0))
        session.appendSnapshot(author: "", clientSequence: 0)
        session.startFromScratch()
        return (session, session.takeEffects())
    }

    /// A room brought back from its journal, under a new epoch.
    public convenience init(room: String, tickRate: Int, replay: JournalReplay) {
        self.init(
            room: room, tickRate: tickRate, timeline: replay.timeline, epoch: replay.epoch + 1,
            tick: replay.tick, last: replay.last)
        for (author, sequence) in replay.clientSequences {
            clients[author, default: ClientHistory()].lastSequence = sequence
        }
        durableTick = replay.tick
        startFromScratch()
    }

    private init(
        room: String, tickRate: Int, timeline: SceneTimeline, epoch: UInt64, tick: UInt64,
        last: (sequence: UInt64, checksum: UInt64)
    ) {
        self.room = room
        self.tickRate = tickRate
        self.timeline = timeline
        self.epoch = epoch
        self.tick = tick
        journal = JournalState(last: last)
    }

    /// The scene.
    public var model: SceneModel { timeline.model }
    /// How many members there are.
    public var memberCount: Int { order.count }
    /// The state hash of what the members have.
    public var stateHash: UInt64 { baseline.stateHash }

    /// Whether a tick would do anything; idle rooms need none.
    public var needsTick: Bool {
        !inbox.isEmpty || model.hasPendingWork || hashIsDue || presences.isPending
    }

    /// Takes one event in and says what is to be done.
    public func step(_ event: SessionEvent) -> [SessionEffect] {
        switch event {
        case .joined(let id, let admission): join(id, admission)
        case .received(let id, let message): receive(message, from: id)
        case .left(let id): leave(id)
        case .tick(let number): runTick(number)
        case .durable(let sequence): becomeDurable(through: sequence)
        case .storeFailed(let reason): storeFailed(reason)
        case .storeRecovered: storeRecovered()
        }
        return takeEffects()
    }

    func takeEffects() -> [SessionEffect] {
        defer { effects.removeAll(keepingCapacity: true) }
        return effects
    }

    /// Makes the baseline from the scene as it stands.
    func startFromScratch() {
        _ = model.takeChanges()
        var snapshot = Snapshot()
        snapshot.epoch = epoch
        snapshot.tick = tick
        snapshot.views = model.records()
        snapshot.stateHash = model.stateHash
        encoder.reset()
        statePayloads = [:]
        do {
            try baseline.apply(snapshot)
        } catch {
            // The scene's own records always make a mirror; if not, the export is at fault.
            assertionFailure("a scene's records were refused: \(error)")
        }
    }

    // MARK: Members

    private func join(_ id: MemberID, _ admission: Admission) {
        guard members[id] == nil else { return }
        let client = nextClient
        nextClient &+= 1
        members[id] = Member(id: id, admission: admission, client: client)
        order.append(id)
        clients[admission.session, default: ClientHistory()].resumeToken = admission.resumeToken
        var welcome = Welcome()
        welcome.session = admission.session
        welcome.resumeToken = admission.resumeToken
        welcome.epoch = epoch
        welcome.version = 1
        welcome.capabilities = admission.hello.capabilities & Self.capabilities
        welcome.tickRate = UInt32(clamping: tickRate)
        welcome.tick = tick
        welcome.monotonicMilliseconds = admission.monotonicMilliseconds
        welcome.unitsPerPoint = model.unitsPerPoint
        welcome.viewport = Size(width: model.viewport.width, height: model.viewport.height)
        welcome.scale = model.viewport.scale
        welcome.cell = model.viewport.cell
        welcome.limits = admission.limits
        welcome.role = admission.role
        send([.welcome(welcome)], to: [id])
        sendState(to: [id])
        if admission.hello.capabilities & Diagnostics.capability != 0 {
            var diagnostics = Diagnostics()
            diagnostics.tick = baseline.tick
            diagnostics.ambiguous = model.ambiguousViewIDs()
            diagnostics.broken = model.brokenConstraintIDs
            send([.diagnostics(diagnostics)], to: [id])
        }
        send(presences.messages(), to: [id])
    }

    private func leave(_ id: MemberID) {
        guard let member = members.removeValue(forKey: id) else { return }
        order.removeAll { $0 == id }
        inbox.removeAll { $0.member == id && $0.ops.ops == .array([]) }
        if let gone = presences.remove(member.client) {
            send([.presence(gone)], to: order)
        }
    }

    /// The session of a client that proves to be one who was here before.
    ///
    /// Tokens are not journalled, so of a client that was here before the room came back from its journal no token is
    /// known; its session's name, which nobody else was ever told, is proof enough then. Without this, ops that were
    /// journalled but not answered when the server died would be applied again.
    public func resumableSession(_ resume: Resume?) -> String? {
        guard let resume, let known = clients[resume.session],
            known.resumeToken.isEmpty || known.resumeToken == resume.token
        else { return nil }
        return resume.session
    }

    /// All that a member needs who knows nothing: the state and what is remembered of selections.
    private func state() -> [ServerMessage] {
        baseline.snapshots().map { .snapshot($0) } + baseline.selects.map { .select($0) }
    }

    /// Sends the state, encoded once for all who ask for it before it changes.
    func sendState(to recipients: [MemberID]) {
        if stateTick != baseline.tick || stateHashSent != baseline.stateHash {
            statePayloads = [:]
            (stateTick, stateHashSent) = (baseline.tick, baseline.stateHash)
        }
        for format in Subprotocol.allCases {
            let ids = recipients.filter { members[$0]?.admission.format == format }
            guard !ids.isEmpty else { continue }
            let payloads = statePayloads[format] ?? encode(state(), format)
            statePayloads[format] = payloads
            effects.append(.send(payloads: payloads, format: format, to: ids))
        }
    }

    private func receive(_ message: ClientMessage, from id: MemberID) {
        guard var member = members[id] else { return }
        switch message {
        case .hello:
            effects.append(.close(id, .badFrame, "a second hello"))
        case .ack(let ack):
            member.unacknowledged.removeAll { $0 <= ack.tick }
            if !member.isInStep, member.unacknowledged.isEmpty {
                member.isInStep = true
                sendState(to: [id])
            }
            members[id] = member
        case .ops(let ops):
            guard inbox.count < Limits.standard.opMaximum else {
                refuse(ops, from: id, Refusal(code: .limit, message: "the room's inbox is full"))
                return
            }
            inbox.append((id, ops))
        case .resync(let resync):
            member.mismatches += 1
            members[id] = member
            guard member.mismatches < 3 else {
                effects.append(
                    .close(id, .hashMismatch, "the state differed at tick \(resync.tick) again"))
                return
            }
            sendState(to: [id])
        case .ping(let ping):
            var pong = Pong()
            pong.t0 = ping.t0
            send([.pong(pong)], to: [id])
        case .presence(var presence):
            presence.client = member.client
            presences.set(presence, tick: tick)
        case .undo, .redo, .subscribe, .seek, .trace: reportUnsupported(to: id)
        }
    }

    /// Answers what needs a capability that `welcome` did not grant.
    private func reportUnsupported(to id: MemberID) {
        var error = ErrorMessage()
        error.code = UInt32(CloseCode.unsupported.rawValue)
        error.text = "welcome did not grant this message's capability"
        send([.error(error)], to: [id])
    }

    // MARK: Sending

    /// Encodes messages once for each format in use and addresses them.
    func send(_ messages: [ServerMessage], to recipients: [MemberID]) {
        guard !messages.isEmpty else { return }
        for format in Subprotocol.allCases {
            let ids = recipients.filter { members[$0]?.admission.format == format }
            guard !ids.isEmpty else { continue }
            effects.append(.send(payloads: encode(messages, format), format: format, to: ids))
        }
    }

    private func encode(_ messages: [ServerMessage], _ format: Subprotocol) -> [[UInt8]] {
        messages.map { message in
            var bytes: [UInt8] = []
            switch format {
            case .binary: message.encode(to: &bytes)
            case .json: message.json.append(to: &bytes)
            }
            return bytes
        }
    }
}
