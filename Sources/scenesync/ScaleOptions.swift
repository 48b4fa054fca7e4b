import ArgumentParser
import SceneSimulation

/// The options of a model of a large cluster, and what it came to for people.
struct ScaleOptions: ParsableArguments {
    @Option(help: "People who watch one room. (default: 1000000)")
    var viewers: Int?

    @Option(help: "Other rooms, of which one in ten is active. (default: 100000)")
    var rooms: Int?

    @Option(help: "Cores of each node. (default: 16)")
    var cores: Int?

    @Option(help: "Frames in a second. (default: 60)")
    var rate: Int?

    @Option(help: "Shards. (default: 256)")
    var shards: Int?

    func validate(isModel: Bool) throws {
        let values = [
            ("viewers", viewers, 1...100_000_000), ("rooms", rooms, 0...10_000_000),
            ("cores", cores, 1...1024), ("rate", rate, 1...240), ("shards", shards, 1...4096),
        ]
        for (name, value, range) in values {
            guard let value else { continue }
            guard isModel else {
                throw ValidationError("--\(name) belongs to the model; add --model")
            }
            guard range ~= value else {
                throw ValidationError(
                    "--\(name) is \(value), expected \(range.lowerBound) to \(range.upperBound)")
            }
        }
    }

    func lines(nodes: Int, seed: UInt64) throws -> [String] {
        var plan = ScaleModel.Plan()
        plan.nodes = nodes
        plan.seed = seed
        plan.viewers = viewers ?? plan.viewers
        plan.rooms = rooms ?? plan.rooms
        plan.cores = cores ?? plan.cores
        plan.rate = rate ?? plan.rate
        plan.shards = shards ?? plan.shards
        plan.failingViewers = min(plan.failingViewers, plan.viewers)
        var model = try ScaleModel(plan)
        let report = model.run()
        let (most, wanted) = (model.limits(at: 1), model.limits(at: 0.6))
        return [
            "\(plan.nodes) nodes of \(plan.cores) cores, \(plan.viewers) viewers of one room at \(plan.rate) Hz, \(plan.rooms) rooms of \(plan.views) views, \(Self.percent(plan.activeShare)) active",
            "placement: \(plan.shards) shards, \(report.shards.least) to \(report.shards.most) a node; \(report.roomsMost) rooms at the fullest, \(Self.round(report.bytesMost / Double(1 << 30), 1)) GiB",
            "watching: \(Self.round(report.frameCores, 0)) cores write frames; the busiest node is at \(Self.percent(report.load.busiest)), the room's owner at \(Self.percent(report.load.owner)); a tick is written within \(Self.round(report.fanOut, 1)) ms of \(Self.round(1000 / Double(plan.rate), 1))",
            "engine: at \(Self.percent(report.load.engine)) of \(plan.engineCores) cores",
            "joining within \(Int(plan.arrivalSeconds)) s: \(report.attaches) attaches, \(Self.round(report.ownerAttachTime, 0)) ms of the owner; first picture after \(Self.times(report.joins))",
            "a node dies: \(report.rooms.count) active rooms run again after \(Self.times((report.rooms.median, report.rooms.high, report.rooms.most))); where the machine led their stream after \(Self.round(report.roomsOfLedStreams, 0)) ms at most",
            "its \(report.viewers.count) viewers have a picture after \(Self.times((report.viewers.median, report.viewers.high, report.viewers.most)))",
            "full (at 60 % of the cores): \(most.viewers) (\(wanted.viewers)) viewers beside these rooms, \(most.rooms) (\(wanted.rooms)) rooms without viewers, \(most.commitsPerSecond) (\(wanted.commitsPerSecond)) commits a second",
            report.load.busiest > 1
                ? "SATURATED: the busiest node falls behind; add nodes, or lower the rate"
                : report.load.engine > 1
                    ? "SATURATED: the engine keeps up no more; add cores to its servers"
                    : "nothing is full; \(report.load.busiest >= report.load.engine ? "the nodes' sockets" : "the engine") would be first",
        ]
    }

    private static func round(_ value: Double, _ digits: Int) -> String {
        guard value.isFinite else { return "-" }
        let scale = digits == 0 ? 1.0 : 10.0
        let rounded = (value * scale).rounded() / scale
        return digits == 0 ? String(Int(rounded)) : String(rounded)
    }

    private static func percent(_ share: Double) -> String { "\(round(share * 100, 0)) %" }

    private static func times(_ times: (median: Double, high: Double, most: Double)) -> String {
        "\(round(times.median, 0)) ms (half), \(round(times.high, 0)) ms (99 of 100), \(round(times.most, 0)) ms (all)"
    }
}
