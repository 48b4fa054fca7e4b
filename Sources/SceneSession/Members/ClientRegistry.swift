import SceneDocument
import SceneWire

/// The clients that a room knows: connected ones, and for some time departed ones, so that they can
/// resume and their ops are not applied twice.
struct ClientRegistry {
    private var histories: [String: ClientHistory] = [:]
    private var nextOrdinal: UInt64 = 0
    private var absentCount = 0
    /// The tick of the next search for departed visitors.
    private var sweepTick: UInt64 = 0

    /// The history of a client. Assigning to an unknown client has no effect; see `know`.
    subscript(name: String) -> ClientHistory? {
        _read { yield histories[name] }
        _modify { yield &histories[name] }
    }

    /// All names, in order of first appearance.
    ///
    /// - Complexity: O(n log n).
    var names: [String] {
        histories.sorted { $0.value.ordinal < $1.value.ordinal }.map(\.key)
    }

    /// The approximate memory of all histories in bytes.
    ///
    /// - Complexity: O(n).
    var byteEstimate: Int { histories.values.reduce(0) { $0 + $1.byteEstimate } }

    /// Adds a client if it is unknown; it counts as departed in this tick.
    mutating func know(_ name: String, tick: UInt64) {
        guard histories[name] == nil else { return }
        var history = ClientHistory()
        history.ordinal = nextOrdinal
        history.leftTick = tick
        nextOrdinal += 1
        absentCount += 1
        histories[name] = history
    }

    /// Has the clients of a device resume with the whole state.
    ///
    /// - Complexity: O(n).
    mutating func forgetStreams(ofDevice device: UInt32) {
        for (name, history) in histories where history.stream?.device == device {
            histories[name]?.stream = StreamKey(device: .max)
        }
    }

    /// Registers a connection of a client.
    mutating func connect(_ name: String, tick: UInt64) {
        know(name, tick: tick)
        if histories[name]?.connectionCount == 0 { absentCount -= 1 }
        histories[name]?.connectionCount += 1
    }

    /// Registers that a connection of a client closed.
    mutating func disconnect(_ name: String, tick: UInt64) {
        guard let count = histories[name]?.connectionCount, count > 0 else { return }
        histories[name]?.connectionCount = count - 1
        histories[name]?.leftTick = tick
        if count == 1 { absentCount += 1 }
    }

    /// Forgets visitors, which requested no change, some time after they left; and if too many
    /// clients are absent, those that left first.
    ///
    /// - visitorTicks: The number of ticks for which visitors are remembered.
    ///   - absentMaximum: The maximum number of absent clients.
    ///   - absentMaximum: How many absent clients are remembered.
    /// - Complexity: O(n log n), but rarely: amortised, O(1) for each client that left, besides the
    ///   sort.
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
        // The order of a dictionary is not deterministic, so the order of leaving decides.
        absent.sort { ($0.leftTick, $0.ordinal) < ($1.leftTick, $1.ordinal) }
        let expired = absent.prefix { $0.leftTick == 0 }.count
        // Forgets more than necessary, so that the next client to leave does not cause another
        // pass.
        let kept = absentMaximum - absentMaximum / 8
        let excess = absentCount - expired > absentMaximum ? absentCount - kept : 0
        for client in absent.prefix(max(expired, excess)) {
            histories[client.name] = nil
            absentCount -= 1
        }
    }
}

/// The state of one client's ops, across its connections.
struct ClientHistory {
    /// The highest decided sequence.
    var lastSequence: UInt64 = 0
    /// The digest of its resume token; empty before it has one.
    var tokenDigest = ""
    /// Whether the journal has that digest.
    var digestIsJournalled = false
    /// The latest results, for a client that missed them and sends its ops again.
    private(set) var results: [OpsResult] = []
    /// The weight of these results.
    private var weight = 0
    /// The latest sequences with ops in the journal, ascending; restored after a restart.
    var committed: [UInt64] = []
    /// All sequences with ops in the journal, as far back as their ranges are remembered.
    var kept = SequenceRanges()
    /// The number of connections; 0 once it has left.
    fileprivate(set) var connectionCount = 0
    /// The tick at which the last of them closed.
    fileprivate var leftTick: UInt64 = 0
    /// The number of clients that appeared before it.
    fileprivate var ordinal: UInt64 = 0
    /// The stream of its last connection, the only one that a merged frame can continue.
    var stream: StreamKey?

    static let resultMaximum = 64

    /// The approximate memory in bytes.
    fileprivate var byteEstimate: Int { 500 + 150 * weight + 250 * results.count }
    /// The maximum number of parts in all remembered results, of at most a few hundred bytes each.
    private static let weightMaximum = 2048

    /// - Parameter isJournalled: Whether a part of the message is in the journal; false if every op
    ///   was refused alone.
    mutating func remember(_ result: OpsResult, isJournalled: Bool) {
        lastSequence = max(lastSequence, result.clientSequence)
        results.append(result.weight > Self.weightMaximum ? result.inShort : result)
        weight += results[results.count - 1].weight
        while results.count > Self.resultMaximum || weight > Self.weightMaximum {
            weight -= results.removeFirst().weight
        }
        if isJournalled { rememberCommitted(result.clientSequence) }
    }

    /// - Parameter digest: The digest of the client's token, if the journal has it.
    mutating func note(committed sequence: UInt64, _ digest: String?) {
        lastSequence = max(lastSequence, sequence)
        rememberCommitted(sequence)
        guard let digest else { return }
        tokenDigest = digest
        digestIsJournalled = true
    }

    mutating func rememberCommitted(_ sequence: UInt64) {
        kept.insert(sequence)
        guard committed.last != sequence else { return }
        committed.append(sequence)
        if committed.count > Self.resultMaximum { committed.removeFirst() }
    }
}

extension OpsResult {
    /// The number of its parts: names, and pieces of its texts.
    fileprivate var weight: Int {
        switch outcome {
        case .refused(let refusal): refusal.weight
        case .committed(let commit):
            1 + commit.frames.count + commit.removedConstraints.count
                + commit.refusals.reduce(0) { $0 + $1.weight }
        }
    }

    /// The result without the names, for a client that asks again: whether it was committed, or why
    /// not.
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
