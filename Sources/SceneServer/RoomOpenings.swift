import Threads

/// The outcomes of the rooms that a server opens before it listens.
final class RoomOpenings: Sendable {
    /// By room: why it cannot be opened, or `nil` where it is open.
    private let outcomes = Monitor<[String: String?]>([:])

    /// Notes that a room is open, or why it cannot be opened.
    func note(_ room: String, _ failure: String?) {
        outcomes.withLock { $0[room] = .some(failure) }
        outcomes.wakeAll()
    }

    /// Waits for a room.
    ///
    /// - Returns: Why it cannot be opened; `nil` where it is open.
    func wait(for room: String) -> String? {
        outcomes.wait { outcomes, _ in outcomes[room].map { .finish($0) } ?? .wait }
    }
}
