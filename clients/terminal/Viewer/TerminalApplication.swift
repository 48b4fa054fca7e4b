import Glibc
import Synchronization

/// The live viewer: takes a terminal, shows the latest mirror on it and handles keys.
///
/// `post` may be called from any thread, before, during and after `run`; commands are delivered on
/// the thread of `run`.
public final class TerminalApplication: Sendable {
    private let url: String
    private let options: ViewerOptions
    private let input: Int32
    private let output: Int32
    private let inbox: WakingInbox
    private let perform: Perform
    private let pictures = Atomic<Int>(0)

    /// Executes a command of the viewer on the connection.
    ///
    /// Returns the message number, for commands that have a result.
    public typealias Perform = @Sendable (ViewerCommand) -> UInt64?

    /// Makes a viewer on standard input and output.
    ///
    /// - Parameter url: The room, for the status line; the viewer itself does not connect.
    public convenience init(url: String, options: ViewerOptions, perform: @escaping Perform) {
        self.init(
            url: url, options: options, input: STDIN_FILENO, output: STDOUT_FILENO,
            perform: perform)
    }

    init(
        url: String, options: ViewerOptions, input: Int32, output: Int32,
        perform: @escaping Perform = { _ in nil }
    ) {
        self.perform = perform
        self.url = url
        self.options = options
        self.input = input
        self.output = output
        inbox = WakingInbox()
    }

    /// Posts an event to the viewer; of states only the latest is kept. Complexity: O(1), never
    /// blocks.
    public func post(_ event: ViewerEvent) { inbox.post(event) }

    /// The cells available for the scene on the terminal: without the status line's row, unless the
    /// scene is an application's screen; `nil` without a terminal.
    public static func sceneArea(for screen: ViewerScreen = .viewer) -> GridSize? {
        var window = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0,
            window.ws_col > 0, window.ws_row > 1
        else { return nil }
        let rows = screen == .viewer ? Int(window.ws_row) - 1 : Int(window.ws_row)
        return GridSize(columns: Int(window.ws_col), rows: rows)
    }

    /// Why nothing can be drawn on standard input and output; `nil` if they are a terminal that can
    /// place text.
    public static var obstacle: String? {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
            return TerminalError.notATerminal.text
        }
        return Terminal.plainKind.map { TerminalError.plain(kind: $0).text }
    }

    /// The number of drawn pictures, without those equal to the one before.
    public var pictureCount: Int { pictures.load(ordering: .relaxed) }

    /// Shows the scene until the user or a signal ends it; always restores the terminal.
    ///
    /// While it runs it handles SIGTERM, SIGINT, SIGHUP, SIGWINCH, SIGTSTP and SIGCONT of the
    /// process.
    /// - Returns: An exit code: 0 after `q` or Ctrl-C, 128 + n after signal n, 129 if the terminal
    ///   went away, 64 if there is no terminal and 1 for other failures, with a message on standard
    ///   error.
    public func run() -> Int32 {
        Terminal.run(input: input, output: output, inbox) { (terminal) throws(TerminalError) in
            switch options.screen {
            case .viewer:
                var loop = loop(on: terminal) { [url, options] size in
                    ViewerState(
                        url: url, name: options.name, fitsAtFirst: options.fitsAtFirst, size: size,
                        seed: UInt32.random(in: 1...UInt32.max / 2), device: options.device,
                        beside: options.beside, pictures: options.shelf)
                }
                return try loop.run()
            case .app:
                var loop = loop(on: terminal) { [url, options] size in
                    AppState(
                        url: url, size: size, device: options.device, pictures: options.shelf)
                }
                return try loop.run()
            }
        }
    }

    private func loop<State: TerminalScreen>(
        on terminal: Terminal, _ state: (GridSize) -> State
    ) -> ViewerLoop<State> {
        ViewerLoop(
            url: url, options: options, terminal: terminal, inbox: inbox, perform: perform,
            drawn: { [self] in pictures.wrappingAdd(1, ordering: .relaxed) }, state: state)
    }

    /// Records the scene without a terminal, until the time is over or the connection has ended.
    ///
    /// - Parameters:
    ///   - size: The size of the recorded terminal.
    ///   - seconds: The length; nil until the connection ends.
    ///   - sink: Called with every line (asciicast v2).
    /// - Returns: An exit code.
    public func record(
        size: GridSize, seconds: Double?, sink: @escaping @Sendable (String) -> Void
    ) -> Int32 {
        guard inbox.isUsable else { return 1 }
        var loop = HeadlessLoop(
            url: url, options: options, size: size, seconds: seconds, inbox: inbox, sink: sink,
            perform: perform)
        loop.run()
        return 0
    }
}
