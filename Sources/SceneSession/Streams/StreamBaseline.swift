import SceneWire

/// The state of a stream's members that are in step, and what brings others to it: the history of
/// the last ticks, and the whole state, each encoded once for all that ask for the same.
struct StreamBaseline {
    private enum State {
        case live(SceneMirror)
        /// As the bytes that most new members receive, and what these remember.
        case frozen(FrozenMirror, SelectionRing)
    }

    private var state = State.live(SceneMirror())
    private var history: ChangeHistory
    private var mergedCache: [(base: UInt64, durable: UInt64, messages: [ServerMessage])] = []
    private var payloadCache: [Subprotocol: [[UInt8]]] = [:]

    init(historyCostMaximum: Int) { history = ChangeHistory(costMaximum: historyCostMaximum) }

    /// The tick of the state.
    var tick: UInt64 {
        switch state {
        case .live(let mirror): mirror.tick
        case .frozen(let bytes, _): bytes.tick
        }
    }

    /// The state hash.
    var stateHash: UInt64 {
        switch state {
        case .live(let mirror): mirror.stateHash
        case .frozen(let bytes, _): bytes.stateHash
        }
    }

    /// What the members remember.
    var ring: SelectionRing {
        switch state {
        case .live(let mirror): mirror.ring
        case .frozen(_, let ring): ring
        }
    }

    /// The state; thaws it.
    var mirror: SceneMirror {
        mutating get {
            switch state {
            case .live(let mirror): return mirror
            case .frozen(let bytes, _):
                let mirror = bytes.thawed()
                // This process froze the bytes. An empty mirror refuses the next tick's changes,
                // and members receive the whole state.
                assert(mirror != nil, "a frozen mirror was refused")
                state = .live(mirror ?? SceneMirror())
                return mirror ?? SceneMirror()
            }
        }
    }

    /// Changes the state in place.
    ///
    /// - Throws: What the change throws; the state is as the change left it.
    mutating func change<Value>(
        _ body: (inout SceneMirror, inout ChangeHistory) throws(MirrorError) -> Value
    ) throws(MirrorError) -> Value {
        var mirror = mirror
        // A single owner, so that changing it copies nothing.
        state = .live(SceneMirror())
        defer { state = .live(mirror) }
        dropCaches()
        return try body(&mirror, &history)
    }

    /// Starts again from a state.
    mutating func start(_ mirror: SceneMirror) {
        history.clear()
        dropCaches()
        state = .live(mirror)
    }

    // MARK: Memory

    /// The approximate memory of the state, its history and encoded messages, in bytes.
    var byteEstimate: Int {
        let present =
            switch state {
            case .live(let mirror): mirror.byteEstimate
            case .frozen(let bytes, _): bytes.payloads.reduce(0) { $0 + $1.count }
            }
        let encoded = payloadCache.values.reduce(0) { $0 + $1.reduce(0) { $0 + $1.count } }
        return present + encoded + 40 * history.cost
    }

    /// Releases the history and the messages that can be encoded again.
    mutating func forgetHistory() {
        history.clear()
        dropCaches()
    }

    private mutating func dropCaches() {
        mergedCache.removeAll()
        payloadCache.removeAll()
    }

    // MARK: Rest

    var isFrozen: Bool {
        if case .frozen = state { true } else { false }
    }

    /// Keeps the state as bytes.
    ///
    /// - Returns: Whether it did; not while it is frozen, or where there is no state.
    mutating func freeze() -> Bool {
        guard case .live(let mirror) = state, let bytes = FrozenMirror(mirror) else { return false }
        state = .frozen(bytes, mirror.ring)
        dropCaches()
        return true
    }

    // MARK: Members that are not in step

    /// The messages that bring a member from its tick to the present; `nil` if the history does not
    /// reach back to that tick.
    ///
    /// - Complexity: O(changes since then), once for all members that ask from the same tick.
    mutating func merged(since base: UInt64, durableTick: UInt64) -> [ServerMessage]? {
        if let known = mergedCache.first(where: { $0.base == base && $0.durable == durableTick }) {
            return known.messages
        }
        guard let messages = makeMerged(base, durableTick) else { return nil }
        mergedCache.append((base, durableTick, messages))
        return messages
    }

    private mutating func makeMerged(_ base: UInt64, _ durableTick: UInt64) -> [ServerMessage]? {
        let tick = tick
        guard base != tick else {
            return [
                .frame(FrameDiff(tick: tick, baseTick: base, durableTick: min(durableTick, tick)))
            ]
        }
        guard let past = history.past(since: base) else { return nil }
        return past.changes(to: mirror).merged(from: base, to: tick, durableTick: durableTick)
    }

    /// The whole state for a new member, encoded once for all requests before it changes.
    mutating func statePayloads(_ format: Subprotocol) -> [[UInt8]] {
        if let payloads = payloadCache[format] { return payloads }
        if format == .binary, case .frozen(let bytes, _) = state { return bytes.payloads }
        let messages = mirror.snapshots().map { .snapshot($0) } + selects
        let payloads = messages.map { $0.encoded(as: format) }
        payloadCache[format] = payloads
        return payloads
    }

    /// The members' selection ring, for one that resumes.
    var selects: [ServerMessage] { Select.all(of: ring).map { .select($0) } }

    /// The state hash message.
    var hashMessage: ServerMessage {
        var hash = StateHash()
        hash.tick = tick
        hash.hash = stateHash
        return .hash(hash)
    }
}
