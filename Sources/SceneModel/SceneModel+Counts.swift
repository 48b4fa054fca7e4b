import AutoLayout

extension SceneModel {
    /// The number of rules, including those of sets.
    public var constraintCount: Int { constraints.entries.count }

    /// How often the solver rebuilt its tableau because of accumulated rounding errors; starts from
    /// 0 when the scene is rebuilt.
    public var solverRebuildCount: Int { window.solverRebuildCount }
}
