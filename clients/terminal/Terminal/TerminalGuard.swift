import Glibc
import Synchronization

/// Restores a terminal at any end of the process, and converts signals to flags.
///
/// Signals concern the whole process, so this state is global; one terminal at a time can be
/// guarded. Handlers only set a bit and write to an event counter, or, on a crash, write the
/// restoring sequence and raise the signal again; all calls in them are async-signal-safe
/// (POSIX.1-2024, 2.4.3).
enum TerminalGuard {
    /// Signals that the viewer's loop handles.
    static let expected = [SIGTERM, SIGINT, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT]
    /// Signals of a crash.
    static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGQUIT]

    private static let isClaimed = Atomic<Bool>(false)
    fileprivate static let isActive = Atomic<Bool>(false)
    /// Bit n is set when signal n has arrived.
    fileprivate static let pending = Atomic<UInt64>(0)
    fileprivate static let input = Atomic<Int32>(-1)
    fileprivate static let output = Atomic<Int32>(-1)
    fileprivate static let wake = Atomic<Int32>(-1)
    private static let mayHavePictures = Atomic<Bool>(false)
    /// The terminal's initial modes. Written only while `isActive` is false, by the thread that
    /// owns the terminal; handlers read them only after they changed `isActive` from true to false.
    nonisolated(unsafe) fileprivate static let modes = {
        let modes = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        modes.initialize(to: termios())
        return modes
    }()
    /// The former handlers of the signals, by number. Written before the new handlers are
    /// installed, and read by them.
    nonisolated(unsafe) fileprivate static let previous = {
        let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        actions.initialize(repeating: sigaction(), count: 65)
        return actions
    }()
    /// The sequence that restores the terminal: no synchronized output, no mouse in any mode, no
    /// bracketed paste, plain colours, wrapping, cursor, main screen.
    static let restoringSequence: StaticString =
        "\u{1B}[?2026l\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1003l\u{1B}[?1002l\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
    /// Registers, once, the restoration for a process that exits by `exit` or by returning from
    /// `main`.
    private static let atExit: Void = { _ = atexit { TerminalGuard.restoreNow() } }()

    /// Claims the guard; returns false if another terminal has it.
    static func claim(input: Int32, output: Int32, wake: Int32) -> Bool {
        guard !isClaimed.exchange(true, ordering: .acquiringAndReleasing) else { return false }
        _ = atExit
        // Touched here, so that no handler is the first to initialise them.
        _ = (modes, previous, isActive.load(ordering: .relaxed))
        mayHavePictures.store(false, ordering: .relaxed)
        pending.store(0, ordering: .relaxed)
        self.input.store(input, ordering: .relaxed)
        self.output.store(output, ordering: .relaxed)
        self.wake.store(wake, ordering: .releasing)
        for signal in expected { install(signal) }
        for signal in crashes { install(signal) }
        return true
    }

    /// Releases the guard and reinstalls the former signal handlers.
    static func release() {
        for signal in expected + crashes { sigaction(signal, &previous[Int(signal)], nil) }
        wake.store(-1, ordering: .releasing)
        isClaimed.store(false, ordering: .releasing)
    }

    /// Registers that the terminal's modes must be restored to these.
    static func activate(modes: termios) {
        self.modes.pointee = modes
        isActive.store(true, ordering: .releasing)
    }

    /// Registers that the terminal was restored, or that the caller is about to; returns false if
    /// another thread did it.
    static func deactivate() -> Bool { isActive.exchange(false, ordering: .acquiringAndReleasing) }

    /// Whether pictures of kitty's protocol may be on the terminal, which have to be removed.
    static var hasPictures: Bool { mayHavePictures.load(ordering: .acquiring) }

    /// Registers that there may be such pictures from now on.
    static func notePictures() { mayHavePictures.store(true, ordering: .releasing) }

    /// The handled signals since the last call, as bits by number.
    static func takePending() -> UInt64 { pending.exchange(0, ordering: .acquiringAndReleasing) }

    /// Whether these bits contain a signal.
    static func contains(_ bits: UInt64, _ signal: Int32) -> Bool { bits >> signal & 1 == 1 }

    /// Restores a signal's default action.
    static func setDefault(_ number: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = SIG_DFL
        sigaction(number, &action, nil)
    }

    /// Catches a signal again after `setDefault`.
    static func reinstall(_ signal: Int32) {
        var action = handlerAction(for: signal)
        sigaction(signal, &action, nil)
    }

    private static func install(_ signal: Int32) {
        var action = handlerAction(for: signal)
        sigaction(signal, &action, &previous[Int(signal)])
    }

    private static func handlerAction(for signal: Int32) -> sigaction {
        var action = sigaction()
        if crashes.contains(signal) {
            action.__sigaction_handler.sa_handler = crashHandler
        } else {
            action.__sigaction_handler.sa_handler = expectedHandler
        }
        // Restarting system calls is for the process's other threads; poll never restarts.
        action.sa_flags = SA_RESTART | SA_ONSTACK
        sigemptyset(&action.sa_mask)
        return action
    }

    /// Restores the terminal without waiting for it, if that is still necessary.
    fileprivate static func restoreNow() {
        guard deactivate() else { return }
        let output = output.load(ordering: .relaxed)
        if hasPictures {
            let command = KittyCommand.forgetAll
            _ = write(output, command.utf8Start, command.utf8CodeUnitCount)
        }
        _ = write(output, restoringSequence.utf8Start, restoringSequence.utf8CodeUnitCount)
        // At once: waiting for the output to drain could take for ever.
        tcsetattr(input.load(ordering: .relaxed), TCSANOW, modes)
    }
}

/// Sets the signal's bit and wakes the loop; a second SIGTERM does not wait for the loop.
private func expectedHandler(_ signal: Int32) {
    let error = errno
    let bit = UInt64(1) << UInt64(signal)
    let before = TerminalGuard.pending.bitwiseOr(bit, ordering: .acquiringAndReleasing).oldValue
    if signal == SIGTERM, before & bit != 0 {
        TerminalGuard.restoreNow()
        _exit(128 + SIGTERM)
    }
    WakingInbox.wake(TerminalGuard.wake.load(ordering: .relaxed))
    errno = error
}

/// Restores the terminal and raises the signal with its former handler.
private func crashHandler(_ signal: Int32) {
    TerminalGuard.restoreNow()
    sigaction(signal, &TerminalGuard.previous[Int(signal)], nil)
    // Blocked while this handler runs, so it strikes on return.
    raise(signal)
}
