import FoundationEssentials
import Logging
import SceneStore
import SceneWire
import Threads

/// Copies what a cluster has kept into this machine's database, so that an operator has the
/// journals of rooms even without the engine. Nothing is ever read from it in place of the cluster.
///
/// It follows at a distance: what comes faster than the disk takes it is dropped, and a room that
/// lacks records goes on with its next snapshot of the scene. So does one whose records another
/// node wrote meanwhile.
final class SecondCopy: Sendable {
    private struct Queue: Sendable {
        var records: [RoomRecord] = []
        var bytes = 0
        var deletions: [String] = []
        var isStopping = false
    }

    /// Bytes of records that wait at most.
    static let waitingBytesMaximum = 16 << 20
    private static let retryNanoseconds: UInt64 = 1_000_000_000

    private let thread = OwnedThread(name: "second copy")
    private let queue = Monitor(Queue())
    private let open: @Sendable () throws(StoreError) -> any SceneStore
    private let metrics: ServerMetrics
    private let logger: Logger

    /// Makes a thread without starting it.
    ///
    /// - Parameter open: Opens the database; called on the thread.
    init(
        _ open: @escaping @Sendable () throws(StoreError) -> any SceneStore,
        metrics: ServerMetrics, logger: Logger
    ) {
        self.open = open
        self.metrics = metrics
        self.logger = logger
    }

    /// Opens the database and starts the thread. Must be called once.
    ///
    /// - Throws: `StoreError` for a database that cannot be opened.
    func start() throws(StoreError) {
        let opened = Monitor(Result<Void, StoreError>?.none)
        thread.start { [self] in
            do throws(StoreError) {
                let writer = SecondCopyWriter(try open())
                opened.withLock { $0 = .success(()) }
                opened.wake()
                run(writer)
            } catch {
                opened.withLock { $0 = .failure(error) }
                opened.wake()
            }
        }
        switch opened.wait({ outcome, _ in outcome.map { .finish($0) } ?? .wait }) {
        case .success: break
        case .failure(let error):
            thread.join()
            throw error
        }
    }

    /// Copies records that the cluster has kept. Never waits.
    func add(_ records: [RoomRecord]) {
        let dropped = queue.withLock { queue -> Int in
            for (index, entry) in records.enumerated() {
                guard queue.bytes < Self.waitingBytesMaximum else { return records.count - index }
                queue.records.append(entry)
                queue.bytes += entry.record.payload.count
            }
            return 0
        }
        metrics.secondCopyDropped.add(dropped)
        queue.wake()
    }

    /// Removes a deleted room.
    func delete(_ room: String) {
        queue.withLock { queue in
            queue.records.removeAll { $0.room == room }
            queue.deletions.append(room)
        }
        queue.wake()
    }

    /// Writes what waits and ends the thread; returns once it has ended.
    func stop() {
        queue.withLock { $0.isStopping = true }
        queue.wake()
        thread.join()
    }

    private func run(_ writer: SecondCopyWriter) {
        var isFailing = false
        while true {
            let work = queue.wait { (queue, hasTimedOut) -> Monitor<Queue>.Step<Queue> in
                let isPending =
                    !queue.records.isEmpty || !queue.deletions.isEmpty || queue.isStopping
                // A disk that fails is left alone for a moment, while the queue fills up and drops.
                guard isPending, !isFailing || hasTimedOut || queue.isStopping else {
                    return isFailing ? .waitAtMost(nanoseconds: Self.retryNanoseconds) : .wait
                }
                defer { queue = Queue(isStopping: queue.isStopping) }
                return .finish(queue)
            }
            do throws(StoreError) {
                for room in work.deletions { try writer.delete(room) }
                let written = try writer.write(
                    work.records, time: Int64(Date().timeIntervalSince1970))
                metrics.secondCopyRecords.add(written)
                isFailing = false
            } catch {
                if !isFailing { logger.error("the second copy is not written: \(error)") }
                isFailing = true
                metrics.secondCopyDropped.add(work.records.count)
                writer.forget(work.records)
            }
            if work.isStopping { return writer.finish() }
        }
    }
}
