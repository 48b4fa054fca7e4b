import ArgumentParser
import Dispatch
import FoundationEssentials
import SceneClient
import SceneWire
import Synchronization
import TerminalViewer
import WebSocketTransport

/// `view --follow`: a line for each frame.
///
/// A reader slower than the frames receives fewer lines, each with all changes since the one
/// before; nothing is queued for it.
extension View {
    func printFrames() throws {
        ReaderWatch.begin(ending: .signal)
        let latest = LatestScene()
        var options = try connection.clientOptions(role: .viewer)
        options.device = deviceWithoutTerminal
        let client = try makeClient(options) { latest.note($0) }
        client.connect()
        var lines: FrameLines?
        var printed = 0
        var hasState = false
        let deadline = DispatchTime.now() + timeout
        while true {
            guard let news = latest.take(until: printed == 0 ? deadline : .distantFuture) else {
                throw timeoutFailure(hasState: hasState)
            }
            if let grant = news.device { try require(grant) }
            if let scene = news.scene {
                hasState = true
                if printed > 0 || isAwaited(scene.mirror) {
                    var printer = try lines ?? FrameLines(metrics: metrics(scene.welcome))
                    if let line = printer.line(for: scene.mirror) {
                        Output.result(line)
                        printed += 1
                    }
                    lines = printer
                }
            }
            if let count, printed >= count {
                client.close()
                return
            }
            if let end = news.end {
                throw connection.failure(end.code, end.text, end.error, news.reason)
            }
        }
    }
}

/// The last state reported by a client, for a thread that waits for it.
private final class LatestScene: Sendable {
    struct News {
        var scene: (mirror: SceneMirror, welcome: Welcome)?
        var device: DeviceGrant?
        var end: (code: UInt16?, text: String, error: TransportError?)?
        /// The server's last refusal.
        var reason: String?
    }

    private struct State {
        var welcome: Welcome?
        var news = News()
        var hasNews = false
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)

    func note(_ event: SceneClient.Event) {
        let mustWake = state.withLock { state in
            switch event {
            case .welcomed(let welcome):
                state.welcome = welcome
                return false
            case .updated(let mirror):
                guard let welcome = state.welcome else { return false }
                state.news.scene = (mirror, welcome)
            case .device(let grant):
                state.news.device = grant
                return false
            case .failure(let error):
                state.news.reason = error.text
                return false
            case .ended(let code, let text, let error): state.news.end = (code, text, error)
            case .result, .presence, .diagnostics, .inspection, .trace, .pong, .reconnecting,
                .interactions, .annotations, .records, .event, .eventResult:
                return false
            }
            defer { state.hasNews = true }
            return !state.hasNews
        }
        if mustWake { arrived.signal() }
    }

    func take(until deadline: DispatchTime) -> News? {
        guard arrived.wait(timeout: deadline) == .success else { return nil }
        return state.withLock { state in
            defer {
                state.hasNews = false
                state.news = News(reason: state.news.reason)
            }
            return state.news
        }
    }
}
