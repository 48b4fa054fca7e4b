/// Events and effects of the state machine.
extension ClusterNode {
    /// An event of a node.
    public enum Event: Equatable, Sendable {
        /// Time has passed; to be sent about every ten milliseconds.
        case tick
        /// A beat came, one of its own or of another node.
        case heard(Beat)
        /// A node tells its version.
        case heardVersion(VersionNotice)
        /// The engine reports that the subject of a probed node has no subscriber.
        case unheard(NodeLife)
        /// The engine answers.
        case reply(EngineTicket, EngineReply)
        /// Keeps entries in a shard's journal; see `ShardOwner.Event.commit`.
        case commit(ShardID, number: UInt64, [ChainRecord.Entry])
        /// A snapshot of a room of a shard stands at the record with this number of the chain.
        case snapshotStored(ShardID, room: String, number: UInt64)
        /// The place from which a shard's journal is whole; see `ShardOwner.Event.rebase`.
        case rebase(ShardID, ChainAnchor)
        /// There is no such place.
        case noFloor(ShardID)
        /// Tells another node that it is to have a shard soon, so that it reads along and makes
        /// ready what it will need; the shard is served on.
        case prepare(ShardID, for: NodeID)
        /// Whether the node makes ready what it will need of a shard: it takes one that is given to
        /// it once it does so no more.
        case makesReady(ShardID, Bool)
        /// Hands a shard that it owns to another node.
        case move(ShardID, to: NodeID, states: [ChainRecord.StateHash])
        /// Takes no further shards, and tells others so.
        case beginDrain
        /// The same, and hands all shards over.
        case drain
    }

    /// An effect of a node.
    public enum Effect: Equatable, Sendable {
        /// Sends a beat to all nodes, itself among them.
        case beat(Beat)
        /// Tells all nodes this one's version.
        case tellVersion(VersionNotice)
        /// Probes the subject of a node whose beat is late; answered with `unheard` if it has no
        /// subscriber, otherwise not at all.
        case probe(NodeLife)
        /// An effect of a shard's owner.
        case shard(ShardID, OwnerEffect)
        /// A shard cannot be handed to a node, for that is not heard.
        case receiverSilent(ShardID, NodeID)
        /// A shard is not handed to a node, for that has an earlier version than this one and may
        /// not read what this one wrote.
        case receiverEarlier(ShardID, NodeID, ReleaseVersion)
        /// Two processes use the number of one node; one of them has to be stopped.
        case numberTakenTwice(NodeID)
        /// More nodes beat than a cluster may have.
        case tooManyNodes(maximum: Int)
    }
}
