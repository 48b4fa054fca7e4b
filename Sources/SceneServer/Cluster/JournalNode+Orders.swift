import SceneCluster

/// What operators ask of a node.
extension JournalNode {
    /// For so long a shard that is to go to another node waits for what its rooms have under way.
    private static let movePatience = Duration.milliseconds(200)

    mutating func obey(_ bytes: [UInt8], at now: MonotonicInstant) {
        let order: ClusterOrder
        do throws(ClusterOrderError) {
            order = try ClusterOrder.decode(bytes, cluster: options.cluster)
        } catch {
            return tellOnce(error.description)
        }
        switch order {
        case .move(let shard, let receiver):
            guard node.epoch(of: shard) != nil, receiver != identity.node, moves[shard] == nil
            else { return }
            outputs.append(
                .note(
                    .notice,
                    "an operator has shard \(shard.rawValue) go to node \(receiver.rawValue)"))
            moves[shard] = (receiver, now.advanced(by: Self.movePatience))
        case .drain(let drained):
            guard drained == identity.node, drainUntil == nil else { return }
            outputs.append(
                .note(
                    .notice,
                    "an operator drains this node: its shards go to others, and it takes none until it is started again"
                ))
            beginDrain(at: now)
        }
    }

    /// Hands over the shards that are to go elsewhere and of which nothing waits, or has waited for too long.
    mutating func advanceMoves(to now: MonotonicInstant) {
        for (shard, move) in moves.sorted(by: { $0.key < $1.key }) {
            guard node.epoch(of: shard) != nil else {
                moves[shard] = nil
                continue
            }
            guard shards[Int(shard.rawValue)].isSettled || now >= move.until else { continue }
            moves[shard] = nil
            pass(.move(shard, to: move.receiver, states: []), at: now)
        }
    }
}
