import ArgumentParser
import Dispatch
import Essentials
import FoundationEssentials
import Glibc
import SceneClient
import SceneWire
import Synchronization
import TerminalViewer
import WebSocketTransport

/// `view` on a terminal, recorded or not, and recordings.
extension View {
    /// Shows the room until the user presses q.
    ///
    /// - Parameter around: Runs the viewer that it is given, and may post events to it meanwhile.
    func watch(
        _ around: (TerminalApplication, () throws -> Void) throws -> Void = { try $1() }
    ) throws {
        let recorder = try record.map { path in
            guard let file = RecordingFile(path) else {
                throw Output.failure(
                    .failure, "cannot write \(path)", try: "give a file that this user may write")
            }
            return file
        }
        let obstacle = TerminalApplication.obstacle
        let isOnTerminal = obstacle == nil
        if let obstacle, recorder == nil {
            throw Output.failure(
                .usage, obstacle,
                try: "use --once for one picture as text, --follow for a line a frame")
        }
        var options = ViewerOptions(colors: color.depth)
        if isOnTerminal { options.encoding = Output.encoding }
        options.name = name ?? ProcessInfo.processInfo.environment["USER"] ?? ""
        let choice: DeviceChoice = device.map { .named($0) } ?? (shared ? .shared : .own)
        options.device = choice
        if app { options.screen = .app }
        options.beside = beside.map { $0 == "shared" ? .shared : .named($0) }
        options.pictures = pictures.choice
        if isOnTerminal, let recorder { options.recorder = { recorder.write($0) } }
        // A recording may be played on another terminal.
        if !isOnTerminal, color == .auto { options.colors = .trueColor }
        let bridge = ViewerBridge()
        let application = TerminalApplication(url: connection.url, options: options) {
            bridge.perform($0)
        }
        var client = try connection.clientOptions(
            role: app ? .participant : edit ? .editor : .viewer)
        client.capabilities = app ? ViewerBridge.appCapabilities : ViewerBridge.capabilities
        let recordingSize = size ?? GridSize(columns: 80, rows: 24)
        let area =
            TerminalApplication.sceneArea(for: options.screen)
            ?? GridSize(columns: recordingSize.columns, rows: recordingSize.rows - 1)
        client.device = choice.request(in: area)
        bridge.fetch(with: PictureFetcher(client), for: application)
        try bridge.connect(application, client) { try makeClient($0, $1) }
        if !isOnTerminal { recorder?.endWithReader() }
        var code: Int32 = 0
        try around(application) {
            code =
                if isOnTerminal {
                    application.run()
                } else {
                    application.record(size: recordingSize, seconds: seconds) {
                        recorder?.write($0)
                    }
                }
        }
        bridge.close()
        if let failure = bridge.failure {
            throw Output.failure(
                failure.code, "\(connection.place): \(failure.text)", try: failure.advice)
        }
        if code != 0 { throw ExitCode(code) }
    }

    func playRecording() throws {
        let cast: Cast
        let bytes = try Input.read(connection.url)
        do throws(Cast.Failure) { cast = try Cast.parse(bytes) } catch {
            throw Output.failure(
                .badData, "\(connection.place): \(error)",
                try: "give a recording that view --record wrote")
        }
        if let obstacle = TerminalApplication.obstacle {
            throw Output.failure(
                .usage, obstacle, try: "play the recording on another terminal")
        }
        let code = CastPlayer(cast).run()
        if code != 0 { throw ExitCode(code) }
    }
}

/// A file to which lines are written as they are produced.
private final class RecordingFile: Sendable {
    private let file: Mutex<Descriptor>

    init?(_ path: String) {
        guard let file = try? Descriptor.create(path) else { return nil }
        self.file = Mutex(file)
    }

    /// Ends the process once nobody reads the recording any more.
    func endWithReader() { ReaderWatch.begin(file.withLock { $0 }, ending: .signal) }

    deinit { file.withLock { $0.close() } }

    /// A full disk ends the recording, not the viewer.
    func write(_ line: String) {
        file.withLock { try? $0.write(Array((line + "\n").utf8)) }
    }
}

/// Forwards the client's events to the viewer, and the viewer's commands to the client.
private final class ViewerBridge: Sendable {
    struct Failure {
        var code: ExitCode
        var text: String
        var advice: String
    }

    private struct State {
        var client: SceneClient?
        var welcome: Welcome?
        /// The second connection, which watches the scene on another device, and its latest state.
        var beside: SceneClient?
        var besideWelcome: Welcome?
        /// Makes the second connection.
        var makeBeside: (@Sendable (DeviceRequest, _ number: Int) throws -> SceneClient)?
        /// The number of the second connection; late events of earlier ones are ignored.
        var besideNumber = 0
        var lastReason: String?
        var failure: Failure?
        /// Fetches a picture and posts it.
        var fetch: (@Sendable (_ hash: String) -> Void)?
        /// Whether the user has closed it, so that the end of the connection is not a failure.
        var isClosing = false
    }

    /// The capabilities that the viewer uses.
    static let capabilities =
        Capability.diagnostics | Capability.animations | Capability.undo | Capability.seek
        | Capability.trace | Capability.keyframes | Capability.mergedResume | Capability.inspect
        | Capability.devices | Capability.insets

    /// Those that an application's screen uses.
    static let appCapabilities =
        Capability.animations | Capability.keyframes | Capability.mergedResume
        | Capability.devices | Capability.events | Capability.insets

    private let state = Mutex(State())

    /// The reason why the viewer ended by itself, if it did.
    var failure: Failure? { state.withLock { $0.failure } }

    func connect(
        _ application: TerminalApplication, _ options: SceneClient.Options,
        _ make:
            @escaping @Sendable (
                SceneClient.Options, @escaping @Sendable (SceneClient.Event) -> Void
            ) throws -> SceneClient
    ) throws {
        let client = try make(options) { [self] in handle($0, application) }
        state.withLock { state in
            state.client = client
            state.makeBeside = { [self] request, number in
                var other = options
                other.role = .viewer
                other.device = request
                return try make(other) { [self] event in
                    guard self.state.withLock({ $0.besideNumber }) == number else { return }
                    handleBeside(event, application)
                }
            }
        }
        client.connect()
    }

    func close() {
        // The client's handler retains this bridge, and this bridge the client.
        let clients = state.withLock { state in
            state.isClosing = true
            defer {
                (state.client, state.beside, state.makeBeside) = (nil, nil, nil)
                state.fetch = nil
            }
            return [state.client, state.beside]
        }
        for client in clients { client?.close() }
    }

    /// Has pictures fetched and decoded on threads of their own, since both take long.
    func fetch(with fetcher: PictureFetcher, for application: TerminalApplication) {
        let queue = DispatchQueue(label: "pictures", attributes: .concurrent)
        state.withLock { state in
            state.fetch = { hash in
                queue.async { application.post(.picture(hash, fetcher.picture(hash))) }
            }
        }
    }

    /// Opens, changes or ends the second connection.
    private func watchBeside(_ request: DeviceRequest?) {
        guard let request else {
            let client = state.withLock { state in
                defer { state.beside = nil }
                state.besideNumber += 1
                return state.beside
            }
            client?.close()
            return
        }
        if let client = state.withLock({ $0.beside }) { return client.send(request) }
        // The first connection has used the options, so they are parsed again.
        let (make, number) = state.withLock { state in
            state.besideNumber += 1
            return (state.makeBeside, state.besideNumber)
        }
        guard let client = try? make?(request, number) else { return }
        state.withLock { $0.beside = client }
        client.connect()
    }

    // MARK: To the server

    func perform(_ command: ViewerCommand) -> UInt64? {
        guard let client = state.withLock({ $0.client }) else { return nil }
        switch command {
        case .ops(let ops, let undoGroup):
            return client.send(ops, atomic: true, undoGroup: undoGroup)
        case .undo: return client.undo()
        case .redo: return client.redo()
        case .seek(let seek): client.send(seek)
        case .trace(let request): client.send(request)
        case .presence(let presence): client.send(presence)
        case .ping(let ping): client.send(ping)
        case .inspect(let inspect): client.send(inspect)
        case .device(let request): client.send(request)
        case .beside(let request): watchBeside(request)
        case .event(let event): return client.send(event)
        case .picture(let hash): state.withLock { $0.fetch }?(hash)
        }
        return nil
    }

    // MARK: From the server

    private func handle(_ event: SceneClient.Event, _ application: TerminalApplication) {
        if let count = state.withLock({ $0.client })?.receivedByteCount {
            application.post(.received(count))
        }
        switch event {
        case .welcomed(let welcome):
            state.withLock { $0.welcome = welcome }
            application.post(.connection(.catchingUp))
        case .device(let grant):
            // From here on frames are those of the device, in its unit.
            state.withLock { $0.welcome?.take(grant) }
            application.post(.device(grant))
        case .updated(let mirror):
            if let welcome = state.withLock({ $0.welcome }) {
                application.post(.mirror(mirror, welcome))
            }
        case .failure(let error):
            state.withLock { $0.lastReason = error.text }
            application.post(.problem(error))
        case .reconnecting(let seconds, _, let url):
            let hasOthers = (state.withLock { $0.client }?.urls.count ?? 1) > 1
            application.post(
                .connection(
                    .reconnecting(
                        inSeconds: Int(seconds.rounded(.up)), to: hasOthers ? url : "")))
        case .ended(let code, let text, let error):
            ended(code, text, error, application)
        case .result(let result): application.post(.result(result))
        case .presence(let presence): application.post(.presence(presence))
        case .diagnostics(let diagnostics): application.post(.diagnostics(diagnostics))
        case .inspection(let inspection, let request):
            application.post(.inspection(inspection, request: request))
        case .trace(let trace): application.post(.trace(trace))
        case .pong(let pong): application.post(.pong(pong))
        case .interactions(let table): application.post(.interactions(table))
        case .eventResult(let result): application.post(.eventResult(result))
        case .annotations, .records, .event: break
        }
    }

    private func handleBeside(_ event: SceneClient.Event, _ application: TerminalApplication) {
        switch event {
        case .welcomed(let welcome): state.withLock { $0.besideWelcome = welcome }
        case .device(let grant):
            state.withLock { $0.besideWelcome?.take(grant) }
            application.post(.beside(.device(grant)))
        case .updated(let mirror):
            if let welcome = state.withLock({ $0.besideWelcome }) {
                application.post(.beside(.mirror(mirror, welcome)))
            }
        case .diagnostics(let diagnostics): application.post(.beside(.diagnostics(diagnostics)))
        case .ended(_, let text, let error):
            application.post(.beside(.ended(error?.description ?? text)))
        case .failure, .reconnecting, .result, .presence, .inspection, .trace, .pong,
            .interactions, .annotations, .records, .event, .eventResult:
            break
        }
    }

    private func ended(
        _ code: UInt16?, _ text: String, _ error: TransportError?,
        _ application: TerminalApplication
    ) {
        let reason = state.withLock { state in
            let reason =
                error?.description ?? state.lastReason
                ?? (text.isEmpty ? "closed with \(code ?? 1006)" : text)
            if !state.isClosing {
                state.failure = Failure(
                    code: error == nil ? .failure : .unavailable, text: reason,
                    advice: error.map { Advice.after($0) } ?? Advice.after(closeCode: code))
            }
            return reason
        }
        application.post(.connection(.ended(reason)))
    }
}

extension Welcome {
    /// From here on frames are those of a device, in its unit.
    fileprivate mutating func take(_ grant: DeviceGrant) {
        (unitsPerPoint, viewport, scale, cell) = (
            grant.unitsPerPoint, grant.viewport, grant.scale, grant.cell
        )
    }
}
