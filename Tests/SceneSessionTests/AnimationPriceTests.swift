import JSON
import SceneDocument
import SceneModel
import SceneWire
import Testing

@testable import SceneSession

/// Twenty views whose width follows the root's: 100 points, and 700 at the end of an animation of
/// an hour.
@Suite("What animations cost, and rooms in which nothing else happens")
struct AnimationPriceTests {
    private static let count = 20
    private static let document = """
        {"scene": 1, "viewport": {"width": 100, "height": 100},
         "views": [\((0..<count).map { #"{"id":"v\#($0)"}"# }.joined(separator: ","))],
         "constraints": [\((0..<count).map { #""v\#($0).width == root.width""# }.joined(separator: ","))]}
        """

    private static func animation(seconds: Int, delay: Int = 0) -> String {
        #"[{"op":"animate","duration":\#(seconds),"delay":\#(delay),"curve":"linear","ops":[{"op":"setViewport","width":700},{"op":"layoutIfNeeded"}]}]"#
    }

    private func model(seconds: Int) throws -> SceneModel {
        let model = try SceneModel(try SceneDocument.parse(Array(Self.document.utf8)))
        let ops = try Op.parseArray(
            JSONReader.read(Array(Self.animation(seconds: seconds, delay: 1).utf8)))
        #expect(model.apply(ops).refusals.isEmpty)
        model.runCycle()
        return model
    }

    @Test(
        "cycles that only animate are skipped to the same scene",
        arguments: [1, 2, 59, 61, 119, 120])
    func skipped(cycles: Int) throws {
        let (one, other) = (try model(seconds: 1), try model(seconds: 1))
        _ = one.takeMarks()
        _ = other.takeMarks()
        #expect(one.onlyAnimates)
        for _ in 0..<cycles { one.runCycle() }
        let before = other.work
        other.skipCycles(cycles)
        #expect(one.records(.presented) == other.records(.presented))
        #expect(one.records() == other.records())
        #expect(one.stateHash == other.stateHash)
        #expect(one.snapshot().animations == other.snapshot().animations)
        #expect(one.isIdle == other.isIdle)
        #expect(one.takeMarks().isEmpty == other.takeMarks().isEmpty)
        // A jump costs what one cycle does.
        let jump = other.work - before
        #expect(jump > 0 && jump < 600 * UInt64(Self.count + 1))
    }

    @Test("each cycle has a price for each view on its way, and for telling of it")
    func price() throws {
        let model = try model(seconds: 100)
        _ = model.takeMarks()
        let before = model.work
        model.runCycle()
        // A fade is 90 units, a frame 120, one superview 8.
        #expect(model.work - before >= UInt64(Self.count) * 218)
    }

    @Test("a room that nobody watches has no ticks until its animations end")
    func paused() throws {
        let room = try TestRoom(Self.document)
        let editor = try room.join(1)
        try room.apply(Self.animation(seconds: 3600), from: editor)
        try room.runTicks(80)
        let left = room.tick
        #expect(room.session.nextTick == left + 1)
        try room.handle(.left(editor))
        // It began with the tick after the op's, and takes 216,000.
        let end = try #require(room.session.nextTick)
        #expect(end > 216_000 && end <= 216_002)
        let work = room.session.totalWork
        // An event of one who comes back is preceded by the tick of now.
        try room.handle(.tick(left + 108_000))
        #expect(room.session.totalWork - work < 20_000)
        room.tick = left + 108_000
        let viewer = try room.join(2, role: .viewer)
        let shown = try #require(room.mirrors[viewer]?.records.first { $0.id == "v3" })
        // 80 and 108,000 of 216,000 ticks: 100 + 600 × 0.5003.
        #expect(shown.frame.width == 400)
        #expect(room.session.nextTick == room.tick + 1)
        try room.runTicks(1)
        // A replay that runs every cycle has the same scene.
        let player = try JournalPlayer(room.journal, tracksUndo: false)
        var budget = Int.max
        try player.advance(to: room.session.tick, budget: &budget, observing: 0)
        #expect(player.timeline.model.stateHash == room.session.stateHash)
        let quick = try JournalPlayer(room.journal, tracksUndo: false)
        budget = 20
        #expect(try quick.advance(to: room.session.tick, budget: &budget))
        #expect(quick.timeline.model.stateHash == room.session.stateHash)
    }

    @Test("the end of an animation that nobody watches is one tick")
    func end() throws {
        let room = try TestRoom(Self.document)
        let editor = try room.join(1)
        try room.apply(Self.animation(seconds: 10), from: editor)
        try room.handle(.left(editor))
        // The others tell members of the state and of diagnostics, if there were some.
        var due: [UInt64] = []
        while let next = room.session.nextTick, due.count < 10 {
            due.append(next)
            try room.handle(.tick(next))
        }
        room.tick = due.last ?? 0
        #expect(due.count <= 4 && room.tick >= 600 && room.tick <= 660)
        let viewer = try room.join(2, role: .viewer)
        #expect(room.mirrors[viewer]?.records.first { $0.id == "v3" }?.frame.width == 700)
    }

    @Test("ticks that came late are charged once, not each")
    func late() throws {
        let room = try TestRoom(Self.document)
        let editor = try room.join(1)
        try room.apply(Self.animation(seconds: 3600), from: editor)
        try room.runTicks(10)
        let before = room.session.totalWork
        try room.handle(.tick(room.tick + 10_000))
        let spent = room.session.totalWork - before
        #expect(spent > 0 && spent < 20_000)
    }

    @Test("an animation is as long as the room allows, and a journal has longer ones all the same")
    func longest() throws {
        var options = SessionOptions()
        options.sceneLimits.animationSeconds = 60
        let room = try TestRoom(Self.document, options: options)
        let editor = try room.join(1)
        for (seconds, delay) in [(61, 0), (1, 61)] {
            try room.apply(Self.animation(seconds: seconds, delay: delay), from: editor)
            guard case .refused(let refusal)? = room.results[editor]?.last?.outcome else {
                Issue.record("it was taken")
                continue
            }
            #expect(refusal.code == .limit)
        }
        try room.apply(Self.animation(seconds: 60, delay: 60), from: editor)
        #expect(isCommitted(room.results[editor]?.last?.outcome))
        let free = try TestRoom(Self.document)
        try free.apply(Self.animation(seconds: 3600), from: try free.join(1))
        let opened = try TestRoom(replaying: free.journal, options: options)
        #expect(opened.session.viewCount == Self.count + 1)
        #expect(opened.session.stateHash == free.session.stateHash)
    }

    private func isCommitted(_ outcome: OpsResult.Outcome?) -> Bool {
        if case .committed? = outcome { true } else { false }
    }

    @Test("no animation begins where too many views are on their way")
    func most() throws {
        var options = SessionOptions()
        options.sceneLimits.animations = 40
        let room = try TestRoom(Self.document, options: options)
        let editor = try room.join(1)
        for width in [700, 400, 300] {
            let ops = Self.animation(seconds: 60)
                .replacing(#""width":700"#, with: #""width":\#(width)"#)
            try room.apply(ops, from: editor)
        }
        let outcomes = room.results[editor]?.map(\.outcome) ?? []
        #expect(outcomes.count == 3)
        #expect(isCommitted(outcomes[1]))
        guard case .refused(let refusal) = outcomes[2] else {
            Issue.record("it was taken")
            return
        }
        #expect(refusal.code == .limit)
    }
}
