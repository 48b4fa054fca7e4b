import Testing

@testable import SceneServer

@Suite("The processor time of rooms")
struct RoomTimesTests {
    @Test("the present second counts and the one before, and no earlier ones")
    func seconds() {
        let times = RoomTimes()
        times.add(nanoseconds: 30, second: 7, missedTicks: 0)
        times.add(nanoseconds: 12, second: 7)
        #expect(times.nanoseconds(inSecond: 7) == 42)
        #expect(times.nanoseconds(inSecond: 8) == 42)
        #expect(times.nanoseconds(inSecond: 9) == 0)
        times.add(nanoseconds: 5, second: 8, missedTicks: 0)
        #expect(times.nanoseconds(inSecond: 8) == 42)
        #expect(times.nanoseconds(inSecond: 9) == 5)
        times.add(nanoseconds: 1, second: 20)
        #expect(times.nanoseconds(inSecond: 20) == 1)
    }

    @Test("ticks that a starved thread did not run count as if they had")
    func missed() {
        let times = RoomTimes()
        times.add(nanoseconds: 2_000, second: 1, missedTicks: 9)
        times.add(nanoseconds: 4_000, second: 1, missedTicks: 19)
        // Two ticks of 3,000 each on average, and 28 more.
        #expect(times.nanoseconds(inSecond: 1) == 90_000)
    }
}
