/// The number of a cluster, drawn when it is created. Records of another cluster on the same
/// subjects are foreign.
public struct ClusterID: Hashable, Sendable {
    /// The number.
    public var rawValue: UInt64

    /// Wraps a number.
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

/// The number of a node, unique within its cluster. It occupies the upper 16 bits of the ids that a
/// node hands out.
public struct NodeID: Hashable, Comparable, Sendable {
    /// The number.
    public var rawValue: UInt16

    /// Wraps a number.
    public init(_ rawValue: UInt16) { self.rawValue = rawValue }

    /// Orders nodes by number.
    public static func < (left: NodeID, right: NodeID) -> Bool { left.rawValue < right.rawValue }
}

/// One run of a node's process. A node that restarts keeps its number and draws another life, so
/// that nothing its earlier process claimed is taken for its own.
public struct NodeLife: Hashable, Sendable {
    /// The node.
    public var node: NodeID
    /// A number drawn at the start of the process.
    public var life: UInt64

    /// Makes a life of a node.
    public init(node: NodeID, life: UInt64) {
        self.node = node
        self.life = life
    }
}

/// The number of a shard, from 0.
public struct ShardID: Hashable, Comparable, Sendable {
    /// The number.
    public var rawValue: UInt16

    /// Wraps a number.
    public init(_ rawValue: UInt16) { self.rawValue = rawValue }

    /// Orders shards by number.
    public static func < (left: ShardID, right: ShardID) -> Bool { left.rawValue < right.rawValue }
}
