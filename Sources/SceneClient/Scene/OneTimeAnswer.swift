import Synchronization

/// Resumes a continuation once, with the first value given, whether that came before or after the
/// wait began.
final class OneTimeAnswer<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, Never>)
        case given(Value)
        case done
    }

    private let state = Mutex(State.empty)

    /// Sets who waits; once.
    func set(_ continuation: CheckedContinuation<Value, Never>) {
        let value = state.withLock { state -> Value? in
            guard case .given(let value) = state else {
                state = .waiting(continuation)
                return nil
            }
            state = .done
            return value
        }
        if let value { continuation.resume(returning: value) }
    }

    /// Gives the answer; later ones are thrown away.
    func give(_ value: Value) {
        let continuation = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .empty:
                state = .given(value)
                return nil
            case .waiting(let continuation):
                state = .done
                return continuation
            case .given, .done: return nil
            }
        }
        continuation?.resume(returning: value)
    }
}
