import SceneProtocol

/// What a session keeps for one member; bounded, whatever the member does.
struct Member {
    let id: MemberID
    let admission: Admission
    /// The number by which presence names it.
    let client: UInt32
    /// Whether it gets each tick's frame; one that lags leaves the group until it has caught up.
    var isInStep = true
    /// The ticks of frames that it has not acknowledged, at most `unacknowledgedMaximum` + 1.
    var unacknowledged: [UInt64] = []
    /// How often its state hash differed.
    var mismatches = 0
}

/// What is known of one client's ops, over all its connections.
struct ClientHistory {
    /// The highest sequence that was decided.
    var lastSequence: UInt64 = 0
    /// The secret that a reconnect has to know.
    var resumeToken = ""
    /// The latest results, for a client that asks again because it did not hear them.
    var results: [OpsResult] = []

    static let resultMaximum = 64

    mutating func remember(_ result: OpsResult) {
        results.append(result)
        if results.count > Self.resultMaximum { results.removeFirst() }
    }
}
