import Glibc
import SceneDocument
import SceneWire
import Synchronization
import Testing

@testable import TerminalViewer

/// A pseudo-terminal; its end of the user is read by the test.
private final class PseudoTerminal {
    let user: Int32
    let program: Int32
    private(set) var received: [UInt8] = []

    init(columns: UInt16, rows: UInt16) throws {
        user = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        try #require(user >= 0)
        // What unlockpt and ptsname do, which Swift's Glibc module lacks: TIOCSPTLCK and TIOCGPTN.
        var lock: Int32 = 0
        var number: UInt32 = 0
        try #require(ioctl(user, 0x4004_5431, &lock) == 0)
        try #require(ioctl(user, 0x8004_5430, &number) == 0)
        program = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        try #require(program >= 0)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(program, UInt(TIOCSWINSZ), &size) == 0)
    }

    deinit {
        close(user)
        close(program)
    }

    var modes: termios {
        var modes = termios()
        tcgetattr(program, &modes)
        return modes
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(user, bytes, bytes.count)
    }

    /// Reads until a text has come; false after ten seconds without it.
    func receive(until text: String) -> Bool {
        let wanted = Array(text.utf8)
        var buffer = [UInt8](repeating: 0, count: 4096)
        let start = time(nil)
        while !received.contains(wanted) {
            // The status line moves on by itself, so silence is not what to wait for.
            guard time(nil) - start < 10 else { return false }
            var descriptor = pollfd(fd: user, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 10_000) == 1 else { return false }
            let count = read(user, &buffer, buffer.count)
            guard count > 0 else { return false }
            received.append(contentsOf: buffer[0..<count])
        }
        return true
    }

    func forget() { received = [] }
}

/// Runs a viewer on a thread of its own.
private final class Running {
    private final class Job: Sendable {
        let application: TerminalApplication
        let code = Mutex<Int32?>(nil)
        init(_ application: TerminalApplication) { self.application = application }
    }

    private let job: Job
    private var thread = pthread_t()

    init(_ application: TerminalApplication) throws {
        job = Job(application)
        let pointer = Unmanaged.passRetained(job).toOpaque()
        let result = pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer else { return nil }
                let job = Unmanaged<Job>.fromOpaque(pointer).takeRetainedValue()
                let code = job.application.run()
                job.code.withLock { $0 = code }
                return nil
            }, pointer)
        try #require(result == 0)
    }

    /// Waits for the end and tells the exit code.
    func code() -> Int32? {
        pthread_join(thread, nil)
        return job.code.withLock { $0 }
    }
}

private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var text: String { lines.withLock { $0.joined(separator: "\n") } }
}

@Suite("The viewer on a terminal", .serialized)
struct TerminalApplicationTests {
    private static let restoring = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    private func application(
        _ terminal: PseudoTerminal, colors: ColorDepth = .none
    ) -> TerminalApplication {
        TerminalApplication(
            url: "ws://h/demo", options: ViewerOptions(colors: colors), input: terminal.program,
            output: terminal.program)
    }

    private func scene(_ text: String) throws -> SceneMirror {
        var scene = SceneBuilder(width: 320, height: 64)
        scene.label(text, 0, 0, 320)
        return try scene.mirror()
    }

    @Test("it shows what is posted and gives the terminal back when it ends")
    func wholeRun() throws {
        let terminal = try PseudoTerminal(columns: 60, rows: 5)
        let before = terminal.modes
        let application = application(terminal)
        let running = try Running(application)
        #expect(terminal.receive(until: "connecting"))
        #expect(terminal.received.starts(with: Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l".utf8)))
        #expect(terminal.modes.c_lflag & tcflag_t(ICANON | ECHO | ISIG) == 0)
        application.post(.mirror(try scene("hello"), Welcome()))
        application.post(.connection(.live))
        #expect(terminal.receive(until: "hello"))
        #expect(terminal.receive(until: "live"))
        application.post(.mirror(try scene("world"), Welcome()))
        #expect(terminal.receive(until: "wor"))
        terminal.type("?")
        #expect(terminal.receive(until: "Look"))
        terminal.type("q")
        #expect(terminal.receive(until: Self.restoring))
        #expect(running.code() == 0)
        #expect(terminal.modes.c_lflag == before.c_lflag)
        #expect(terminal.modes.c_iflag == before.c_iflag)
        #expect(terminal.modes.c_oflag == before.c_oflag)
    }

    @Test("signals end it, with the terminal restored", arguments: [SIGTERM, SIGHUP, SIGINT])
    func signals(signal: Int32) throws {
        let terminal = try PseudoTerminal(columns: 40, rows: 5)
        let before = terminal.modes
        let running = try Running(application(terminal))
        #expect(terminal.receive(until: "help"))
        // The handler is there: the first picture is drawn after it.
        kill(getpid(), signal)
        #expect(terminal.receive(until: Self.restoring))
        #expect(running.code() == 128 + signal)
        #expect(terminal.modes.c_lflag == before.c_lflag)
    }

    @Test("a new size is drawn anew")
    func resizing() throws {
        let terminal = try PseudoTerminal(columns: 40, rows: 5)
        let running = try Running(application(terminal))
        #expect(terminal.receive(until: "help"))
        terminal.forget()
        var size = winsize(ws_row: 9, ws_col: 40, ws_xpixel: 0, ws_ypixel: 0)
        #expect(ioctl(terminal.program, UInt(TIOCSWINSZ), &size) == 0)
        // The terminal does not control this process, so the signal is the test's to send.
        kill(getpid(), SIGWINCH)
        #expect(terminal.receive(until: "help"))
        var screen = ScreenEmulator(size: GridSize(columns: 40, rows: 9))
        try screen.feed(terminal.received)
        #expect(screen.line(8).contains("? help"))
        #expect(screen.line(3).allSatisfy { $0 == " " })
        terminal.type("\u{3}")
        #expect(running.code() == 0)
    }

    @Test("the terminal is asked what it knows, and synchronized output is used once it says so")
    func questions() throws {
        let terminal = try PseudoTerminal(columns: 40, rows: 5)
        let application = application(terminal)
        let running = try Running(application)
        #expect(terminal.receive(until: "\u{1B}[?2026$p\u{1B}[c"))
        #expect(terminal.receive(until: "help"))
        #expect(!terminal.received.contains(Array("\u{1B}[?2026h".utf8)))
        terminal.type("\u{1B}[?2026;2$y\u{1B}[?62;22c")
        // Typed after the answer, so the answer has been read when this shows.
        terminal.type("?")
        #expect(terminal.receive(until: "\u{1B}[?2026h"))
        #expect(terminal.receive(until: "Look"))
        terminal.type("q")
        #expect(running.code() == 0)
    }

    @Test("motion without a button is told while a view asks for hovering, and not at the end")
    func motion() throws {
        let terminal = try PseudoTerminal(columns: 40, rows: 4)
        var options = ViewerOptions(colors: .none)
        options.screen = .app
        let application = TerminalApplication(
            url: "ws://h/demo", options: options, input: terminal.program, output: terminal.program)
        let running = try Running(application)
        func ask(_ events: [EventKind]) {
            var interaction = Interaction()
            interaction.events = events
            var change = InteractionChange()
            change.id = "root"
            change.interaction = interaction
            var message = Interactions()
            message.changes = [change]
            var table = InteractionTable()
            table.apply(message)
            application.post(.interactions(table))
        }
        ask([.tap])
        application.post(.mirror(try scene("hello"), Welcome()))
        #expect(terminal.receive(until: "hello"))
        #expect(!terminal.received.contains(Array("\u{1B}[?1003h".utf8)))
        ask([.tap, .hover])
        #expect(terminal.receive(until: "\u{1B}[?1003h"))
        // The end of the one mode is the end of both.
        ask([])
        #expect(terminal.receive(until: "\u{1B}[?1003l\u{1B}[?1002h"))
        terminal.forget()
        ask([.hover])
        #expect(terminal.receive(until: "\u{1B}[?1003h"))
        terminal.type("\u{3}")
        #expect(running.code() == 0)
        #expect(terminal.receive(until: "\u{1B}[?1003l\u{1B}[?1002l"))
    }

    @Test("a recording has what was shown, in lines that can be read back")
    func recording() throws {
        let terminal = try PseudoTerminal(columns: 40, rows: 5)
        let lines = Lines()
        var options = ViewerOptions(colors: .trueColor)
        options.recorder = { lines.add($0) }
        let application = TerminalApplication(
            url: "ws://h/demo", options: options, input: terminal.program,
            output: terminal.program)
        let running = try Running(application)
        application.post(.mirror(try scene("hello"), Welcome()))
        #expect(terminal.receive(until: "hello"))
        terminal.type("q")
        #expect(running.code() == 0)
        let cast = try Cast.parse(Array(lines.text.utf8))
        #expect(cast.size == GridSize(columns: 40, rows: 5))
        var screen = ScreenEmulator(size: cast.size)
        for (_, event) in cast.events.dropFirst() {
            guard case .output(let text) = event else { continue }
            try screen.feed(Array(text.utf8))
        }
        #expect(screen.line(0).contains("hello"))
        #expect(screen.line(4).contains("demo"))
    }

    @Test("a terminal that does not drain stops neither posting nor quitting")
    func noDraining() throws {
        let terminal = try PseudoTerminal(columns: 200, rows: 60)
        let application = application(terminal, colors: .trueColor)
        let running = try Running(application)
        #expect(terminal.receive(until: "connecting"))
        for index in 0..<400 {
            application.post(
                .mirror(try scene(String(repeating: "\(index % 10)", count: 40)), Welcome()))
            // A full redraw each time, far more than the terminal holds.
            terminal.type("\u{C}")
        }
        terminal.type("q")
        #expect(running.code() == 0)
    }

    @Test("without a terminal it ends at once with 64")
    func noTerminal() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let application = TerminalApplication(
            url: "", options: ViewerOptions(colors: .none), input: ends[0], output: ends[1])
        #expect(application.run() == 64)
    }

    @Test("a second viewer in the same process is refused")
    func busy() throws {
        let first = try PseudoTerminal(columns: 40, rows: 5)
        let second = try PseudoTerminal(columns: 40, rows: 5)
        let running = try Running(application(first))
        #expect(first.receive(until: "help"))
        #expect(application(second).run() == 1)
        first.type("q")
        #expect(running.code() == 0)
    }
}
