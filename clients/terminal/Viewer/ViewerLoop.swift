import Glibc

/// Waits for keys, events, signals and the terminal, and draws; on the thread that calls `run`.
///
/// A `TerminalScreen` decides what is shown; the loop owns terminal and clock. It is not a class,
/// since calling a method on an object's struct property would copy it.
struct ViewerLoop<State: TerminalScreen>: ~Copyable {
    /// The maximum time between an ESC and the rest of its sequence.
    private static var escapeSeconds: Double { 0.05 }
    /// The time to wait for the terminal's last answers at the end, so that the shell does not
    /// receive them as input.
    private static var farewellSeconds: Double { 0.3 }
    /// The minimum time between two pictures, a little less than a period: states that arrive at
    /// the same rate must not wait forever after waiting once.
    private static var periodShare: Double { 0.98 }
    /// DECRQM for synchronized output; every terminal answers the DA1 after it, which ends the
    /// wait.
    private static var questions: String { "\u{1B}[?2026$p" }
    private static var attributesQuestion: String { "\u{1B}[c" }
    /// The mouse with all motion, and with dragging alone. The one mode ends the other, and its end
    /// ends both.
    private static var allMotion: String { "\u{1B}[?1003h" }
    private static var dragging: String { "\u{1B}[?1003l\u{1B}[?1002h" }

    private let terminal: Terminal
    private let inbox: WakingInbox
    private let options: ViewerOptions
    private let perform: TerminalApplication.Perform
    /// Called with each picture.
    private let drawn: () -> Void
    private let period: Double
    private var state: State
    private var decoder = KeyDecoder()
    private var escapeDeadline = 0.0
    private var renderer: ScreenRenderer
    private var probe: GraphicsProbe
    /// The number before that of the first picture in the terminal.
    private let firstPicture: UInt32
    private var gauge = DrainGauge()
    private var isSynchronized = false
    /// Whether the terminal tells of motion without a button; it does not once it was entered.
    private var tellsMotion = false
    /// The unanswered questions.
    private var questionCount = 0
    /// The terminal's contents after `outgoing` was written; nil if unknown.
    private var shown: CellGrid?
    /// The picture before it, whose memory the next one reuses.
    private var spare: CellGrid?
    /// The bytes that the terminal has not accepted yet. While there are any, no further picture is
    /// made: the next one will be the latest, and memory stays bounded.
    private var outgoing: ArraySlice<UInt8> = []
    private var needsDisplay = true
    private var nextDisplay = 0.0
    private var recording: CastRecording?

    init(
        url: String, options: ViewerOptions, terminal: Terminal, inbox: WakingInbox,
        perform: @escaping TerminalApplication.Perform, drawn: @escaping () -> Void,
        state: (GridSize) -> State
    ) {
        self.drawn = drawn
        self.terminal = terminal
        self.inbox = inbox
        self.options = options
        self.perform = perform
        period = 1 / Double(min(max(options.frameRateMaximum, 1), 60))
        renderer = ScreenRenderer(colors: options.colors, encoding: options.encoding)
        // A recording has what its player can show, so the viewer shows the same.
        let choice = options.recorder == nil ? options.shownPictures : .none
        probe = GraphicsProbe(choice, environment: GraphicsProbe.environment)
        firstPicture = UInt32.random(in: 1 << 16...UInt32.max >> 1)
        let size = terminal.size
        self.state = state(size)
        recording = options.recorder.map {
            CastRecording(size: size, title: url, now: MonotonicClock.now(), sink: $0)
        }
    }

    /// - Returns: The exit code.
    mutating func run() throws(TerminalError) -> Int32 {
        ask()
        while true {
            let now = MonotonicClock.now()
            if state.pass(now: now) { needsDisplay = true }
            carryOut()
            followMotion()
            if state.isAnimating(now: now) { needsDisplay = true }
            try display()
            let ready = try wait()
            for event in inbox.take(isReadable: ready.events) {
                state.take(event, now: MonotonicClock.now())
                needsDisplay = true
            }
            if let code = try takeSignals() { return code }
            if ready.input, let code = try takeKeys(terminal.read()) { return code }
            if decoder.isWaiting, MonotonicClock.now() >= escapeDeadline {
                if let code = try press(decoder.flush()) { return code }
            }
            carryOut()
            if ready.output { try send() }
        }
    }

    private mutating func carryOut() {
        for command in state.takeCommands() {
            if let sequence = perform(command) { state.note(sequence: sequence) }
        }
    }

    /// Has the terminal tell of motion only while that is for somebody: each cell on the way is a
    /// message and wakes this process.
    private mutating func followMotion() {
        let isWanted = state.wantsMotion
        guard tellsMotion != isWanted else { return }
        tellsMotion = isWanted
        outgoing += Array((isWanted ? Self.allMotion : Self.dragging).utf8)
    }

    // MARK: The terminal's answers

    private mutating func ask() {
        guard options.asksTerminal else { return }
        outgoing += Array(Self.questions.utf8)
        if probe.isNeeded { outgoing += Array(GraphicsProbe.questions.utf8) }
        askForAttributes()
    }

    /// Asks what every terminal answers, so that the answers to the questions before are there.
    private mutating func askForAttributes() {
        outgoing += Array(Self.attributesQuestion.utf8)
        questionCount += 1
    }

    private mutating func take(_ reply: TerminalReply) {
        switch reply {
        case .mode(2026, let isKnown): isSynchronized = isKnown
        case .attributes:
            questionCount = max(0, questionCount - 1)
            gauge.enable()
        case .status: gauge.answered()
        case .kitty(let number, isDone: false):
            renderer.refuse(picture: number)
            needsDisplay = true
        case .mode, .kind, .name, .cellPixels, .textAreaPixels, .colorRegisters, .cellSize, .kitty:
            break
        }
        if let further = probe.take(reply) {
            outgoing += Array(further.utf8)
            askForAttributes()
        }
        if reply != .status { followGraphics() }
    }

    /// Shows pictures as the terminal can.
    private mutating func followGraphics() {
        guard probe.isNeeded else { return }
        let graphics = probe.graphics(size: terminal.size, pixels: terminal.pixelSize)
        guard graphics != renderer.graphics else { return }
        if graphics?.method == .kitty { TerminalGuard.notePictures() }
        needsDisplay = true
        if renderer.show(graphics, firstNumber: firstPicture) { displayEverything() }
    }

    /// Waits for pending answers.
    private mutating func awaitReplies() {
        let deadline = MonotonicClock.now() + Self.farewellSeconds
        while gauge.isWaiting || questionCount > 0 {
            let rest = deadline - MonotonicClock.now()
            guard rest > 0 else { return }
            var descriptor = pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, Int32(rest * 1000) + 1) == 1,
                let bytes = try? terminal.read()
            else { return }
            for case .reply(let reply) in decoder.decode(bytes) { take(reply) }
        }
    }

    // MARK: Waiting

    private mutating func wait() throws(TerminalError) -> (input: Bool, events: Bool, output: Bool)
    {
        let now = MonotonicClock.now()
        var deadline = state.deadline(now: now)
        if needsDisplay || state.isAnimating(now: now), outgoing.isEmpty {
            let due = nextDisplay - period
            deadline = min(deadline, gauge.isOpen(now: now) ? due : gauge.deadline ?? now)
        }
        if decoder.isWaiting { deadline = min(deadline, escapeDeadline) }
        var descriptors = [
            pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0),
            pollfd(fd: inbox.counter, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: outgoing.isEmpty ? -1 : terminal.output, events: Int16(POLLOUT), revents: 0),
        ]
        // Rounded up: waking too early would mean waiting again.
        let rest = max(0, min(deadline - now, 3600))
        let milliseconds = Int32((rest * 1000).rounded(.up))
        let result = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
        guard result >= 0 else {
            guard errno == EINTR else { throw .system(call: "poll", errno: errno) }
            return (false, false, false)
        }
        // A hung-up terminal is readable: reading tells.
        return (
            descriptors[0].revents != 0, descriptors[1].revents != 0, descriptors[2].revents != 0
        )
    }

    // MARK: Input

    private mutating func takeSignals() throws(TerminalError) -> Int32? {
        let signals = TerminalGuard.takePending()
        guard signals != 0 else { return nil }
        for signal in [SIGTERM, SIGHUP, SIGINT] where TerminalGuard.contains(signals, signal) {
            return 128 + signal
        }
        if TerminalGuard.contains(signals, SIGTSTP) {
            try suspend()
        } else if TerminalGuard.contains(signals, SIGCONT) {
            try terminal.enterAgain()
            tellsMotion = false
            displayEverything()
        } else if TerminalGuard.contains(signals, SIGWINCH) {
            if probe.resized(from: state.size, cell: renderer.graphics?.cell) {
                outgoing += Array(GraphicsProbe.sizeQuestions.utf8)
                askForAttributes()
            }
            followGraphics()
            displayEverything()
        }
        return nil
    }

    private mutating func takeKeys(_ bytes: [UInt8]) throws(TerminalError) -> Int32? {
        let keys = decoder.decode(bytes)
        if decoder.isWaiting { escapeDeadline = MonotonicClock.now() + Self.escapeSeconds }
        return try press(keys)
    }

    private mutating func press(_ keys: [Key]) throws(TerminalError) -> Int32? {
        for key in keys {
            if case .reply(let reply) = key {
                take(reply)
                continue
            }
            switch state.press(key, now: MonotonicClock.now()) {
            case .none: break
            case .redraw: needsDisplay = true
            case .redrawEverything: displayEverything()
            case .suspend: try suspend()
            case .quit:
                awaitReplies()
                return 0
            }
        }
        return nil
    }

    private mutating func suspend() throws(TerminalError) {
        awaitReplies()
        try terminal.suspend()
        tellsMotion = false
        displayEverything()
    }

    // MARK: Output

    /// Marks the terminal's contents and size as unknown.
    private mutating func displayEverything() {
        let size = terminal.size
        if size != state.size { recording?.resize(size, now: MonotonicClock.now()) }
        state.size = size
        state.clampPanel()
        shown = nil
        renderer.reset()
        needsDisplay = true
    }

    private mutating func display() throws(TerminalError) {
        let now = MonotonicClock.now()
        // A picture may be a period early, so that a state which comes a little early does not wait
        // and wake the loop a second time; on average there are no more pictures than allowed. (The
        // generic cell rate algorithm, ITU-T I.371.)
        guard needsDisplay, outgoing.isEmpty, now >= nextDisplay - period, gauge.isOpen(now: now)
        else { return }
        nextDisplay = max(now, nextDisplay) + period * Self.periodShare
        needsDisplay = false
        state.clampPanel()
        var grid = spare ?? CellGrid(size: state.size)
        spare = nil
        state.paint(now: now, on: &grid)
        let bytes = renderer.bytes(
            from: shown, to: grid, synchronized: isSynchronized,
            isMoving: state.isAnimating(now: now))
        if renderer.isIncomplete { needsDisplay = true }
        spare = shown
        shown = grid
        guard !bytes.isEmpty else { return }
        drawn()
        recording?.output(bytes, now: now)
        outgoing = bytes[...]
        if gauge.wrote(bytes.count, now: now) {
            DrainGauge.probe.withUTF8Buffer { outgoing.append(contentsOf: $0) }
        }
        try send()
    }

    private mutating func send() throws(TerminalError) {
        guard !outgoing.isEmpty else { return }
        let count = try terminal.write(outgoing)
        outgoing = outgoing.dropFirst(count)
    }
}

/// Sends the lines of a recording to a sink while it is made.
struct CastRecording {
    private let start: Double
    private let sink: @Sendable (String) -> Void

    init(size: GridSize, title: String, now: Double, sink: @escaping @Sendable (String) -> Void) {
        start = now
        self.sink = sink
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        sink(Cast.header(size: size, timestamp: time.tv_sec, title: title))
        // As on the viewer's own terminal: no cursor, no wrapping.
        sink(Cast.line(seconds: 0, .output("\u{1B}[?25l\u{1B}[?7l")))
    }

    func output(_ bytes: [UInt8], now: Double) {
        sink(
            Cast.line(seconds: now - start, .output(String(decoding: bytes, as: UTF8.self))))
    }

    func resize(_ size: GridSize, now: Double) {
        sink(Cast.line(seconds: now - start, .resize(size)))
    }
}
