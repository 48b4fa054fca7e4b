import SeededRandom
import Testing

@testable import AutoLayout
@testable import Cassowary

/// The constraints that an engine keeps for an item.
@Suite("Constraints of the engine's own")
struct SystemConstraintTests {
    @Test(
        "one of each role: the content's after the others, which are in the order in which they came"
    )
    func roles() {
        let roles: [SystemRole] = [
            .frameX, .frameY, .frameWidth, .frameHeight, .contentWidth, .contentHeight,
        ]
        var generator = SplitMix64(seed: 7)
        var constraints = SystemConstraints()
        var others: [SystemRole] = []
        var ids: [SystemRole: ConstraintID] = [:]
        for step in 0..<2000 {
            let role = roles[generator.below(roles.count)]
            let isContent = role == .contentWidth || role == .contentHeight
            if generator.below(2) == 0 {
                let id = step % 9 == 0 ? nil : ConstraintID(index: Int32(step))
                constraints.put(SystemConstraint(role, id))
                ids[role] = id
                if !isContent, !others.contains(role) { others.append(role) }
            } else {
                #expect(constraints.remove(role)?.id == ids[role])
                ids[role] = nil
                others.removeAll { $0 == role }
            }
            // Of a content that could not be put in force nothing is kept.
            let contents = [SystemRole.contentWidth, .contentHeight].filter { ids[$0] != nil }
            #expect(constraints.all.map(\.role) == others + contents)
            #expect(constraints.all.map(\.id) == (others + contents).map { ids[$0] })
            #expect(constraints.isEmpty == (others + contents).isEmpty)
            for role in roles { #expect(constraints[role]?.id == ids[role]) }
        }
    }

    @Test(
        "what is said already costs the solver nothing; another constant or strength keeps the constraint"
    )
    func restating() throws {
        let window = Window(size: Size(width: 300, height: 200))
        let view = View()
        try window.addSubview(view)
        view.intrinsicContentSizeOverride = Size(width: 30, height: 20)
        try window.runCycle()
        let engine = try #require(window.engine)
        let before = view.systemConstraints.all.map(\.id)
        #expect(before.count == 2)
        #expect(!before.contains(nil))
        let work = engine.solver.currentWork()
        view.invalidateIntrinsicContentSize()
        let (workAfter, needsSolve) = (engine.solver.currentWork(), engine.solver.needsSolve)
        #expect(workAfter == work)
        #expect(!needsSolve)
        view.intrinsicContentSizeOverride = Size(width: 40, height: 20)
        #expect(engine.needsSettling)
        view.setContentHuggingPriority(300, for: .vertical)
        #expect(view.systemConstraints.all.map(\.id) == before)
        let (width, height) = (try #require(before[0]), try #require(before[1]))
        let constants = [engine.solver.constant(of: width), engine.solver.constant(of: height)]
        #expect(constants == [-40, -20])
        let strengths = [engine.solver.strengths(of: width), engine.solver.strengths(of: height)]
        #expect(strengths.map(\.below) == [Strength(750), Strength(750)])
        #expect(strengths.map(\.above) == [Strength(250), Strength(300)])
    }
}
