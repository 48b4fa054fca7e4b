import SceneProtocol

/// One client that handles events: what it was sent and has not answered, and what waits to be sent, over all its
/// connections.
struct EventHandler {
    /// Its connection; `nil` while it has none that said what it handles.
    private(set) var member: MemberID?
    /// The tick since which it has none.
    private(set) var absentSince: UInt64 = 0
    /// The subtrees whose events it handles.
    var roots: [String] = []

    private var delivered: [UInt64: PendingEvent] = [:]
    private var queue: [PendingEvent] = []
    private var queueStart = 0

    init(member: MemberID) { self.member = member }

    /// Whether events can be sent to it now.
    var isPresent: Bool { member != nil }
    /// Whether nothing of it waits.
    var isIdle: Bool { delivered.isEmpty && queueStart == queue.count }

    mutating func come(_ member: MemberID) { self.member = member }

    mutating func go(at tick: UInt64) {
        member = nil
        absentSince = tick
    }

    mutating func enqueue(_ event: PendingEvent) { queue.append(event) }

    /// Takes all that waits to be sent.
    mutating func takeQueue() -> [PendingEvent] {
        defer {
            queue = []
            queueStart = 0
        }
        return Array(queue[queueStart...])
    }

    /// The next event to send, if it is there and has answered enough of the others.
    ///
    /// - Parameter number: The number that the event gets.
    mutating func takeNext(number: UInt64, deliveredMaximum: Int) -> PendingEvent? {
        guard isPresent, queueStart < queue.count, delivered.count < deliveredMaximum else {
            return nil
        }
        var event = queue[queueStart]
        queueStart += 1
        if queueStart > 64, queueStart * 2 > queue.count {
            queue.removeFirst(queueStart)
            queueStart = 0
        }
        event.delivery.sequence = number
        delivered[number] = event
        return event
    }

    /// An event that it answers; `nil` where it answered before, or never was sent it.
    mutating func answer(_ number: UInt64) -> PendingEvent? {
        delivered.removeValue(forKey: number)
    }

    /// What it was sent and has not answered, in order.
    ///
    /// - Complexity: O(n log n).
    var unanswered: [PendingEvent] {
        delivered.sorted { $0.key < $1.key }.map(\.value)
    }
}
