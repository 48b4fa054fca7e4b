/// The shards that are on their way from node to node, as far as one of these nodes takes part in
/// it.
struct ShardMoves: Sendable {
    /// A shard that was handed over, and whose receiver has not claimed it yet.
    private struct Offer {
        var epoch: UInt64
        var receiver: NodeID
        var until: MonotonicInstant
    }

    /// For so long a shard that was handed over is claimed for its receiver.
    static let offerSpan = Duration.seconds(2)
    /// For so long the word that this node is to have a shard holds.
    private static let receivingSpan = Duration.milliseconds(500)

    private var offers: [ShardID: Offer] = [:]
    /// Shards of this node that are to go to other nodes soon.
    private var preparing: [ShardID: NodeID] = [:]
    /// When it was last heard that this node is to have a shard soon.
    private var receiving: [ShardID: MonotonicInstant] = [:]

    /// Drops expired offers.
    mutating func advance(to now: MonotonicInstant) {
        offers = offers.filter { $0.value.until > now }
    }

    // MARK: Giving

    /// Notes that a shard of this node is to go to another one soon.
    mutating func prepare(_ shard: ShardID, for receiver: NodeID) { preparing[shard] = receiver }

    /// Notes that a shard does not go.
    mutating func cancel(_ shard: ShardID) { preparing[shard] = nil }

    /// The receiver of a shard of this node.
    func receiver(of shard: ShardID) -> NodeID? { preparing[shard] }

    /// Notes that a shard was handed over.
    ///
    /// - Parameter epoch: The epoch in which this node owned it.
    mutating func didHandOver(
        _ shard: ShardID, to receiver: NodeID, epoch: UInt64, at now: MonotonicInstant
    ) {
        offers[shard] = Offer(
            epoch: epoch, receiver: receiver, until: now.advanced(by: Self.offerSpan))
    }

    /// The claim that is still announced for a shard that was handed over: the epoch in which it
    /// was owned here, and whose it is to be.
    func offer(of shard: ShardID) -> (epoch: UInt64, receiver: NodeID)? {
        offers[shard].map { ($0.epoch, $0.receiver) }
    }

    /// Takes another node's claim of a shard; one of a later epoch takes the place of an offer.
    mutating func hear(_ claim: Beat.Claim) {
        if let offer = offers[claim.shard], claim.epoch > offer.epoch { offers[claim.shard] = nil }
    }

    // MARK: Receiving

    /// Notes that this node is to have a shard soon.
    mutating func isToReceive(_ shard: ShardID, at now: MonotonicInstant) {
        receiving[shard] = now
    }

    /// The shards that this node was told lately that it is to have.
    func shardsToReceive(at now: MonotonicInstant) -> Set<ShardID> {
        Set(receiving.filter { now.elapsed(since: $0.value) <= Self.receivingSpan }.keys)
    }

    /// Notes that this node owns a shard from now on, or does no more.
    mutating func settle(_ shard: ShardID) {
        preparing[shard] = nil
        receiving[shard] = nil
    }
}
