import Dispatch
import Synchronization

/// Waits for asynchronous work on a thread that does not belong to the concurrency runtime.
enum Blocking {
    /// Runs `body` and waits for it.
    static func wait<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        let outcome = Outcome<Value>()
        Task {
            do {
                outcome.set(.success(try await body()))
            } catch {
                outcome.set(.failure(error))
            }
        }
        return try outcome.wait().get()
    }

    private final class Outcome<Value: Sendable>: Sendable {
        private let value = Mutex<Result<Value, any Error>?>(nil)
        private let arrived = DispatchSemaphore(value: 0)

        func set(_ result: Result<Value, any Error>) {
            value.withLock { $0 = result }
            arrived.signal()
        }

        func wait() -> Result<Value, any Error> {
            while true {
                if let result = value.withLock({ $0 }) { return result }
                arrived.wait()
            }
        }
    }
}
