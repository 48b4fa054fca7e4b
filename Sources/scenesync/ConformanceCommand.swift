import ArgumentParser
import Conformance
import Foundation
import SceneProtocol

struct ConformanceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Try a server, or a client, against the protocol's specification.",
        discussion: """
            With an address it drives that server. The room is overwritten: name one of its own.

            With --serve it plays a server, good and nasty, for a client to be tried: it prints
            `listening on ws://127.0.0.1:PORT, N cases`; the client connects to /case-1 … /case-N, one
            after another, and goes on when a connection ends. Then it prints what it found and ends.

            Verdicts: OK, NON-STRICT (against a SHOULD), FAILED (against a MUST), INFORMATIONAL. Ends
            with 1 if anything failed.
            """)

    @Argument(help: "The room's address: ws://HOST:PORT/ROOM.")
    var url: String?

    @Flag(help: "Play the server for a client to be tried.")
    var serve = false

    @Option(help: "The port to play on; 0 takes a free one.")
    var port = 0

    @Option(help: "Seconds to wait for the client's next case.")
    var patience = 30.0

    @Option(help: "A case, or a beginning and *, to leave out; may be repeated.")
    var exclude: [String] = []

    @Option(help: "Write the results here as JSON.")
    var json: String?

    @Option(help: "Write the results here as a page.")
    var html: String?

    func validate() throws {
        guard (url == nil) == serve else {
            throw ValidationError("Give an address, or --serve.")
        }
    }

    func run() throws {
        let exclusions = Exclusions(exclude)
        let report: ConformanceReport
        if let url {
            report = ServerSuite(url: url, exclusions: exclusions).run(progress: Self.show)
        } else {
            let suite: ClientSuite
            do {
                suite = try ClientSuite(port: port, exclusions: exclusions)
            } catch {
                throw Output.failure(.badConfiguration, error.description)
            }
            Output.result("listening on \(suite.url), \(suite.caseCount) cases")
            report = suite.run(patienceSeconds: patience, progress: Self.show)
        }
        try write(json, report.json.text(pretty: true) + "\n")
        try write(html, report.html)
        Output.result(report.summary)
        if !report.passed { throw ExitCode.failure }
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
            throw Output.failure(.failure, "cannot write \(path): \(error.localizedDescription)")
        }
    }
}
