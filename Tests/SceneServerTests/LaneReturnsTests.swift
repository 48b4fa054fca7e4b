import Testing

@testable import SceneServer

@Suite("Rooms of the slow lane on their way home")
struct LaneReturnsTests {
    @Test("a recalled room takes its offer and its mail along, once")
    func taking() {
        var returns = LaneReturns()
        #expect(!returns.isOffered("a"))
        returns.offer("a", ReturningRoom(reason: "too large"))
        returns.keep(.elsewhere("for a"), for: "a")
        returns.keep(.elsewhere("for b"), for: "b")
        #expect(returns.isOffered("a"))
        let first = returns.take("a")
        #expect(first.reason == "too large")
        guard first.mail.count == 1, case .elsewhere("for a") = first.mail[0] else {
            Issue.record("\(first.mail)")
            return
        }
        #expect(!returns.isOffered("a"))
        let second = returns.take("a")
        #expect(second.reason == nil)
        #expect(second.mail.isEmpty)
    }

    @Test("a room has been light since it last was not")
    func light() {
        var returns = LaneReturns()
        #expect(returns.nextReturn(after: 300) == nil)
        let ticks = [10, 25].map { returns.note("a", isLight: true, at: ClockTick($0)) }
        #expect(ticks == [0, 15])
        let first = returns.note("b", isLight: true, at: ClockTick(20))
        #expect(first == 0)
        #expect(returns.nextReturn(after: 300) == ClockTick(310))
        let heavy = returns.note("a", isLight: false, at: ClockTick(30))
        #expect(heavy == nil)
        #expect(returns.nextReturn(after: 300) == ClockTick(320))
        let again = returns.note("a", isLight: true, at: ClockTick(40))
        #expect(again == 0)
        returns.forget("b")
        #expect(returns.nextReturn(after: 300) == ClockTick(340))
        _ = returns.take("a")
        #expect(returns.nextReturn(after: 300) == nil)
    }

    @Test("summaries are due at first, and then once in an interval")
    func summaries() {
        var returns = LaneReturns()
        let due = [5, 64, 65].map { returns.takeSummaries(at: ClockTick($0), interval: 60) }
        #expect(due == [true, false, true])
    }
}
