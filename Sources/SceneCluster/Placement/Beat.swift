/// A node's announcement to all others, several times a second. Beats are sent without
/// acknowledgement and may be lost, doubled or late.
public struct Beat: Equatable, Sendable {
    /// A shard that a node serves.
    public struct Claim: Equatable, Sendable {
        /// The shard.
        public var shard: ShardID
        /// The epoch in which the node serves it.
        public var epoch: UInt64
        /// The node that the shard is to go to, which reads along and makes its rooms ready while
        /// the sender serves it still. The claim stands on for a moment after the hand-over, so
        /// that no third node takes the shard before the receiver claims it.
        public var receiver: NodeID?

        /// Makes a claim.
        public init(shard: ShardID, epoch: UInt64, receiver: NodeID? = nil) {
            self.shard = shard
            self.epoch = epoch
            self.receiver = receiver
        }
    }

    /// The sender.
    public var sender: NodeLife
    /// One more than the beat before it of the same life, from 1.
    public var number: UInt64
    /// The shards that the sender serves.
    public var claims: [Claim]
    /// Whether the sender hands its shards over and takes no others.
    public var isDraining: Bool
    /// Where clients reach the sender, as a URL; empty where they do not.
    public var address: String
    /// The part of the installation that fails as one, such as a building, that the sender is in;
    /// empty for none.
    public var zone: String

    /// Makes a beat.
    public init(
        sender: NodeLife, number: UInt64, claims: [Claim], isDraining: Bool, address: String = "",
        zone: String = ""
    ) {
        self.sender = sender
        self.number = number
        self.claims = claims
        self.isDraining = isDraining
        self.address = address
        self.zone = zone
    }
}
