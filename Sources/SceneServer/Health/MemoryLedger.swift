import SceneSession
import Synchronization
import WebSocketTransport

/// The memory of all rooms, by their own estimates, and of data between them and their members,
/// against the limit of the process. Safe from any thread.
final class MemoryLedger: Sendable {
    /// The limit of the process in bytes.
    let maximum: Int
    /// The bytes that the process took before it had a room.
    private let base: Int
    private let rooms = Mutex<[String: MemoryUse]>([:])
    private let roomBytes = Atomic<Int>(0)
    private let mailBytes = Atomic<Int>(0)
    private let storeBytes = Atomic<Int>(0)
    private let eventRecordBytes = Atomic<Int>(0)
    private let requestBytes = Atomic<Int>(0)

    /// - Parameters:
    ///   - maximum: The limit of the process in bytes; 0 for three quarters of the available
    ///     memory.
    ///   - base: The bytes that the process takes without any room.
    init(maximum: Int = 0, base: Int = 0) {
        self.maximum = maximum > 0 ? maximum : MachineMemory.byteCount / 4 * 3
        self.base = base
    }

    // MARK: Rooms

    /// Sets the memory of a room.
    func note(_ room: String, _ use: MemoryUse) {
        let more = rooms.withLock { rooms -> Int in
            let before = rooms[room]
            guard before != use else { return 0 }
            rooms[room] = use
            return use.total - (before?.total ?? 0)
        }
        if more != 0 { roomBytes.add(more, ordering: .relaxed) }
    }

    /// Removes a room that was unloaded.
    func forget(_ room: String) {
        let before = rooms.withLock { $0.removeValue(forKey: room)?.total ?? 0 }
        roomBytes.subtract(before, ordering: .relaxed)
    }

    /// The memory of a room; `nil` if it is not in memory.
    func use(of room: String) -> MemoryUse? { rooms.withLock { $0[room] } }

    /// The sum over all rooms for each purpose, and the data in transit.
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
            ("requests", requestBytes.load(ordering: .relaxed)),
            ("mail", mailBytes.load(ordering: .relaxed)), ("outboxes", FramedMessage.liveByteCount),
            ("base", base),
        ]
    }

    /// Sets the memory of a journal that is kept in memory.
    func note(storeOf bytes: Int) { storeBytes.store(bytes, ordering: .relaxed) }

    /// Sets the memory of event records that wait to be written.
    func note(eventRecordsOf bytes: Int) { eventRecordBytes.store(bytes, ordering: .relaxed) }

    /// Sets the memory of administrators' requests and replies on their way between nodes.
    func note(requestsOf bytes: Int) { requestBytes.store(bytes, ordering: .relaxed) }

    // MARK: The process

    /// The sum in bytes.
    var total: Int {
        base + roomBytes.load(ordering: .relaxed) + mailBytes.load(ordering: .relaxed)
            + storeBytes.load(ordering: .relaxed) + eventRecordBytes.load(ordering: .relaxed)
            + requestBytes.load(ordering: .relaxed) + FramedMessage.liveByteCount
    }

    /// Whether memory is short: rooms do not grow, and none is opened.
    var isShort: Bool { total > maximum }

    // MARK: Mail

    /// Bytes that a waiting message takes in memory for each byte on the wire.
    private static let decodedShare = 8

    /// Reserves memory for a message on its way to its room.
    ///
    /// - Returns: `nil` if waiting messages take a quarter of the limit already.
    func admit(messageOf bytes: Int) -> MailClaim? {
        let size = 200 + Self.decodedShare * bytes
        let (before, _) = mailBytes.add(size, ordering: .relaxed)
        let claim = MailClaim(self, size)
        return before > maximum / 4 ? nil : claim
    }

    fileprivate func release(_ size: Int) { mailBytes.subtract(size, ordering: .relaxed) }
}

/// The memory of a message on its way to its room; released with the message.
final class MailClaim: Sendable {
    private let ledger: MemoryLedger
    private let size: Int

    fileprivate init(_ ledger: MemoryLedger, _ size: Int) {
        self.ledger = ledger
        self.size = size
    }

    deinit { ledger.release(size) }
}
