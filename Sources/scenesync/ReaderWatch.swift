import Dispatch
import Essentials
import Glibc
import Synchronization

/// Ends a process that streams its output once nobody reads it.
///
/// A write to a pipe without a reader fails, but a stream at rest writes nothing: `scenesync view
/// --follow URL | head -1` would stay connected for ever. GNU tail watches its output for the same
/// reason. Commands that go on without a reader do not begin this: servers, and those whose work
/// has to be completed.
enum ReaderWatch {
    /// How a process ends without a reader.
    enum Ending {
        /// With 1: what was to be told, such as whether a test passed, did not arrive.
        case failure
        /// By SIGPIPE, as a filter does whose reader has what it wants.
        case signal
    }

    private static let ending = Mutex(Ending.failure)

    /// Begins to watch a pipe or socket that this process writes to. Files and terminals have no
    /// reader.
    static func begin(_ output: Descriptor = .output, ending wanted: Ending = .failure) {
        ending.withLock { $0 = wanted }
        guard output.hasReader else { return }
        DispatchQueue(label: "reader").async {
            output.waitForEndOfReader()
            end()
        }
    }

    /// Ends the process because nobody reads its output any more.
    static func end() -> Never {
        if ending.withLock({ $0 }) == .signal {
            // libwebsockets ignores the signal once its context is made, which may be between the
            // two.
            for _ in 0..<100 {
                signal(SIGPIPE, SIG_DFL)
                raise(SIGPIPE)
            }
        }
        exit(1)
    }
}
