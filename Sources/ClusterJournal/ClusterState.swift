package import SceneCluster

/// A shard, as this node sees it.
package enum ShardState: String, CaseIterable {
    /// This node owns it.
    case owner
    /// Another node says that it owns it.
    case standby
    /// No node says so.
    case vacant
    /// Its journal cannot be followed.
    case stopped
}

/// A node's view of its cluster at one moment.
package struct ClusterState: Sendable {
    package var shards: [ShardState] = []
    /// The addresses of the owners of shards that other nodes serve.
    package var owners: [ShardID: String] = [:]
    /// The processes that own shards, this one among them.
    package var owningLives: [ShardID: NodeLife] = [:]
    /// The processes that are heard.
    package var nodes: Set<NodeLife> = []
    /// The addresses of the other nodes.
    package var others: [String] = []
    /// Whether another node was heard so lately that not this one is cut off where a third
    /// falls silent.
    package var hearsOthers = false
    /// Whether a server of the engine has the connection.
    package var isConnected = false
    /// This node's shards of which nothing is kept at present, with the reason.
    package var stalls: [ShardID: String] = [:]

    package init(isConnected: Bool = false) { self.isConnected = isConnected }

    /// Whether members of a shard's rooms are served over a link: unless this node owns the shard,
    /// or cannot follow its journal. Without an owner the link waits for one.
    package func isRelayed(_ shard: ShardID) -> Bool {
        guard shards.indices.contains(Int(shard.rawValue)) else { return true }
        return switch shards[Int(shard.rawValue)] {
        case .owner, .stopped: false
        case .standby, .vacant: true
        }
    }

    /// Whether links to owners or from members are to be looked at again where this was known
    /// before.
    package func concernsLinks(after earlier: ClusterState) -> Bool {
        owningLives != earlier.owningLives || nodes != earlier.nodes
    }

    /// Whether members can be admitted here, and what this node owns, in words.
    package var readiness: (isReady: Bool, text: String) {
        guard isConnected else { return (false, "the cluster's engine is not reached") }
        let owned = shards.count { $0 == .owner }
        guard owned > 0 else { return (true, "standby") }
        // A node that keeps some of its shards still takes members for them, and for those of
        // others.
        if stalls.count == owned, let stall = stalls.min(by: { $0.key < $1.key }) {
            return (false, "the cluster's engine keeps nothing: \(stall.value)")
        }
        return (true, "owner of \(owned) of \(shards.count) shards")
    }
}
