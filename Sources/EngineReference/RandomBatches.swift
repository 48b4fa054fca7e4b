import SceneTestSupport
import SeededRandom

/// Batches of random ops, right and wrong ones, on one document after another.
struct RandomBatches {
    /// Batches of one scene.
    private static let batchesOfScene = 150
    private let seed: Int
    private let documents: [String]
    private var random: SplitMix64

    init(seed: Int, documents: [String]) {
        self.seed = seed
        self.documents = documents
        random = SplitMix64(seed: UInt64(seed))
    }

    mutating func run(_ count: Int, _ transcript: inout Transcript) {
        var done = 0
        var scene = 0
        while done < count {
            let batches = min(Self.batchesOfScene, count - done)
            edit(scene, batches, &transcript)
            done += batches
            scene += 1
        }
    }

    private mutating func edit(_ scene: Int, _ batches: Int, _ transcript: inout Transcript) {
        var ops = RandomOps(seed: seed &* 1_000_003 &+ scene)
        let document =
            documents.isEmpty || random.chance(1, of: 3) ? ops.document() : random.pick(documents)
        if !transcript.open(document, budget: budget()) {
            _ = transcript.open(RandomOps.empty, budget: .max)
        }
        var views = transcript.frames(budget: budget())
        for batch in 0..<batches {
            ops.known = views.filter { $0 != "root" }
            let list = (0...random.below(6)).map { _ in ops.op() }.joined(separator: ",")
            transcript.apply("[\(list)]", isAtomic: random.chance(1, of: 2), budget: budget())
            if random.chance(3, of: 4) { transcript.tick(1 + random.below(3), budget: budget()) }
            transcript.hash()
            if batch % 8 == 7 {
                views = transcript.frames(budget: budget())
                transcript.changed()
                // A scene that was stopped half-way has no views and is no use any more.
                if views.isEmpty {
                    _ = transcript.open(RandomOps.empty, budget: .max)
                    views = ["root"]
                }
                transcript.explain(random.pick(views), budget: budget())
            }
        }
        transcript.picture()
        transcript.document()
    }

    /// Ample for nearly all calls; seldom so little that a call is stopped.
    private mutating func budget() -> UInt64 {
        random.chance(1, of: 400) ? UInt64(random.below(3000)) : 50_000_000
    }
}
