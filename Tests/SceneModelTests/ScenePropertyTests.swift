import SceneDocument
import SceneModel
import SceneTestSupport
import SceneWire
import SeededRandom
import Testing

@Suite("Scenes under random ops")
struct ScenePropertyTests {
    static let empty =
        "{\"scene\": 1, \"viewport\": {\"width\": 480, \"height\": 320, \"rounding\": \"none\"}}"
    /// Cases that failed once: lengths that follow a superview which collapsed, or which is too
    /// small for them.
    static let once = [235, 1294, 1514, 1740, 1988, 2147].filter { $0 >= 120 * Soak.factor }
    static let rounded = "{\"scene\": 1, \"viewport\": {\"width\": 480, \"height\": 320}}"

    @Test(
        "[CON-12] incremental layout equals a fresh layout of the exported document",
        arguments: Array(0..<120 * Soak.factor) + Self.once)
    func incremental(seed: Int) throws {
        let model = try scene(Self.empty)
        var source = RandomScene(seed: UInt64(seed))
        var compared = 0
        for turn in 0..<40 {
            _ = model.apply(
                try source.turn(model, movesViews: false), atomic: source.random.below(5) == 0)
            model.runCycle()
            guard turn % 4 == 3 else { continue }
            settle(model)
            let fresh = try SceneModel(model.document())
            settle(fresh)
            #expect(fresh.viewIDs == model.viewIDs, "seed \(seed), turn \(turn)")
            #expect(
                fresh.brokenConstraintIDs == model.brokenConstraintIDs, "seed \(seed), turn \(turn)"
            )
            for (old, new) in zip(model.frames(), fresh.frames()) {
                #expect(
                    isClose(old.rect, new.rect),
                    "seed \(seed), turn \(turn), \(old.id): \(old.rect), afresh \(new.rect)")
                compared += 1
            }
            let rebuilt = try SceneModel(model.snapshot())
            let twin = try SceneModel(model.snapshot())
            #expect(rebuilt.frames() == twin.frames())
            #expect(rebuilt.stateHash == twin.stateHash)
        }
        #expect(compared > 50)
    }

    private func isClose(_ a: Rect, _ b: Rect) -> Bool {
        max(
            abs(a.minX - b.minX), abs(a.minY - b.minY), abs(a.width - b.width),
            abs(a.height - b.height)) < 1e-6
    }

    @Test("the changes handed out bring a mirror to the scene as it is shown", arguments: 0..<40)
    func mirror(seed: Int) throws {
        let model = try scene(Self.rounded)
        var source = RandomScene(seed: UInt64(1000 + seed))
        var mirror = SceneMirror()
        var tick: UInt64 = 0
        var told = 0
        try replace(&mirror, model, tick)
        var differ = SceneDiffer(.presented)
        _ = model.takeMarks()
        differ.remember(model)
        var encoder = FrameEncoder()
        for turn in 0..<60 {
            _ = model.apply(
                try source.turn(model, movesViews: true), atomic: source.random.below(5) == 0)
            model.runCycle()
            let marks = model.takeMarks()
            let base = tick
            tick += 1
            if marks.isComplete {
                try replace(&mirror, model, tick)
                differ.remember(model)
                encoder.reset()
            } else {
                let changes = differ.changes(marks, in: model, since: mirror)
                if !changes.isEmpty { told += 1 }
                var tree = Tree()
                tree.tick = tick
                tree.changes = changes.tree
                try mirror.apply(tree)
                var content = Content()
                content.tick = tick
                content.changes = changes.contents
                content.invalidations = changes.invalidations
                try mirror.apply(content)
                try mirror.apply(
                    FrameDiff(
                        tick: tick, baseTick: base, durableTick: base,
                        body: encoder.encode(changes.frames)))
            }
            #expect(mirror.records == model.records(), "seed \(seed), turn \(turn)")
            #expect(mirror.stateHash == model.stateHash, "seed \(seed), turn \(turn)")
        }
        #expect(told > 20)
    }

    private func replace(_ mirror: inout SceneMirror, _ model: SceneModel, _ tick: UInt64) throws {
        var snapshot = Snapshot()
        snapshot.tick = tick
        snapshot.views = model.records()
        snapshot.stateHash = model.stateHash
        try mirror.apply(snapshot)
    }

    @Test(
        "[CYC-4] in a cycle each view is called once a pass, unless it was marked or resized again",
        arguments: 0..<40 * Soak.factor)
    func callsOnce(seed: Int) throws {
        let model = try scene(Self.empty)
        var source = RandomScene(seed: UInt64(9000 + seed))
        let calls = CallCounter(model)
        for turn in 0..<40 {
            _ = model.apply(try source.turn(model, movesViews: true))
            calls.begin()
            model.runCycle()
            #expect(calls.repeated == [], "seed \(seed), turn \(turn)")
        }
        #expect(calls.total > 100)
    }

    @Test(
        "a scene restored from a snapshot goes on bit for bit like the one that wrote it",
        arguments: 0..<10 * Soak.factor)
    func restored(seed: Int) throws {
        let live = try scene(Self.empty)
        var source = RandomScene(seed: UInt64(7000 + seed))
        var twin: SceneModel?
        for turn in 0..<60 {
            if turn % 20 == 19 { twin = try SceneModel(live.rebuildCanonically()) }
            let list = try source.turn(live, movesViews: true)
            let outcome = live.apply(list)
            live.runCycle()
            guard let twin else { continue }
            #expect(twin.apply(list) == outcome, "seed \(seed), turn \(turn)")
            twin.runCycle()
            #expect(twin.frames() == live.frames(), "seed \(seed), turn \(turn)")
            #expect(twin.stateHash == live.stateHash, "seed \(seed), turn \(turn)")
        }
    }

    @Test("the same ops in the same order give bit-identical frames and hashes", arguments: 0..<10)
    func deterministic(seed: Int) throws {
        let left = try scene(Self.empty)
        let right = try scene(Self.empty)
        var source = RandomScene(seed: UInt64(5000 + seed))
        for turn in 0..<40 {
            let list = try source.turn(left, movesViews: true)
            #expect(left.apply(list) == right.apply(list))
            left.runCycle()
            right.runCycle()
            #expect(left.frames() == right.frames(), "seed \(seed), turn \(turn)")
            #expect(left.stateHash == right.stateHash, "seed \(seed), turn \(turn)")
        }
    }
}
