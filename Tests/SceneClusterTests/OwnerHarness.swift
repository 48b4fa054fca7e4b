import SceneCluster

/// An owner whose engine is played by the test: requests are taken one after another, and answered
/// as the test says.
struct OwnerHarness {
    static let scope = RecordVectorTests.scope
    static let subject = "ss.j.2.5"
    static let me = NodeLife(node: NodeID(1), life: 11)
    static let other = NodeLife(node: NodeID(2), life: 22)

    var owner: ShardOwner
    /// Milliseconds of the owner's clock.
    private(set) var time: UInt64 = 1000
    /// The requests that are not answered.
    private(set) var requests: [(ticket: EngineTicket, request: EngineRequest)] = []
    /// All other effects.
    private(set) var told: [OwnerEffect] = []

    init(_ identity: NodeLife = me, chain: ShardChain? = nil, after: ShardOwner? = nil) {
        owner = ShardOwner(
            identity, chain: chain ?? ShardChain(scope: Self.scope, subject: Self.subject),
            after: after, at: MonotonicInstant(nanoseconds: 1_000_000_000))
    }

    mutating func send(_ event: ShardOwner.Event) {
        for effect in owner.handle(event, at: .init(nanoseconds: time * 1_000_000)) {
            if case .request(let ticket, let request) = effect {
                requests.append((ticket, request))
            } else {
                told.append(effect)
            }
        }
    }

    /// Lets milliseconds pass, with a tick at the end.
    mutating func pass(_ milliseconds: UInt64) {
        time += milliseconds
        send(.tick)
    }

    /// Lets milliseconds pass in short steps, in which the node hears its own beats.
    mutating func live(_ milliseconds: UInt64) {
        for _ in 0..<milliseconds / 10 {
            send(.heardSelf)
            pass(10)
        }
    }

    /// Answers the first request that is not answered.
    mutating func answer(_ reply: EngineReply) {
        guard !requests.isEmpty else { return }
        send(.reply(requests.removeFirst().ticket, reply))
    }

    /// Answers the first request with messages.
    mutating func answer(_ messages: [(UInt64, [UInt8])], isEnd: Bool = true) {
        answer(
            .messages(
                messages.map {
                    EngineMessage(subject: Self.subject, sequence: $0.0, bytes: $0.1)
                }, isEnd: isEnd))
    }

    /// Leaves the first request unanswered.
    mutating func forget() { requests.removeFirst() }

    /// What has been told since the last call.
    mutating func news() -> [OwnerEffect] {
        defer { told = [] }
        return told
    }

    var request: EngineRequest? { requests.first?.request }

    /// The bytes of the publish that waits for an answer.
    var published: [UInt8] {
        guard case .publish(_, let bytes, _) = request else { return [] }
        return bytes
    }

    /// The record that waits for an answer.
    var record: ChainRecord? {
        try? ChainRecord.decode(published, scope: Self.scope).record
    }

    /// An owner that serves in epoch 1, whose seal is at sequence 10.
    static func serving() -> OwnerHarness {
        var harness = OwnerHarness()
        harness.send(.takeOver)
        harness.answer([])
        let seal = harness.published
        harness.answer(.kept(sequence: 10))
        harness.answer([(10, seal)])
        _ = harness.news()
        return harness
    }

    static func read(
        from sequence: UInt64, _ source: EngineRequest.Source
    ) -> EngineRequest {
        .read(
            subject: subject, from: sequence, maximum: OwnerLimits.pageRecordMaximum,
            source: source)
    }

    static func entry(_ byte: UInt8) -> ChainRecord.Entry {
        ChainRecord.Entry(room: "demo", bytes: [byte])
    }
}
