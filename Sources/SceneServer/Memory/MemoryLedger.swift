import SceneSession
import Synchronization
import WebSocketTransport

/// What all rooms take, as they say themselves, and what is on its way between them and their members, against what the
/// process may have. Safe from any thread.
final class MemoryLedger: Sendable {
    /// Bytes that the process may take.
    let maximum: Int
    /// Bytes that it took before there was a room.
    private let base: Int
    private let rooms = Mutex<[String: MemoryUse]>([:])
    private let roomBytes = Atomic<Int>(0)
    private let mailBytes = Atomic<Int>(0)
    private let storeBytes = Atomic<Int>(0)
    private let eventRecordBytes = Atomic<Int>(0)

    /// - Parameters:
    ///   - maximum: Bytes that the process may take; 0 for three quarters of what there is.
    ///   - base: Bytes that it takes without any room.
    init(maximum: Int = 0, base: Int = 0) {
        self.maximum = maximum > 0 ? maximum : MachineMemory.byteCount / 4 * 3
        self.base = base
    }

    // MARK: Rooms

    /// Notes what a room takes.
    func note(_ room: String, _ use: MemoryUse) {
        let more = rooms.withLock { rooms -> Int in
            let before = rooms[room]
            guard before != use else { return 0 }
            rooms[room] = use
            return use.total - (before?.total ?? 0)
        }
        if more != 0 { roomBytes.add(more, ordering: .relaxed) }
    }

    /// Notes that a room is not in memory any more.
    func forget(_ room: String) {
        let before = rooms.withLock { $0.removeValue(forKey: room)?.total ?? 0 }
        roomBytes.subtract(before, ordering: .relaxed)
    }

    /// What a room takes; `nil` where it is not in memory.
    func use(of room: String) -> MemoryUse? { rooms.withLock { $0[room] } }

    /// What each part of all rooms takes together, and what is on its way.
    var parts: [(name: String, bytes: Int)] {
        let uses = rooms.withLock { Array($0.values) }
        let names = MemoryUse().parts.map(\.name)
        var sums = Array(repeating: 0, count: names.count)
        for use in uses {
            for (index, part) in use.parts.enumerated() { sums[index] += part.bytes }
        }
        return zip(names, sums).map { ($0, $1) } + [
            ("store", storeBytes.load(ordering: .relaxed)),
            ("eventRecords", eventRecordBytes.load(ordering: .relaxed)),
            ("mail", mailBytes.load(ordering: .relaxed)), ("outboxes", FramedMessage.liveByteCount),
            ("base", base),
        ]
    }

    /// Notes what a journal takes that is in memory.
    func note(storeOf bytes: Int) { storeBytes.store(bytes, ordering: .relaxed) }

    /// Notes what records of events take that wait to be written.
    func note(eventRecordsOf bytes: Int) { eventRecordBytes.store(bytes, ordering: .relaxed) }

    // MARK: The process

    /// All of it, in bytes.
    var total: Int {
        base + roomBytes.load(ordering: .relaxed) + mailBytes.load(ordering: .relaxed)
            + storeBytes.load(ordering: .relaxed) + eventRecordBytes.load(ordering: .relaxed)
            + FramedMessage.liveByteCount
    }

    /// Whether there is no memory for more: rooms do not grow, and none is opened.
    var isShort: Bool { total > maximum }

    // MARK: Mail

    /// Bytes that a message takes while it waits for its room, for each byte on the wire.
    private static let decodedShare = 8

    /// Makes room for a message on its way to its room.
    ///
    /// - Returns: `nil` where mail takes a quarter of the process's memory already.
    func admit(messageOf bytes: Int) -> MailClaim? {
        let size = 200 + Self.decodedShare * bytes
        let (before, _) = mailBytes.add(size, ordering: .relaxed)
        let claim = MailClaim(self, size)
        return before > maximum / 4 ? nil : claim
    }

    fileprivate func release(_ size: Int) { mailBytes.subtract(size, ordering: .relaxed) }
}

/// The memory of a message that is on its way to its room, wherever it waits; given back with the message.
final class MailClaim: Sendable {
    private let ledger: MemoryLedger
    private let size: Int

    fileprivate init(_ ledger: MemoryLedger, _ size: Int) {
        self.ledger = ledger
        self.size = size
    }

    deinit { ledger.release(size) }
}
