/// A place in a chain at which a reader may start, because a snapshot holds everything up to it.
public struct ChainAnchor: Hashable, Sendable {
    /// The sequence number in the stream of the record at this place.
    public var sequence: UInt64
    /// The record's number in the chain.
    public var number: UInt64
    /// The record's checksum.
    public var checksum: RecordChecksum
    /// The epoch after the record.
    public var epoch: UInt64
    /// The shard's owner after the record.
    public var owner: NodeLife

    /// Makes an anchor.
    public init(
        sequence: UInt64, number: UInt64, checksum: RecordChecksum, epoch: UInt64, owner: NodeLife
    ) {
        self.sequence = sequence
        self.number = number
        self.checksum = checksum
        self.epoch = epoch
        self.owner = owner
    }
}
