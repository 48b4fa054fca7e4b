import SceneCluster

/// One stream that fences, of which a test decides what it answers.
struct FakeEngine {
    /// What becomes of publishes.
    enum Mood {
        /// They are kept, and that is said.
        case well
        /// They are kept, and no answer comes.
        case mute
        /// They are not kept, and no answer comes.
        case leaderless
    }

    var mood = Mood.well
    /// Whether nothing is removed, and no answer comes to requests for it.
    var keepsEverything = false
    private(set) var messages: [EngineMessage] = []
    private var lastSequence: UInt64 = 0

    /// The messages of a subject.
    func messages(of subject: String) -> [EngineMessage] {
        messages.filter { $0.subject == subject }
    }

    /// Changes the last message of a subject, as no engine should.
    mutating func changeLast(of subject: String, _ body: (inout [UInt8]) -> Void) {
        guard let index = messages.lastIndex(where: { $0.subject == subject }) else { return }
        var bytes = messages[index].bytes
        body(&bytes)
        messages[index] = EngineMessage(
            subject: subject, sequence: messages[index].sequence, bytes: bytes)
    }

    /// Carries a request out.
    mutating func carryOut(_ request: EngineRequest) -> EngineReply {
        switch request {
        case .publish(let subject, let bytes, let expectedLast):
            if mood == .leaderless { return .unknown("no leader") }
            guard messages(of: subject).last?.sequence ?? 0 == expectedLast else {
                return .superseded
            }
            lastSequence += 1
            messages.append(
                EngineMessage(subject: subject, sequence: lastSequence, bytes: bytes))
            return mood == .mute ? .unknown("no answer came") : .kept(sequence: lastSequence)
        case .read(let subject, let from, let maximum, let source):
            if mood != .well, source == .leader { return .unknown("no leader") }
            let found = messages(of: subject).filter { $0.sequence >= from }
            return .messages(
                Array(found.prefix(maximum)), isEnd: found.count <= maximum)
        case .last(let subject, _):
            return .messages(messages(of: subject).suffix(1), isEnd: true)
        case .purge where keepsEverything: return .unknown("no answer came")
        case .purge(let subject, let below):
            messages.removeAll { message in
                let fits =
                    subject.hasSuffix(".>")
                    ? message.subject.hasPrefix(subject.dropLast()) : message.subject == subject
                return fits && message.sequence < below
            }
            return .purged
        case .probe: return .unknown("somebody may listen")
        }
    }
}
