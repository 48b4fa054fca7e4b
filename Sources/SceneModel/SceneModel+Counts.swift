extension SceneModel {
    /// How many views there are, `root` not counted.
    public var viewCount: Int { max(nodes.count - 1, 0) }

    /// How many rules there are, those of sets included.
    public var constraintCount: Int { constraints.entries.count }
}
