import SceneModel
import SceneWire

/// One stream of a room whose owner is another node: the mirror of what the owner sends, for any
/// number of members here.
struct FollowedStream {
    /// Where it stands with the owner.
    enum Phase: Equatable {
        /// The owner cannot be asked, or has ended it.
        case detached
        /// The owner was asked.
        case asked
        /// The owner has admitted the stream's viewer; its state comes next.
        case welcomed
        /// Each tick's messages come.
        case live
    }

    /// What members are to receive.
    enum Step: Equatable {
        /// These messages, and these alone: they lead from the members' tick to the stream's.
        case forward([ServerMessage])
        /// The same, in the bytes in which they came.
        case forwardAsReceived([ServerMessage])
        /// The whole state.
        case everything
        /// Nothing.
        case nothing
    }

    let key: StreamKey
    var phase = Phase.detached
    /// The number by which the owner's messages for it are known; another one whenever the owner is
    /// asked anew.
    var number: UInt64 = 0
    /// Whether the messages are those of an owner that gave the room away, and ticks on until
    /// another one has it.
    var followsFormer = false
    /// The number of the viewer by which the next owner is asked to open the room meanwhile.
    var opening: UInt64?
    /// The session and token under which the owner admitted its viewer.
    var session = ""
    var token = ""
    /// The ticks for which it has had no member.
    var unusedTicks: UInt64 = 0
    /// The ticks since the owner ended it.
    var endedTicks: UInt64 = 0
    /// Frames that came since the last acknowledgement.
    var unacknowledgedCount = 0
    private(set) var baseline: StreamBaseline
    /// The insets of scroll views that the owner has told.
    var insets = InsetTable()
    /// The last tick that the owner has called durable.
    private var durableTick: UInt64 = 0
    /// The epoch before the state's, which the history leads on from.
    private var former: FormerEpoch?
    /// Whether messages did not fit, so that the state is neither the owner's nor the members'.
    private var isLost = false
    private let historyCostMaximum: Int

    init(_ key: StreamKey, historyCostMaximum: Int) {
        self.key = key
        self.historyCostMaximum = historyCostMaximum
        baseline = StreamBaseline(historyCostMaximum: historyCostMaximum)
    }

    /// Whether there is a state; it may be an earlier owner's.
    var hasState: Bool { mutating get { !isLost && !baseline.mirror.needsSnapshot } }
    /// The epoch of the state.
    var epoch: UInt64 { mutating get { baseline.mirror.epoch } }
    var tick: UInt64 { baseline.tick }

    /// What the owner is asked to go on with; `nil` without a state that a tick names.
    var resume: Resume? {
        mutating get {
            let mirror = baseline.mirror
            guard hasState, !mirror.isWithinTick else { return nil }
            var resume = Resume()
            resume.session = session
            resume.token = token
            resume.epoch = mirror.epoch
            resume.lastTick = mirror.tick
            return resume
        }
    }

    /// Whether a client that has the state of a tick can be led on from it.
    mutating func leads(from resume: Resume, tickRate: Int) -> Bool {
        guard hasState, resume.lastTick <= tick else { return false }
        if resume.epoch == epoch { return true }
        return former?.leads(from: resume, tickRate: tickRate) ?? (resume.epoch < epoch)
    }

    /// Takes the owner's welcome: what it sends next leads into its epoch.
    mutating func welcome(_ welcome: Welcome) {
        phase = .welcomed
        session = welcome.session
        token = welcome.resumeToken
        guard hasState else { return }
        if epoch != welcome.epoch { former = FormerEpoch(epoch: epoch, tick: tick) }
        try? baseline.change { (mirror, _) throws(MirrorError) in
            mirror.continueInConnection(ofEpoch: welcome.epoch)
        }
    }

    mutating func merged(since base: UInt64) -> [ServerMessage]? {
        baseline.merged(since: base, durableTick: durableTick)
    }

    mutating func statePayloads(_ format: Subprotocol) -> [[UInt8]] {
        baseline.statePayloads(format)
    }

    // MARK: What the owner sends

    /// Takes messages about the state that came together.
    ///
    /// - Throws: `MirrorError` where they do not fit; the owner has to be asked anew, and members
    ///   start again.
    mutating func take(_ messages: [ServerMessage]) throws(MirrorError) -> Step {
        do throws(MirrorError) {
            return try apply(messages)
        } catch {
            isLost = true
            throw error
        }
    }

    private mutating func apply(_ messages: [ServerMessage]) throws(MirrorError) -> Step {
        defer { if phase == .welcomed { phase = .live } }
        if case .snapshot? = messages.first { return try start(messages) }
        if case .keyframe? = messages.first {
            try baseline.change { (mirror, history) throws(MirrorError) in
                for message in messages { _ = try mirror.apply(message) }
                history.clear()
            }
            former = nil
            return .forwardAsReceived(messages)
        }
        let base = tick
        try follow(messages)
        guard phase == .welcomed else { return .forwardAsReceived(messages) }
        // The members remember what an earlier owner had them remember.
        return .forward(
            (base == tick ? [] : messages.filter(\.isOfTick)) + memory + messages.filter(\.isHash))
    }

    /// The messages after which members remember what the stream does, and nothing that it would
    /// use by mistake.
    private var memory: [ServerMessage] {
        let selects = baseline.selects
        guard selects.isEmpty else { return selects }
        // An empty ring begins at slot 0, which is the one after the last. SPEC.md, DIFF-6.
        var last = Select()
        last.slot = UInt8(SelectionRing.slotCount - 1)
        return [.select(last)]
    }

    private mutating func follow(_ messages: [ServerMessage]) throws(MirrorError) {
        try baseline.change { (mirror, history) throws(MirrorError) in
            let base = mirror.tick
            var entry = ChangeHistory.Entry(base: base)
            for message in messages {
                entry.note(before: message, in: mirror)
                _ = try mirror.apply(message)
            }
            if mirror.tick > base { history.append(entry) }
        }
        for case .frame(let frame) in messages where frame.durableDistance <= tick {
            durableTick = tick - frame.durableDistance
        }
    }

    /// Takes a whole state. Where the numbers of the views that both have are the same, members are
    /// led on from the state before by one merged frame; else they start again too.
    private mutating func start(_ messages: [ServerMessage]) throws(MirrorError) -> Step {
        var next = SceneMirror()
        for message in messages { _ = try next.apply(message) }
        let changes = next.needsSnapshot ? nil : correction(to: next)
        guard let changes else { return startAgain(from: next) }
        var forward = changes.merged(from: tick, to: next.tick, durableTick: durableTick)
        let running = baseline.mirror.animations.ids
        if !running.isEmpty {
            var anim = Anim()
            anim.tick = next.tick
            anim.changes = running.map { .cancel(id: $0) }
            // The frame is the last.
            forward.insert(.anim(anim), at: forward.count - 1)
        }
        do throws(MirrorError) {
            try baseline.change { (mirror, _) throws(MirrorError) in
                mirror.continueInConnection(ofEpoch: next.epoch)
            }
            try follow(forward)
            guard baseline.stateHash == next.stateHash else {
                throw .hashMismatch(
                    tick: tick, expected: next.stateHash, actual: baseline.stateHash)
            }
            // What follows cites what the snapshot's receiver remembers.
            try baseline.change { (mirror, _) throws(MirrorError) in
                for select in next.selects { try mirror.apply(select) }
            }
            return .forward(forward + memory)
        } catch {
            return startAgain(from: next)
        }
    }

    private mutating func startAgain(from next: SceneMirror) -> Step {
        baseline.start(next)
        former = nil
        isLost = false
        return .everything
    }

    /// The changes from the present state to a later one; `nil` where a frame cannot lead there.
    ///
    /// - Complexity: O(views).
    private mutating func correction(to next: SceneMirror) -> SceneChanges? {
        let mirror = baseline.mirror
        guard hasState, !mirror.isWithinTick, next.tick > mirror.tick else { return nil }
        let records = next.records
        for record in records {
            guard mirror.number(id: record.id) ?? record.number == record.number,
                mirror.view(record.number).map({ $0.id == record.id }) ?? true
            else { return nil }
        }
        return Subtrees.changes(from: mirror, to: records)
    }
}

extension ServerMessage {
    /// Whether it is one of those that a frame concludes as a tick, or that frame.
    fileprivate var isOfTick: Bool {
        switch self {
        case .tree, .content, .anim, .frame: true
        case .welcome, .snapshot, .select, .hash, .result, .error, .pong, .presence,
            .diagnostics, .trace, .keyframe, .inspection, .device, .interactions, .event,
            .eventResults, .insets, .annotations, .records:
            false
        }
    }

    fileprivate var isHash: Bool {
        if case .hash = self { true } else { false }
    }

    /// Whether it is about the state of a stream.
    var isOfState: Bool {
        switch self {
        case .tree, .content, .anim, .frame, .snapshot, .select, .hash, .keyframe: true
        case .welcome, .result, .error, .pong, .presence, .diagnostics, .trace, .inspection,
            .device, .interactions, .event, .eventResults, .insets, .annotations, .records:
            false
        }
    }
}
