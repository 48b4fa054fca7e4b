import ArgumentParser
import SceneClient
import SceneCluster
import SceneDocument
import SceneModel
import SceneSession
import SceneStore
import SceneWire
import WebSocketTransport

struct ClusterImport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Copy the rooms of one server's journal into a cluster.",
        discussion: """
            Makes each room of the journal in the cluster, with the scene that it has now; what was undone, \
            the past and who changed it stay behind. A room that the cluster has already is left as it is. \
            The server whose journal it is must not be running. One line for each room; ends with 1 if one \
            was not copied.
            """)

    @OptionGroup var engine: EngineOptions

    @Argument(help: "The directory of the journal: --data of the server.")
    var directory: String

    @Option(help: "A file with a token that may edit and make these rooms.")
    var tokenFile: String?

    @Option(help: "A PEM file of the nodes' certificates to trust.")
    var caFile: String?

    private static let patienceSeconds = 20.0

    func run() throws {
        let addresses = try nodeAddresses()
        let token = try tokenFile.map {
            String(decoding: try Input.read($0), as: UTF8.self)
                .split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
        }
        var isComplete = true
        do {
            let store = try SQLiteStore(directory: directory, isReadOnly: true)
            for room in try store.rooms() {
                let outcome = try copy(room, of: store, to: addresses, token ?? "")
                Output.result("\(room): \(outcome.text)")
                if !outcome.isDone { isComplete = false }
            }
        } catch let error as StoreError {
            throw Output.failure(.badConfiguration, error.description, try: Advice.after(error))
        }
        if !isComplete { throw ExitCode.failure }
    }

    /// Where clients reach the registered nodes.
    private func nodeAddresses() throws -> [String] {
        let beats = try ClusterBeats.open(engine)
        defer { beats.close() }
        return try beats.addresses(forSecrets: tokenFile != nil)
    }

    private struct Outcome {
        var isDone: Bool
        var text: String
    }

    private func copy(
        _ room: String, of store: SQLiteStore, to addresses: [String], _ token: String
    ) throws -> Outcome {
        let document: SceneDocument
        do throws(JournalReplay.Failure) {
            let records: [JournalRecord]
            do throws(StoreError) { records = try store.records(of: room) } catch {
                return Outcome(isDone: false, text: error.description)
            }
            document = try JournalReplay(records).timeline.model.document()
        } catch {
            return Outcome(isDone: false, text: "its journal cannot be read: \(error)")
        }
        let queue = EventQueue()
        var options = SceneClient.Options(urls: addresses.map { "\($0)/\(room)" })
        options.token = token
        options.role = .editor
        options.caFile = caFile
        let client: SceneClient
        do { client = try SceneClient(options) { queue.add($0) } } catch {
            return Outcome(isDone: false, text: error.description)
        }
        client.connect()
        defer { client.close() }
        var sequence: UInt64?
        while let event = queue.next(seconds: Self.patienceSeconds) {
            switch event {
            case .updated(let mirror) where sequence == nil && !mirror.needsSnapshot:
                // A room that was just made has its root view alone.
                guard mirror.records.count == 1 else {
                    return Outcome(isDone: false, text: "the cluster has such a room already")
                }
                sequence = client.send(.array([Op.setScene(document).json]))
            case .result(let result) where result.clientSequence == sequence:
                switch result.outcome {
                case .committed:
                    return Outcome(isDone: true, text: "\(document.views.count) views")
                case .refused(let refusal): return Outcome(isDone: false, text: refusal.message)
                }
            case .ended(let code, let reason, let error):
                return Outcome(
                    isDone: false,
                    text: error?.description
                        ?? (reason.isEmpty ? "closed with \(code ?? 1006)" : reason))
            case .welcomed, .updated, .result, .presence, .diagnostics, .trace, .pong, .inspection,
                .device, .interactions, .annotations, .records, .event, .eventResult, .failure,
                .reconnecting:
                break
            }
        }
        return Outcome(
            isDone: false, text: "no answer within \(Int(Self.patienceSeconds)) seconds")
    }
}
