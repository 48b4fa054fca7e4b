import Glibc
import SceneDocument

/// Shows lines of text on a terminal's alternate screen, anew again and again. Arrow keys and
/// PageUp/PageDown scroll, q ends.
public final class LiveText {
    /// A line of the screen.
    public struct Line: Equatable, Sendable {
        /// How a line looks.
        public enum Style: Equatable, Sendable {
            case plain, heading, dim, alarm
        }

        /// The text; what does not fit is cut.
        public var text: String
        /// How it looks.
        public var style: Style

        /// Makes a line.
        public init(_ text: String, _ style: Style = .plain) {
            self.text = text
            self.style = style
        }
    }

    private static let red = Color(rgba: 0xD03030FF)

    private let seconds: Double
    private let colors: ColorDepth
    private let encoding: TextEncoding
    private let lines: (GridSize) -> [Line]
    private let inbox = WakingInbox()
    private var decoder = KeyDecoder()
    private var outgoing: ArraySlice<UInt8> = []
    private var shown: CellGrid?
    private var first = 0
    private var last: [Line] = []
    /// The size of the screen for which the lines were made.
    private var size = GridSize()

    /// Makes a screen.
    ///
    /// - Parameters:
    ///   - seconds: How often it is made anew.
    ///   - lines: What it shows on a screen of some size, called on the thread of `run`; it must
    ///     not wait.
    public init(
        every seconds: Double, colors: ColorDepth, encoding: TextEncoding = .utf8,
        lines: @escaping (GridSize) -> [Line]
    ) {
        self.seconds = max(0.05, seconds)
        self.colors = colors
        self.encoding = encoding
        self.lines = lines
    }

    /// Shows the lines on standard input and output until the user or a signal ends it.
    ///
    /// - Returns: An exit code, as `TerminalApplication.run` does.
    public func run() -> Int32 {
        Terminal.run(inbox) { (terminal) throws(TerminalError) in try loop(terminal) }
    }

    private func loop(_ terminal: Terminal) throws(TerminalError) -> Int32 {
        var renderer = ScreenRenderer(colors: colors, encoding: encoding)
        var due = MonotonicClock.now()
        while true {
            let now = MonotonicClock.now()
            if now >= due || size != terminal.size {
                size = terminal.size
                last = lines(size)
                due = now + seconds
            }
            if outgoing.isEmpty { draw(size, &renderer) }
            if !outgoing.isEmpty { outgoing = outgoing.dropFirst(try terminal.write(outgoing)) }
            var descriptors = [
                pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: inbox.counter, events: Int16(POLLIN), revents: 0),
                pollfd(
                    fd: outgoing.isEmpty ? -1 : terminal.output, events: Int16(POLLOUT),
                    revents: 0),
            ]
            let wait = Int32((max(0, due - MonotonicClock.now()) * 1000).rounded(.up))
            _ = poll(&descriptors, nfds_t(descriptors.count), wait)
            _ = inbox.take(isReadable: descriptors[1].revents != 0)
            if let code = try takeSignals(terminal) { return code }
            guard descriptors[0].revents != 0 else { continue }
            for key in decoder.decode(try terminal.read()) where try press(key, terminal) {
                return 0
            }
        }
    }

    /// The picture of the lines from the one on that was scrolled to.
    ///
    /// - Complexity: O(cells).
    static func picture(_ lines: [Line], from first: Int, size: GridSize) -> CellGrid {
        var grid = CellGrid(size: size)
        for (row, line) in lines.dropFirst(first).prefix(grid.height).enumerated() {
            let attributes: Cell.Attributes =
                switch line.style {
                case .plain: []
                case .heading, .alarm: .bold
                case .dim: .dim
                }
            grid.write(
                fitted(line.text, columns: grid.width), column: 0, row: row, clip: grid.bounds,
                foreground: line.style == .alarm ? red : nil, attributes: attributes)
        }
        return grid
    }

    private func draw(_ size: GridSize, _ renderer: inout ScreenRenderer) {
        first = max(0, min(first, last.count - size.rows))
        let picture = Self.picture(last, from: first, size: size)
        let bytes = renderer.bytes(from: shown, to: picture, synchronized: true, endsPlain: true)
        outgoing = bytes[...]
        shown = picture
    }

    private func takeSignals(_ terminal: Terminal) throws(TerminalError) -> Int32? {
        let signals = TerminalGuard.takePending()
        for signal in [SIGTERM, SIGHUP, SIGINT] where TerminalGuard.contains(signals, signal) {
            return 128 + signal
        }
        if TerminalGuard.contains(signals, SIGTSTP) {
            try terminal.suspend()
            shown = nil
        } else if TerminalGuard.contains(signals, SIGCONT) {
            try terminal.enterAgain()
            shown = nil
        }
        return nil
    }

    /// - Returns: Whether the user ends it.
    private func press(_ key: Key, _ terminal: Terminal) throws(TerminalError) -> Bool {
        switch key {
        case .character("q"), .control("c"), .escape: return true
        case .control("z"):
            try terminal.suspend()
            shown = nil
        case .control("l"): shown = nil
        case .down: first += 1
        case .up: first = max(0, first - 1)
        case .pageDown: first += 10
        case .pageUp: first = max(0, first - 10)
        default: break
        }
        return false
    }
}
