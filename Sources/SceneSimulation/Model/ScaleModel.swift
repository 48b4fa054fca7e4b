public import SceneCluster
import SeededRandom

/// A cluster of many nodes and people, modelled by events with measured costs: where shards lie, a
/// million people who come to one room, a node that dies, and which part is full first. Shards are
/// placed as a cluster does it (`ShardMap`, `Placement`); nothing else of the program runs.
///
/// - Source: the costs of `MeasuredCosts`. Networks are not modelled, nor what cores share.
public struct ScaleModel: Sendable {
    /// What is modelled.
    public struct Plan: Sendable {
        /// Nodes, from 2.
        public var nodes = 60
        /// Cores of each.
        public var cores = 16
        /// People who watch one room.
        public var viewers = 1_000_000
        /// Frames of the room in a second.
        public var rate = 60
        /// Other rooms.
        public var rooms = 100_000
        /// The share of these that are active.
        public var activeShare = 0.1
        /// Commits of an active room in a second.
        public var commitsPerSecond = 1.5
        /// Views of each room.
        public var views = 1_000
        /// Shards.
        public var shards = 256
        /// Cores of the engine's three servers together.
        public var engineCores = 24
        /// Seconds within which the people come.
        public var arrivalSeconds = 60.0
        /// Viewers of the node that dies.
        public var failingViewers = 20_000
        /// Where random numbers begin.
        public var seed: UInt64 = 0

        /// The plan of a million.
        public init() {}
    }

    /// What came of it.
    public struct Report: Sendable {
        /// Shards of the node with the fewest and with the most.
        public var shards = (least: 0, most: 0)
        /// Rooms of the node with the most.
        public var roomsMost = 0
        /// The share of the cores of the busiest node, of the room's owner, and of the engine, that
        /// steady watching and editing takes.
        public var load = (busiest: 0.0, owner: 0.0, engine: 0.0)
        /// Cores that frames to the viewers take in all.
        public var frameCores = 0.0
        /// Until a tick has been written to every socket of a node, in milliseconds.
        public var fanOut = 0.0
        /// Attaches at the owner while everybody comes.
        public var attaches = 0
        /// From coming to the first picture, in milliseconds.
        public var joins = (median: 0.0, high: 0.0, most: 0.0)
        /// How long the owner's thread has worked for the attaches, in milliseconds.
        public var ownerAttachTime = 0.0
        /// From the death of a node until its active rooms run elsewhere, in milliseconds.
        public var rooms = (count: 0, median: 0.0, high: 0.0, most: 0.0)
        /// From a viewer's coming to another node until it has a picture again, in milliseconds.
        public var viewers = (count: 0, median: 0.0, high: 0.0, most: 0.0)
        /// The most that rooms wait whose stream was led on the machine that died, in milliseconds.
        public var roomsOfLedStreams = 0.0
        /// Memory of the node with the most rooms, in bytes.
        public var bytesMost = 0.0
    }

    let plan: Plan
    let costs: MeasuredCosts
    let map: ShardMap
    /// The node of each shard.
    let owners: [Int]
    /// The rooms of each shard.
    let roomCounts: [Int]
    var random: SplitMix64

    /// Places shards and rooms.
    ///
    /// - Throws: `ShardMapError` for a number of shards that no cluster has.
    /// - Complexity: O(rooms + shards · nodes).
    public init(_ plan: Plan, costs: MeasuredCosts = MeasuredCosts()) throws(ShardMapError) {
        let map = try ShardMap(count: plan.shards)
        let nodes = (1...plan.nodes).map { Placement.Candidate(node: NodeID(UInt16($0))) }
        self.plan = plan
        self.costs = costs
        self.map = map
        owners = map.shards.map { shard in
            Int(Placement.next(for: shard, among: nodes)?.rawValue ?? 1) - 1
        }
        var counts = [Int](repeating: 0, count: plan.shards)
        for number in 0..<plan.rooms {
            counts[Int(map.shard(ofRoom: "room-\(number)").rawValue)] += 1
        }
        roomCounts = counts
        random = SplitMix64(seed: plan.seed &* 0x9E37_79B9_7F4A_7C15 ^ 0x5CA1E)
    }

    /// Runs the model.
    ///
    /// - Complexity: O(viewers · cores).
    public mutating func run() -> Report {
        var report = Report()
        notePlaces(&report)
        noteLoads(&report)
        join(&report)
        fail(&report)
        return report
    }

    /// The node with the room that everybody watches.
    var owner: Int { owners[Int(map.shard(ofRoom: "everybody").rawValue)] }

    /// For each node, a number of each of its shards summed up.
    func sums(_ value: (Int) -> Int) -> [Int] {
        var sums = [Int](repeating: 0, count: plan.nodes)
        for shard in owners.indices { sums[owners[shard]] += value(shard) }
        return sums
    }

    private func notePlaces(_ report: inout Report) {
        let shards = sums { _ in 1 }
        report.shards = (shards.min() ?? 0, shards.max() ?? 0)
        report.roomsMost = sums { roomCounts[$0] }.max() ?? 0
        report.bytesMost = Double(report.roomsMost) * costs.roomBytes
    }

    // MARK: What goes on all the time

    private func noteLoads(_ report: inout Report) {
        let perNode = Double(plan.viewers) / Double(plan.nodes)
        let rate = Double(plan.rate)
        // A second of a core has a million microseconds.
        let frames = perNode * rate * costs.frame / 1e6
        let relayed = rate * costs.relayedFrame / 1e6
        let ticks = rate * costs.activeTick / 1e6
        let active = sums { roomCounts[$0] }.map { Double($0) * plan.activeShare }
        let loads = active.map { ($0 * ticks + frames + relayed) / Double(plan.cores) }
        report.frameCores = Double(plan.viewers) * rate * costs.frame / 1e6
        report.load.busiest = loads.max() ?? 0
        report.load.owner = loads[owner] + (relayed + ticks) / Double(plan.cores)
        let commits = Double(plan.rooms) * plan.activeShare * plan.commitsPerSecond
        report.load.engine =
            (commits * costs.commit + rate * Double(plan.nodes) * costs.relayedFrame) / 1e6
            / Double(plan.engineCores)
        report.fanOut = perNode * costs.frame / Double(plan.cores) / 1000
    }

    /// Waits of an acknowledgement in milliseconds: log-normal, with the measured median and 99th
    /// percentile.
    mutating func acknowledgement() -> Double {
        let (median, high) = costs.acknowledgement
        // The 99th percentile of the normal distribution is 2.326 standard deviations above its
        // mean.
        let deviation = Self.logarithm(high / median) / 2.326
        var sum = -6.0
        for _ in 0..<12 { sum += uniform() }
        return median * Self.power(deviation * sum)
    }

    /// A number from 0 up to 1.
    mutating func uniform() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
}
