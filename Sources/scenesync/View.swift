import ArgumentParser
import Foundation
import SceneClient
import SceneProtocol
import Synchronization
import TerminalViewer
import WebSocketTransport

struct View: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Watch a room in the terminal.",
        discussion: """
            Live until q is pressed; ? lists all keys. With --once one picture is printed instead, as
            text, JSON or SVG.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Print one picture and end.")
    var once = false

    @Option(help: "With --once: text, json or svg.")
    var format = PictureFormat.text

    @Option(help: "With --once: seconds to wait for the server.")
    var timeout = 10.0

    func run() throws {
        if once { try printOnce() } else { try watch() }
    }

    // MARK: One picture

    private func printOnce() throws {
        let queue = EventQueue()
        var options = try connection.clientOptions(role: .viewer)
        options.reconnects = false
        if format == .json { options.capabilities = Diagnostics.capability }
        let client = try makeClient(options) { queue.add($0) }
        client.connect()
        var welcome: Welcome?
        var mirror: SceneMirror?
        var diagnostics: Diagnostics?
        var reason: String?
        while let event = queue.next(seconds: timeout) {
            switch event {
            case .welcomed(let value): welcome = value
            case .updated(let value): mirror = mirror ?? value
            case .diagnostics(let value): diagnostics = value
            case .failure(let error): reason = error.text
            case .ended(let code, let text, let error):
                throw connection.failure(code, text, error, reason)
            case .result, .presence, .inspection, .reconnecting: break
            }
            if let welcome, let mirror, format != .json || diagnostics != nil {
                Output.result(try picture(mirror, welcome, diagnostics ?? Diagnostics()))
                client.close()
                return
            }
        }
        throw Output.failure(.unavailable, "\(connection.url): no answer within \(timeout) s")
    }

    private func picture(
        _ mirror: SceneMirror, _ welcome: Welcome, _ diagnostics: Diagnostics
    ) throws -> String {
        guard format == .json else {
            return try Picture.drawing(
                mirror, format, unitsPerPoint: welcome.unitsPerPoint, cell: welcome.cell)
        }
        let unit = welcome.unitsPerPoint
        let frames = mirror.records.map { record in
            NamedRect(
                id: record.id,
                rect: Rect(
                    x: Double(record.frame.x) / unit, y: Double(record.frame.y) / unit,
                    width: Double(record.frame.width) / unit,
                    height: Double(record.frame.height) / unit))
        }
        return Picture.json(
            frames: frames, ambiguous: diagnostics.ambiguous, broken: diagnostics.broken,
            tick: mirror.tick, hash: mirror.stateHash)
    }

    private func makeClient(
        _ options: SceneClient.Options,
        _ handler: @escaping @Sendable (SceneClient.Event) -> Void
    ) throws -> SceneClient {
        do {
            return try SceneClient(options, handler: handler)
        } catch {
            throw Output.failure(ExitCode(64), error.description)
        }
    }

    // MARK: Live

    private func watch() throws {
        let application = TerminalApplication(
            url: connection.url,
            options:
                ViewerOptions(
                    colors: ColorDepth.detect(environment: ProcessInfo.processInfo.environment)))
        let bridge = ViewerBridge(application)
        let client = try makeClient(try connection.clientOptions(role: .viewer)) {
            bridge.handle($0)
        }
        client.connect()
        let code = application.run()
        client.close()
        if let failure = bridge.failure {
            throw Output.failure(failure.code, "\(connection.url): \(failure.text)")
        }
        if code != 0 { throw ExitCode(code) }
    }
}

/// Tells the viewer what the client hears.
private final class ViewerBridge: Sendable {
    struct Failure {
        var code: ExitCode
        var text: String
    }

    private struct State {
        var welcome: Welcome?
        var lastReason: String?
        var failure: Failure?
    }

    private let application: TerminalApplication
    private let state = Mutex(State())

    init(_ application: TerminalApplication) {
        self.application = application
    }

    /// Why the viewer ended by itself, if it did.
    var failure: Failure? { state.withLock { $0.failure } }

    func handle(_ event: SceneClient.Event) {
        switch event {
        case .welcomed(let welcome):
            state.withLock { $0.welcome = welcome }
            application.post(.connection(.live))
        case .updated(let mirror):
            if let welcome = state.withLock({ $0.welcome }) {
                application.post(.mirror(mirror, welcome))
            }
        case .failure(let error): state.withLock { $0.lastReason = error.text }
        case .reconnecting(let seconds, _):
            application.post(.connection(.reconnecting(inSeconds: Int(seconds.rounded(.up)))))
        case .ended(let code, let text, let error): ended(code, text, error?.description)
        case .result, .presence, .diagnostics, .inspection: break
        }
    }

    private func ended(_ code: UInt16?, _ text: String, _ error: String?) {
        let reason = state.withLock { state in
            let reason =
                error ?? state.lastReason ?? (text.isEmpty ? "closed with \(code ?? 1006)" : text)
            // A normal close is our own.
            if code != 1000 || error != nil {
                state.failure = Failure(code: error == nil ? .failure : .unavailable, text: reason)
            }
            return reason
        }
        application.post(.connection(.ended(reason)))
    }
}
