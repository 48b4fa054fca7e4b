import ArgumentParser
import Dispatch
import FoundationEssentials
import JSON
import SceneClient
import SceneWire
import WebSocketTransport

/// What people say about a scene, in text.
struct Notes: ParsableCommand {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json
    }

    static let configuration = CommandConfiguration(
        abstract: "List the comments, locks, versions and suggestions of a room.",
        discussion: """
            Prints the threads with their comments, the open ones first, the locks, the versions and the suggestions. With --follow, \
            a line of JSON for each annotation, and one for each that changes from then on, such as a program \
            needs that mails them: {"kind":"comment","id":"c1.2","value":{…}}; null for what is gone.

              scenesync notes ws://127.0.0.1:7070/demo --open
              scenesync notes ws://127.0.0.1:7070/demo --with ann@example.org
              scenesync notes ws://127.0.0.1:7070/demo --follow | ./mail-comments

            They are changed with scenesync apply: {"op":"replyComment","id":"c1","text":"Done"}.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Only threads that are not resolved.")
    var open = false

    @Option(
        help: "Only threads that a person wrote in or is mentioned in, by name or by token subject."
    )
    var with: String?

    @Option(help: "text or json.")
    var format = Format.text

    @Flag(help: "Print changes as they come, as lines of JSON.")
    var follow = false

    @Option(help: "Seconds to wait for the server.")
    var timeout: Double = 10

    func validate() throws {
        guard follow, open || with != nil else { return }
        throw ValidationError("--follow prints everything: leave --open and --with out")
    }

    func run() throws {
        ReaderWatch.begin(ending: follow ? .signal : .failure)
        let queue = EventQueue()
        var options = try connection.clientOptions(role: .viewer)
        options.capabilities = Capability.annotations | Capability.suggestions
        options.reconnects = follow
        let client: SceneClient
        do {
            client = try SceneClient(options) { queue.add($0) }
        } catch {
            throw Output.failure(.usage, error.description, try: Advice.after(error))
        }
        client.connect()
        var told: AnnotationTable?
        var reason: String?
        let deadline = DispatchTime.now() + timeout
        while let event = queue.next(until: told == nil ? deadline : .distantFuture) {
            switch event {
            case .annotations(let table):
                guard follow else {
                    client.close()
                    return report(table)
                }
                for change in AnnotationLog.changes(from: told ?? AnnotationTable(), to: table) {
                    Output.result(change.text())
                }
                told = table
            case .welcomed(let welcome):
                guard welcome.capabilities & Capability.annotations == 0 else { break }
                client.close()
                throw Output.failure(
                    .badData, "\(connection.place): the server tells no annotations",
                    try: "it may be of an earlier release")
            case .failure(let error): reason = error.text
            case .ended(let code, let text, let error):
                throw connection.failure(code, text, error, reason)
            case .updated, .result, .presence, .diagnostics, .inspection, .trace, .pong, .device,
                .reconnecting, .interactions, .records, .event, .eventResult:
                break
            }
        }
        throw Output.failure(
            .unavailable, "\(connection.place): no annotations came within \(timeout) s",
            try: "give a longer --timeout")
    }

    private func report(_ table: AnnotationTable) {
        let log = AnnotationLog(table, isOpen: open, with: with)
        switch format {
        case .text: Output.result(log.text)
        case .json: Output.result(log.json.text())
        }
    }
}
