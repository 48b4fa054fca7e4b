import Testing

@testable import SceneServer

@Suite("The timetable of a thread's rooms")
struct RoomTimetableTests {
    @Test("the next tick is the earliest of work and freezing")
    func next() {
        var timetable = RoomTimetable()
        #expect(timetable.next == nil)
        timetable.set("a", .init(work: ClockTick(7), freeze: nil))
        #expect(timetable.next == ClockTick(7))
        timetable.set("b", .init(work: nil, freeze: ClockTick(5)))
        #expect(timetable.next == ClockTick(5))
        #expect(timetable.firstFreeze(through: ClockTick(4)) == nil)
        #expect(timetable.firstFreeze(through: ClockTick(5)) == "b")
        #expect(timetable.due(through: ClockTick(7)) == ["a"])
        timetable.set("a", nil)
        timetable.set("b", nil)
        #expect(timetable.next == nil)
    }

    @Test("a touched room keeps its entry until the update, which asks for it once")
    func touch() {
        var timetable = RoomTimetable()
        timetable.set("a", .init(work: ClockTick(9), freeze: nil))
        timetable.set("b", .init(work: ClockTick(9), freeze: nil))
        for _ in 0..<3 { timetable.touch("a") }
        #expect(timetable.next == ClockTick(9))
        var asked: [String] = []
        timetable.updateTouched { name in
            asked.append(name)
            return .init(work: ClockTick(2), freeze: nil)
        }
        #expect(asked == ["a"])
        #expect(timetable.due(through: ClockTick(2)) == ["a"])
        timetable.updateTouched { name in
            asked.append(name)
            return nil
        }
        #expect(asked == ["a"])
    }
}
