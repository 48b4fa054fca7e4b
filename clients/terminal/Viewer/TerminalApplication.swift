import Glibc
import SceneProtocol
import Synchronization

/// The live viewer: takes a terminal, shows the latest mirror on it and follows keys.
///
/// `post` may be called from any thread, before, during and after `run`.
public final class TerminalApplication: Sendable {
    private let url: String
    private let options: ViewerOptions
    private let input: Int32
    private let output: Int32
    private let inbox: WakingInbox

    /// Makes a viewer on standard input and output.
    ///
    /// - Parameter url: The room, for the status line; the viewer itself connects to nothing.
    public convenience init(url: String, options: ViewerOptions) {
        self.init(url: url, options: options, input: STDIN_FILENO, output: STDOUT_FILENO)
    }

    init(url: String, options: ViewerOptions, input: Int32, output: Int32) {
        self.url = url
        self.options = options
        self.input = input
        self.output = output
        inbox = WakingInbox()
    }

    /// Tells the viewer something; only the latest of each kind is kept. Complexity: O(1), never blocks.
    public func post(_ event: ViewerEvent) { inbox.post(event) }

    /// Shows the scene until the user or a signal ends it; the terminal is restored in any case.
    ///
    /// While it runs it handles SIGTERM, SIGINT, SIGHUP, SIGWINCH, SIGTSTP and SIGCONT of the process.
    /// - Returns: An exit code: 0 after `q` or Ctrl-C, 128 + n after signal n, 129 if the terminal went away, 64 if
    ///   there is no terminal and 1 for other failures, with a message on standard error.
    public func run() -> Int32 {
        do throws(TerminalError) {
            guard inbox.isUsable else { throw .system(call: "pipe", errno: inbox.failure) }
            let terminal = try Terminal(input: input, output: output, wake: inbox.writeEnd)
            let loop = ViewerLoop(url: url, options: options, terminal: terminal, inbox: inbox)
            defer { terminal.end() }
            return try loop.run()
        } catch .hungUp {
            return 128 + SIGHUP
        } catch {
            let message = Array("scenesync: \(error.text)\n".utf8)
            _ = message.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            return error == .notATerminal ? 64 : 1
        }
    }
}

/// The latest events, and a pipe that wakes a loop waiting in `poll`.
final class WakingInbox: Sendable {
    /// What was posted and not yet taken.
    struct Events: Sendable {
        var scene: (mirror: SceneMirror, welcome: Welcome)?
        var connection: ConnectionState?
        /// Whether a byte is already on its way.
        fileprivate var isAwake = false
    }

    private let events = Mutex<Events>(Events())
    let readEnd: Int32
    let writeEnd: Int32
    /// The error number if there is no pipe.
    let failure: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        failure = pipe(&ends) == 0 ? 0 : errno
        readEnd = ends[0]
        writeEnd = ends[1]
        guard isUsable else { return }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        if isUsable {
            close(readEnd)
            close(writeEnd)
        }
    }

    var isUsable: Bool { failure == 0 }

    func post(_ event: ViewerEvent) {
        let mustWake = events.withLock { events in
            switch event {
            case .mirror(let mirror, let welcome):
                // The last whole picture is better than none.
                guard !mirror.needsSnapshot else { return false }
                events.scene = (mirror, welcome)
            case .connection(let state): events.connection = state
            }
            defer { events.isAwake = true }
            return !events.isAwake
        }
        guard mustWake, isUsable else { return }
        var byte: UInt8 = 0
        _ = write(writeEnd, &byte, 1)
    }

    /// Empties the pipe and takes what was posted.
    func take() -> Events {
        var buffer = [UInt8](repeating: 0, count: 64)
        while read(readEnd, &buffer, buffer.count) == buffer.count {}
        return events.withLock { events in
            defer { events = Events() }
            return events
        }
    }
}
