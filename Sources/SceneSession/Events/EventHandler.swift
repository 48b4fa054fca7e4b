import SceneWire

/// A client that handles events, with its unanswered and its undelivered events, across its
/// connections.
struct EventHandler {
    /// The connection; `nil` while the client is disconnected or has not sent its request.
    private(set) var member: MemberID?
    /// The tick of the last disconnect.
    private(set) var absentSince: UInt64 = 0
    /// The topmost views of the subtrees that it handles.
    var roots: [String] = []

    private var delivered: [UInt64: PendingEvent] = [:]
    private var queue: [PendingEvent] = []
    private var queueStart = 0

    init(member: MemberID) { self.member = member }

    /// Whether events can be delivered now.
    var isPresent: Bool { member != nil }

    mutating func come(_ member: MemberID) { self.member = member }

    mutating func go(at tick: UInt64) {
        member = nil
        absentSince = tick
    }

    mutating func enqueue(_ event: PendingEvent) { queue.append(event) }

    /// Removes and returns the undelivered events.
    mutating func takeQueue() -> [PendingEvent] {
        defer {
            queue = []
            queueStart = 0
        }
        return Array(queue[queueStart...])
    }

    /// Returns the next event to deliver; `nil` while the client is disconnected, or has too many
    /// unanswered deliveries.
    ///
    /// - Parameter number: The number of the delivery.
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

    /// Removes and returns the event of a delivery; `nil` for a delivery that is answered or does
    /// not exist.
    mutating func answer(_ number: UInt64) -> PendingEvent? {
        delivered.removeValue(forKey: number)
    }

    /// The unanswered deliveries, in order.
    ///
    /// - Complexity: O(n log n).
    var unanswered: [PendingEvent] {
        delivered.sorted { $0.key < $1.key }.map(\.value)
    }
}
