/// A node's knowledge of its cluster and of itself.
extension ClusterNode {
    /// Where the node stands with a shard; nil for a shard that the cluster does not have.
    public func phase(of shard: ShardID) -> ShardOwner.Phase? {
        owners.indices.contains(Int(shard.rawValue)) ? owners[Int(shard.rawValue)].phase : nil
    }

    /// The epoch in which the node owns a shard, if it does.
    public func epoch(of shard: ShardID) -> UInt64? {
        owners.indices.contains(Int(shard.rawValue)) ? owners[Int(shard.rawValue)].epoch : nil
    }

    /// The chain of a shard's journal as the node has read it; nil for a shard that the cluster
    /// does not have.
    public func chain(of shard: ShardID) -> ShardChain? {
        owners.indices.contains(Int(shard.rawValue)) ? owners[Int(shard.rawValue)].chain : nil
    }

    /// The number of the oldest record of a shard's journal that no snapshot covers; nil where
    /// snapshots cover everything.
    ///
    /// - Complexity: O(rooms).
    public func tailStart(of shard: ShardID) -> UInt64? {
        owners.indices.contains(Int(shard.rawValue))
            ? owners[Int(shard.rawValue)].tailStart : nil
    }

    /// For each shard that some node says to serve, this one among them, who does.
    ///
    /// - Complexity: O(claims of all nodes).
    public func claims(
        at now: MonotonicInstant
    ) -> [ShardID: (owner: NodeLife, epoch: UInt64)] { membership.claims(at: now) }

    /// The node that is to own a shard when this one does not any more; nil while no other of the
    /// same or a later version is heard.
    ///
    /// - Complexity: O(nodes).
    public func successor(of shard: ShardID, at now: MonotonicInstant) -> NodeID? {
        let others = membership.candidates(at: now).filter {
            $0.node != identity.node && $0.version >= version
        }
        return Placement.next(for: shard, among: others, after: zone)
    }

    /// The shards that this node may own within a moment: it is being handed them, is claiming
    /// them, or is to own them next and nothing has been heard of their owners for
    /// `readinessSilence`, or the engine reported once that their subjects have no subscriber.
    ///
    /// - Complexity: O(shards, and claims of all nodes where it is to own any next).
    public func shardsToComeSoon(at now: MonotonicInstant) -> Set<ShardID> {
        var coming = moves.shardsToReceive(at: now)
        for index in owners.indices
        where owners[index].phase == .sealing || owners[index].phase == .reading {
            coming.insert(shard(index))
        }
        guard !standbys.isEmpty else { return coming }
        let claims = membership.claims(at: now)
        for shard in standbys {
            if let owner = claims[shard]?.owner,
                membership.isSilent(owner, for: Self.readinessSilence, at: now)
                    || absences.misses(owner)
            {
                coming.insert(shard)
            }
        }
        return coming
    }

    /// The processes that are not silent.
    ///
    /// - Complexity: O(nodes).
    public func lives(at now: MonotonicInstant) -> Set<NodeLife> { membership.lives(at: now) }

    /// Whether another node was heard within half the time after which one counts as silent: where
    /// an owner falls silent, it was heard long after that one, so that this node is not the one
    /// that is cut off.
    ///
    /// - Complexity: O(nodes).
    public func hearsOthers(at now: MonotonicInstant) -> Bool {
        membership.hearsOthers(than: identity.node, within: OwnerLimits.silence / 2, at: now)
    }

    /// Whether another node is heard that takes shards: of any version, for one of an earlier
    /// version takes what it can read.
    ///
    /// - Complexity: O(nodes · log nodes).
    public func hearsTakers(at now: MonotonicInstant) -> Bool {
        membership.candidates(at: now).contains { $0.node != identity.node }
    }

    /// Whether the node has listened for so long that it knows who is there.
    public func hasListened(at now: MonotonicInstant) -> Bool { membership.hasListened(at: now) }
}
