/// The engine's subjects of a cluster.
public struct ClusterSubjects: Hashable, Sendable {
    /// The count of streams that hold the journals of all shards, so that several servers share the
    /// work of leading them.
    public static let journalStreamCount: UInt16 = 3

    /// The common prefix of the cluster's subjects.
    public let prefix: String

    /// Makes the subjects with a prefix, which is one or more tokens of a subject.
    public init(prefix: String = "ss") { self.prefix = prefix }

    /// The subject of the beats of all nodes; a core message, which no stream keeps.
    public var beat: String { "\(prefix).n.beat" }

    /// The subject of what nodes tell of their versions; core messages, which no stream keeps.
    public var version: String { "\(prefix).n.version" }

    /// The subject of operators' orders to all nodes; core messages, which no stream keeps.
    public var order: String { "\(prefix).n.order" }

    /// The subject on which watchers ask all nodes for their metrics; core messages without
    /// contents.
    public var metricsQuestion: String { "\(prefix).n.metrics" }

    /// The subject on which a node answers that question with its page of metrics; core messages,
    /// which no stream keeps.
    public func metrics(of node: NodeID) -> String { "\(metricsQuestion).\(node.rawValue)" }

    /// The subject of what other nodes send to one; core messages, which no stream keeps.
    public func link(to node: NodeID) -> String { "\(prefix).l.\(node.rawValue)" }

    /// The subject of a node's registration, whose message is its name.
    public func registration(of node: NodeID) -> String { "\(prefix).m.node.\(node.rawValue)" }

    /// The subject of where clients reach a node.
    public func address(of node: NodeID) -> String { "\(prefix).m.address.\(node.rawValue)" }

    /// The subject of a shard's journal.
    public func journal(of shard: ShardID) -> String {
        "\(prefix).j.\(shard.rawValue % Self.journalStreamCount).\(shard.rawValue)"
    }

    /// The subject of the pointer to a room's last snapshot; of the empty name, that of the shard's
    /// directory of snapshots.
    public func snapshot(of room: String, in shard: ShardID) -> String {
        "\(prefix).r.\(shard.rawValue).\(Self.token(room))"
    }

    /// The subject of a chunk of a room's snapshot, which stands at a place of the shard's journal.
    ///
    /// - Parameter number: The chunk's number, from 0.
    public func chunk(
        _ number: Int, of room: String, in shard: ShardID, at sequence: UInt64
    ) -> String {
        "\(snapshot(of: room, in: shard)).\(sequence).\(number)"
    }

    /// The subjects of all chunks of one snapshot of a room.
    public func chunks(of room: String, in shard: ShardID, at sequence: UInt64) -> String {
        "\(snapshot(of: room, in: shard)).\(sequence).>"
    }

    /// A room's name as one token of a subject: "n" and its UTF-8 in hexadecimal, for names may
    /// hold dots, blanks and wildcards.
    private static func token(_ room: String) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var token = Array("n".utf8)
        for byte in room.utf8 {
            token.append(digits[Int(byte >> 4)])
            token.append(digits[Int(byte & 15)])
        }
        return String(decoding: token, as: UTF8.self)
    }
}
