import Histogram
import SceneWire

/// Matches the ops of editors with the frames of members.
///
/// A result names the tick that took the ops in; each member that received that tick's frame
/// received the change. Frames come before results do, since results wait for the disk, so arrivals
/// are kept until the result is there.
struct LoadStatistics {
    /// One of a tick's frames.
    private struct Arrival {
        let time: UInt64
        let member: Int
        let isEditor: Bool
    }

    /// Ops that a tick took in.
    private struct Mutation {
        let time: UInt64
        let author: Int
    }

    /// One tick of one room.
    private struct Tick {
        var arrivals: [Arrival] = []
        /// The ops that its frames show, once that is known.
        var mutations: [Mutation] = []
    }

    private var rooms: [[UInt64: Tick]]
    private var latency = Self.microseconds()
    private var editorLatency = Self.microseconds()
    private var results = Self.microseconds()
    private(set) var frames = 0
    private(set) var ticks = 0
    private(set) var missed = 0

    init(rooms: Int) { self.rooms = Array(repeating: [:], count: rooms) }

    private static func microseconds() -> Histogram<UInt64> {
        Histogram(highestTrackableValue: 600_000_000, numberOfSignificantValueDigits: .three)
    }

    /// A frame came to a member.
    mutating func frame(_ tick: UInt64, room: Int, member: Int, isEditor: Bool, at time: UInt64) {
        frames += 1
        rooms[room][tick, default: Tick()].arrivals.append(
            Arrival(time: time, member: member, isEditor: isEditor))
    }

    /// A result came, for ops that `author` sent at `sent`.
    mutating func result(
        _ result: OpsResult, room: Int, author: Int, sent: UInt64, at time: UInt64
    ) {
        results.record((time - min(sent, time)) / 1000)
        guard case .committed = result.outcome else { return }
        rooms[room][result.tick]?.mutations.append(Mutation(time: sent, author: author))
    }

    /// Counts the ticks that are older than `tick` and removes them.
    ///
    /// - Parameter members: How many ought to have got each frame.
    mutating func countTicks(room: Int, before tick: UInt64, members: Int) {
        for (number, entry) in rooms[room] where number < tick {
            rooms[room][number] = nil
            ticks += 1
            missed += max(0, members - entry.arrivals.count)
            for mutation in entry.mutations {
                for arrival in entry.arrivals where arrival.member != mutation.author {
                    let passed = (arrival.time - min(mutation.time, arrival.time)) / 1000
                    latency.record(passed)
                    if arrival.isEditor { editorLatency.record(passed) }
                }
            }
        }
    }

    var latencyPercentiles: LoadReport.Percentiles { Self.percentiles(latency) }
    var editorLatencyPercentiles: LoadReport.Percentiles { Self.percentiles(editorLatency) }
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
