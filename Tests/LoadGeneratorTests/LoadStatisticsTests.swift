import SceneDocument
import SceneWire
import Testing

@testable import LoadGenerator

@Suite("What a load finds out")
struct LoadStatisticsTests {
    private func result(_ tick: UInt64) -> OpsResult {
        var result = OpsResult()
        result.tick = tick
        result.outcome = .committed(Commit())
        return result
    }

    @Test(
        "each of a tick's ops is measured at each member but its author, and at editors once more")
    func latency() {
        var statistics = LoadStatistics(rooms: 2)
        let milliseconds: UInt64 = 1_000_000
        // Editors 1 and 2, viewer 3; frames of tick 7 after 20, 21 and 22 ms.
        for (member, isEditor) in [(1, true), (2, true), (3, false)] {
            statistics.frame(
                7, room: 1, member: member, isEditor: isEditor,
                at: UInt64(19 + member) * milliseconds)
        }
        statistics.result(
            result(7), room: 1, author: 1, sent: 10 * milliseconds, at: 23 * milliseconds)
        statistics.result(
            result(7), room: 1, author: 2, sent: 18 * milliseconds, at: 23 * milliseconds)
        statistics.countTicks(room: 1, before: 7, members: 4)
        #expect(statistics.ticks == 0)
        statistics.countTicks(room: 1, before: 8, members: 4)
        // From 1: 11 ms at 2, 12 ms at 3; from 2: 2 ms at 1, 4 ms at 3.
        let all = statistics.latencyPercentiles
        #expect(all.count == 4)
        #expect((3990...4010).contains(all.p50))
        #expect((11_990...12_010).contains(all.maximum))
        let editors = statistics.editorLatencyPercentiles
        #expect(editors.count == 2)
        #expect((1990...2010).contains(editors.p50))
        #expect((10_990...11_010).contains(editors.maximum))
        #expect(statistics.resultPercentiles.count == 2)
        #expect((statistics.ticks, statistics.frames, statistics.missed) == (1, 3, 1))
    }

    @Test("what was refused changed no frame")
    func refused() {
        var statistics = LoadStatistics(rooms: 1)
        statistics.frame(7, room: 0, member: 1, isEditor: false, at: 20_000_000)
        var refused = result(7)
        refused.outcome = .refused(Refusal(code: .limit, message: "no"))
        statistics.result(refused, room: 0, author: 2, sent: 1, at: 30_000_000)
        statistics.countTicks(room: 0, before: .max, members: 1)
        #expect(statistics.latencyPercentiles.count == 0)
        #expect(statistics.resultPercentiles.count == 1)
    }
}
