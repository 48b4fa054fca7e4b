import SceneModel
import SceneWire

/// Records what the passes of a tick called and marked while a member traces them.
final class TraceRecorder {
    private struct Line {
        var view: String
        var text: String
    }

    /// The maximum number of lines in one tick; further lines are dropped.
    private static let lineMaximum = 4096

    private var lines: [Line] = []
    /// The time in nanoseconds, for the durations in traces; without it traces have no durations.
    /// The scene does not depend on it: it is read only while a member traces.
    var clock: (() -> UInt64)?
    /// The clock, while a member traces.
    private var tracingClock: (() -> UInt64)?

    /// Starts or stops recording the passes of a scene.
    func follow(_ model: SceneModel, isWanted: Bool) {
        guard isWanted else {
            model.trace(nil)
            model.passClock = nil
            tracingClock = nil
            lines.removeAll()
            return
        }
        model.passClock = clock
        tracingClock = clock
        model.trace { [unowned self] view, text in
            guard lines.count < Self.lineMaximum else { return }
            lines.append(Line(view: view, text: text))
        }
    }

    /// Measures work in nanoseconds; `nil` if no member traces, or without a clock.
    func measure(_ work: () -> Void) -> UInt64? {
        guard let now = tracingClock else {
            work()
            return nil
        }
        let began = now()
        work()
        return now() &- began
    }

    /// Discards the lines of the tick so far: the loading of views is not traced.
    func clear() { lines.removeAll(keepingCapacity: true) }

    /// Releases the memory.
    func release() { lines = [] }

    /// Returns the messages of a tick for tracing members, and clears its lines.
    ///
    /// - Parameters:
    ///   - durations: The durations of ops and passes.
    ///   - members: The candidates; evaluated only if there are lines.
    func takeMessages(
        tick: UInt64, durations: CycleDurations?, for members: () -> [Member]
    ) -> [(member: Member, message: ServerMessage)] {
        guard !lines.isEmpty else { return [] }
        let all = lines
        lines.removeAll(keepingCapacity: true)
        return members().compactMap { member in
            guard let views = member.traced, member.phase == .inStep else { return nil }
            var message = Trace()
            message.tick = tick
            message.durations = durations
            message.events = all.filter { views.isEmpty || views.contains($0.view) }.map(\.text)
            return message.events.isEmpty ? nil : (member, .trace(message))
        }
    }
}
