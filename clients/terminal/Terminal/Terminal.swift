import Glibc

/// An error of a terminal.
enum TerminalError: Error, Equatable {
    /// Input or output is not a terminal.
    case notATerminal
    /// The terminal cannot place text: `TERM` says so, or says nothing.
    case plain(kind: String)
    /// Another viewer in this process owns a terminal.
    case busy
    /// The terminal was closed.
    case hungUp
    /// A system call failed.
    case system(call: String, errno: Int32)

    /// The error of a failed call; EIO means that the terminal was hung up.
    static func failed(_ call: String, _ number: Int32) -> TerminalError {
        number == EIO ? .hungUp : .system(call: call, errno: number)
    }

    /// The text for people.
    var text: String {
        switch self {
        case .notATerminal: "standard input and output must be a terminal"
        case .plain(let kind):
            (kind.isEmpty ? "TERM is not set" : "TERM is \(kind)")
                + ", a terminal that cannot place text"
        case .busy: "another viewer has the terminal"
        case .hungUp: "the terminal is gone"
        case .system(let call, let number): "\(call): \(String(cString: strerror(number)))"
        }
    }
}

/// A terminal in raw mode, on its alternate screen.
///
/// Owned by one thread. Writing never blocks.
final class Terminal {
    /// The alternate screen without a cursor and without wrapping; mouse with dragging, by SGR;
    /// bracketed paste.
    private static let enteringSequence =
        "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1002h\u{1B}[?1006h\u{1B}[?2004h\u{1B}[0m\u{1B}[2J"
    /// The number of bytes of one write if the descriptor cannot be made non-blocking.
    private static let cautiousBytes = 256
    /// The maximum time to wait for a terminal that does not drain, when it is restored.
    private static let patienceMilliseconds: Int32 = 1000

    let input: Int32
    /// The descriptor for output: the terminal opened again if possible, since making the given
    /// descriptor non-blocking would affect the shell and every other process that shares it.
    let output: Int32
    private let ownsOutput: Bool
    private var modes = termios()

    /// Takes the terminal and switches to its alternate screen.
    ///
    /// - Parameter wake: The event counter that signals add to.
    init(input: Int32, output: Int32, wake: Int32) throws(TerminalError) {
        guard isatty(input) == 1, isatty(output) == 1 else { throw .notATerminal }
        self.input = input
        let own = open(
            "/proc/self/fd/\(output)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        // Someone else's terminal, as after `su`, cannot be opened; then small pieces keep writes
        // from blocking.
        ownsOutput = own >= 0
        self.output = own >= 0 ? own : output
        guard TerminalGuard.claim(input: input, output: self.output, wake: wake) else {
            if ownsOutput { close(self.output) }
            throw .busy
        }
        do throws(TerminalError) {
            try enter()
        } catch {
            TerminalGuard.release()
            if ownsOutput { close(self.output) }
            throw error
        }
    }

    /// What `TERM` names if that terminal understands no escape sequences; empty if it names
    /// nothing, `nil` for others.
    static var plainKind: String? {
        let kind = getenv("TERM").map { String(cString: $0) } ?? ""
        return ["", "dumb", "unknown"].contains(kind) ? kind : nil
    }

    /// Restores the terminal and releases it; no other call may follow.
    func end() {
        leave()
        TerminalGuard.release()
        if ownsOutput { close(output) }
    }

    // MARK: Modes

    private func enter() throws(TerminalError) {
        guard tcgetattr(input, &modes) == 0 else { throw .failed("tcgetattr", errno) }
        try enterAgain()
    }

    /// Sets the modes and the screen, whatever state another program left.
    func enterAgain() throws(TerminalError) {
        var raw = modes
        cfmakeraw(&raw)
        TerminalGuard.activate(modes: modes)
        // The modes first: a process in the background is stopped here, before it writes anything.
        while tcsetattr(input, TCSANOW, &raw) != 0 {
            guard errno == EINTR else {
                let number = errno
                leave()
                throw .failed("tcsetattr", number)
            }
        }
        writePatiently(Array(Self.enteringSequence.utf8))
    }

    /// Restores screen and modes.
    func leave() {
        guard TerminalGuard.deactivate() else { return }
        var sequences = [TerminalGuard.restoringSequence]
        if TerminalGuard.hasPictures {
            sequences.insert(KittyCommand.forgetAll, at: 0)
        }
        for sequence in sequences {
            writePatiently(
                Array(
                    UnsafeBufferPointer(
                        start: sequence.utf8Start, count: sequence.utf8CodeUnitCount)))
        }
        // At once: waiting for the output to drain could take for ever.
        while tcsetattr(input, TCSANOW, &modes) != 0, errno == EINTR {}
    }

    /// Stops the process group, as Ctrl-Z does outside raw mode, and continues when it is resumed.
    func suspend() throws(TerminalError) {
        leave()
        TerminalGuard.setDefault(SIGTSTP)
        kill(0, SIGTSTP)
        // The stop may take effect a moment later, and not at all if no shell is there to continue
        // the group.
        var moment = timespec(tv_sec: 0, tv_nsec: 200_000_000)
        nanosleep(&moment, nil)
        TerminalGuard.reinstall(SIGTSTP)
        try enter()
    }

    /// The size in cells; 80 by 24 if unknown.
    var size: GridSize {
        var window = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
        else { return GridSize(columns: 80, rows: 24) }
        return GridSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    /// The size in pixels by the terminal's driver; 0 if unknown.
    var pixelSize: (width: Int, height: Int) {
        var window = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0 else { return (0, 0) }
        return (Int(window.ws_xpixel), Int(window.ws_ypixel))
    }

    // MARK: Bytes

    /// Writes as much as the terminal accepts now.
    ///
    /// - Returns: The number of bytes written.
    func write(_ bytes: ArraySlice<UInt8>) throws(TerminalError) -> Int {
        var written = 0
        while written < bytes.count {
            let rest = bytes.dropFirst(written)
            if !ownsOutput, !isReady(milliseconds: 0) { break }
            let piece = ownsOutput ? rest : rest.prefix(Self.cautiousBytes)
            let count = piece.withUnsafeBytes { Glibc.write(output, $0.baseAddress, $0.count) }
            if count >= 0 {
                written += count
            } else if errno == EAGAIN {
                break
            } else if errno != EINTR {
                throw .failed("write", errno)
            }
        }
        return written
    }

    /// The typed bytes; empty if there are none now.
    func read() throws(TerminalError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = buffer.withUnsafeMutableBytes { Glibc.read(input, $0.baseAddress, $0.count) }
        if count > 0 { return Array(buffer[0..<count]) }
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        throw .hungUp
    }

    private func isReady(milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        return poll(&descriptor, 1, milliseconds) == 1
            && descriptor.revents & Int16(POLLOUT) != 0
    }

    /// Writes everything, or gives up if the terminal does not drain.
    private func writePatiently(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty, isReady(milliseconds: Self.patienceMilliseconds) {
            guard let count = try? write(rest) else { return }
            rest = rest.dropFirst(count)
        }
    }
}
