import SceneCluster
import SceneSimulation
import Testing

/// Expected values are computed by hand from the measured costs.
@Suite("A model of a large cluster")
struct ScaleModelTests {
    private static func report(
        _ change: (inout ScaleModel.Plan) -> Void = { _ in }
    ) throws -> ScaleModel.Report {
        var plan = ScaleModel.Plan()
        plan.viewers = 100_000
        plan.rooms = 10_000
        plan.nodes = 6
        change(&plan)
        var model = try ScaleModel(plan)
        return model.run()
    }

    @Test("a million viewers at 60 Hz take 510 cores")
    func frames() throws {
        let report = try Self.report { plan in
            plan.viewers = 1_000_000
            plan.nodes = 60
            plan.rooms = 0
        }
        // 8.5 microseconds × 60 × a million; 16,667 viewers a node are 8.5 cores of 16.
        #expect(abs(report.frameCores - 510) < 0.001)
        #expect(abs(report.load.busiest - 510 / 60 / 16) < 0.001)
        #expect(abs(report.fanOut - 8.5 * 1_000_000 / 60 / 16 / 1000) < 0.001)
        #expect(report.attaches == 60)
        #expect(report.rooms.count == 0)
        #expect(report.viewers.count == 20_000)
    }

    @Test("shards and rooms lie where a cluster has them")
    func places() throws {
        let report = try Self.report()
        let nodes = (1...6).map { Placement.Candidate(node: NodeID($0)) }
        var shards: [NodeID: Int] = [:]
        for shard in try ShardMap(count: 256).shards {
            if let node = Placement.next(for: shard, among: nodes) { shards[node, default: 0] += 1 }
        }
        #expect(report.shards.least == shards.values.min())
        #expect(report.shards.most == shards.values.max())
        #expect((10_000 / 6...10_000).contains(report.roomsMost))
    }

    @Test("rooms of a dead node wait for its silence, and more of them for one another")
    func failure() throws {
        let few = try Self.report { $0.activeShare = 0.01 }
        let many = try Self.report { $0.activeShare = 0.5 }
        // Silence of 300 ms, less a beat of 75, and at least a room of a thousand views, which
        // takes 51 ms.
        #expect(few.rooms.median > 225 + 51)
        #expect(few.rooms.most < 1000)
        #expect(many.rooms.most > 2 * few.rooms.most)
        // A node fewer than all takes them, with 16 cores each.
        #expect(many.rooms.most > Double(many.rooms.count) * 51 / 5 / 16)
        #expect(few.roomsOfLedStreams > few.rooms.most + 4000)
    }

    @Test("a cluster that is too small is full, at the number of viewers that its limits name")
    func limits() throws {
        var plan = ScaleModel.Plan()
        plan.nodes = 4
        plan.rooms = 0
        let limit = try ScaleModel(plan).limits(at: 1).viewers
        // 16 cores of a million microseconds, by 510 a viewer, four times.
        #expect(limit == 16_000_000 / 510 * 4)
        plan.viewers = limit
        var full = try ScaleModel(plan)
        let report = full.run()
        #expect(abs(report.load.busiest - 1) < 0.001)
        #expect(try ScaleModel(plan).limits(at: 0.6).commitsPerSecond == 45_000)
    }

    @Test("a seed gives the same, and another one something else")
    func seeds() throws {
        let first = try Self.report()
        #expect(try Self.report().joins == first.joins)
        #expect(try Self.report().rooms == first.rooms)
        #expect(try Self.report { $0.seed = 1 }.rooms.median != first.rooms.median)
    }
}
