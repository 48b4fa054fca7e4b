import SceneClient
import SceneProtocol
import Synchronization
import WebSocketTransport

/// Keeps a room's scene as a file has it: reads the file, sends it, and tells what is wrong with it. What is wrong never
/// reaches the scene, so the last good picture stays.
final class DocumentPreview: Sendable {
    /// What became of the file's last version.
    enum Outcome: Equatable, Sendable {
        /// It is on the screen.
        case shown
        /// It cannot be shown; the reason, with its line where one is known.
        case wrong(String)
        /// The server went away.
        case ended(String)

        /// What is wrong with the file.
        var problem: String? {
            switch self {
            case .wrong(let text): text
            case .shown, .ended: nil
            }
        }
    }

    private struct State {
        var client: SceneClient?
        /// The number of the message with the last version; earlier ones' results are of no interest any more.
        var sequence: UInt64?
        /// That version, in which the lines of constraints are looked up.
        var bytes: [UInt8] = []
        var report: @Sendable (Outcome) -> Void
    }

    private let path: String
    private let state: Mutex<State>

    /// - Parameter report: Told what becomes of each version, on any thread.
    init(_ path: String, report: @escaping @Sendable (Outcome) -> Void) {
        self.path = path
        state = Mutex(State(report: report))
    }

    /// Connects to the room as an editor, and sends the file as it is now.
    func connect(to url: String) throws(TransportError) {
        var options = SceneClient.Options(url: url)
        options.role = .editor
        let client = try SceneClient(options) { [weak self] in self?.handle($0) }
        state.withLock { $0.client = client }
        client.connect()
        load()
    }

    func close() {
        let client = state.withLock { state in
            defer { (state.client, state.report) = (nil, { _ in }) }
            return state.client
        }
        client?.close()
    }

    /// Reads the file and sends it. Called again whenever it has changed.
    func load() {
        do throws(InputFailure) {
            let bytes = try Input.bytes(path)
            let document = try Input.parse(bytes, path)
            let op = Op.setScene(document).json
            state.withLock { state in
                state.bytes = bytes
                // Only puts it into a queue. Its answer, which may come before this ends, waits for the number.
                state.sequence = state.client?.send(.array([op]))
            }
        } catch {
            state.withLock { $0.sequence = nil }
            report(.wrong(error.text))
        }
    }

    private func report(_ outcome: Outcome) {
        let report = state.withLock { $0.report }
        report(outcome)
    }

    private func handle(_ event: SceneClient.Event) {
        switch event {
        case .result(let result):
            let (sequence, bytes) = state.withLock { ($0.sequence, $0.bytes) }
            guard sequence == result.clientSequence else { return }
            switch result.outcome {
            case .refused(let refusal): report(.wrong(text(refusal, bytes)))
            case .committed(let commit):
                report(commit.refusals.first.map { .wrong(text($0, bytes)) } ?? .shown)
            }
        case .ended(let code, let text, let error):
            report(
                .ended(error?.description ?? (text.isEmpty ? "closed with \(code ?? 1006)" : text)))
        case .welcomed, .updated, .presence, .diagnostics, .trace, .pong, .inspection, .device,
            .failure, .reconnecting, .interactions, .event, .eventResult:
            break
        }
    }

    /// A refusal for people, behind the lines of the constraints that it names.
    private func text(_ refusal: Refusal, _ bytes: [UInt8]) -> String {
        let lines = Self.lines(of: refusal.conflicting, in: bytes)
        let place =
            lines.isEmpty ? "" : " line " + lines.map(String.init).joined(separator: ", ") + ":"
        return "\(path):\(place) \(refusal.message)"
    }

    /// The lines on which constraints of those names stand: their ids, or `#` and their place in the list.
    static func lines(of names: [String], in bytes: [UInt8]) -> [Int] {
        guard let json = try? JSONReader.read(bytes),
            case .array(let constraints)? = json["constraints"]?.kind
        else { return [] }
        var lines: Set<Int> = []
        for name in names {
            let number = name.hasPrefix("#") ? Int(name.dropFirst().prefix { $0.isNumber }) : nil
            for (index, constraint) in constraints.enumerated()
            where index == number || constraint["id"] == .string(name) {
                lines.insert(constraint.line)
            }
        }
        return lines.sorted()
    }
}
