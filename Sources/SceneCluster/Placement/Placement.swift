/// The order in which nodes are to own a shard, by rendezvous hashing: each node has a weight for each shard, and the
/// heaviest node present is next. A node that goes moves only its own shards, and one that comes takes only what is now
/// its own.
///
/// - Source: Thaler and Ravishankar, "Using Name-Based Mappings to Increase Hit Rates", 1998.
public enum Placement {
    /// The weight of a node for a shard: the first 64 bits of the SHA-256 of the two numbers, 16 bits each, big-endian,
    /// the node's first.
    public static func weight(of node: NodeID, for shard: ShardID) -> UInt64 {
        let (node, shard) = (node.rawValue, shard.rawValue)
        return StableHash.of([
            UInt8(node >> 8), UInt8(node & 0xFF), UInt8(shard >> 8), UInt8(shard & 0xFF),
        ])
    }

    /// The node that is to own a shard next; nil where there is none. Equal weights go to the lower number.
    ///
    /// - Complexity: O(nodes).
    public static func next(
        for shard: ShardID, among nodes: some Sequence<NodeID>
    ) -> NodeID? {
        var best: (weight: UInt64, node: NodeID)?
        for node in nodes {
            let weight = weight(of: node, for: shard)
            if let best, (best.weight, node) > (weight, best.node) { continue }
            best = (weight, node)
        }
        return best?.node
    }
}
