import SceneProtocol

/// What a session keeps for one member; bounded, whatever the member does.
final class Member {
    /// Where a member stands with the state.
    enum Phase: Equatable {
        /// It gets each tick's messages, or a merged frame now and then if it asked for fewer.
        case inStep
        /// It owes too many acknowledgements and gets none until it has given them.
        case behind
        /// It watches the past.
        case watching
    }

    let id: MemberID
    let admission: Admission
    /// The number by which presence names it.
    let client: UInt32
    /// The capabilities that hold for it.
    let capabilities: UInt64
    /// Which messages it gets.
    var lane: LaneKey
    /// Ticks at least between two frames; 1 for every tick.
    var interval: UInt64 = 1
    var phase = Phase.inStep
    /// The tick of the last state message that it got.
    var sentTick: UInt64 = 0
    /// Whether views were given other numbers since, of which only the whole state can tell it.
    var hasOldNumbers = false
    /// The ticks of frames that it has not acknowledged; at most one more than allowed.
    var unacknowledged: [UInt64] = []
    /// How often its state hash differed.
    var mismatches = 0
    /// The views whose trace it wants, none for all; `nil` while it wants no trace.
    var traced: Set<String>?

    init(
        id: MemberID, admission: Admission, client: UInt32, capabilities: UInt64, lane: LaneKey
    ) {
        self.id = id
        self.admission = admission
        self.client = client
        self.capabilities = capabilities
        self.lane = lane
    }

    /// Whether it gets a tick's messages as they are.
    var getsEveryTick: Bool { phase == .inStep && interval == 1 }

    func has(_ capability: UInt64) -> Bool { capabilities & capability != 0 }
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
    var results: [OpsResult] = []
    /// The latest sequences whose ops are in the journal, ascending; known after a restart too.
    var committed: [UInt64] = []
    /// What its last connection got, which a merged frame can only go on with.
    var lane: LaneKey?

    static let resultMaximum = 64

    /// - Parameter isJournalled: Whether anything of it is in the journal; not where every op was refused alone.
    mutating func remember(_ result: OpsResult, isJournalled: Bool) {
        lastSequence = max(lastSequence, result.clientSequence)
        results.append(result)
        if results.count > Self.resultMaximum { results.removeFirst() }
        if isJournalled { rememberCommitted(result.clientSequence) }
    }

    mutating func rememberCommitted(_ sequence: UInt64) {
        guard committed.last != sequence else { return }
        committed.append(sequence)
        if committed.count > Self.resultMaximum { committed.removeFirst() }
    }
}
