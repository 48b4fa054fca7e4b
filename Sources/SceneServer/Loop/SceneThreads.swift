/// The threads of a server's rooms: for each mailbox a home, and a slow lane beside it.
final class SceneThreads: Sendable {
    /// The steps of all threads.
    let activities: [Activity]
    private let homes: [SceneThread]
    private let slowLanes: [SceneThread]
    private let shares = LaneShares()

    /// The maximum time to wait for rooms when the server stops, in seconds.
    private static let drainSeconds = 5
    private static let slowDrainSeconds = 1

    /// Makes threads without starting them.
    ///
    /// - Parameters:
    ///   - configuration: What all have in common.
    ///   - stepRecord: Where their steps are recorded, for analysis after a crash.
    init(
        _ rooms: RoomDirectory, _ configuration: SceneLoop.Configuration, _ stepRecord: StepRecord?
    ) {
        var (activities, homes, slowLanes) = ([Activity](), [SceneThread](), [SceneThread]())
        for (index, lanes) in zip(rooms.mailboxes, rooms.slowMailboxes).enumerated() {
            var home = configuration
            home.post = { [rooms] in rooms.post($0, to: $1) }
            home.lane = .home(slow: lanes.1)
            home.activity = Activity(
                .home, name: "scene thread \(index + 1)", slot: stepRecord?.slot(2 * index))
            homes.append(SceneThread(lanes.0, home))
            var slowLane = configuration
            slowLane.post = home.post
            slowLane.lane = .slow(homes: rooms)
            slowLane.activity = Activity(
                .slow, name: "slow lane \(index + 1)", slot: stepRecord?.slot(2 * index + 1),
                shares: shares)
            slowLanes.append(SceneThread(lanes.1, slowLane))
            activities += [home.activity, slowLane.activity]
        }
        (self.activities, self.homes, self.slowLanes) = (activities, homes, slowLanes)
    }

    /// Starts the threads. Must be called once.
    func start() {
        shares.start { [slowLanes] in
            for thread in slowLanes { thread.keepShare() }
        }
        for thread in homes + slowLanes { thread.start() }
    }

    /// Runs a last tick in every room.
    ///
    /// - Returns: The threads to stop. A slow lane that does not finish its tick is abandoned: its
    ///   later decisions are not sent, since the store has stopped by then.
    func drain() -> Drained {
        for thread in homes { _ = thread.drain(withinSeconds: Self.drainSeconds) }
        let finished = slowLanes.filter { $0.drain(withinSeconds: Self.slowDrainSeconds) }
        return Drained(
            threads: homes + finished, isComplete: finished.count == slowLanes.count)
    }

    /// The threads that have run their last tick.
    struct Drained {
        fileprivate let threads: [SceneThread]
        /// Whether those are all.
        let isComplete: Bool
    }

    /// Ends threads after a drain; returns once they have ended.
    func stop(_ drained: Drained) {
        for thread in drained.threads { thread.stop() }
        shares.stop()
    }

    /// Ends all threads without a drain; returns once they have ended.
    func stop() { stop(Drained(threads: homes + slowLanes, isComplete: true)) }
}
