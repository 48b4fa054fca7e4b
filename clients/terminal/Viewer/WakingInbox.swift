import Glibc
import SceneProtocol
import Synchronization

/// What the viewer was told and has not taken yet, and a pipe that wakes a loop waiting in `poll`.
///
/// Of mirrors, connection states and totals only the latest is kept; other events wait in order, up to a bound beyond
/// which the oldest are forgotten. Memory stays bounded however long the loop takes.
final class WakingInbox: Sendable {
    private static let eventMaximum = 4096

    private struct Waiting: Sendable {
        var mirror: ViewerEvent?
        var connection: ViewerEvent?
        var received: ViewerEvent?
        var others: [ViewerEvent] = []
        /// Whether a byte is already on its way.
        var isAwake = false
    }

    private let waiting = Mutex<Waiting>(Waiting())
    let readEnd: Int32
    let writeEnd: Int32
    /// The error number if there is no pipe.
    let failure: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        failure = pipe(&ends) == 0 ? 0 : errno
        readEnd = ends[0]
        writeEnd = ends[1]
        guard isUsable else { return }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit {
        if isUsable {
            close(readEnd)
            close(writeEnd)
        }
    }

    var isUsable: Bool { failure == 0 }

    func post(_ event: ViewerEvent) {
        let mustWake = waiting.withLock { waiting in
            switch event {
            case .mirror(let mirror, _):
                // The last whole picture is better than none.
                guard !mirror.needsSnapshot else { return false }
                waiting.mirror = event
            case .connection: waiting.connection = event
            case .received: waiting.received = event
            case .diagnostics, .presence, .result, .trace, .pong, .inspection, .problem:
                waiting.others.append(event)
                if waiting.others.count > Self.eventMaximum {
                    waiting.others.removeFirst(Self.eventMaximum / 4)
                }
            }
            defer { waiting.isAwake = true }
            return !waiting.isAwake
        }
        guard mustWake, isUsable else { return }
        var byte: UInt8 = 0
        _ = write(writeEnd, &byte, 1)
    }

    /// Empties the pipe and takes what was posted: the connection first, for what follows belongs to it.
    func take() -> [ViewerEvent] {
        var buffer = [UInt8](repeating: 0, count: 64)
        while read(readEnd, &buffer, buffer.count) == buffer.count {}
        return waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return [waiting.connection, waiting.received, waiting.mirror].compactMap { $0 }
                + waiting.others
        }
    }
}
