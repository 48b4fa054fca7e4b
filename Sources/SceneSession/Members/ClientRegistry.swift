import SceneProtocol

/// The clients that a room knows: those that are connected, and for a while those that were, so that they can come back and
/// their ops are not applied twice.
struct ClientRegistry {
    private var histories: [String: ClientHistory] = [:]
    private var nextOrdinal: UInt64 = 0
    private var absentCount = 0
    /// When departed visitors are looked for next.
    private var sweepTick: UInt64 = 0

    /// What is known of a client. Assigning makes no client known; see `know`.
    subscript(name: String) -> ClientHistory? {
        _read { yield histories[name] }
        _modify { yield &histories[name] }
    }

    /// All names, in the order in which they came up.
    ///
    /// - Complexity: O(n log n).
    var names: [String] {
        histories.sorted { $0.value.ordinal < $1.value.ordinal }.map(\.key)
    }

    /// About how many bytes all that is known takes.
    ///
    /// - Complexity: O(n).
    var byteEstimate: Int { histories.values.reduce(0) { $0 + $1.byteEstimate } }

    /// Makes a client known, if it is not; it is absent then, as if it had just left.
    mutating func know(_ name: String, tick: UInt64) {
        guard histories[name] == nil else { return }
        var history = ClientHistory()
        history.ordinal = nextOrdinal
        history.leftTick = tick
        nextOrdinal += 1
        absentCount += 1
        histories[name] = history
    }

    /// Notes that a client opened a connection.
    mutating func connect(_ name: String, tick: UInt64) {
        know(name, tick: tick)
        if histories[name]?.connectionCount == 0 { absentCount -= 1 }
        histories[name]?.connectionCount += 1
    }

    /// Notes that one of a client's connections closed.
    mutating func disconnect(_ name: String, tick: UInt64) {
        guard let count = histories[name]?.connectionCount, count > 0 else { return }
        histories[name]?.connectionCount = count - 1
        histories[name]?.leftTick = tick
        if count == 1 { absentCount += 1 }
    }

    /// Forgets visitors, which left without asking for a change, some time after that; and where too many are absent,
    /// the earliest to leave.
    ///
    /// - Parameters:
    ///   - visitorTicks: How long visitors are remembered.
    ///   - absentMaximum: How many absent clients are remembered.
    /// - Complexity: O(n log n), but only after so many clients, or so long a time, that it takes O(1) for each client that left,
    ///   besides the sort.
    mutating func forget(at tick: UInt64, visitorTicks: UInt64, absentMaximum: Int) {
        guard absentCount > absentMaximum || tick >= sweepTick else { return }
        sweepTick = tick + max(1, visitorTicks / 4)
        var absent: [(name: String, leftTick: UInt64, ordinal: UInt64)] = []
        for (name, history) in histories where history.connectionCount == 0 {
            if history.lastSequence == 0, history.leftTick + visitorTicks <= tick {
                absent.append((name, 0, history.ordinal))
            } else {
                absent.append((name, history.leftTick + 1, history.ordinal))
            }
        }
        // No dictionary decides an order.
        absent.sort { ($0.leftTick, $0.ordinal) < ($1.leftTick, $1.ordinal) }
        let expired = absent.prefix { $0.leftTick == 0 }.count
        // Some more than necessary, so that the next client to leave does not cause another pass.
        let kept = absentMaximum - absentMaximum / 8
        let excess = absentCount - expired > absentMaximum ? absentCount - kept : 0
        for client in absent.prefix(max(expired, excess)) {
            histories[client.name] = nil
            absentCount -= 1
        }
    }
}

/// What is known of one client's ops, over all its connections.
struct ClientHistory {
    /// The highest sequence that was decided.
    var lastSequence: UInt64 = 0
    /// The digest of the secret that a reconnect has to know; empty while none was given.
    var tokenDigest = ""
    /// Whether the journal knows that digest.
    var digestIsJournalled = false
    /// The latest results, for a client that asks again because it did not hear them.
    private(set) var results: [OpsResult] = []
    /// The weight of all of these.
    private var weight = 0
    /// The latest sequences whose ops are in the journal, ascending; known after a restart too.
    var committed: [UInt64] = []
    /// Its connections; none once it has left.
    fileprivate(set) var connectionCount = 0
    /// The tick at which the last of them closed.
    fileprivate var leftTick: UInt64 = 0
    /// How many clients had come up before it.
    fileprivate var ordinal: UInt64 = 0
    /// What its last connection got, which a merged frame can only go on with.
    var stream: StreamKey?

    static let resultMaximum = 64

    /// About how many bytes it takes.
    fileprivate var byteEstimate: Int { 500 + 150 * weight + 250 * results.count }
    /// Parts of all results that are remembered, of some hundred bytes each at most.
    private static let weightMaximum = 2048

    /// - Parameter isJournalled: Whether anything of it is in the journal; not where every op was refused alone.
    mutating func remember(_ result: OpsResult, isJournalled: Bool) {
        lastSequence = max(lastSequence, result.clientSequence)
        results.append(result.weight > Self.weightMaximum ? result.inShort : result)
        weight += results[results.count - 1].weight
        while results.count > Self.resultMaximum || weight > Self.weightMaximum {
            weight -= results.removeFirst().weight
        }
        if isJournalled { rememberCommitted(result.clientSequence) }
    }

    /// - Parameter digest: Of the client's token, where the journal says it.
    mutating func note(committed sequence: UInt64, _ digest: String?) {
        lastSequence = max(lastSequence, sequence)
        rememberCommitted(sequence)
        guard let digest else { return }
        tokenDigest = digest
        digestIsJournalled = true
    }

    mutating func rememberCommitted(_ sequence: UInt64) {
        guard committed.last != sequence else { return }
        committed.append(sequence)
        if committed.count > Self.resultMaximum { committed.removeFirst() }
    }
}

extension OpsResult {
    /// How many parts it has: what it names, and pieces of its texts.
    fileprivate var weight: Int {
        switch outcome {
        case .refused(let refusal): refusal.weight
        case .committed(let commit):
            1 + commit.frames.count + commit.removedConstraints.count
                + commit.refusals.reduce(0) { $0 + $1.weight }
        }
    }

    /// The same without what it names, for a client that asks again: that it was committed, or why not.
    fileprivate var inShort: OpsResult {
        var short = self
        switch outcome {
        case .refused(var refusal):
            refusal.conflicting = []
            refusal.message = String(refusal.message.prefix(1000))
            short.outcome = .refused(refusal)
        case .committed: short.outcome = .committed(Commit())
        }
        return short
    }
}

extension Refusal {
    fileprivate var weight: Int { 1 + conflicting.count + message.utf8.count / 200 }
}
