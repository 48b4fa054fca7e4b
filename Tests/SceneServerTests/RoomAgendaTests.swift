import SeededRandom
import Testing

@testable import SceneServer

@Suite("When rooms have something to do")
struct RoomAgendaTests {
    @Test("the rooms whose time has come are told in the order in which they came")
    func order() {
        var agenda = RoomAgenda()
        agenda.set("a", ClockTick(7))
        agenda.set("b", nil)
        agenda.set("c", ClockTick(3))
        agenda.set("d", ClockTick(9))
        #expect(agenda.next == ClockTick(3))
        #expect(agenda.due(through: ClockTick(8)) == ["a", "c"])
        agenda.set("b", ClockTick(8))
        #expect(agenda.due(through: ClockTick(8)) == ["a", "b", "c"])
        #expect(agenda.firstDue(through: ClockTick(8)) == "c")
        #expect(agenda.firstDue(through: ClockTick(2)) == nil)
    }

    @Test("a room whose time changes is told once, at its new time")
    func change() {
        var agenda = RoomAgenda()
        agenda.set("a", ClockTick(60))
        agenda.set("a", ClockTick(1))
        agenda.set("a", ClockTick(30))
        #expect(agenda.next == ClockTick(30))
        #expect(agenda.due(through: ClockTick(100)) == ["a"])
        agenda.set("a", nil)
        #expect(agenda.next == nil)
        #expect(agenda.due(through: ClockTick(100)) == [])
    }

    @Test("a room that was removed comes back behind the others")
    func removal() {
        var agenda = RoomAgenda()
        agenda.set("a", ClockTick(1))
        agenda.set("b", ClockTick(1))
        agenda.remove("a")
        agenda.remove("a")
        #expect(agenda.due(through: ClockTick(1)) == ["b"])
        agenda.set("a", ClockTick(1))
        #expect(agenda.due(through: ClockTick(1)) == ["b", "a"])
    }

    @Test("whatever is set, changed and removed, it tells what a dictionary would")
    func likeADictionary() {
        var random = SplitMix64(seed: 7)
        var agenda = RoomAgenda()
        var expected: [String: ClockTick] = [:]
        for _ in 0..<5_000 {
            let name = "room \(UInt64.random(in: 0..<60, using: &random))"
            switch UInt64.random(in: 0..<10, using: &random) {
            case 0:
                agenda.remove(name)
                expected[name] = nil
            case 1:
                agenda.set(name, nil)
                expected[name] = nil
            default:
                let tick = ClockTick(UInt64.random(in: 0..<100, using: &random))
                agenda.set(name, tick)
                expected[name] = tick
            }
            #expect(agenda.next == expected.values.min())
            let now = ClockTick(UInt64.random(in: 0..<100, using: &random))
            let due = agenda.due(through: now)
            #expect(due.count == Set(due).count)
            #expect(Set(due) == Set(expected.filter { $0.value <= now }.keys))
            let first = agenda.firstDue(through: now)
            let earliest = expected.values.min().flatMap { $0 <= now ? $0 : nil }
            #expect(first.flatMap { expected[$0] } == earliest)
        }
    }
}
