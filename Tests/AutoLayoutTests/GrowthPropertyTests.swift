import SeededRandom
import Testing

@testable import AutoLayout
@testable import Cassowary

@Suite("Nothing grows")
struct GrowthPropertyTests {
    private static let rounds = 100_000

    /// All whose size could creep up.
    private func sizes(_ engine: LayoutEngine, _ view: View) -> [Int] {
        let counts = engine.solver.counts
        return [
            counts.variables, counts.constraints, counts.rows, view.attachedConstraints.count,
            engine.brokenConstraints.count,
        ]
    }

    /// Buffers that are looked up by index may be wider than what they hold, by what was in use at
    /// one time.
    private static let slack = 16

    @Test("[CON-12] 100,000 rounds of adding, laying out and removing leave everything as it was")
    func constraints() throws {
        let window = Window(size: Size(width: 300, height: 200))
        let view = View(identifier: "view")
        try window.addSubview(view)
        let width = try place(view, width: 60)
        width.priority = 500
        try window.runCycle()
        let engine = try #require(window.engine)
        var random = SplitMix64(seed: 3)
        var before: [Int] = []
        var kept = 0
        let frame = view.frame
        for round in 0..<Self.rounds {
            let constraint = view.widthAnchor.constraint(
                lessThanOrEqualToConstant: Double(random.below(200)))
            constraint.priority = LayoutPriority(Double(1 + random.below(1000)))
            try constraint.activate()
            if round % 3 == 0 { try window.runCycle() }
            constraint.deactivate()
            if round % 7 == 0 { try window.runCycle() }
            // The first rounds may widen buffers.
            if round == 100 {
                before = sizes(engine, view)
                kept = engine.bookkeepingCount
            }
        }
        try window.runCycle()
        #expect(sizes(engine, view) == before)
        #expect(engine.bookkeepingCount <= kept + Self.slack)
        #expect(view.frame == frame)
    }

    @Test("[CON-12] nor do 20,000 rounds of views that come and go")
    func views() throws {
        let window = Window(size: Size(width: 300, height: 200))
        try window.runCycle()
        let engine = try #require(window.engine)
        var before: [Int] = []
        var kept = 0
        for round in 0..<20_000 {
            let view = View(identifier: "view")
            let inner = View(identifier: "inner")
            try window.addSubview(view)
            try view.addSubview(inner)
            _ = try place(view, width: 100)
            _ = try place(inner, width: 50)
            if round % 2 == 0 { try window.runCycle() }
            view.removeFromSuperview()
            if round % 5 == 0 { try window.runCycle() }
            if round == 100 {
                before = sizes(engine, window)
                kept = engine.bookkeepingCount
            }
        }
        try window.runCycle()
        #expect(sizes(engine, window) == before)
        #expect(engine.bookkeepingCount <= kept + Self.slack)
        #expect(window.subviews.isEmpty)
    }
}
