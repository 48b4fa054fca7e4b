import Testing

@testable import SceneClientSession

@Suite("Noticing a silent server")
struct SilenceWatchTests {
    private static let second: UInt64 = 1_000_000_000

    /// A watch with round numbers: 5 s to open, 10 to be welcomed, 2 of silence, 3 for an answer.
    private static func watch() -> SilenceWatch {
        var patience = ClientSession.Patience()
        patience.openNanoseconds = 5 * second
        patience.welcomeNanoseconds = 10 * second
        patience.silenceNanoseconds = 2 * second
        patience.answerNanoseconds = 3 * second
        return SilenceWatch(patience)
    }

    @Test("[CONN-39] after silence it pings once, and gives up when nothing follows")
    func silence() {
        var watch = Self.watch()
        watch.welcomed(at: 100 * Self.second)
        #expect(watch.wakeTime == 102 * Self.second)
        #expect(watch.advance(to: 102 * Self.second - 1) == .nothing)
        #expect(watch.advance(to: 102 * Self.second) == .ping)
        #expect(watch.wakeTime == 105 * Self.second)
        #expect(watch.advance(to: 105 * Self.second - 1) == .nothing)
        #expect(watch.advance(to: 105 * Self.second) == .giveUp)
        #expect(watch.wakeTime == nil)
        #expect(watch.advance(to: 200 * Self.second) == .nothing)
    }

    @Test("[CONN-39] any byte begins the silence anew, also after the ping")
    func heard() {
        var watch = Self.watch()
        watch.welcomed(at: 0)
        watch.heard(at: 1 * Self.second)
        #expect(watch.advance(to: 2 * Self.second) == .nothing)
        #expect(watch.advance(to: 3 * Self.second) == .ping)
        watch.heard(at: 5 * Self.second)
        #expect(watch.wakeTime == 7 * Self.second)
        #expect(watch.advance(to: 6 * Self.second) == .nothing)
        #expect(watch.advance(to: 7 * Self.second) == .ping)
    }

    @Test("a client that stood still itself asks once more before it gives up")
    func late() {
        var watch = Self.watch()
        watch.welcomed(at: 0)
        #expect(watch.advance(to: 2 * Self.second) == .ping)
        // Due at 5 s; more than half of the answer's time late.
        #expect(watch.advance(to: 7 * Self.second) == .ping)
        #expect(watch.wakeTime == 10 * Self.second)
        // As late again, which is no excuse any more.
        #expect(watch.advance(to: 60 * Self.second) == .giveUp)
        watch.welcomed(at: 60 * Self.second)
        #expect(watch.advance(to: 62 * Self.second) == .ping)
        // Late, but not by so much.
        #expect(watch.advance(to: 66 * Self.second) == .giveUp)
    }

    @Test("[CONN-40] a connection has to open, and the server to welcome")
    func opening() {
        var watch = Self.watch()
        watch.begin(at: 0)
        // What comes before the connection is open is no message.
        watch.heard(at: 4 * Self.second)
        #expect(watch.advance(to: 5 * Self.second - 1) == .nothing)
        #expect(watch.advance(to: 5 * Self.second) == .giveUp)
        watch.begin(at: 0)
        watch.opened(at: 3 * Self.second)
        #expect(watch.wakeTime == 13 * Self.second)
        watch.heard(at: 12 * Self.second)
        #expect(watch.advance(to: 13 * Self.second) == .nothing)
        #expect(watch.advance(to: 22 * Self.second) == .giveUp)
    }

    @Test("nothing is due where there is no limit, and times do not overflow")
    func limits() {
        var none = ClientSession.Patience()
        none.openNanoseconds = 0
        none.welcomeNanoseconds = 0
        none.silenceNanoseconds = 0
        var watch = SilenceWatch(none)
        watch.begin(at: 0)
        #expect(watch.wakeTime == nil)
        watch.opened(at: 0)
        #expect(watch.wakeTime == nil)
        watch.welcomed(at: 0)
        watch.heard(at: 1)
        #expect(watch.wakeTime == nil)
        #expect(watch.advance(to: .max) == .nothing)
        var ever = ClientSession.Patience()
        ever.silenceNanoseconds = .max
        ever.answerNanoseconds = .max
        watch = SilenceWatch(ever)
        watch.welcomed(at: 10)
        #expect(watch.wakeTime == .max)
        #expect(watch.advance(to: .max) == .ping)
        watch.stop()
        #expect(watch.wakeTime == nil)
    }
}
