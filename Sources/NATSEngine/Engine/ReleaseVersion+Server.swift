public import SceneCluster

/// Versions of NATS servers.
extension ReleaseVersion {
    /// The first version whose conditional publishes fence: 2.9.10 took both of two that ran at the
    /// same time.
    public static let leastServer = ReleaseVersion(major: 2, minor: 11, patch: 0)

    /// Whether a server of this version fences.
    public var fences: Bool { self >= Self.leastServer }
}
