import ClusterJournal
public import SceneCluster

/// A server's place in a cluster: who it is, and how it reaches the engine that keeps the cluster's
/// records.
public struct NodeOptions: Sendable {
    /// The node's name, for messages.
    public var name: String
    /// The node's number, registered for its name.
    public var node: NodeID
    /// The cluster's number.
    public var cluster: ClusterID
    /// The shards that rooms are divided among.
    public var map: ShardMap
    /// The subjects of the cluster.
    public var subjects: ClusterSubjects
    /// Where clients reach this node, as `ws://HOST:PORT`; `nil` for the address and port that it
    /// listens on.
    public var advertisedAddress: String?
    /// The part of the installation that fails as one, such as a building, that the node is in;
    /// empty for none.
    public var zone: String
    /// The version of the program, as other nodes are told it.
    public var version: ReleaseVersion
    /// Connects to the engine, and waits for that. Called again after a connection was given up. It
    /// throws the reason, with what to do next.
    public var connect:
        @Sendable (_ tell: @escaping @Sendable (EngineNews) -> Void) throws(NodeFailure) ->
            any ClusterEngine

    /// Makes options.
    public init(
        name: String, node: NodeID, cluster: ClusterID, map: ShardMap, subjects: ClusterSubjects,
        advertisedAddress: String? = nil, zone: String = "",
        version: ReleaseVersion = ReleaseVersion(sceneSyncVersion) ?? .untold,
        connect:
            @escaping @Sendable (_ tell: @escaping @Sendable (EngineNews) -> Void)
            throws(NodeFailure) -> any ClusterEngine
    ) {
        self.name = name
        self.node = node
        self.cluster = cluster
        self.map = map
        self.subjects = subjects
        self.advertisedAddress = advertisedAddress
        self.zone = zone
        self.version = version
        self.connect = connect
    }
}

extension NodeOptions {
    /// The node's place without the engine.
    var settings: NodeSettings {
        NodeSettings(
            name: name, node: node, cluster: cluster, map: map, subjects: subjects, zone: zone,
            version: version)
    }
}

/// Why a server cannot take part in its cluster.
public struct NodeFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong, and what to do next.
    public var description: String

    /// Makes a failure.
    public init(_ description: String) { self.description = description }
}
