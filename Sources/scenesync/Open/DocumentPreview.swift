import JSON
import SceneClient
import SceneDocument
import SceneSession
import Synchronization
import WebSocketTransport

/// Keeps a room's scene equal to a file: reads the file, sends it, and reports errors. A document
/// with errors never reaches the scene, so the last good one stays visible.
final class DocumentPreview: FilePreview {
    private struct State {
        var client: SceneClient?
        /// The number of the message with the last version; results of earlier ones are ignored.
        var sequence: UInt64?
        /// That version, for looking up the lines of constraints.
        var bytes: [UInt8] = []
        var report: @Sendable (PreviewOutcome) -> Void = { _ in }
    }

    private let path: String
    private let state = Mutex(State())

    var policy: OpPolicy? { nil }

    init(_ path: String) { self.path = path }

    func start(
        _ url: String, token: String, report: @escaping @Sendable (PreviewOutcome) -> Void
    ) throws(TransportError) {
        var options = SceneClient.Options(url: url)
        options.token = token
        options.role = .editor
        let client = try SceneClient(options) { [weak self] in self?.handle($0) }
        state.withLock { ($0.client, $0.report) = (client, report) }
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

    func load() {
        do throws(InputFailure) {
            let bytes = try Input.bytes(path)
            let document = try Input.parse(bytes, path)
            let op = Op.setScene(document).json
            state.withLock { state in
                state.bytes = bytes
                // Only queues the message. Its result may arrive before this returns, and waits for
                // the number.
                state.sequence = state.client?.send(.array([op]))
            }
        } catch {
            state.withLock { $0.sequence = nil }
            report(.wrong(error.text))
        }
    }

    private func report(_ outcome: PreviewOutcome) {
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
            report(PreviewOutcome(ended: code, text, error))
        case .welcomed, .updated, .presence, .diagnostics, .trace, .pong, .inspection, .device,
            .failure, .reconnecting, .interactions, .annotations, .records, .event, .eventResult:
            break
        }
    }

    /// A refusal as text, after the lines of the constraints that it names.
    private func text(_ refusal: Refusal, _ bytes: [UInt8]) -> String {
        let lines = Self.lines(of: refusal.conflicting, in: bytes)
        let place =
            lines.isEmpty ? "" : " line " + lines.map(String.init).joined(separator: ", ") + ":"
        return "\(path):\(place) \(refusal.message)"
    }

    /// The lines with these constraints: their ids, or `#` and their index in the list.
    static func lines(of names: [String], in bytes: [UInt8]) -> [Int] {
        guard let json = try? JSONReader.read(bytes),
            let constraints = json["constraints"]?.array
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
