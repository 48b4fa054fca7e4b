import SceneCluster

/// Periodic reviews: rooms that wait, shards that no node claims, and the end of the process.
extension JournalNode {
    mutating func review(at now: MonotonicInstant) {
        let claims = node.claims(at: now)
        for shard in settings.map.shards {
            giveLoadsUp(shard, claims, at: now)
            if let departure = shards[Int(shard.rawValue)].departure, now >= departure.until {
                shards[Int(shard.rawValue)].endDeparture()
            }
            if claims[shard] == nil, !shards[Int(shard.rawValue)].isServing,
                node.hasListened(at: now)
            {
                if vacantSince[shard] == nil { vacantSince[shard] = now }
            } else {
                vacantSince[shard] = nil
            }
        }
    }

    /// Has rooms that the node may own within a moment made ready, and waits for those of a shard
    /// that it is given: the former owner's ticks on meanwhile.
    mutating func advanceShadows(to now: MonotonicInstant) {
        let coming = node.shardsToComeSoon(at: now)
        for shard in settings.map.shards {
            let index = Int(shard.rawValue)
            shards[index].advanceShadows(isComing: coming.contains(shard), at: now)
            let isMakingReady = shards[index].isMakingReady(at: now)
            guard isMakingReady != shards[index].hasToldMakingReady else { continue }
            shards[index].hasToldMakingReady = isMakingReady
            pass(.makesReady(shard, isMakingReady), at: now)
        }
    }

    mutating func giveLoadsUp(
        _ shard: ShardID, _ claims: [ShardID: (owner: NodeLife, epoch: UInt64)],
        at now: MonotonicInstant
    ) {
        var directions: String?
        if let owner = claims[shard]?.owner, owner.node != identity.node {
            let address = addresses(at: now)[owner.node] ?? ""
            directions =
                address.isEmpty
                ? "another node serves the room; connect to another address"
                : "the room is served at \(address)"
        }
        shards[Int(shard.rawValue)].giveLoadsUp(directions, at: now)
    }

    /// Has each shard go to the node that is to own it next, and those go to none for which there
    /// is no such node.
    mutating func beginDrain(at now: MonotonicInstant) {
        guard drainUntil == nil else { return }
        drainUntil = now.advanced(by: Self.drainPatience)
        pass(.beginDrain, at: now)
        var readyAt = now
        for shard in settings.map.shards where node.epoch(of: shard) != nil && moves[shard] == nil {
            guard let receiver = node.successor(of: shard, at: now) else { continue }
            begin(shard, to: receiver, after: &readyAt, at: now)
        }
    }

    mutating func advanceDrain(to now: MonotonicInstant) {
        guard let drainUntil, !hasToldDrained else { return }
        if !isHandingOver {
            let isSettled = shards.allSatisfy { !$0.isServing || $0.isSettled }
            guard moves.isEmpty && isSettled || now >= drainUntil else { return }
            isHandingOver = true
            pass(.drain, at: now)
        }
        guard settings.map.shards.allSatisfy({ node.epoch(of: $0) == nil }),
            shards.allSatisfy({ $0.departure == nil })
        else { return }
        hasToldDrained = true
        outputs.append(.drained)
    }
}
