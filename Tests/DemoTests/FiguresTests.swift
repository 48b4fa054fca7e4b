import Glibc
import SceneClient
import Testing

@testable import Demo

@Suite("What the monitor measures and how it says so")
struct FiguresTests {
    @Test("the processors' load is what was neither idle nor waiting between two samples")
    func processors() {
        var before = MachineSample()
        before.takeProcessors("cpu  100 0 50 800 50 0 0 0 0 0\ncpu0 1 1 1 1\nintr 5")
        #expect(before.total == 1000)
        #expect(before.busy == 150)
        var after = MachineSample()
        after.takeProcessors("cpu  150 10 70 850 60 5 5 0 999 999\n")
        #expect(after.total == 1150)
        #expect(after.busy == 240)
        // 90 of 150.
        #expect(after.load(since: before) == 0.6)
        #expect(after.load(since: after) == 0)
        #expect(before.load(since: after) == 0)
    }

    @Test("memory in use is all that is not available")
    func memory() {
        var sample = MachineSample()
        sample.takeMemory("MemTotal:  1000 kB\nMemFree: 100 kB\nMemAvailable:   750 kB\n")
        #expect(sample.memoryShare == 0.25)
        sample.takeMemory("MemTotal: 1000 kB\nMemFree: 100 kB\n")
        #expect(sample.memoryShare == 0.9)
        sample.takeMemory("")
        #expect(sample.memoryShare == 0)
    }

    @Test("traffic is what came and went over all interfaces")
    func network() {
        var sample = MachineSample()
        sample.takeNetwork(
            """
            Inter-|   Receive                                                |  Transmit
             face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs
                lo: 1000 1 0 0 0 0 0 0 2000 1 0 0 0 0 0 0
              eth0:30 1 0 0 0 0 0 0 4 1 0 0 0 0 0 0
            """)
        #expect(sample.networkBytes == 3034)
    }

    @Test("files that say nothing count as nothing")
    func rubbish() {
        var sample = MachineSample()
        sample.takeProcessors("cpu x y z\n")
        sample.takeMemory("MemTotal:\nMemAvailable: -5 kB\n:::\n")
        sample.takeNetwork("a:b:c\n:\nlo: 1 2\n")
        #expect(sample == MachineSample())
    }

    @Test(
        "bytes have three digits at most",
        arguments: [
            (0, "0 B"), (312, "312 B"), (999.4, "999 B"), (999.6, "1.0 kB"), (4140, "4.1 kB"),
            (9960, "10 kB"), (27_400_000, "27 MB"), (5.2e12, "5200 GB"), (-1, "0 B"),
        ])
    func bytes(_ count: Double, _ text: String) { #expect(Words.bytes(count) == text) }

    @Test("times and days have two digits each")
    func times() {
        var time = tm()
        (time.tm_hour, time.tm_min, time.tm_sec) = (7, 5, 9)
        (time.tm_year, time.tm_mon, time.tm_mday) = (126, 10, 3)
        #expect(Words.time(time) == "07:05:09")
        #expect(Words.date(time) == "2026-11-03")
        #expect(Words.people(1) == "1 person")
        #expect(Words.people(0) == "0 people")
    }

    @Test("the dot of the clock is where it is a second later, and so are its letters")
    func hands() {
        var time = tm()
        // A second later it is three o'clock.
        (time.tm_hour, time.tm_min, time.tm_sec) = (14, 59, 59)
        let ops = ClockFace.places(after: time)
        func multiplier(_ id: String) -> Double? {
            for case .setConstraint(id, _, _, let multiplier, _) in ops { return multiplier }
            return nil
        }
        // Straight up: minute and second. To the right: the hour.
        #expect(multiplier("second-x") == 1)
        #expect(multiplier("second-y") == 0.06)
        #expect(multiplier("minute-x") == 1)
        #expect(multiplier("minute-y") == 0.46)
        #expect(multiplier("hour-x") == 1.36)
        #expect(multiplier("hour-y") == 1)
    }

    @Test("the clock's hands are turned by six degrees a second and a minute, thirty an hour")
    func turns() {
        var time = tm()
        (time.tm_hour, time.tm_min, time.tm_sec) = (15, 30, 20)
        let ops = ClockFace.hands(at: time)
        func rotation(_ id: String) -> Double? {
            for case .setView(id, let properties) in ops {
                return properties.look.transform?.rotation
            }
            return nil
        }
        #expect(rotation("second-hand") == 120)
        #expect(rotation("minute-hand") == 182)
        // 15.17 degrees past three, to a tenth.
        #expect(rotation("hour-hand") == 105.2)
    }

    @Test("a chart drops the values at its left end, and one value is none")
    func charts() {
        var shown = Shown()
        func values(adding value: Double) -> [Double]? {
            let ops = shown.chart("a", adding: value, maximum: 3, ChartSpec(values: []))
            guard case .setView("a", let properties) = ops.first else { return nil }
            return properties.look.chart?.values
        }
        #expect(values(adding: 1) == nil)
        #expect(values(adding: 2) == [1, 2])
        #expect(values(adding: 3) == [1, 2, 3])
        #expect(values(adding: 4) == [2, 3, 4])
    }

    @Test("only what is different costs an op")
    func shown() {
        var shown = Shown()
        #expect(shown.text("a", "1").count == 1)
        #expect(shown.text("a", "1").isEmpty)
        #expect(shown.text("b", "1").count == 1)
        #expect(shown.multiplier("c", 0.5).count == 1)
        #expect(shown.multiplier("c", 0.5).isEmpty)
    }
}
