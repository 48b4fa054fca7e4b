import ClusterJournal
import SceneSession
import SceneWire
import Threads

/// Replays rooms ahead of time that this node may own within a moment, on a thread of its own, so
/// that opening them takes the rooms' threads no longer than what was written last.
///
/// Nothing depends on it: a room that is not ready is opened from its records. Safe from any
/// thread.
final class ShadowThread: Sendable {
    /// Unchecked: a shadow room belongs to one thread. It is in the table while no thread uses it,
    /// and the table's lock orders their accesses.
    private struct Held: @unchecked Sendable {
        let room: ShadowRoom
    }

    private struct State {
        var table = ShadowTable<Held>()
        /// By room, who wants it as soon as it is ready.
        var waiting: [String: [@Sendable () -> Void]] = [:]
        var isStopping = false
    }

    /// What became of the wish for a room.
    enum Taken {
        /// As far as it has come. It is not followed further.
        case ready(ShadowRoom)
        /// It is being replayed; the closure is called when it is ready, or let go.
        case coming
        /// It is not there.
        case absent
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
    ///
    /// - Parameter settled: Called on the thread for each room that was replayed, with its last
    ///   record; `nil` for one that cannot be.
    func start(settled: @escaping @Sendable (_ room: String, _ through: UInt64?) -> Void) {
        thread.start { [self] in run(settled) }
    }

    /// Ends the thread; returns once it has ended.
    func stop() {
        state.withLock { $0.isStopping = true }
        state.wake()
        thread.join()
    }

    /// Asks for something.
    func post(_ request: ShadowRequest) {
        let waiting = state.withLock { state in
            switch request {
            case .follow(let room, let records):
                state.table.add(room, records)
                return state.table.holds(room) ? nil : state.waiting.removeValue(forKey: room)
            case .forget(let room):
                state.table.forget(room)
                return state.waiting.removeValue(forKey: room)
            }
        }
        for call in waiting ?? [] { call() }
        state.wake()
    }

    /// Hands a room over.
    ///
    /// - Parameter whenReady: Called once from any thread, if the room is `coming`.
    func take(_ room: String, whenReady: @escaping @Sendable () -> Void) -> Taken {
        state.withLock { state in
            switch state.table.take(room) {
            case .ready(let held): return .ready(held.room)
            case .coming:
                state.waiting[room, default: []].append(whenReady)
                return .coming
            case .absent: return .absent
            }
        }
    }

    private func run(_ settled: (_ room: String, _ through: UInt64?) -> Void) {
        while let step = next() {
            activity.begin("the replay ahead of time", in: step.name)
            let room = replay(step)
            let last = room?.last.sequence
            let waiting = state.withLock { state in
                state.table.settle(step, room.map(Held.init))
                return state.waiting.removeValue(forKey: step.name)
            }
            for call in waiting ?? [] { call() }
            settled(step.name, last)
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

    /// One that does not go on is opened from its records, which also tells what is wrong with
    /// them.
    private func replay(_ step: ShadowTable<Held>.Step) -> ShadowRoom? {
        guard let room = step.room?.room else {
            return try? ShadowRoom(step.records, options: options, workLimit: workLimit)
        }
        return (try? room.follow(step.records)) == true ? room : nil
    }
}
