import Logging
public import SceneDocument
import Synchronization

/// Which ops make a scene follow bound values, and which of them are due.
final class Bindings: Sendable {
    private struct State {
        var ops: [@Sendable () -> Op] = []
        var due: Set<Int> = []
        var signal: AsyncStream<Void>.Continuation?
        var isEnded = false
    }

    private let state = Mutex(State())

    /// Adds a binding.
    ///
    /// - Returns: Its number, and, for the first, when something is due.
    func add(_ op: @escaping @Sendable () -> Op) -> (number: Int, signals: AsyncStream<Void>?) {
        state.withLock { state in
            state.ops.append(op)
            guard state.signal == nil, !state.isEnded else { return (state.ops.count - 1, nil) }
            let (signals, signal) = AsyncStream.makeStream(
                of: Void.self, bufferingPolicy: .bufferingNewest(1))
            state.signal = signal
            return (state.ops.count - 1, signals)
        }
    }

    /// Notes that a value has changed.
    func touch(_ number: Int) {
        state.withLock { state in
            state.due.insert(number)
            state.signal?.yield()
        }
    }

    /// The ops that are due, with the values of now.
    func take() -> [Op] {
        let ops = state.withLock { state in
            defer { state.due.removeAll(keepingCapacity: true) }
            return state.due.sorted().map { state.ops[$0] }
        }
        return ops.map { $0() }
    }

    /// Ends `signals`.
    func end() {
        state.withLock { state in
            state.isEnded = true
            state.signal?.finish()
        }
    }
}

extension Scene {
    /// Lets the scene follow a value: with every tick at most one op, made of the value as it is
    /// then.
    ///
    ///     scene.bind(load) { .setConstraint(id: "bar", multiplier: $0) }
    ///
    /// A refused change is logged, and tried again with the next one.
    public func bind<Value>(
        _ value: SceneValue<Value>, _ op: @escaping @Sendable (Value) -> Op
    ) {
        let (number, signals) = bindings.add { op(value.value) }
        if let signals {
            Task { [weak self] in
                for await _ in signals { await self?.flush() }
            }
        }
        value.onChange { [bindings] in bindings.touch(number) }
        bindings.touch(number)
    }

    /// Sends what is due, and waits for the next tick.
    private func flush() async {
        do {
            let commit = try await apply(bindings.take(), atomic: false)
            for refusal in commit.refusals { logger.warning("a bound value: \(refusal.message)") }
        } catch {
            logger.warning("a bound value: \(error)")
        }
        try? await Task.sleep(for: .seconds(1) / max(1, tickRate))
    }
}
