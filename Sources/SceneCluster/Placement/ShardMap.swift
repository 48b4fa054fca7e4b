import RoomNames

/// Which shard a room belongs to. The count of shards and the hash are fixed when a cluster is
/// created: changing either would look for rooms in journals that do not hold them.
public struct ShardMap: Equatable, Sendable {
    /// The name under which a cluster's description keeps the hash.
    public static let hashName = "sha256-64"
    /// The largest count of shards.
    public static let countMaximum = 4096

    /// The count of shards.
    public let count: Int

    /// Makes the map that a cluster's description names.
    ///
    /// - Throws: `ShardMapError` for a count out of range or a hash that this version does not
    ///   know.
    public init(count: Int, hash: String = ShardMap.hashName) throws(ShardMapError) {
        guard 1...Self.countMaximum ~= count else {
            throw .countOutOfRange(count: count, maximum: Self.countMaximum)
        }
        guard hash == Self.hashName else { throw .unknownHash(hash) }
        self.count = count
    }

    /// The shard of a room: the first 64 bits of the SHA-256 of its name in UTF-8, modulo the
    /// count. A suggestion's branch has its room's, so that both are on one node.
    ///
    /// - Complexity: O(bytes of the name).
    public func shard(ofRoom name: String) -> ShardID {
        ShardID(UInt16(StableHash.of(Array(RoomName.main(of: name).utf8)) % UInt64(count)))
    }

    /// All shards in order.
    public var shards: [ShardID] { (0..<count).map { ShardID(UInt16($0)) } }
}

/// Why a cluster's description gives no map of its shards.
public enum ShardMapError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The count of shards is less than 1 or above the maximum.
    case countOutOfRange(count: Int, maximum: Int)
    /// The hash is none that this version knows.
    case unknownHash(String)

    /// The fault, the expected value, and what to do next.
    public var description: String {
        switch self {
        case .countOutOfRange(let count, let maximum):
            "the cluster has \(count) shards, expected 1 to \(maximum); create it anew with a count in this range"
        case .unknownHash(let name):
            "the cluster places rooms by the hash \"\(name)\", this version knows \"\(ShardMap.hashName)\"; run the version that created the cluster"
        }
    }
}
