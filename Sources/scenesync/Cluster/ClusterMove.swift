import ArgumentParser
import NATSEngine
import SceneCluster

struct ClusterMove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Have a shard of a cluster go to another node.",
        discussion: """
            The owner keeps what waits, hands the shard over, and serves its rooms no longer. Those who \
            watch at other nodes keep their connections; all others come back to the rooms by themselves. \
            Nothing moves the shard back. Ends once the node owns it.

              scenesync cluster move nats://127.0.0.1:4222 5 n2
              scenesync cluster move nats://127.0.0.1:4222 --room hall n2
            """)

    @OptionGroup var engine: EngineOptions

    @Argument(help: "The shard's number; with --room, a room of it.")
    var shard: String

    @Argument(help: "The node's name.")
    var node: String

    @Flag(help: "SHARD is the name of a room.")
    var room = false

    private static let patienceSeconds: UInt64 = 10
    private static let listenSeconds: UInt64 = 2

    func run() throws {
        let beats = try ClusterBeats.open(engine)
        defer { beats.close() }
        let (shard, receiver) = (try wanted(beats), try beats.require(node))
        let owner = beats.wait(seconds: Self.listenSeconds) { beats in
            beats[receiver] == nil ? nil : Self.owner(of: shard, beats)
        }
        guard let owner else {
            let heard = beats.wait(seconds: 0) { $0[receiver] } != nil
            throw Output.failure(
                .unavailable,
                heard ? "nobody owns shard \(shard.rawValue)" : "node \(node) is not heard",
                try: "scenesync cluster top shows the nodes and what they own")
        }
        guard owner.node != receiver else {
            return Output.result("\(node) owns shard \(shard.rawValue) already")
        }
        beats.send(.move(shard, to: receiver))
        let epoch = beats.wait(seconds: Self.patienceSeconds) { beats in
            beats[receiver]?.claims.first {
                $0.shard == shard && $0.epoch > owner.epoch && $0.receiver == nil
            }?.epoch
        }
        guard let epoch else {
            throw Output.failure(
                .failure,
                "shard \(shard.rawValue) did not come to \(node) within \(Self.patienceSeconds) seconds",
                try: "look at the log of \(beats.name(of: owner.node)), which owned it")
        }
        Output.result(
            "shard \(shard.rawValue): \(beats.name(of: owner.node)) ▸ \(node), epoch \(epoch)")
    }

    private func wanted(_ beats: ClusterBeats) throws -> ShardID {
        if room { return beats.description.shards.shard(ofRoom: shard) }
        guard let number = UInt16(shard), Int(number) < beats.description.shards.count else {
            throw Output.failure(
                .badConfiguration,
                "\"\(shard)\" is no shard, expected 0 to \(beats.description.shards.count - 1)",
                try: "give --room for the name of a room")
        }
        return ShardID(number)
    }

    private static func owner(
        of shard: ShardID, _ beats: [NodeID: Beat]
    ) -> (node: NodeID, epoch: UInt64)? {
        var found: (node: NodeID, epoch: UInt64)?
        for (node, beat) in beats {
            for claim in beat.claims where claim.shard == shard {
                if claim.epoch > found?.epoch ?? 0 { found = (node, claim.epoch) }
            }
        }
        return found
    }
}
