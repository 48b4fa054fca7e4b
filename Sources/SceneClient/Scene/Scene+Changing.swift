public import SceneDocument
public import SceneWire
import Synchronization

extension Scene {
    /// Sends ops as one batch, and waits until it is in the scene.
    ///
    /// - Parameters:
    ///   - ops: At most as many as the server allows, 4,096 by default.
    ///   - atomic: Whether one that is refused refuses all. Without, `Commit.refusals` has those
    ///     that were.
    /// - Throws: `SceneError.refused`, `ended` or `cancelled`.
    @discardableResult
    public nonisolated(nonsending) func apply(_ ops: [Op], atomic: Bool = true)
        async throws(SceneError) -> Commit
    {
        guard !ops.isEmpty else { return Commit() }
        let client = client
        let result = try await answer(\.results) {
            client.send(.array(ops.map(\.json)), atomic: atomic)
        }
        switch result.outcome {
        case .committed(let commit): return commit
        case .refused(let refusal): throw .refused(refusal)
        }
    }

    /// Sends ops as one batch, all or none, and waits until it is in the scene.
    ///
    /// - Throws: `SceneError.refused`, `ended` or `cancelled`.
    @discardableResult
    public nonisolated(nonsending) func apply(@OpBuilder _ ops: () -> [Op]) async throws(SceneError)
        -> Commit
    {
        try await apply(ops())
    }

    /// Makes changes, and shows what they move on its way.
    ///
    /// Pending changes are laid out first, without animation, as `UIView.animate` with
    /// `flushUpdates` does.
    ///
    /// - Parameters:
    ///   - seconds: 0...3600.
    ///   - curve: How it runs.
    ///   - ops: What is changed.
    /// - Throws: `SceneError.refused`, `ended` or `cancelled`.
    @discardableResult
    public nonisolated(nonsending) func animate(
        _ seconds: Double, curve: AnimationCurve = .easeInOut, @OpBuilder _ ops: () -> [Op]
    ) async throws(SceneError) -> Commit {
        let ops = ops()
        guard !ops.isEmpty else { return Commit() }
        return try await apply([
            .animate(
                Animation(duration: seconds, curve: curve, flushesUpdates: true, ops: ops))
        ])
    }

    /// Replaces the scene.
    ///
    /// - Throws: `SceneError.refused`, `ended` or `cancelled`.
    public nonisolated(nonsending) func show(_ document: SceneDocument) async throws(SceneError) {
        try await apply([.setScene(document)])
    }

    /// Shows other members this program's name, cursor and selection, for 30 seconds. The client's
    /// number and the clock are the server's business.
    public func show(_ presence: Presence) { client.send(presence) }

    /// Sends a question, and waits for its answer.
    nonisolated(nonsending) func answer<Value: Sendable>(
        _ answers: any WritableKeyPath<State, Answers<Value>> & Sendable,
        _ send: @Sendable () -> UInt64
    ) async throws(SceneError) -> Value {
        let answer = OneTimeAnswer<Result<Value, SceneError>>()
        let number = send()
        let early = state.withLock {
            $0[keyPath: answers].wait(for: number) { answer.give($0) }
        }
        if let early { answer.give(early) }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { answer.set($0) }
        } onCancel: {
            state.withLock { $0[keyPath: answers].forget(number) }?(.failure(.cancelled))
        }
        return try result.get()
    }
}
