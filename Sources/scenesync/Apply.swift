import ArgumentParser
import JSON
import SceneClient
import SceneDocument
import SceneModel
import SceneWire
import WebSocketTransport

struct Apply: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send ops or a scene document to a room.",
        discussion: """
            The input is a scene document (which makes the room or replaces its scene), an op, an \
            array of ops, or one of these on each line. One result is printed for each line, when it \
            is on the server's disk; ends with 1 if anything was refused.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "A file; - reads standard input.")
    var file: String

    @Flag(help: "Apply each array atomically: entirely or not at all.")
    var atomic = false

    @Option(help: "Seconds to wait for the server.")
    var timeout = 10.0

    func run() throws {
        let batches = try self.batches()
        let queue = EventQueue()
        var options = try connection.clientOptions(role: .editor)
        options.reconnects = false
        let client: SceneClient
        do {
            client = try SceneClient(options) { queue.add($0) }
        } catch {
            throw Output.failure(ExitCode(64), error.description, try: Advice.after(error))
        }
        client.connect()
        var failure: ExitCode?
        for batch in batches {
            let sequence = client.send(.array(batch.ops), atomic: atomic && batch.ops.count > 1)
            let result = try wait(for: sequence, queue)
            Output.result(Self.line(result).text())
            if let code = Self.failure(result, isDocument: batch.isDocument) {
                failure = failure == .badData ? failure : code
            }
        }
        client.close()
        while let event = queue.next(seconds: 2) {
            if case .ended = event { break }
        }
        if let failure { throw failure }
    }

    private struct Batch {
        var ops: [JSONValue]
        var isDocument: Bool
    }

    private func batches() throws -> [Batch] {
        let values: [JSONValue]
        do {
            values = try JSONReader.readLines(try Input.read(file))
        } catch let error as JSONError {
            throw Output.failure(
                .badData, "\(file): \(error)",
                try: "an op is {\"op\": …} on one line; protocol/LANGUAGE.md lists all")
        }
        return try values.map { value in
            if let ops = value.array { return Batch(ops: ops, isDocument: false) }
            guard value["scene"] != nil, value["op"] == nil else {
                return Batch(ops: [value], isDocument: false)
            }
            // Errors in a document are reported here, where line numbers are known.
            do {
                return Batch(
                    ops: [Op.setScene(try SceneDocument.parse(value)).json], isDocument: true)
            } catch let error as DocumentError {
                throw Output.failure(
                    .badData, "\(file): \(error)",
                    try: Advice.after(InputFailure(kind: .malformed, text: "")))
            }
        }
    }

    private func wait(for sequence: UInt64, _ queue: EventQueue) throws -> OpsResult {
        var reason: String?
        while let event = queue.next(seconds: timeout) {
            switch event {
            case .result(let result) where result.clientSequence == sequence: return result
            case .failure(let error): reason = error.text
            case .ended(let code, let text, let error):
                throw connection.failure(code, text, error, reason)
            case .welcomed, .updated, .result, .presence, .diagnostics, .trace, .pong, .inspection,
                .device, .reconnecting, .interactions, .annotations, .records, .event, .eventResult:
                break
            }
        }
        throw Output.failure(
            .unavailable, "\(connection.place): no answer within \(timeout) s",
            try: Advice.unanswered)
    }

    private static func failure(_ result: OpsResult, isDocument: Bool) -> ExitCode? {
        switch result.outcome {
        case .committed(let commit): return commit.refusals.isEmpty ? nil : .failure
        case .refused(let refusal):
            return isDocument && refusal.code != .storeFailed && refusal.code != .forbidden
                ? .badData : .failure
        }
    }

    /// A result as a line of JSON.
    static func line(_ result: OpsResult) -> JSONValue {
        var members: [JSONMember] = []
        switch result.outcome {
        case .committed(let commit):
            members.append(JSONMember("result", .string("committed")))
            members.append(JSONMember("tick", .number(Double(result.tick))))
            if !commit.frames.isEmpty {
                members.append(JSONMember("frames", LayoutReport.json(of: commit.frames)))
            }
            if !commit.removedConstraints.isEmpty {
                members.append(
                    JSONMember(
                        "removedConstraints",
                        .array(commit.removedConstraints.map { .string($0) })))
            }
            if !commit.refusals.isEmpty {
                members.append(JSONMember("refusals", .array(commit.refusals.map(\.json))))
            }
        case .refused(let refusal):
            members.append(JSONMember("result", .string("refused")))
            members.append(JSONMember("tick", .number(Double(result.tick))))
            if let more = refusal.json.members { members += more }
        }
        return .object(members)
    }
}
