import Annotations
import JSON
import SceneDocument
import SceneModel
import SceneWire

@testable import SceneSession

/// A session with a client's side of the wire for each member, driven by hand.
final class TestRoom {
    static let document = """
        {"scene": 1, "viewport": {"width": 400, "height": 200},
         "views": [{"id": "bar"}, {"id": "title", "parent": "bar", "kind": "label", "text": "Hello"}],
         "constraints": [
           "bar.leading == root.leading", "bar.top == root.top", "bar.height == 40",
           {"id": "w", "rule": "bar.width == 100"},
           "title.leading == bar.leading + 8", "title.top == bar.top + 8"],
         "sets": {"wide": {"constraints": ["bar.bottom <= root.bottom"]}}}
        """

    let session: SceneSession
    /// What each member has received, as a client would hold it.
    var mirrors: [MemberID: SceneMirror] = [:]
    var results: [MemberID: [OpsResult]] = [:]
    var received: [MemberID: [ServerMessage]] = [:]
    var closed: [MemberID: CloseCode] = [:]
    /// Why the session gave up, if it did.
    var abandoned: String?
    /// How often a tick needed more than its slice.
    var overrunCount = 0
    var proofs: [UInt64] = []
    /// All that was asked to be written.
    var journal: [JournalRecord] = []
    /// The steps of events, where the session records them.
    var records: [EventRecord] = []
    /// Whether records reach the disk at once.
    var isDurable = true
    var tick: UInt64 = 0
    /// Members that acknowledge nothing by themselves.
    var silent: Set<MemberID> = []
    private var sequences: [MemberID: UInt64] = [:]
    /// The scenes of other rooms, which the session asks for.
    var otherScenes: [String: () -> OtherScene] = [:]
    /// Whether the session has to wait for them until `answerReads`.
    var readsWait = false
    private(set) var sceneReads: [(MemberID, String)] = []
    /// What branches were told of suggestions.
    private(set) var news: [(id: String, suggestion: Suggestion?)] = []
    private var pastReads: [(MemberID, UInt64, [JournalRecord]?)] = []
    /// Sends as they came: payloads and receivers.
    var sends: [(payloads: [[UInt8]], to: [MemberID])] = []

    init(
        _ text: String = TestRoom.document, options: SessionOptions = SessionOptions()
    ) throws {
        let model = try SceneModel(try SceneDocument.parse(Array(text.utf8)))
        let (session, effects) = SceneSession.create(
            room: "demo", tickRate: 60, model: model, options: options)
        self.session = session
        try carryOut(effects)
    }

    /// The branch of a suggestion, as a room makes it.
    init(branchOf suggestion: Suggestion) throws {
        let model = try SceneModel(try suggestion.base.scene.document())
        let (session, effects) = SceneSession.create(
            room: "demo~\(suggestion.id)", tickRate: 60, model: model, branchOf: suggestion)
        self.session = session
        try carryOut(effects)
    }

    init(
        replaying records: [JournalRecord], options: SessionOptions = SessionOptions()
    ) throws {
        let replay = try JournalReplay(records, options: options)
        session = SceneSession(room: "demo", tickRate: 60, replay: replay, options: options)
        journal = records
        tick = replay.tick
    }

    func handle(_ event: SessionEvent) throws { try carryOut(session.handle(event)) }

    private func carryOut(_ effects: [SessionEffect]) throws {
        var last: UInt64?
        for effect in effects {
            switch effect {
            case .append(let record):
                journal.append(record)
                last = record.sequence
            case .close(let id, let code, _): closed[id] = code
            case .abandon(let reason): abandoned = reason
            case .replacedScene: break
            case .record(let record): records.append(record)
            case .overran: overrunCount += 1
            case .prove(let number): proofs.append(number)
            case .readScene(let id, let room): sceneReads.append((id, room))
            case .suggestionChanged(let id, let suggestion): news.append((id, suggestion))
            case .readJournal(let id, let tick):
                let durable = journal.filter { isDurable || $0.sequence < journal.count }
                let start = durable.lastIndex { $0.kind == .snapshot && $0.tick <= tick }
                pastReads.append((id, tick, start.map { Array(durable[$0...]) }))
            case .send(let payloads, let format, let ids),
                .offer(let payloads, let format, let ids):
                sends.append((payloads, ids))
                for payload in payloads {
                    let message =
                        format == .binary
                        ? try ServerMessage.decode(payload)
                        : try ServerMessage.decode(json: payload)
                    for id in ids { try deliver(message, to: id) }
                }
            }
        }
        if isDurable, let last { try handle(.durable(through: last)) }
        while !pastReads.isEmpty {
            let (id, tick, records) = pastReads.removeFirst()
            try handle(.journalRead(id, tick: tick, records))
        }
        if !readsWait { try answerReads() }
    }

    func answerReads() throws {
        while !sceneReads.isEmpty {
            let (id, room) = sceneReads.removeFirst()
            try handle(.sceneRead(id, otherScenes[room]?() ?? .none))
        }
    }

    private func deliver(_ message: ServerMessage, to id: MemberID) throws {
        received[id, default: []].append(message)
        if case .result(let result) = message { results[id, default: []].append(result) }
        _ = try mirrors[id, default: SceneMirror()].apply(message)
    }

    @discardableResult
    func join(
        _ number: UInt64, role: Role = .editor, session name: String? = nil,
        subject: String = "", rights: MemberRights = MemberRights(),
        format: Subprotocol = .binary, capabilities: UInt64 = 0,
        after sequence: UInt64 = 0, hello change: (inout Hello) -> Void = { _ in }
    ) throws -> MemberID {
        let id = MemberID(number)
        sequences[id] = sequence
        var hello = Hello()
        hello.role = role
        hello.capabilities = capabilities
        change(&hello)
        var admission = Admission(
            session: name ?? "session-\(number)", resumeToken: "token-\(number)", role: role,
            format: format, monotonicMilliseconds: 0, hello: hello)
        admission.subject = subject
        admission.rights = rights
        try handle(.joined(id, admission))
        return id
    }

    func send(
        _ ops: String, from id: MemberID, sequence: UInt64, atomic: Bool = false,
        group: UInt32 = 0
    ) throws {
        var message = Ops()
        message.clientSequence = sequence
        message.isAtomic = atomic
        message.undoGroup = group
        message.ops = try JSONReader.read(Array(ops.utf8))
        try handle(.received(id, .ops(message)))
    }

    /// Sends ops under the client's next sequence and runs a tick.
    func apply(
        _ ops: String, from id: MemberID, atomic: Bool = false, group: UInt32 = 0
    ) throws {
        try send(ops, from: id, sequence: nextSequence(id), atomic: atomic, group: group)
        try runTicks()
    }

    func nextSequence(_ id: MemberID) -> UInt64 {
        sequences[id, default: 0] += 1
        return sequences[id] ?? 0
    }

    @discardableResult
    func undo(_ id: MemberID) throws -> OpsResult.Outcome? {
        var request = UndoRequest()
        request.clientSequence = nextSequence(id)
        try handle(.received(id, .undo(request)))
        try runTicks()
        return lastResult(id)
    }

    @discardableResult
    func redo(_ id: MemberID) throws -> OpsResult.Outcome? {
        var request = UndoRequest()
        request.clientSequence = nextSequence(id)
        try handle(.received(id, .redo(request)))
        try runTicks()
        return lastResult(id)
    }

    func ack(_ id: MemberID) throws {
        var ack = Ack()
        ack.tick = mirrors[id]?.tick ?? 0
        try handle(.received(id, .ack(ack)))
    }

    func runTicks(_ count: Int = 1, acknowledge: Bool = true) throws {
        for _ in 0..<count {
            // A session may have taken a tick for itself.
            tick = max(tick, session.tick) + 1
            try handle(.tick(tick))
            guard acknowledge else { continue }
            for id in mirrors.keys.sorted() where !silent.contains(id) { try ack(id) }
        }
    }

    /// The width of a view as a member sees it.
    func width(of view: String, for id: MemberID) -> Int32? {
        mirrors[id]?.view(id: view)?.frame.width
    }

    func lastResult(_ id: MemberID) -> OpsResult.Outcome? { results[id]?.last?.outcome }

    func refusal(_ id: MemberID) -> Refusal? {
        if case .refused(let refusal)? = lastResult(id) { refusal } else { nil }
    }
}

extension SceneSession {
    /// The scene at hand; tests that lose it do not ask.
    var model: SceneModel { timeline.model }

    var timeline: SceneTimeline {
        guard let timeline = wake() else { fatalError("the scene is lost") }
        return timeline
    }

    /// Whether the scene is kept as its records, whatever the streams are.
    var hasFrozenScene: Bool {
        if case .frozen = scene { true } else { false }
    }
}
