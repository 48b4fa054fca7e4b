/// The engine's subjects of a cluster.
public struct ClusterSubjects: Hashable, Sendable {
    /// The count of streams that hold the journals of all shards, so that several servers share the work of leading them.
    public static let journalStreamCount: UInt16 = 3

    /// What all subjects of the cluster begin with.
    public let prefix: String

    /// Makes the subjects with a prefix, which is one or more tokens of a subject.
    public init(prefix: String = "ss") { self.prefix = prefix }

    /// The subject of a shard's journal.
    public func journal(of shard: ShardID) -> String {
        "\(prefix).j.\(shard.rawValue % Self.journalStreamCount).\(shard.rawValue)"
    }
}
