import Logging
import SceneSession
import SceneStore
import SceneWire
import Threads

/// The thread that reads the past for members that seek. It has a connection of its own, so commits
/// do not wait for long reads.
///
/// A member has one request at a time; a new one replaces one that has not started.
final class HistoryThread: Sendable {
    /// Bytes of records after the requested tick. A member that plays beyond them returns to the
    /// present.
    static let bytesMaximum = 16 << 20

    private struct Question {
        var room: String
        var member: MemberID
        var tick: UInt64
    }

    private struct Queue {
        var questions: [Question] = []
        var isStopping = false
    }

    private let thread = OwnedThread(name: "history")
    private let queue = Monitor(Queue())
    private let open: @Sendable () throws(StoreError) -> any SceneStore
    private let rooms: RoomDirectory
    private let logger: Logger
    private let activity: Activity

    /// Makes a thread without starting it.
    ///
    /// - Parameters:
    ///   - open: Opens a store for reading.
    ///   - activity: Publishes the thread's steps.
    init(
        _ open: @escaping @Sendable () throws(StoreError) -> any SceneStore,
        rooms: RoomDirectory, logger: Logger,
        activity: Activity = Activity(.history, name: "the reader of the past")
    ) {
        self.open = open
        self.activity = activity
        self.rooms = rooms
        self.logger = logger
    }

    /// Starts the thread. Must be called once.
    func start() {
        thread.start { [self] in run() }
    }

    /// Stops the thread without answering waiting requests; returns once it has ended.
    func stop() {
        queue.withLock { $0.isStopping = true }
        queue.wake()
        thread.join()
    }

    /// Requests the records that lead to a tick; answered with `RoomMail.history`. Safe from any
    /// thread.
    func ask(_ room: String, for member: MemberID, tick: UInt64) {
        queue.withLock { queue in
            queue.questions.removeAll { $0.member == member }
            queue.questions.append(Question(room: room, member: member, tick: tick))
        }
        queue.wake()
    }

    private func run() {
        while let question = next() {
            let (room, tick) = (question.room, question.tick)
            activity.begin("the reading of the past", in: room)
            rooms.post(
                .history(question.member, tick: tick, read(room, tick)), to: room)
        }
    }

    private func next() -> Question? {
        activity.rest()
        return queue.wait { queue, _ in
            if queue.isStopping { return .finish(nil) }
            return queue.questions.isEmpty ? .wait : .finish(queue.questions.removeFirst())
        }
    }

    private func read(_ room: String, _ tick: UInt64) -> [JournalRecord]? {
        do throws(StoreError) {
            // Opened for each request: it sees all commits up to now, and holds no memory in
            // between.
            return try open().records(of: room, from: tick, beyondByBytes: Self.bytesMaximum)
        } catch {
            logger.error("the past of room \(room) cannot be read: \(error)")
            return nil
        }
    }
}
