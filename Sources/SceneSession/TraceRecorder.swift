import SceneModel
import SceneProtocol

/// What the passes of a tick called and marked, while a member traces them.
final class TraceRecorder {
    private struct Line {
        var view: String
        var text: String
    }

    /// Lines in one tick; what is beyond is left out.
    private static let lineMaximum = 4096

    private var lines: [Line] = []
    /// The time in nanoseconds, for the durations in traces; they are left out without it. The scene does not depend on
    /// it: it is read only while a member traces, and only told.
    var clock: (() -> UInt64)?
    /// The clock, while a member traces.
    private var tracingClock: (() -> UInt64)?

    /// Listens to the passes of a scene, or stops.
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

    /// Measures work in nanoseconds; `nil` where no member traces, or without a clock.
    func measure(_ work: () -> Void) -> UInt64? {
        guard let now = tracingClock else {
            work()
            return nil
        }
        let began = now()
        work()
        return now() &- began
    }

    /// Forgets what a tick has recorded so far: the loading of views is nothing that members want traced.
    func clear() { lines.removeAll(keepingCapacity: true) }

    /// Gives back the memory.
    func release() { lines = [] }

    /// Hands out the messages of a tick for the members that trace, and forgets its lines.
    ///
    /// - Parameters:
    ///   - durations: How long ops and passes took.
    ///   - members: Who may trace the scene; asked only where there is something to tell.
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
