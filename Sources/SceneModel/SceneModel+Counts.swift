extension SceneModel {
    /// How many rules there are, those of sets included.
    public var constraintCount: Int { constraints.entries.count }
}
