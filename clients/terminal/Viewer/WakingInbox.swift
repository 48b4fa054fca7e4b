import CEpoll
import Glibc
import SceneWire
import Synchronization

/// Events that the viewer has not handled yet, and an event counter that wakes a loop waiting in
/// `poll`.
///
/// Of mirrors, connection states and totals only the latest is kept; other events wait in order, up
/// to a bound beyond which the oldest are dropped. Memory stays bounded for a slow loop.
final class WakingInbox: Sendable {
    private static let eventMaximum = 4096

    private struct Waiting: Sendable {
        var mirror: ViewerEvent?
        var connection: ViewerEvent?
        var received: ViewerEvent?
        var beside: ViewerEvent?
        var others: [ViewerEvent] = []
        /// Whether the loop was woken already.
        var isAwake = false
    }

    private let waiting = Mutex<Waiting>(Waiting())
    /// Readable after something was posted; signal handlers may write to it too. Linux's eventfd: 8
    /// bytes, which are summed until they are read.
    let counter: Int32
    /// The error number if there is no counter.
    let failure: Int32

    init() {
        counter = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        failure = counter >= 0 ? 0 : errno
    }

    deinit {
        if isUsable { close(counter) }
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
            case .beside(.mirror(let mirror, _)):
                guard !mirror.needsSnapshot else { return false }
                waiting.beside = event
            case .beside, .diagnostics, .presence, .result, .trace, .pong, .inspection, .device,
                .problem, .document, .interactions, .eventResult, .picture:
                waiting.others.append(event)
                if waiting.others.count > Self.eventMaximum {
                    waiting.others.removeFirst(Self.eventMaximum / 4)
                }
            }
            defer { waiting.isAwake = true }
            return !waiting.isAwake
        }
        if mustWake, isUsable { Self.wake(counter) }
    }

    /// Makes a counter readable; may be called by a signal handler.
    static func wake(_ counter: Int32) {
        var one: UInt64 = 1
        _ = write(counter, &one, MemoryLayout<UInt64>.size)
    }

    /// Removes and returns the posted events: the connection first, since the others refer to it.
    ///
    /// - Parameter isReadable: Whether `poll` found the counter readable; otherwise it need not be
    ///   read.
    func take(isReadable: Bool) -> [ViewerEvent] {
        guard isReadable else { return [] }
        var count: UInt64 = 0
        _ = read(counter, &count, MemoryLayout<UInt64>.size)
        return waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return [waiting.connection, waiting.received, waiting.mirror, waiting.beside]
                .compactMap { $0 } + waiting.others
        }
    }
}
