/// Where an owner stands, and what happens to it.
extension ShardOwner {
    /// Where the node stands.
    public enum Phase: Equatable, Sendable {
        /// Another node may own the shard.
        case follower
        /// The node claims the shard.
        case sealing
        /// The engine keeps the claim, and the journal is read up to it.
        case reading
        /// The node owns the shard.
        case serving(epoch: UInt64)
        /// The node owns the shard, takes no more commits, and gives it up when all are written: to
        /// another node, or to none.
        case handing(epoch: UInt64, to: NodeLife?)
        /// The node no longer owns the shard. Another `ShardOwner` continues as a follower.
        case resigned
        /// The journal cannot be followed.
        case stopped(ChainError)
    }

    /// An event of a shard's owner.
    public enum Event: Equatable, Sendable {
        /// Time has passed; to be sent about every ten milliseconds.
        case tick
        /// The engine answers.
        case reply(EngineTicket, EngineReply)
        /// The node's own beat came back.
        case heardSelf
        /// Another node's beat claims the shard.
        case heardClaim(by: NodeLife, epoch: UInt64)
        /// The node is to own the shard, for its owner is silent.
        case takeOver
        /// A follower is to read along, once in a while; nil to stop. `beginsNow` has it read at
        /// once.
        case follow(every: Duration?, beginsNow: Bool = false)
        /// Whether the node makes ready what it will need of the shard, so that a follower which is
        /// given it does not own it yet.
        case makesReady(Bool)
        /// Keeps entries in the journal, whole or not at all. Each commit has a higher number than
        /// the one before. One without entries is reported as committed once the node has proved
        /// its ownership after the request.
        case commit(number: UInt64, [ChainRecord.Entry])
        /// A snapshot of a room stands at the record with this number of the chain.
        case snapshotStored(room: String, number: UInt64)
        /// The place from which the journal is whole, as `OwnerEffect.floorWanted` asked for it.
        case rebase(ChainAnchor)
        /// There is no such place beyond what was read: records are missing that no snapshot holds.
        case noFloor
        /// Gives the shard to another node once all commits are written.
        case handOver(to: NodeLife, states: [ChainRecord.StateHash])
        /// Gives the shard up once all commits are written.
        case drain
    }
}
