import Histogram
import SceneProtocol

/// Joins what editors sent to what members got.
///
/// A result names the tick that took the ops in; whoever got that tick's frame got the change. Frames come before
/// results do, since results wait for the disk, so arrivals are kept until the result is there.
struct LoadStatistics {
    /// Arrivals of one tick's frame in one room.
    private struct Arrivals {
        var times: [UInt64] = []
        /// When the first of the ops that it shows were sent, once that is known.
        var sentAt: UInt64?
    }

    private var arrivals: [[UInt64: Arrivals]]
    private var latency = Histogram<UInt64>(
        highestTrackableValue: 600_000_000, numberOfSignificantValueDigits: .three)
    private var results = Histogram<UInt64>(
        highestTrackableValue: 600_000_000, numberOfSignificantValueDigits: .three)
    private(set) var frames = 0
    private(set) var ticks = 0
    private(set) var missed = 0

    init(rooms: Int) { arrivals = Array(repeating: [:], count: rooms) }

    /// A frame came.
    mutating func frame(_ tick: UInt64, room: Int, at time: UInt64) {
        frames += 1
        arrivals[room][tick, default: Arrivals()].times.append(time)
    }

    /// A result came, for ops that were sent at `sent`.
    mutating func result(_ result: OpsResult, room: Int, sent: UInt64, at time: UInt64) {
        results.record((time - min(sent, time)) / 1000)
        guard case .committed = result.outcome else { return }
        let earlier = arrivals[room][result.tick]?.sentAt ?? sent
        arrivals[room][result.tick]?.sentAt = min(earlier, sent)
    }

    /// Counts the ticks that are older than `tick` and lets them go.
    ///
    /// - Parameter members: How many ought to have got each frame.
    mutating func settle(room: Int, before tick: UInt64, members: Int) {
        for (number, entry) in arrivals[room] where number < tick {
            arrivals[room][number] = nil
            ticks += 1
            missed += max(0, members - entry.times.count)
            guard let sent = entry.sentAt else { continue }
            for time in entry.times { latency.record((time - min(sent, time)) / 1000) }
        }
    }

    var latencyPercentiles: LoadReport.Percentiles { Self.percentiles(latency) }
    var resultPercentiles: LoadReport.Percentiles { Self.percentiles(results) }

    private static func percentiles(_ histogram: Histogram<UInt64>) -> LoadReport.Percentiles {
        var values = LoadReport.Percentiles()
        values.count = Int(clamping: histogram.totalCount)
        guard values.count > 0 else { return values }
        values.p50 = histogram.valueAtPercentile(50)
        values.p90 = histogram.valueAtPercentile(90)
        values.p99 = histogram.valueAtPercentile(99)
        values.p999 = histogram.valueAtPercentile(99.9)
        values.maximum = histogram.max
        return values
    }
}
