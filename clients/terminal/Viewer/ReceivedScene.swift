import SceneProtocol

/// The scene as it was received last.
struct ReceivedScene {
    let mirror: SceneMirror
    let metrics: SceneMetrics
    let welcome: Welcome

    /// - Throws: `SceneMetrics.Failure` when the server's unit or cell cannot be used.
    init(_ mirror: SceneMirror, _ welcome: Welcome) throws(SceneMetrics.Failure) {
        metrics = try SceneMetrics(welcome)
        self.mirror = mirror
        self.welcome = welcome
    }

    /// Whether views differ from those of an earlier state.
    func differs(from other: ReceivedScene?) -> Bool {
        guard let other else { return true }
        return other.mirror.stateHash != mirror.stateHash || other.mirror.epoch != mirror.epoch
    }
}
