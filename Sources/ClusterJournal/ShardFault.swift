import SceneCluster

/// Why a shard's journal cannot be followed at this node.
struct ShardFault: Equatable {
    /// The reason for members, and what to do.
    let reason: String
    /// Whether a node of a later version wrote it: then nothing is wrong with it, and a node of
    /// that version may own the shard.
    let isOfLaterVersion: Bool

    init(_ error: ChainError) {
        if case .record(.otherVersion(let found, let expected)) = error.reason, found > expected {
            isOfLaterVersion = true
            reason =
                "a later version of SceneSync wrote the room's journal; connect to a node of that version"
        } else {
            isOfLaterVersion = false
            reason =
                "the room's journal cannot be followed at this node; an operator has to look at it"
        }
    }
}
