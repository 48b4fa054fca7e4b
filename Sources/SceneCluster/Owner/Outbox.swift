/// Collects what an owner wants done while it handles one event, and numbers its requests.
struct Outbox: Sendable {
    let shard: ShardID
    private(set) var nextTicket: UInt64
    private var effects: [OwnerEffect] = []

    init(shard: ShardID, firstTicket: UInt64) {
        self.shard = shard
        nextTicket = firstTicket
    }

    mutating func ask(_ request: EngineRequest) -> EngineTicket {
        let ticket = EngineTicket(shard: shard, number: nextTicket)
        nextTicket += 1
        effects.append(.request(ticket, request))
        return ticket
    }

    mutating func tell(_ effect: OwnerEffect) { effects.append(effect) }

    mutating func empty() -> [OwnerEffect] {
        defer { effects = [] }
        return effects
    }
}
