import Glibc

extension Terminal {
    /// Takes a terminal over for as long as a body runs, and gives it back.
    ///
    /// - Parameter inbox: What wakes the body besides the terminal.
    /// - Returns: The body's exit code; 128 + SIGHUP if the terminal is gone, 64 if there is none
    ///   or it cannot place text, 1 after another failure, which is printed to standard error.
    static func run(
        input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO, _ inbox: WakingInbox,
        _ body: (Terminal) throws(TerminalError) -> Int32
    ) -> Int32 {
        do throws(TerminalError) {
            guard inbox.isUsable else { throw .system(call: "eventfd", errno: inbox.failure) }
            // `TERM` speaks of the terminal that the process was started on.
            if input == STDIN_FILENO, isatty(input) == 1, let kind = plainKind {
                throw .plain(kind: kind)
            }
            let terminal = try Terminal(input: input, output: output, wake: inbox.counter)
            defer { terminal.end() }
            return try body(terminal)
        } catch .hungUp {
            return 128 + SIGHUP
        } catch {
            let message = Array("scenesync: \(error.text)\n".utf8)
            _ = message.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            return switch error {
            case .notATerminal, .plain: 64
            case .busy, .hungUp, .system: 1
            }
        }
    }
}
