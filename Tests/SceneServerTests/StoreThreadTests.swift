import Foundation
import Logging
import SceneProtocol
import SceneStore
import Synchronization
import Testing

@testable import SceneServer

/// A store that fails when it is told to.
private final class FlakyStore: SceneStore, @unchecked Sendable {
    // The thread under test writes while the test looks on, so all of it is behind the mutex.
    private struct State {
        var records: [RoomRecord] = []
        var fails = false
    }

    private let state = Mutex(State())

    var records: [RoomRecord] { state.withLock { $0.records } }

    func fail(_ fails: Bool) { state.withLock { $0.fails = fails } }

    func append(_ group: [RoomRecord], time: Int64) throws(StoreError) {
        try probe()
        state.withLock { $0.records += group }
    }

    func truncate(_ room: String, after sequence: UInt64) throws(StoreError) {
        state.withLock { state in
            state.records.removeAll { $0.room == room && $0.record.sequence > sequence }
        }
    }

    func records(of room: String, from tick: UInt64?) throws(StoreError) -> [JournalRecord] {
        records.filter { $0.room == room }.map(\.record)
    }

    func rooms() throws(StoreError) -> [String] { [] }
    func compact(before time: Int64) throws(StoreError) -> Int { 0 }
    func delete(_ room: String) throws(StoreError) {}

    func probe() throws(StoreError) {
        if state.withLock({ $0.fails }) { throw .writeFailed("disk full") }
    }

    var damage: [String] { [] }

    func finish() {}
}

@Suite("The thread of the journal")
struct StoreThreadTests {
    private final class Outcomes: Sendable {
        let list = Mutex<[StoreThread.Outcome]>([])
        let arrived = DispatchSemaphore(value: 0)

        func add(_ outcome: StoreThread.Outcome) {
            list.withLock { $0.append(outcome) }
            arrived.signal()
        }

        func next() -> StoreThread.Outcome? {
            guard arrived.wait(timeout: .now() + 20) == .success else { return nil }
            return list.withLock { $0.removeFirst() }
        }
    }

    private func record(
        _ sequence: UInt64, _ kind: JournalRecord.Kind, room: String = "r"
    ) -> RoomRecord {
        RoomRecord(
            room: room,
            record: JournalRecord(
                sequence: sequence, epoch: 1, tick: 1, previous: 0, kind: kind, payload: []))
    }

    @Test("records become durable; after a failure only a new snapshot begins a room again")
    func failure() throws {
        let store = FlakyStore()
        let outcomes = Outcomes()
        let thread = StoreThread(
            store: store, metrics: ServerMetrics(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            report: { outcomes.add($0) })
        thread.start()
        thread.append(record(1, .snapshot))
        guard case .durable("r", 1)? = outcomes.next() else {
            Issue.record("the first record is not durable")
            return
        }
        store.fail(true)
        thread.append(record(2, .batch))
        guard case .failed("r", _)? = outcomes.next() else {
            Issue.record("the failure was not told")
            return
        }
        // What the room sent before it knew is dropped, whether the store works again or not.
        thread.append(record(3, .batch))
        store.fail(false)
        guard case .recovered("r")? = outcomes.next() else {
            Issue.record("the recovery was not told")
            return
        }
        thread.append(record(4, .batch))
        thread.append(record(2, .snapshot))
        guard case .durable("r", 2)? = outcomes.next() else {
            Issue.record("the new beginning is not durable")
            return
        }
        thread.stop()
        #expect(store.records.map(\.record.kind) == [.snapshot, .snapshot])
    }

    @Test("stopping writes what is queued")
    func stop() throws {
        let store = FlakyStore()
        let thread = StoreThread(
            store: store, metrics: ServerMetrics(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, report: { _ in })
        for sequence in 1...500 { thread.append(record(UInt64(sequence), .batch)) }
        thread.start()
        thread.stop()
        #expect(store.records.map(\.record.sequence) == (1...500).map(UInt64.init))
    }

    @Test("a server that others could reach has to be told so, and options have ranges")
    func options() {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var open = ServerOptions()
        open.host = "0.0.0.0"
        #expect(throws: ServerError.insecureBind(host: "0.0.0.0")) {
            _ = try SceneServer(options: open, logger: logger)
        }
        var fast = ServerOptions()
        fast.tickRate = 241
        #expect(throws: ServerError.self) { _ = try SceneServer(options: fast, logger: logger) }
    }
}
