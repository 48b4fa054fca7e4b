import Glibc

/// Waits for keys, events, signals and the terminal, and draws; on the thread that calls `run`.
final class ViewerLoop {
    /// How long an ESC waits for the rest of a sequence.
    private static let escapeNanoseconds: Int64 = 50_000_000

    private let terminal: Terminal
    private let inbox: WakingInbox
    private let options: ViewerOptions
    private let periodNanoseconds: Int64
    private var screen: ViewerScreen
    private var decoder = KeyDecoder()
    private var escapeDeadline: Int64 = 0
    /// What the terminal shows once `outgoing` has gone; nil if that is unknown.
    private var shown: CellGrid?
    /// What the terminal has not taken yet. While there is anything, no further picture is made: the next one is
    /// the latest then, and memory stays bounded.
    private var outgoing: ArraySlice<UInt8> = []
    private var needsDisplay = true
    private var nextDisplay: Int64 = 0

    init(url: String, options: ViewerOptions, terminal: Terminal, inbox: WakingInbox) {
        self.terminal = terminal
        self.inbox = inbox
        self.options = options
        periodNanoseconds = 1_000_000_000 / Int64(min(max(options.frameRateMaximum, 1), 60))
        screen = ViewerScreen(url: url, fitsAtFirst: options.fitsAtFirst, size: terminal.size)
    }

    /// - Returns: The exit code.
    func run() throws(TerminalError) -> Int32 {
        while true {
            try display()
            let ready = try wait()
            takeEvents()
            if let code = try takeSignals() { return code }
            if ready.input, let code = try takeKeys(terminal.read()) { return code }
            if decoder.isWaiting, Self.now() >= escapeDeadline {
                if let code = try press(decoder.flush()) { return code }
            }
            if ready.output { try send() }
        }
    }

    private static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    // MARK: Waiting

    private func wait() throws(TerminalError) -> (input: Bool, output: Bool) {
        var deadline = Int64.max
        if needsDisplay, outgoing.isEmpty { deadline = nextDisplay }
        if decoder.isWaiting { deadline = min(deadline, escapeDeadline) }
        var descriptors = [
            pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0),
            pollfd(fd: inbox.readEnd, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: outgoing.isEmpty ? -1 : terminal.output, events: Int16(POLLOUT), revents: 0),
        ]
        var milliseconds: Int32 = -1
        if deadline < .max {
            // Rounded up: waking too early would mean waiting again.
            let rest = max(0, deadline - Self.now())
            milliseconds = Int32(clamping: (rest + 999_999) / 1_000_000)
        }
        let result = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
        guard result >= 0 else {
            guard errno == EINTR else { throw .system(call: "poll", errno: errno) }
            return (false, false)
        }
        // A hung-up terminal is readable: reading tells.
        return (descriptors[0].revents != 0, descriptors[2].revents != 0)
    }

    // MARK: Input

    private func takeEvents() {
        let events = inbox.take()
        if let connection = events.connection {
            screen.take(connection: connection)
            needsDisplay = true
        }
        if let scene = events.scene {
            screen.take(scene.mirror, scene.welcome)
            needsDisplay = true
        }
    }

    private func takeSignals() throws(TerminalError) -> Int32? {
        let signals = TerminalGuard.takePending()
        guard signals != 0 else { return nil }
        for signal in [SIGTERM, SIGHUP, SIGINT] where TerminalGuard.contains(signals, signal) {
            return 128 + signal
        }
        if TerminalGuard.contains(signals, SIGTSTP) {
            try suspend()
        } else if TerminalGuard.contains(signals, SIGCONT) {
            try terminal.enterAgain()
            displayEverything()
        } else if TerminalGuard.contains(signals, SIGWINCH) {
            displayEverything()
        }
        return nil
    }

    private func takeKeys(_ bytes: [UInt8]) throws(TerminalError) -> Int32? {
        let keys = decoder.decode(bytes)
        if decoder.isWaiting { escapeDeadline = Self.now() + Self.escapeNanoseconds }
        return try press(keys)
    }

    private func press(_ keys: [Key]) throws(TerminalError) -> Int32? {
        for key in keys {
            switch screen.press(key) {
            case .none: break
            case .redraw: needsDisplay = true
            case .redrawEverything: displayEverything()
            case .suspend: try suspend()
            case .quit: return 0
            }
        }
        return nil
    }

    private func suspend() throws(TerminalError) {
        try terminal.suspend()
        displayEverything()
    }

    // MARK: Output

    /// Forgets what the terminal shows, and its size.
    private func displayEverything() {
        screen.size = terminal.size
        shown = nil
        needsDisplay = true
    }

    private func display() throws(TerminalError) {
        guard needsDisplay, outgoing.isEmpty else { return }
        let now = Self.now()
        guard now >= nextDisplay else { return }
        // A little late means the clock's coarseness: the next picture keeps the beat.
        let isOnBeat = now - nextDisplay < periodNanoseconds / 8
        nextDisplay = (isOnBeat ? nextDisplay : now) + periodNanoseconds
        needsDisplay = false
        let grid = screen.paint()
        outgoing =
            ScreenDiff.bytes(
                from: shown, to: grid, colors: options.colors, synchronized: options.isSynchronized)[
                ...]
        shown = grid
        try send()
    }

    private func send() throws(TerminalError) {
        guard !outgoing.isEmpty else { return }
        let count = try terminal.write(outgoing)
        outgoing = outgoing.dropFirst(count)
    }
}
