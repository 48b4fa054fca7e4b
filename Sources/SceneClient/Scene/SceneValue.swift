import Synchronization

/// A value that changes, to be bound to a scene with `Scene.bind`. Any thread may set it.
public final class SceneValue<Value: Sendable & Equatable>: Sendable {
    private struct State {
        var value: Value
        var listeners: [@Sendable () -> Void] = []
    }

    private let state: Mutex<State>

    /// Makes a value.
    public init(_ value: Value) { state = Mutex(State(value: value)) }

    /// The current value. Bindings follow with the next tick.
    public var value: Value {
        get { state.withLock { $0.value } }
        set {
            let listeners = state.withLock { state -> [@Sendable () -> Void] in
                guard state.value != newValue else { return [] }
                state.value = newValue
                return state.listeners
            }
            for listener in listeners { listener() }
        }
    }

    func onChange(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }
}
