import ArgumentParser
import SceneCluster

struct ClusterDrain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drain",
        abstract: "Have a node of a cluster hand all its shards to others.",
        discussion: """
            The node takes no shard until it is started again, and serves its connections as a node that \
            owns nothing. Ends once it owns none; to stop a process, SIGTERM alone does as much.
            """)

    @OptionGroup var engine: EngineOptions

    @Argument(help: "The node's name.")
    var node: String

    private static let patienceSeconds: UInt64 = 15
    private static let listenSeconds: UInt64 = 2

    func run() throws {
        let beats = try ClusterBeats.open(engine)
        defer { beats.close() }
        let drained = try beats.require(node)
        guard beats.wait(seconds: Self.listenSeconds, for: { $0[drained] }) != nil else {
            throw Output.failure(
                .unavailable, "node \(node) is not heard",
                try: "scenesync cluster top shows the nodes")
        }
        let isReceived = beats.wait(seconds: Self.listenSeconds) { [names = beats.names] beats in
            beats.contains { $0.key != drained && !$0.value.isDraining && names[$0.key] != nil }
                ? true : nil
        }
        guard isReceived != nil else {
            throw Output.failure(
                .failure, "no other node is heard that could take the shards of \(node)",
                try:
                    "start another node first; to stop this one with all its rooms, end its process"
            )
        }
        beats.send(.drain(drained))
        let isDone = beats.wait(seconds: Self.patienceSeconds) { beats in
            // What it has handed over is in its beats for a while, and its receiver says that it
            // has it.
            beats[drained].flatMap { beat in
                beat.isDraining && beat.claims.allSatisfy { isLater(than: $0, beats) } ? true : nil
            }
        }
        guard isDone != nil else {
            throw Output.failure(
                .failure,
                "node \(node) still owns shards after \(Self.patienceSeconds) seconds",
                try: "look at its log; where it is the only node, nobody can take them")
        }
        Output.result("\(node) owns nothing")
    }

    /// Whether some node owns a claim's shard in a later epoch.
    private func isLater(than claim: Beat.Claim, _ beats: [NodeID: Beat]) -> Bool {
        beats.values.contains { beat in
            beat.claims.contains { $0.shard == claim.shard && $0.epoch > claim.epoch }
        }
    }
}
