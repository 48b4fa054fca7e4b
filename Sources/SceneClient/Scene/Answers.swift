import Synchronization

/// Tasks that wait for the server's answers, by their numbers. An answer may come before it is
/// awaited, since the number is known only when the question was sent.
struct Answers<Value: Sendable>: Sendable {
    /// Told of the answer, or of what prevents it.
    typealias Waiter = @Sendable (Result<Value, SceneError>) -> Void

    private var waiters: [UInt64: Waiter] = [:]
    private var early: [UInt64: Value] = [:]
    private var end: SceneError?

    /// Waits for an answer.
    ///
    /// - Returns: What there is already, which the waiter is then not told.
    mutating func wait(for number: UInt64, _ waiter: @escaping Waiter) -> Result<Value, SceneError>?
    {
        if let value = early.removeValue(forKey: number) { return .success(value) }
        if let end { return .failure(end) }
        waiters[number] = waiter
        return nil
    }

    /// Waits no longer; the answer is thrown away when it comes.
    ///
    /// - Returns: Who waited.
    mutating func forget(_ number: UInt64) -> Waiter? {
        guard let waiter = waiters[number] else { return nil }
        waiters[number] = { _ in }
        return waiter
    }

    /// Takes an answer in.
    ///
    /// - Returns: The waiter to notify.
    mutating func take(_ value: Value, for number: UInt64) -> Waiter? {
        guard let waiter = waiters.removeValue(forKey: number) else {
            early[number] = value
            return nil
        }
        return waiter
    }

    /// Ends all waiting.
    ///
    /// - Returns: The waiters to notify of the end.
    mutating func finish(_ error: SceneError) -> [Waiter] {
        end = error
        defer { waiters.removeAll() }
        return Array(waiters.values)
    }
}
