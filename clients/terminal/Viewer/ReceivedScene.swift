import SceneWire

/// The last received scene.
struct ReceivedScene {
    let mirror: SceneMirror
    let metrics: SceneMetrics
    let welcome: Welcome

    /// - Throws: `SceneMetrics.Failure` if the server's unit or cell is unusable.
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
