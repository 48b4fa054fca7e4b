/// An operator's order to a cluster's nodes, over the engine, which does not keep it. A node that
/// it does not concern takes no notice.
///
///     offset  size  meaning
///     0       4     "SSCO"
///     4       1     version, 1
///     5       8     cluster
///     13      1     1 to move a shard, 2 to drain a node
///     14      2     the node
///     16      2     the shard; only where one is moved
///
/// Numbers are little-endian. An example is in `ClusterOrderTests`.
public enum ClusterOrder: Equatable, Sendable {
    /// The owner of a shard is to hand it to a node.
    case move(ShardID, to: NodeID)
    /// A node is to hand all its shards to others, and to take none from then on.
    case drain(NodeID)

    private static let header = MessageHeader("SSCO")

    /// The order's bytes.
    public func encoded(cluster: ClusterID) -> [UInt8] {
        var writer = Self.header.writer(cluster: cluster)
        switch self {
        case .move(let shard, let node):
            writer.number(UInt8(1))
            writer.number(node.rawValue)
            writer.number(shard.rawValue)
        case .drain(let node):
            writer.number(UInt8(2))
            writer.number(node.rawValue)
        }
        return writer.bytes
    }

    /// Reads an order.
    ///
    /// - Throws: `ClusterOrderError` for bytes that are none, or one of another version or cluster.
    public static func decode(
        _ bytes: [UInt8], cluster: ClusterID
    ) throws(ClusterOrderError) -> ClusterOrder {
        guard header.matches(bytes) else { throw .foreign }
        do throws(RecordError) {
            var reader = try header.reader(of: bytes, cluster: cluster)
            let start = reader.offset
            let kind = try reader.number(UInt8.self)
            let node = NodeID(try reader.number(UInt16.self))
            let order: ClusterOrder
            switch kind {
            case 1: order = .move(ShardID(try reader.number(UInt16.self)), to: node)
            case 2: order = .drain(node)
            default: throw .invalidValue(offset: start, expected: "1 or 2")
            }
            try reader.finish()
            return order
        } catch {
            throw .unreadable(error)
        }
    }
}

/// Why bytes are no order to the cluster's nodes.
public enum ClusterOrderError: Error, Equatable, Sendable, CustomStringConvertible {
    /// They do not begin as an order does.
    case foreign
    /// An order of another version or cluster, or one that is cut short or damaged.
    case unreadable(RecordError)

    /// The fault, and what to do next.
    public var description: String {
        switch self {
        case .foreign:
            "a message on the subject of orders is none; find out what else publishes there"
        case .unreadable(let error):
            "an order to the cluster's nodes cannot be read: \(error); run one version of SceneSync everywhere"
        }
    }
}
