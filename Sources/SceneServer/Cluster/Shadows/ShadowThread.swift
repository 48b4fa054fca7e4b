import SceneProtocol
import SceneSession
import Threads

/// Replays rooms ahead of time that this node may own within a moment, on a thread of its own, so that opening them takes the
/// rooms' threads no longer than what was written last.
///
/// Nothing depends on it: a room that is not ready is opened from its records. Safe from any thread.
final class ShadowThread: Sendable {
    /// What is asked of the thread.
    enum Request: Sendable {
        /// Replays records of a room: the first ones from a snapshot on, later ones in order.
        case follow(room: String, [JournalRecord])
        /// Drops a room.
        case forget(room: String)
    }

    /// Unchecked: a shadow room belongs to one thread. It is in the table while no thread uses it, and the table's lock orders
    /// their accesses.
    private struct Held: @unchecked Sendable {
        let room: ShadowRoom
    }

    private struct State {
        var table = ShadowTable<Held>()
        var isStopping = false
    }

    private let thread = OwnedThread(name: "shadows")
    private let state = Monitor(State())
    private let options: SessionOptions
    private let workLimit: UInt64
    private let activity: Activity

    /// Makes a thread without starting it.
    ///
    /// - Parameters:
    ///   - options: Those of the rooms' sessions.
    ///   - workLimit: Units of work that a room's replay may take; dearer rooms are not made ready.
    ///   - activity: Publishes the thread's steps.
    init(options: SessionOptions, workLimit: UInt64, activity: Activity) {
        self.options = options
        self.workLimit = workLimit
        self.activity = activity
    }

    /// Starts the thread. Must be called once.
    func start() {
        thread.start { [self] in run() }
    }

    /// Ends the thread; returns once it has ended.
    func stop() {
        state.withLock { $0.isStopping = true }
        state.wake()
        thread.join()
    }

    /// Asks for something.
    func post(_ request: Request) {
        state.withLock { state in
            switch request {
            case .follow(let room, let records): state.table.add(room, records)
            case .forget(let room): state.table.forget(room)
            }
        }
        state.wake()
    }

    /// Hands a room over, as far as it has come; `nil` if it is not ready. In any case it is not followed further.
    func take(_ room: String) -> ShadowRoom? {
        state.withLock { $0.table.take(room) }?.room
    }

    private func run() {
        while let step = next() {
            activity.begin("the replay ahead of time", in: step.name)
            let room = replay(step)
            state.withLock { $0.table.settle(step, room.map(Held.init)) }
        }
        activity.rest()
    }

    private func next() -> ShadowTable<Held>.Step? {
        activity.rest()
        return state.wait { state, _ in
            if state.isStopping { return .finish(nil) }
            return state.table.takeNext().map { .finish($0) } ?? .wait
        }
    }

    /// One that does not go on is opened from its records, which also tells what is wrong with them.
    private func replay(_ step: ShadowTable<Held>.Step) -> ShadowRoom? {
        guard let room = step.room?.room else {
            return try? ShadowRoom(step.records, options: options, workLimit: workLimit)
        }
        return (try? room.follow(step.records)) == true ? room : nil
    }
}
