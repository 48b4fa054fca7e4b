package import SceneCluster

/// A node's place in its cluster.
package struct NodeSettings: Sendable {
    /// The node's name, for messages.
    package var name: String
    /// The node's number, registered for its name.
    package var node: NodeID
    /// The cluster's number.
    package var cluster: ClusterID
    /// The shards that rooms are divided among.
    package var map: ShardMap
    /// The subjects of the cluster.
    package var subjects: ClusterSubjects
    /// The part of the installation that fails as one; empty for none.
    package var zone: String
    /// The version of the program, for the other nodes.
    package var version: ReleaseVersion

    package init(
        name: String, node: NodeID, cluster: ClusterID, map: ShardMap,
        subjects: ClusterSubjects = ClusterSubjects(), zone: String = "", version: ReleaseVersion
    ) {
        self.name = name
        self.node = node
        self.cluster = cluster
        self.map = map
        self.subjects = subjects
        self.zone = zone
        self.version = version
    }
}
