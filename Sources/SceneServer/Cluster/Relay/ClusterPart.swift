/// What a server that is a node of a cluster knows of the others.
struct ClusterPart: Sendable {
    /// Who serves which rooms.
    let view: ClusterView
    /// The way to the rooms of other nodes.
    let relay: RelayThread
    /// Rooms that this node may own within a moment.
    let shadows: ShadowThread
}
