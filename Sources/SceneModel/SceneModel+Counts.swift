import AutoLayout

extension SceneModel {
    /// How many rules there are, those of sets included.
    public var constraintCount: Int { constraints.entries.count }

    /// How often the solver made its tableau anew because rounding had added up; from 0 again where the scene is rebuilt.
    public var solverRebuildCount: Int { window.solverRebuildCount }
}
