/// Says which request a reply answers. A node gives each request of a shard another number.
public struct EngineTicket: Hashable, Sendable {
    /// The shard that asks.
    public var shard: ShardID
    /// The request's number, from 1.
    public var number: UInt64

    /// Makes a ticket.
    public init(shard: ShardID, number: UInt64) {
        self.shard = shard
        self.number = number
    }
}
