/// The order in which nodes are to own a shard, by rendezvous hashing: each node has a weight for
/// each shard, and the heaviest node present is next. A node that goes moves only its own shards,
/// and one that comes takes only what is now its own.
///
/// Of nodes with different versions only those with the latest are asked, for an earlier one may
/// not be able to read what they have written.
///
/// Zones, where nodes have them, come first among these: a shard goes to the zone with the largest
/// weight, and within it to the heaviest node, so that zones have equal shares, regardless of their
/// numbers of nodes. After an owner the shard goes to another zone than that owner's, since what
/// ended the owner may end its zone; so the node that reads along is in another zone too.
///
/// - Source: Thaler and Ravishankar, "Using Name-Based Mappings to Increase Hit Rates", 1998.
public enum Placement {
    /// A node that may own shards.
    public struct Candidate: Hashable, Sendable {
        /// The node.
        public var node: NodeID
        /// The zone that it is in; empty for none.
        public var zone: String
        /// The version of its program.
        public var version: ReleaseVersion

        /// Makes a candidate.
        public init(node: NodeID, zone: String = "", version: ReleaseVersion = .untold) {
            self.node = node
            self.zone = zone
            self.version = version
        }
    }

    /// The weight of a node for a shard: the first 64 bits of the SHA-256 of the two numbers, 16
    /// bits each, big-endian, the node's first.
    public static func weight(of node: NodeID, for shard: ShardID) -> UInt64 {
        let (node, shard) = (node.rawValue, shard.rawValue)
        return StableHash.of([
            UInt8(node >> 8), UInt8(node & 0xFF), UInt8(shard >> 8), UInt8(shard & 0xFF),
        ])
    }

    /// The weight of a zone for a shard: the first 64 bits of the SHA-256 of its name in UTF-8 and
    /// the shard's number, 16 bits, big-endian.
    public static func weight(ofZone zone: String, for shard: ShardID) -> UInt64 {
        StableHash.of(
            Array(zone.utf8) + [UInt8(shard.rawValue >> 8), UInt8(shard.rawValue & 0xFF)])
    }

    /// The node that is to own a shard next; nil where there is none. Equal weights go to the lower
    /// number.
    ///
    /// - Parameter zone: That of the owner before, which is passed over where there is another one;
    ///   nil if no previous owner is known, and empty for an owner without a zone.
    /// - Complexity: O(nodes · zones).
    public static func next(
        for shard: ShardID, among candidates: some Collection<Candidate>, after zone: String? = nil
    ) -> NodeID? {
        let latest = candidates.map(\.version).max()
        let nodes = candidates.filter { $0.version == latest }
        var zones: [String] = []
        for candidate in nodes where !zones.contains(candidate.zone) {
            zones.append(candidate.zone)
        }
        guard zones.count > 1 else { return heaviest(for: shard, among: nodes) }
        var best: (weight: UInt64, zone: String)?
        for name in zones where name != zone {
            let weight = weight(ofZone: name, for: shard)
            if let best, (best.weight, name) > (weight, best.zone) { continue }
            best = (weight, name)
        }
        return heaviest(for: shard, among: nodes.filter { $0.zone == best?.zone })
    }

    private static func heaviest(
        for shard: ShardID, among nodes: some Sequence<Candidate>
    ) -> NodeID? {
        var best: (weight: UInt64, node: NodeID)?
        for candidate in nodes {
            let weight = weight(of: candidate.node, for: shard)
            if let best, (best.weight, candidate.node) > (weight, best.node) { continue }
            best = (weight, candidate.node)
        }
        return best?.node
    }
}
