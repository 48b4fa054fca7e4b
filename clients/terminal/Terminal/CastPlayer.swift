import Glibc

/// Plays a recording on a terminal. Space pauses, + and - change the speed, q ends.
public final class CastPlayer {
    private static let speeds: [Double] = [0.125, 0.25, 0.5, 1, 2, 4, 8, 16]

    private let cast: Cast
    private let inbox = WakingInbox()
    private var decoder = KeyDecoder()
    private var outgoing: ArraySlice<UInt8> = []
    /// The next event.
    private var index = 0
    /// The played time of the recording in seconds.
    private var position = 0.0
    private var speed = 1.0
    private var isPaused = false

    /// Makes a player at the start.
    public init(_ cast: Cast) { self.cast = cast }

    /// Plays on standard input and output until the user or a signal ends it; at the end the last
    /// picture stays until a key is pressed.
    ///
    /// - Returns: An exit code, as `TerminalApplication.run` does.
    public func run() -> Int32 {
        Terminal.run(inbox) { (terminal) throws(TerminalError) in try loop(terminal) }
    }

    private func loop(_ terminal: Terminal) throws(TerminalError) -> Int32 {
        var last = MonotonicClock.now()
        while true {
            let now = MonotonicClock.now()
            if !isPaused { position += (now - last) * speed }
            last = now
            queue()
            if !outgoing.isEmpty {
                let count = try terminal.write(outgoing)
                outgoing = outgoing.dropFirst(count)
            }
            var wait = -1.0
            if !isPaused, index < cast.events.count, outgoing.isEmpty {
                wait = max(0, (cast.events[index].seconds - position) / speed)
            }
            var descriptors = [
                pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: inbox.counter, events: Int16(POLLIN), revents: 0),
                pollfd(
                    fd: outgoing.isEmpty ? -1 : terminal.output, events: Int16(POLLOUT),
                    revents: 0),
            ]
            let milliseconds = wait < 0 ? -1 : Int32((min(wait, 3600) * 1000).rounded(.up))
            _ = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
            _ = inbox.take(isReadable: descriptors[1].revents != 0)
            if let code = try takeSignals(terminal) { return code }
            if descriptors[0].revents != 0 {
                for key in decoder.decode(try terminal.read()) where try press(key, terminal) {
                    return 0
                }
            }
        }
    }

    /// Writes due output to the terminal; while that is busy, nothing is added.
    private func queue() {
        guard outgoing.isEmpty else { return }
        while index < cast.events.count, cast.events[index].seconds <= position {
            if case .output(let text) = cast.events[index].event {
                outgoing += Array(text.utf8)
            }
            index += 1
        }
    }

    private func takeSignals(_ terminal: Terminal) throws(TerminalError) -> Int32? {
        let signals = TerminalGuard.takePending()
        for signal in [SIGTERM, SIGHUP, SIGINT] where TerminalGuard.contains(signals, signal) {
            return 128 + signal
        }
        if TerminalGuard.contains(signals, SIGTSTP) {
            try suspend(terminal)
        } else if TerminalGuard.contains(signals, SIGCONT) {
            try terminal.enterAgain()
            showAgain()
        }
        return nil
    }

    /// Repeats all output up to here, since the screen is empty.
    private func showAgain() {
        outgoing = []
        index = 0
        queue()
    }

    private func suspend(_ terminal: Terminal) throws(TerminalError) {
        try terminal.suspend()
        showAgain()
    }

    /// - Returns: Whether the end is reached.
    private func press(_ key: Key, _ terminal: Terminal) throws(TerminalError) -> Bool {
        switch key {
        case .character("q"), .control("c"), .escape: return true
        case .control("z"): try suspend(terminal)
        case .control("l"): showAgain()
        case .character(" "): isPaused.toggle()
        case .character("+"), .character("="):
            speed = Self.speeds.first { $0 > speed } ?? speed
        case .character("-"): speed = Self.speeds.last { $0 < speed } ?? speed
        case .mouse, .reply, .unknown: break
        default: return index >= cast.events.count
        }
        return false
    }
}
