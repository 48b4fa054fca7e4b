import Dispatch
import Essentials
import Glibc

/// Ends a process that streams its output once nobody reads it.
///
/// A write to a pipe without a reader fails, but a stream at rest writes nothing: `scenesync view --follow URL | head -1` would stay
/// connected for ever. GNU tail watches its output for the same reason. Commands that go on without a reader do not begin this:
/// servers, and those whose work has to be completed.
enum ReaderWatch {
    /// Begins to watch a pipe or socket that this process writes to. Files and terminals have no reader.
    static func begin(_ output: Descriptor = .output) {
        guard output.hasReader else { return }
        DispatchQueue(label: "reader").async {
            output.waitForEndOfReader()
            end()
        }
    }

    /// Ends the process as a write to the pipe would by default.
    static func end() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        // The signal is blocked.
        exit(128 + SIGPIPE)
    }
}
