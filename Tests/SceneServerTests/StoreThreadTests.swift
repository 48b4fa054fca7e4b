import Foundation
import Logging
import SceneSession
import SceneStore
import SceneWire
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
    func compact(before time: Int64, now: Int64) throws(StoreError) -> Int { 0 }
    func delete(_ room: String) throws(StoreError) {}

    func rename(_ room: String, to name: String) throws(StoreError) -> RenameOutcome {
        try probe()
        return state.withLock { state in
            for index in state.records.indices where state.records[index].room == room {
                state.records[index].room = name
            }
            return .renamed
        }
    }

    func probe() throws(StoreError) {
        if state.withLock({ $0.fails }) { throw .writeFailed("disk full") }
    }

    var damage: [String] { [] }

    func finish() {}
}

@Suite("The thread of the journal")
struct StoreThreadTests {
    private let rooms = RoomDirectory(threads: 1, tickRate: 60)

    private func thread(_ store: FlakyStore) -> StoreThread {
        StoreThread(
            store: store, rooms: rooms, metrics: ServerMetrics(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// The next mail to rooms; `nil` after a time that only a fault lets pass. Mail that came with
    /// it is lost, so a test has to wait for each before it causes the next.
    private func next() -> RoomMail? {
        let mailbox = rooms.mailboxes[0]
        let end = mailbox.clock.tick + 20 * 60
        while mailbox.clock.tick < end {
            if case .room(_, let mail)? = mailbox.take(until: end).first { return mail }
        }
        return nil
    }

    private func nextOutcome() -> StoreOutcome? {
        if case .store(let outcome)? = next() { outcome } else { nil }
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
        let thread = thread(store)
        thread.start()
        thread.append([record(1, .snapshot)])
        guard case .durable("r", 1)? = nextOutcome() else {
            Issue.record("the first record is not durable")
            return
        }
        store.fail(true)
        thread.append([record(2, .batch)])
        guard case .failed("r", _)? = nextOutcome() else {
            Issue.record("the failure was not told")
            return
        }
        // What the room sent before it knew is dropped, whether the store works again or not.
        thread.append([record(3, .batch)])
        store.fail(false)
        guard case .recovered("r")? = nextOutcome() else {
            Issue.record("the recovery was not told")
            return
        }
        thread.append([record(4, .batch)])
        thread.append([record(2, .snapshot)])
        guard case .durable("r", 2)? = nextOutcome() else {
            Issue.record("the new beginning is not durable")
            return
        }
        thread.stop()
        #expect(store.records.map(\.record.kind) == [.snapshot, .snapshot])
    }

    /// The fault that this guards: an import was answered before its record was on the disk.
    @Test("a reply waits for the records before it, and tells where they were not written")
    func settle() throws {
        let store = FlakyStore()
        let thread = thread(store)
        let replies = Mutex<[String]>([])
        let answered = DispatchSemaphore(value: 0)
        func settle() {
            thread.settle("r") { reply in
                // Nothing else is written at this moment: the store's thread is in this call.
                replies.withLock { $0.append("\(reply) after \(store.records.count)") }
                answered.signal()
            }
        }
        thread.append([record(1, .snapshot)])
        settle()
        thread.start()
        #expect(answered.wait(timeout: .now() + 20) == .success)
        store.fail(true)
        thread.append([record(2, .batch)])
        settle()
        #expect(answered.wait(timeout: .now() + 20) == .success)
        thread.stop()
        let found = replies.withLock { $0 }
        #expect(found.count == 2 && found[0] == "done after 1")
        #expect(found.last?.hasPrefix("failed(") == true, "\(found)")
    }

    @Test("a room is renamed after the records before it, and read under its new name")
    func rename() throws {
        let store = FlakyStore()
        let thread = thread(store)
        thread.append([record(1, .snapshot)])
        thread.rename("r", to: "s") { .administer(.endRenaming(to: "s", $0)) { _ in } }
        thread.load("s")
        thread.start()
        let mailbox = rooms.mailboxes[0]
        var mail: [SceneMail] = []
        let end = mailbox.clock.tick + 20 * 60
        while mail.count < 3, mailbox.clock.tick < end { mail += mailbox.take(until: end) }
        thread.stop()
        guard mail.count == 3, case .room("r", .store(.durable("r", 1))) = mail[0],
            case .room("r", .administer(.endRenaming("s", .done), _)) = mail[1],
            case .room("s", .loaded(.success(let records))) = mail[2]
        else {
            Issue.record("\(mail)")
            return
        }
        #expect(records.map(\.sequence) == [1])
    }

    @Test("stopping writes what is queued")
    func stop() throws {
        let store = FlakyStore()
        let thread = thread(store)
        for sequence in 1...500 { thread.append([record(UInt64(sequence), .batch)]) }
        thread.start()
        thread.stop()
        #expect(store.records.map(\.record.sequence) == (1...500).map(UInt64.init))
    }

    @Test("rooms are read and removed in the order of the queue, and answers go to their threads")
    func reading() throws {
        let store = FlakyStore()
        let thread = thread(store)
        thread.append([record(1, .snapshot)])
        thread.append([record(2, .batch)])
        thread.start()
        #expect(nextOutcome() == .durable(room: "r", through: 2))
        thread.load("r")
        guard case .loaded(.success(let records))? = next() else {
            Issue.record("the room was not read")
            return
        }
        #expect(records.map(\.sequence) == [1, 2])
        thread.loadHistory(of: "r", for: MemberID(7), tick: 1)
        guard case .history(MemberID(7), tick: 1, let past?)? = next() else {
            Issue.record("the past was not read")
            return
        }
        #expect(past.map(\.sequence) == [1, 2])
        thread.stop()
    }

    /// A store whose past is read by another, which waits until it is let go.
    private final class SlowPast: SceneStore, @unchecked Sendable {
        // Each of the two is used by one thread, and what they share is behind the mutex.
        let gate = DispatchSemaphore(value: 0)
        let reads = Mutex<[UInt64]>([])

        func append(_ group: [RoomRecord], time: Int64) throws(StoreError) {}
        func truncate(_ room: String, after sequence: UInt64) throws(StoreError) {}
        func rooms() throws(StoreError) -> [String] { [] }
        func compact(before time: Int64, now: Int64) throws(StoreError) -> Int { 0 }
        func delete(_ room: String) throws(StoreError) {}
        func rename(_ room: String, to name: String) throws(StoreError) -> RenameOutcome {
            .noSuchRoom
        }
        func probe() throws(StoreError) {}
        func finish() {}
        var damage: [String] { [] }

        func records(of room: String, from tick: UInt64?) throws(StoreError) -> [JournalRecord] {
            if let tick { reads.withLock { $0.append(tick) } }
            gate.wait()
            return []
        }

        var readerMaker: (@Sendable () throws(StoreError) -> any SceneStore)? {
            { () throws(StoreError) in self }
        }
    }

    @Test("commits do not wait while the past is read, and a member has one question at a time")
    func slowPast() throws {
        let store = SlowPast()
        let thread = StoreThread(
            store: store, rooms: rooms, metrics: ServerMetrics(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        // Asked before the thread reads, so that the first two of a member are never read.
        for tick in 1...3 { thread.loadHistory(of: "r", for: MemberID(7), tick: UInt64(tick)) }
        thread.loadHistory(of: "r", for: MemberID(8), tick: 9)
        thread.start()
        thread.append([record(1, .snapshot)])
        #expect(nextOutcome() == .durable(room: "r", through: 1))
        store.gate.signal()
        guard case .history(MemberID(7), tick: 3, _)? = next() else {
            Issue.record("the past was not read")
            return
        }
        store.gate.signal()
        guard case .history(MemberID(8), tick: 9, _)? = next() else {
            Issue.record("the past was not read")
            return
        }
        #expect(store.reads.withLock { $0 } == [3, 9])
        thread.stop()
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
        #expect(throws: ServerError.self) {
            _ = try SceneServer(options: fast, logger: logger)
        }
    }
}
