import ArgumentParser
import Conformance
import Essentials
import FoundationEssentials
import JSON

struct ConformanceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Try a server, or a client, against the protocol's specification.",
        discussion: """
            With an address it drives that server. The room is overwritten: name one \
            of its own. Cases about tokens need --tokens, those that take more than a \
            minute --slow; without these they are INFORMATIONAL.

            With --serve it plays a server, good and nasty, for a client to be tried:
            it prints `listening on ws://127.0.0.1:PORT, N cases`, then what it found, \
            and ends. The client under test does this:

            1. It connects to /case-1 … /case-N, one after another, asks for the role \
            editor and for the capabilities that it has, and behaves as it always \
            does: it acknowledges, comes back after a cut, and sends again what has \
            no result. A case is over when a connection is closed with 4004, when the \
            client closes it, or when it ends for good.

            2. Whenever, after a frame or a snapshot, the view with the id `do` has \
            another text (its lines, one after another), the client does what that \
            says. A list is sent as ops; "undo" and "redo" are sent as such; \
            {"shown": ID, "tick": T} is answered by a presence whose name is the frame \
            at which the client shows that view at that tick: `x y width height`, in \
            units; {"children": ID} by one whose selection is the ids of that view's \
            subviews, in their order. With {"device": FIELDS} the client sends \
            `device` with these fields, if it was granted, and asks for the same in \
            each hello from then on.

            With {"event": FIELDS} it sends an event of that kind, view and value; \
            with {"handle": ROOTS} it handles these subtrees from then on; with \
            {"answer": true} or {"answer": false} it answers the oldest event that it \
            was told of and has not answered. "told" is answered by a presence whose \
            selection says what its user was told of events since the last "told", in \
            order: `event SEQUENCE KIND VIEW` and `result SEQUENCE OUTCOME`.

            3. With --control there are more cases. Before /case-1 the driver connects \
            at /control, under scenesync.v1.json, and keeps that connection. It gets \
            {"id": N, "do": COMMAND}, has the client of the present case do that at \
            once, connected or not, and sends {"id": N, "answer": VALUE}, or \
            {"id": N, "cannot": true} for a command that it does not know. \
            protocol/vectors/README.md lists the commands.

            Cases about parts that a client does not ask for are INFORMATIONAL. Those \
            marked essential guard the others: a client that fails one of them proves \
            nothing by the rest.

            Verdicts: OK, NON-STRICT (against a SHOULD), FAILED (against a MUST), \
            INFORMATIONAL. Ends with 1 if anything failed.
            """)

    @Argument(help: "The room's address: ws://HOST:PORT/ROOM.")
    var url: String?

    @Flag(help: "Play the server for a client to be tried.")
    var serve = false

    @Flag(help: "With --serve: command the client's driver over a connection at /control, too.")
    var control = false

    @Option(help: "The port to listen on; 0 for a free one.")
    var port = 0

    @Option(help: "Seconds to wait for the client's next case.")
    var patience = 30.0

    @Option(help: "A case to exclude, or a prefix and *; may be repeated.")
    var exclude: [String] = []

    @Option(help: "The only cases to run, named as in --exclude; may be repeated.")
    var only: [String] = []

    @Option(
        help: """
            For a server that asks for tokens: a file with three to five, one a line. One to come with, as an editor; \
            another of the same subject, room and rights; one of another subject; and, if there is a fourth, another \
            of the first subject, which ends within a minute. A fifth is of an editor who is shown everything but the view \
            "hidden" and what is below it, and of that "shown": scenesync token --see '*' --see '!hidden' --see shown.
            """)
    var tokens: String?

    @Flag(help: "Run the cases of servers that take more than a minute, too.")
    var slow = false

    @Flag(help: "Run the essential cases only.")
    var essential = false

    @Flag(help: "List all cases, of servers and of clients, and exit.")
    var list = false

    @Option(help: "Write the results here as JSON; - prints them instead of lines of text.")
    var json: String?

    @Option(help: "Write the results here as a page.")
    var html: String?

    func validate() throws {
        guard list || (url == nil) == serve else {
            throw ValidationError("Give an address, or --serve.")
        }
        guard !essential || serve else {
            throw ValidationError("Only cases of clients are essential: give --serve.")
        }
        guard serve || !control else {
            throw ValidationError("--control applies to clients: give --serve.")
        }
        let ids = (serve ? ClientSuite.catalogue : ServerSuite.catalogue).map(\.id)
        for name in only {
            guard ids.contains(where: { CaseChoice(only: [name]).takes($0) }) else {
                throw ValidationError("there is no case \(name); --list lists all")
            }
            guard control || !serve || !ClientSuite.casesWithControl.contains(name) else {
                throw ValidationError("Case \(name) needs --control.")
            }
        }
        guard !serve || (tokens == nil && !slow) else {
            throw ValidationError("--tokens and --slow apply to servers: give an address.")
        }
    }

    func run() throws {
        if list { return printCatalogue() }
        ReaderWatch.begin()
        let choice = CaseChoice(only: only, without: exclude, essentialAlone: essential)
        let report: ConformanceReport
        if let url {
            let setting = ServerSetting(tokens: try readTokens(), hasTime: slow)
            report = ServerSuite(url: url, setting: setting, choice: choice)
                .run(progress: progress)
        } else {
            let suite: ClientSuite
            do {
                suite = try ClientSuite(
                    port: port, choice: choice, hasControl: control)
            } catch {
                throw Output.failure(
                    .badConfiguration, error.description, try: "give another --port, or 0")
            }
            Output.result("listening on \(suite.url), \(suite.caseCount) cases")
            report = suite.run(patienceSeconds: patience, progress: progress)
        }
        try write(html, report.html)
        if printsJSON {
            Output.result(report.json.text(pretty: true))
        } else {
            try write(json, report.json.text(pretty: true) + "\n")
            Output.result(report.summary)
        }
        if !report.passed { throw ExitCode.failure }
    }

    private func readTokens() throws -> ServerSetting.Tokens? {
        guard let tokens else { return nil }
        let lines = String(decoding: try Input.read(tokens), as: UTF8.self)
            .split(separator: "\n").map { $0.trimmed }
            .filter { !$0.isEmpty }
        guard (3...5).contains(lines.count) else {
            throw Output.failure(
                .badConfiguration, "\(tokens) has \(lines.count) tokens, not 3",
                try: "write three tokens to it, one a line, as --help says")
        }
        return ServerSetting.Tokens(
            own: lines[0], renewed: lines[1], stranger: lines[2],
            ending: lines.count > 3 ? lines[3] : nil, partial: lines.count > 4 ? lines[4] : nil)
    }

    /// Prints each case with its kind, its number, whether it is essential, and its title.
    private func printCatalogue() {
        if printsJSON {
            let all = [("server", ServerSuite.catalogue), ("client", ClientSuite.catalogue)]
            let entries = all.flatMap { subject, entries in
                entries.map { entry in
                    JSONValue.object([
                        JSONMember("subject", .string(subject)),
                        JSONMember("id", .string(entry.id)),
                        JSONMember("essential", .bool(entry.isEssential)),
                        JSONMember("title", .string(entry.title)),
                    ])
                }
            }
            return Output.result(JSONValue.array(entries).text(pretty: true))
        }
        for (subject, entries) in [
            ("server", ServerSuite.catalogue), ("client", ClientSuite.catalogue),
        ] {
            for entry in entries {
                Output.result(
                    "\(subject)\t\(entry.id)\t\(entry.isEssential ? "essential" : "")\t\(entry.title)"
                )
            }
        }
    }

    private var printsJSON: Bool { json == "-" }

    private var progress: @Sendable (CaseResult) -> Void {
        if printsJSON { { _ in } } else { Self.show }
    }

    @Sendable private static func show(_ result: CaseResult) {
        let detail = result.detail.isEmpty ? "" : ": \(result.detail)"
        Output.result("\(result.verdict.rawValue)\t\(result.id)\t\(result.title)\(detail)")
    }

    private func write(_ path: String?, _ text: String) throws {
        guard let path else { return }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw Output.failure(
                .failure, "cannot write \(path): \(FileFailure.reason(of: error))",
                try: "give a file that this user may write")
        }
    }
}
