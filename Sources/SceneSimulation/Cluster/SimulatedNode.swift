import SceneCluster
import SeededRandom

/// A node's process and machine.
struct SimulatedNode {
    /// Counts the node's processes.
    var life = 0
    /// The process; nil while there is none.
    var process: ClusterNode?
    var clock: SimulatedClock
    /// Until when the process stands still.
    var pausedUntil = 0
    /// Until when nobody hears its beats but itself.
    var mutedUntil = 0
    /// Until when it hears no beats.
    var deafUntil = 0
    var isDraining = false
    var shards: [SimulatedShard]
    /// Numbers the commits of the process.
    var nextCommit: UInt64 = 1
    /// The tickets of the seals that it has published, by shard, for the fault of that name.
    var hasSealed: Set<Int> = []
    /// The groups that are under way, for the fault of that name.
    var groups: [EngineTicket: [UInt8]] = [:]

    init(shardCount: Int, _ random: inout SplitMix64) {
        clock = SimulatedClock(&random)
        shards = Array(repeating: SimulatedShard(), count: shardCount)
    }
}
