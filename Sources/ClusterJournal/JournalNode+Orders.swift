import SceneCluster

/// What operators ask of a node.
extension JournalNode {
    /// For so long a shard that is to go to another node waits for what its rooms have under way.
    private static let movePatience = Duration.milliseconds(200)
    /// A receiver that is not heard at the moment at which the shard is to go is waited for so
    /// long.
    private static let hearingPatience = Duration.seconds(3)
    /// The receiver reads along within so long, and is ready for a few rooms.
    private static let readinessMinimum = Duration.milliseconds(150)
    /// To make a room ready takes it about so long.
    private static let roomReadiness = Duration.milliseconds(8)
    /// A shard is not held back longer for that: what is not ready is opened when it is asked for.
    private static let readinessMaximum = Duration.milliseconds(500)

    mutating func obey(_ bytes: [UInt8], at now: MonotonicInstant) {
        let order: ClusterOrder
        do throws(ClusterOrderError) {
            order = try ClusterOrder.decode(bytes, cluster: settings.cluster)
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
            var readyAt = now
            begin(shard, to: receiver, after: &readyAt, at: now)
        case .drain(let drained):
            guard drained == identity.node, drainUntil == nil else { return }
            guard canDrain(at: now) else {
                return outputs.append(
                    .note(
                        .error,
                        "an order to drain this node is refused: no other node is heard that could take its shards"
                    ))
            }
            outputs.append(
                .note(
                    .notice,
                    "an operator drains this node: its shards go to others, and it takes none until it is started again"
                ))
            beginDrain(at: now)
        }
    }

    /// Whether another node could take the shards of this one; the last node of a cluster keeps
    /// serving.
    private func canDrain(at now: MonotonicInstant) -> Bool {
        settings.map.shards.allSatisfy { node.epoch(of: $0) == nil } || node.hearsTakers(at: now)
    }

    /// Begins to move a shard: its receiver makes its rooms ready.
    ///
    /// - Parameter readyAt: When the rooms of shards that were begun before will be ready; set to
    ///   when these will.
    mutating func begin(
        _ shard: ShardID, to receiver: NodeID, after readyAt: inout MonotonicInstant,
        at now: MonotonicInstant
    ) {
        let span = min(
            Self.roomReadiness * shards[Int(shard.rawValue)].open.count, Self.readinessMaximum)
        readyAt = readyAt.advanced(by: span)
        let from = max(readyAt, now.advanced(by: Self.readinessMinimum))
        moves[shard] = Move(
            receiver: receiver, from: from, until: from.advanced(by: Self.movePatience))
        pass(.prepare(shard, for: receiver), at: now)
    }

    private func isHeard(_ node: NodeID, at now: MonotonicInstant) -> Bool {
        self.node.lives(at: now).contains { $0.node == node }
    }

    /// Hands over the shards that are to go elsewhere and of which nothing waits, or has waited for
    /// too long.
    mutating func advanceMoves(to now: MonotonicInstant) {
        for (shard, move) in moves.sorted(by: { $0.key < $1.key }) {
            guard node.epoch(of: shard) != nil else {
                moves[shard] = nil
                continue
            }
            guard now >= move.from,
                isHeard(move.receiver, at: now)
                    || now >= move.from.advanced(by: Self.hearingPatience)
            else { continue }
            guard shards[Int(shard.rawValue)].isHeld else {
                // What its rooms have decided comes first, and nothing after that.
                shards[Int(shard.rawValue)].hold()
                continue
            }
            let journal = shards[Int(shard.rawValue)]
            guard journal.mayDepart || now >= move.until else { continue }
            moves[shard] = nil
            pass(
                .move(shard, to: move.receiver, states: journal.handOverStates), at: now)
        }
    }
}
