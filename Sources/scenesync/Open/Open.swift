import ArgumentParser
import Dispatch
import Essentials
import FoundationEssentials
import Glibc
import Logging
import SceneServer
import SceneWire
import TerminalViewer

/// Shows a document and updates it while it is edited.
struct Open: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show a document and update it whenever it is saved: an editor's preview.",
        discussion: """
            Serves the document on a free port of this machine, opens the viewer, and lays the document \
            out anew when its file is saved. What is wrong with it is said below the picture, with its \
            line; the last good picture stays.

              scenesync new dashboard > my.json
              scenesync open my.json

            A browser shows the same at the address that is printed; without a terminal that is all, and \
            what is wrong goes to standard error. Nothing is kept: the file is the truth. The address carries \
            a token that no other user of this machine has.
            """)

    /// The room that shows the document.
    private static let room = "preview"

    @Argument(
        help: "The scene document, or a .storyboard or .xib, with #SCENE for one of its scenes.",
        completion: .file(extensions: ["json", "storyboard", "xib"]))
    var file: String

    @Option(help: "The port to serve on; 0 for a free one.")
    var port = 0

    @Flag(help: "Print the browser's address instead of opening the viewer.")
    var noViewer = false

    @Option(help: "Colours: auto, never, 16, 256 or truecolor.")
    var color = ColorChoice.auto

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        // A missing file is an error; a file with errors is the purpose of this command.
        _ = try Input.read(file)
        let status = PreviewStatus()
        let (server, token) = try serve(status)
        defer { server.stop() }
        let address = Address(place: "127.0.0.1:\(server.port)/\(Self.room)", token: token)
        if TerminalApplication.obstacle == nil, !noViewer {
            Output.note("a browser shows it at \(address.page)")
            try showHere(address, status)
        } else {
            try showElsewhere(address, status)
        }
    }

    /// Where the preview is, and the token that its own user has.
    private struct Address {
        var place: String
        var token: String

        /// For a browser. What follows # is not sent to the server, and the page takes it out of
        /// sight.
        var page: String { "http://\(place)?preview#token=\(token)" }
        /// For programs.
        var room: String { "ws://\(place)#token=\(token)" }
    }

    /// Starts a server, and issues the only token for it.
    private func serve(_ status: PreviewStatus) throws -> (SceneServer, token: String) {
        var options = ServerOptions()
        options.preview = status
        options.port = port
        var generator = SystemRandomNumberGenerator()
        let secret = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        options.keys.secret = secret
        var grant = Grant()
        grant.role = .editor
        grant.rooms = [Self.room]
        grant.makesRooms = true
        // For as long as anybody leaves the preview open.
        grant.expires = Date().timeIntervalSince1970 + 365 * 86_400
        do {
            // The viewer has the terminal for itself.
            let logger = Logger(label: "scenesync") { _ in SwiftLogNoOpLogHandler() }
            let server = try SceneServer(options: options, logger: logger)
            try server.start()
            return (server, try SigningKey(secret: secret).issue(grant))
        } catch {
            throw Output.failure(
                .failure, "\(error)",
                try: (error as? ServerError).map { Advice.after($0) }
                    ?? "scenesync doctor searches for the cause")
        }
    }

    /// Watches the file while `body` runs.
    private func watching(
        _ address: Address, report: @escaping @Sendable (DocumentPreview.Outcome) -> Void,
        _ body: () throws -> Void
    ) throws {
        let preview = DocumentPreview(file, report: report)
        // Before the file is first read, so that no change is missed.
        let watch: FileWatch
        do {
            watch = try FileWatch(InterfaceInput.split(file).path) { preview.load() }
        } catch {
            throw Output.failure(
                .failure, "\(file) cannot be watched: \(error)",
                try: "raise fs.inotify.max_user_watches, or give a file on a local disk")
        }
        try preview.connect(to: "ws://\(address.place)", token: address.token)
        try withExtendedLifetime(watch) { try body() }
        preview.close()
    }

    private func showHere(_ address: Address, _ status: PreviewStatus) throws {
        let view = try View.parse([address.room, "--color", color.rawValue])
        try view.watch { application, body in
            let report: @Sendable (DocumentPreview.Outcome) -> Void = { outcome in
                status.problem = outcome.problem
                switch outcome {
                case .shown: application.post(.document(problem: nil))
                case .wrong(let text): application.post(.document(problem: text))
                case .ended(let text): application.post(.document(problem: "ended: \(text)"))
                }
            }
            try watching(address, report: report, body)
        }
    }

    private func showElsewhere(_ address: Address, _ status: PreviewStatus) throws {
        let end = DispatchSemaphore(value: 0)
        let signals = [SIGTERM, SIGINT].map { number in
            SignalWatch.begin(number) { end.signal() }
        }
        let report: @Sendable (DocumentPreview.Outcome) -> Void = { [file] outcome in
            status.problem = outcome.problem
            switch outcome {
            case .shown: Output.note("\(file) is laid out")
            case .wrong(let text): Output.note(text)
            case .ended(let text):
                Output.note(text)
                end.signal()
            }
        }
        try watching(address, report: report) {
            Output.result("listening on \(address.room)\nshown at \(address.page)")
            end.wait()
        }
        for source in signals { source.cancel() }
    }
}
