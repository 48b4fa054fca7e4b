import Dispatch
import Essentials
import Glibc
import InterfaceBuilder
import SceneClient
import SceneDocument
import SceneModel
import SceneSession
import SceneWire
import Synchronization
import WebSocketTransport

/// Keeps a room and a scene of an Interface Builder file equal: what people change in the room is
/// written into the file, and what other programs write into the file comes into the room.
///
/// A change that the file cannot say never reaches the scene. While the file is read again every
/// change is refused, so that none falls between the two.
final class InterfaceEditing: FilePreview {
    /// How long changes are gathered before they are written.
    private static let pause = DispatchTimeInterval.milliseconds(200)

    /// What a question for the room's scene is for.
    enum Purpose {
        /// The file gets what people have changed.
        case writing
        /// The file has changed; these are its bytes.
        case merging([UInt8])
    }

    /// A version of the file on its way to the room.
    struct Arrival {
        /// The number of the message that brings it.
        var sequence: UInt64
        var writer: InterfaceWriteBack
        var bytes: [UInt8]
        /// What this session and another program both changed.
        var conflict: String?
    }

    struct State {
        var client: SceneClient?
        var report: @Sendable (PreviewOutcome) -> Void = { _ in }
        /// The file, as it was read last.
        var writer: InterfaceWriteBack?
        /// The bytes of the file that the room shows, with what was written since.
        var written: [UInt8] = []
        /// The version of the file that is on its way to the room.
        var arriving: Arrival?
        /// The question that is open, with its number.
        var question: (number: UInt32, purpose: Purpose)?
        var questions: UInt32 = 0
        /// Whether people have changed something since the question for it was sent.
        var isChanged = false
        /// Whether the file has changed while something was on its way.
        var isStale = false
        /// Whether the file has an error, so that nothing is written over it.
        var isHeld = false
        var isEnding = false
    }

    let file: String
    let path: String
    let judge = EditingJudge()
    let state = Mutex(State())
    /// Everything but the judge's decisions happens here.
    private let queue = DispatchQueue(label: "SceneSync file")
    /// Signalled when nothing is left to be written.
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter file: The path, with #SCENE for one of its scenes.
    init(_ file: String) {
        self.file = file
        let path = InterfaceInput.split(file).path
        // A file behind a symbolic link is replaced where it is.
        let real = realpath(path, nil)
        defer { free(real) }
        self.path = real.map { String(cString: $0) } ?? path
    }

    var policy: OpPolicy? {
        OpPolicy { [judge] op, _ in judge.refusal(of: op) }
    }

    func start(
        _ url: String, token: String, report: @escaping @Sendable (PreviewOutcome) -> Void
    ) throws(TransportError) {
        var options = SceneClient.Options(url: url)
        options.token = token
        options.role = .editor
        options.capabilities = Capability.inspect
        let client = try SceneClient(options) { [weak self] event in
            guard let self else { return }
            queue.async { self.handle(event) }
        }
        state.withLock { ($0.client, $0.report) = (client, report) }
        judge.begin { [weak self] in self?.noteChange() }
        client.connect()
        load()
    }

    func load() { queue.async { self.readFile() } }

    func close() {
        queue.async {
            self.state.withLock { $0.isEnding = true }
            self.proceed()
        }
        // A room that does not answer any more does not hold the program.
        _ = ended.wait(timeout: .now() + .seconds(3))
        let client = state.withLock { state in
            defer { (state.client, state.report) = (nil, { _ in }) }
            return state.client
        }
        client?.close()
    }

    func report(_ outcome: PreviewOutcome) {
        let report = state.withLock { $0.report }
        report(outcome)
    }

    // MARK: The room

    /// People have changed something.
    private func noteChange() {
        let isFirst = state.withLock { state in
            defer { state.isChanged = true }
            return !state.isChanged
        }
        if isFirst { queue.asyncAfter(deadline: .now() + Self.pause) { self.proceed() } }
    }

    private func handle(_ event: SceneClient.Event) {
        switch event {
        case .inspection(let inspection, let number):
            let purpose = state.withLock { state -> Purpose? in
                guard state.question?.number == number else { return nil }
                defer { state.question = nil }
                return state.question?.purpose
            }
            guard let purpose else { return }
            guard let document = inspection.document else {
                report(.wrong("\(path) does not have the last changes: the scene is not told"))
                return proceed()
            }
            switch purpose {
            case .writing: write(document)
            case .merging(let bytes): merge(bytes, with: document)
            }
            proceed()
        case .result(let result): handle(result)
        case .welcomed:
            // A question without an answer is gone with its connection.
            if let question = state.withLock({ $0.question }) { send(question.number) }
        case .ended(let code, let text, let error):
            report(PreviewOutcome(ended: code, text, error))
            ended.signal()
        case .updated, .presence, .diagnostics, .trace, .pong, .device, .failure, .reconnecting,
            .interactions, .annotations, .records, .event, .eventResult:
            break
        }
    }

    private func handle(_ result: OpsResult) {
        let arrival = state.withLock { state -> Arrival? in
            guard state.arriving?.sequence == result.clientSequence else { return nil }
            defer { state.arriving = nil }
            return state.arriving
        }
        guard let arrival else { return }
        var refusal: Refusal?
        switch result.outcome {
        case .refused(let reason): refusal = reason
        case .committed(let commit): refusal = commit.refusals.first
        }
        if let refusal {
            hold("the file cannot be shown: \(refusal.message)")
            report(.wrong("\(file): \(refusal.message)"))
        } else {
            state.withLock { ($0.writer, $0.written) = (arrival.writer, arrival.bytes) }
            judge.admit(arrival.writer)
            report(arrival.conflict.map { .wrong("\(file): \($0)") } ?? .shown)
        }
        proceed()
    }

    /// Neither changes the scene nor writes the file until that is mended.
    func hold(_ reason: String) {
        state.withLock { $0.isHeld = true }
        judge.stop(reason)
    }

    /// Does what is to be done next, one thing at a time.
    func proceed() {
        enum Next { case read, ask(UInt32), end, wait }
        let next = state.withLock { state -> Next in
            guard state.question == nil, state.arriving == nil else { return .wait }
            if state.isStale { return .read }
            if state.isChanged, state.writer != nil, !state.isHeld {
                state.isChanged = false
                return .ask(Self.begin(.writing, &state))
            }
            return state.isEnding ? .end : .wait
        }
        switch next {
        case .read: readFile()
        case .ask(let number): send(number)
        case .end: ended.signal()
        case .wait: break
        }
    }

    static func begin(_ purpose: Purpose, _ state: inout State) -> UInt32 {
        state.questions &+= 1
        state.question = (state.questions, purpose)
        return state.questions
    }

    /// Asks for the room's scene.
    func send(_ number: UInt32) {
        var inspect = Inspect()
        inspect.request = number
        inspect.wantsDocument = true
        let client = state.withLock { $0.client }
        client?.send(inspect)
    }
}
