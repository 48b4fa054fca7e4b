public import Logging
public import SceneClient
public import SceneServer
import Synchronization

/// The programs behind the rooms `demo`, `board` and `clock`, and a crowd of robots that use them.
public final class DemoPrograms: Sendable {
    /// The most robots: each has a thread of its own, as every client has.
    public static let crowdMaximum = 200

    /// The scene of the room `demo` before its program has connected.
    public static var firstScene: SceneDocument {
        get throws { try Monitor.document }
    }

    /// How long a room that cannot be made keeps the others waiting.
    private static let patience = Duration.seconds(5)

    private let tasks = Mutex<[Task<Void, Never>]>([])

    /// Makes programs that do not run yet.
    public init() {}

    /// Starts them, and returns when their rooms can be joined; after `patience` at the latest.
    ///
    /// - Parameters:
    ///   - address: Where the server listens: `ws://host:port`.
    ///   - server: The server in this process, whose figures are shown.
    ///   - showsMonitor: Whether the room `demo` shows the monitor; otherwise it is left as it is.
    ///   - crowd: How many robots take part, 0...`crowdMaximum`.
    public func start(
        at address: String, beside server: SceneServer, showsMonitor: Bool, crowd: Int,
        logger: Logger
    ) async {
        let site = Site(server: server, address: address, logger: logger)
        var programs: [any DemoProgram] = [Board(), ClockFace(site: site)]
        if showsMonitor { programs.append(Monitor(site: site)) }
        let robots = Crowd(site: site)
        let (shown, room) = AsyncStream<Void>.makeStream()
        tasks.withLock { [programs] tasks in
            tasks += programs.map { program in
                Task { await program.stay(at: site) { room.yield() } }
            }
            tasks += (0..<crowd).map { number in Task { await robots.stay(number) } }
        }
        let delay = Task {
            try await Task.sleep(for: Self.patience)
            logger.warning("not all rooms of the demo could be made within \(Self.patience)")
            room.finish()
        }
        var waiting = programs.count
        for await _ in shown {
            waiting -= 1
            if waiting == 0 { break }
        }
        delay.cancel()
    }

    /// Ends them; what they sent is on its way still.
    public func stop() {
        let ended = tasks.withLock { tasks in
            defer { tasks = [] }
            return tasks
        }
        for task in ended { task.cancel() }
    }
}
