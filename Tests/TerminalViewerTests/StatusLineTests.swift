import CharacterWidth
import Testing

@testable import TerminalViewer

@Suite("The status line")
struct StatusLineTests {
    private func status(_ connection: String) -> StatusLine {
        var status = StatusLine(room: "demo", connection: connection, zoom: "fit")
        status.role = "editor"
        status.figures = Figures(
            tick: 123, frameRate: 12, latency: "4 ms", traffic: "1.2 kB/s")
        status.tickRate = 60
        status.memberCount = 3
        status.viewCount = 45
        status.sceneSize = GridSize(columns: 80, rows: 24)
        return status
    }

    @Test("everything is there if there is room")
    func wide() {
        let expected =
            " demo  live  editor  12/60 Hz  4 ms  1.2 kB/s  3 here  tick 123  45 views  80x24 fit   ? help "
        #expect(status("live").text(columns: expected.count) == expected)
    }

    @Test("what matters least goes first")
    func narrow() {
        #expect(status("live").text(columns: 35) == " demo  live  3 here         ? help ")
        #expect(status("live").text(columns: 21) == " demo  live   ? help ")
        #expect(status("live").text(columns: 15) == " demo  live    ")
        #expect(status("live").text(columns: 3) == "li…")
    }

    @Test(
        "it is exactly as wide as the screen",
        arguments: ["connecting", "live", "reconnecting in 5 s", "ended: 日本語の理由"])
    func widths(connection: String) {
        for columns in 0...140 {
            #expect(displayWidth(of: status(connection).text(columns: columns)) == columns)
        }
    }
}

@Suite("Meters")
struct MeterTests {
    @Test("a rate is what came in the last two seconds")
    func rate() {
        var meter = RateMeter()
        #expect(meter.rate(0) == 0)
        for second in 0...4 { meter.note(total: UInt64(second * 100), now: Double(second)) }
        #expect(meter.rate(4) == 100)
        // Nothing for a long while.
        #expect(meter.rate(9) == 0)
        meter.note(total: 1400, now: 9)
        #expect(meter.rate(9) > 100)
        #expect(RateMeter.text(bytes: 12.3) == "12 B/s")
        #expect(RateMeter.text(bytes: 1250) == "1.3 kB/s")
        #expect(RateMeter.text(bytes: 250_000) == "250 kB/s")
        #expect(RateMeter.text(bytes: 3_000_000) == "3.0 MB/s")
    }

    @Test("a ping a second; an answer gives the way there and back; silence is noticed")
    func latency() {
        var meter = LatencyMeter()
        meter.reset(now: 10)
        #expect(meter.takePing(now: 10) == 10_000_000)
        #expect(meter.takePing(now: 10.5) == nil)
        meter.answered(10_000_000, now: 10.025)
        #expect(meter.text == "25 ms")
        #expect(meter.takePing(now: 11) == 11_000_000)
        // An answer to what was never asked says nothing.
        meter.answered(5, now: 11.2)
        #expect(meter.text == "25 ms")
        #expect(meter.silence(12) == nil)
        #expect(meter.silence(13.025).map { abs($0 - 3) < 1e-9 } == true)
        meter.answered(11_000_000, now: 13.1)
        #expect(meter.silence(13.2) == nil)
    }

    @Test("between messages the ticks go on; a late message does not set them back")
    func tickClock() {
        var clock = TickClock()
        clock.note(tick: 100, rate: 60, now: 1)
        #expect(clock.tick(1) == 100)
        #expect(clock.tick(1.5) == 130)
        // Tick 125 comes when 130 was expected: the network's doing.
        clock.note(tick: 125, rate: 60, now: 1.5)
        #expect(clock.tick(1.5) == 130)
        // An earlier one than expected sets the clock on, one half a second late sets it back.
        clock.note(tick: 140, rate: 60, now: 1.5)
        #expect(clock.tick(1.5) == 140)
        clock.note(tick: 110, rate: 60, now: 1.5)
        #expect(clock.tick(1.5) == 110)
    }

    @Test(
        "while too much is without an answer nothing is drawn; a terminal that does not answer is not waited for"
    )
    func drainGauge() {
        var gauge = DrainGauge()
        // Nobody knows whether it answers.
        #expect(gauge.wrote(1_000_000, now: 0) == false)
        #expect(gauge.isOpen(now: 0) == true)
        gauge.enable()
        #expect(gauge.wrote(4000, now: 0) == false)
        #expect(gauge.wrote(200, now: 0) == true)
        #expect(gauge.isOpen(now: 0) == true)
        #expect(gauge.wrote(30_000, now: 0.1) == true)
        #expect(gauge.isOpen(now: 0.2) == false)
        gauge.answered()
        #expect(gauge.isOpen(now: 0.3) == true)
        #expect(gauge.wrote(10_000, now: 0.4) == true)
        #expect(gauge.isOpen(now: 0.5) == false)
        #expect(gauge.deadline == 2.1)
        #expect(gauge.isOpen(now: 2.2) == true)
        #expect(!gauge.isEnabled)
    }
}
