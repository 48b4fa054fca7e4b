import ArgumentParser
import Dispatch
import Essentials
import FoundationEssentials
import Glibc
import Logging
import SceneServer
import SceneSession
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

              scenesync open Main.storyboard#login --edit --host 0.0.0.0

            With --edit a team works on the file: people with the address may change texts, constraints and \
            attributes, and what they change is written into the file at once, in the bytes of what was changed \
            and no others. What the file cannot say is refused. What another program saves meanwhile is merged.
            """)

    /// The room that shows the document.
    private static let room = "preview"

    @Argument(
        help: "The scene document, or a .storyboard or .xib, with #SCENE for one of its scenes.",
        completion: .file(extensions: ["json", "storyboard", "xib"]))
    var file: String

    @Flag(help: "Write what people change back into the .storyboard or .xib.")
    var edit = false

    @Option(help: "The address to serve on; 0.0.0.0 for other machines too.")
    var host = "127.0.0.1"

    @Option(help: "The port to serve on; 0 for a free one.")
    var port = 0

    @Flag(help: "Print the browser's address instead of opening the viewer.")
    var noViewer = false

    @Option(help: "Colours: auto, never, 16, 256 or truecolor.")
    var color = ColorChoice.auto

    func run() throws {
        signal(SIGPIPE, SIG_IGN)
        // A missing file is an error; a file with errors is the purpose of this command.
        let bytes = try Input.read(file)
        let status = PreviewStatus()
        let preview = try preview(of: bytes)
        let (server, token) = try serve(status, preview.policy)
        defer { server.stop() }
        let isEverywhere = host == "0.0.0.0" || host == "::"
        let name = isEverywhere ? ProcessInfo.processInfo.hostName : host
        let place = (name.contains(":") ? "[\(name)]" : name) + ":\(server.port)/\(Self.room)"
        let address = Address(
            place: place, port: server.port, isHere: isEverywhere || host == "127.0.0.1",
            token: token)
        if TerminalApplication.obstacle == nil, !noViewer {
            Output.note("a browser shows it at \(address.page)")
            try showHere(address, status, preview)
        } else {
            try showElsewhere(address, status, preview)
        }
    }

    /// What keeps the room and the file equal.
    private func preview(of bytes: [UInt8]) throws -> any FilePreview {
        guard edit else { return DocumentPreview(file) }
        let path = InterfaceInput.split(file).path
        guard path != "-", InterfaceInput.accepts(bytes, path) else {
            throw Output.failure(
                .badData, "\(file) is no .storyboard or .xib",
                try: "scenesync serve --scene \(file) for a team that works on a document")
        }
        guard access(path, W_OK) == 0 else {
            throw Output.failure(
                .failure, "\(path) cannot be written: \(String(cString: strerror(errno)))",
                try: "give a file that this user may write")
        }
        return InterfaceEditing(file)
    }

    /// Where the preview is, and the token that its own user has.
    private struct Address {
        /// For everybody.
        var place: String
        var port: Int
        /// Whether this machine reaches it at its own address.
        var isHere: Bool
        var token: String

        /// For a browser. What follows # is not sent to the server, and the page takes it out of
        /// sight.
        var page: String { "http://\(place)?preview#token=\(token)" }
        /// For programs.
        var room: String { "ws://\(place)#token=\(token)" }
        /// For this program.
        var own: String { isHere ? "ws://127.0.0.1:\(port)/\(Open.room)" : "ws://\(place)" }
    }

    /// Starts a server, and issues the only token for it.
    private func serve(
        _ status: PreviewStatus, _ policy: OpPolicy?
    ) throws -> (SceneServer, token: String) {
        var options = ServerOptions()
        options.preview = status
        options.opPolicy = policy
        options.host = host
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
        _ address: Address, _ preview: any FilePreview,
        report: @escaping @Sendable (PreviewOutcome) -> Void, _ body: () throws -> Void
    ) throws {
        // Before the file is first read, so that no change is missed.
        let watch: FileWatch
        do {
            watch = try FileWatch(InterfaceInput.split(file).path) { preview.load() }
        } catch {
            throw Output.failure(
                .failure, "\(file) cannot be watched: \(error)",
                try: "raise fs.inotify.max_user_watches, or give a file on a local disk")
        }
        try preview.start(address.own, token: address.token, report: report)
        try withExtendedLifetime(watch) { try body() }
        preview.close()
    }

    private func showHere(
        _ address: Address, _ status: PreviewStatus, _ preview: any FilePreview
    ) throws {
        let room = "\(address.own)#token=\(address.token)"
        let view = try View.parse([room] + (edit ? ["--edit"] : []) + ["--color", color.rawValue])
        try view.watch { application, body in
            let report: @Sendable (PreviewOutcome) -> Void = { outcome in
                status.problem = outcome.problem
                switch outcome {
                case .shown, .saved: application.post(.document(problem: nil))
                case .wrong(let text): application.post(.document(problem: text))
                case .ended(let text): application.post(.document(problem: "ended: \(text)"))
                }
            }
            try watching(address, preview, report: report, body)
        }
    }

    private func showElsewhere(
        _ address: Address, _ status: PreviewStatus, _ preview: any FilePreview
    ) throws {
        let end = DispatchSemaphore(value: 0)
        let signals = [SIGTERM, SIGINT].map { number in
            SignalWatch.begin(number) { end.signal() }
        }
        let report: @Sendable (PreviewOutcome) -> Void = { [file] outcome in
            status.problem = outcome.problem
            switch outcome {
            case .shown: Output.note("\(file) is laid out")
            case .saved: Output.note("\(file) is written")
            case .wrong(let text): Output.note(text)
            case .ended(let text):
                Output.note(text)
                end.signal()
            }
        }
        try watching(address, preview, report: report) {
            Output.result("listening on \(address.room)\nshown at \(address.page)")
            end.wait()
        }
        for source in signals { source.cancel() }
    }
}
