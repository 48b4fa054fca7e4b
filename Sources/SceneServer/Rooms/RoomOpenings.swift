import Threads

/// The results of opening the rooms that a server opens before it listens.
final class RoomOpenings: Sendable {
    /// By room: the reason of a failure, or `nil` for an open room.
    private let outcomes = Monitor<[String: String?]>([:])

    /// Sets the result for a room.
    func note(_ room: String, _ failure: String?) {
        outcomes.withLock { $0[room] = .some(failure) }
        outcomes.wakeAll()
    }

    /// Waits for the result of a room.
    ///
    /// - Returns: The reason of a failure; `nil` for an open room.
    func wait(for room: String) -> String? {
        outcomes.wait { outcomes, _ in outcomes[room].map { .finish($0) } ?? .wait }
    }
}
