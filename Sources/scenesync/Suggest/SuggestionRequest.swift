import ArgumentParser
import Dispatch
import JSON
import SceneClient
import SceneDocument
import SceneWire
import WebSocketTransport

/// One op about a suggestion, sent to a room and answered.
struct SuggestionRequest {
    /// Seconds to wait for the server.
    private static let timeout = 30.0

    let connection: ConnectionOptions

    /// Sends an op.
    ///
    /// - Throws: The exit code, for a refusal too; the reason is reported.
    func send(
        _ op: String, id: String, _ texts: [(String, String)] = [], only: [String] = []
    ) throws {
        var members = [JSONMember("op", .string(op)), JSONMember("id", .string(id))]
        members += texts.filter { !$0.1.isEmpty }.map { JSONMember($0.0, .string($0.1)) }
        if !only.isEmpty {
            members.append(JSONMember("only", .array(only.map { .string($0) })))
        }
        _ = try perform(.object(members), waitsForSuggestion: false)
    }

    /// Has a branch take in what changed in its room.
    ///
    /// - Returns: What does not fit, in words.
    func update() throws -> [String] {
        let op = JSONValue.object([JSONMember("op", .string("updateSuggestion"))])
        let own = try perform(op, waitsForSuggestion: true)
        return own?["conflicts"]?.array?.compactMap(\.string) ?? []
    }

    /// What people say in a room.
    func annotations() throws -> AnnotationTable {
        let (client, queue) = try connect(role: .viewer)
        defer { client.close() }
        while let event = queue.next(seconds: Self.timeout) {
            if case .annotations(let table) = event { return table }
            try check(event)
        }
        throw unanswered
    }

    /// - Parameter waitsForSuggestion: Whether a change of a suggestion is awaited beside the
    ///   result.
    /// - Returns: The suggestion's value after that.
    private func perform(_ op: JSONValue, waitsForSuggestion: Bool) throws -> JSONValue? {
        let (client, queue) = try connect(role: .editor)
        defer { client.close() }
        let sequence = client.send(.array([op]), atomic: false)
        var isCommitted = false
        var told: [JSONValue] = []
        var tables = 0
        while let event = queue.next(seconds: Self.timeout) {
            switch event {
            case .result(let result) where result.clientSequence == sequence:
                switch result.outcome {
                case .refused(let refusal): throw failure(refusal)
                case .committed(let commit):
                    if let refusal = commit.refusals.first { throw failure(refusal) }
                }
                isCommitted = true
            case .annotations(let table):
                told = table.all(.suggestion).values.map(\.self)
                tables += 1
            default: try check(event)
            }
            // The first table is that of before.
            if isCommitted, !waitsForSuggestion || tables > 1 { return told.first }
        }
        throw unanswered
    }

    private func connect(role: Role) throws -> (SceneClient, EventQueue) {
        let queue = EventQueue()
        var options = try connection.clientOptions(role: role)
        options.reconnects = false
        options.capabilities = Capability.annotations | Capability.suggestions
        do {
            let client = try SceneClient(options) { queue.add($0) }
            client.connect()
            return (client, queue)
        } catch {
            throw Output.failure(.usage, error.description, try: Advice.after(error))
        }
    }

    /// Throws for an event that ends the connection, or says that the server is of an earlier
    /// release.
    private func check(_ event: SceneClient.Event) throws {
        switch event {
        case .ended(let code, let text, let error):
            throw connection.failure(code, text, error, nil)
        case .welcomed(let welcome) where welcome.capabilities & Capability.suggestions == 0:
            throw Output.failure(
                .badData, "\(connection.place): the server knows no suggestions",
                try: "it may be of an earlier release")
        case .welcomed, .updated, .result, .presence, .diagnostics, .trace, .pong, .inspection,
            .device, .reconnecting, .interactions, .annotations, .records, .event, .eventResult,
            .failure:
            break
        }
    }

    private func failure(_ refusal: Refusal) -> ExitCode {
        Output.failure(
            .failure, "\(refusal.code.rawValue): \(refusal.message)",
            try: refusal.code == .conflict
                ? "see scenesync suggest show" : "scenesync suggest list names the suggestions")
    }

    private var unanswered: ExitCode {
        Output.failure(
            .unavailable, "\(connection.place): no answer within \(Self.timeout) s",
            try: Advice.unanswered)
    }
}
