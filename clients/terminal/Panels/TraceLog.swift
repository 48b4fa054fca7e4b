import SceneWire

/// The traces of the last ticks, and the selected one.
struct TraceLog {
    /// One cycle.
    struct Cycle {
        var tick: UInt64
        var events: [String]
        /// The duration of each pass; nil if the server does not report it.
        var durations: CycleDurations?

        /// The durations by the passes' names, in nanoseconds.
        var namedDurations: [(pass: String, nanoseconds: UInt32)] {
            guard let durations else { return [] }
            return [
                ("ops", durations.ops), ("updateConstraints", durations.updateConstraints),
                ("solve", durations.solve), ("layout", durations.layout),
                ("display", durations.display),
            ]
        }

        /// The number of calls of each kind, in the order of first appearance.
        var counts: [(word: String, count: Int)] {
            var counts: [(word: String, count: Int)] = []
            for event in events {
                let word = String(event.prefix { $0 != " " })
                if let index = counts.firstIndex(where: { $0.word == word }) {
                    counts[index].count += 1
                } else {
                    counts.append((word, 1))
                }
            }
            return counts
        }

        /// The views with a call.
        func views(_ word: String) -> [String] {
            events.compactMap { event in
                let parts = event.split(separator: " ", maxSplits: 1)
                return parts.count == 2 && parts[0] == word ? String(parts[1]) : nil
            }
        }
    }

    private static let cycleMaximum = 600
    /// The maximum number of events.
    private static let eventMaximum = 100_000

    private(set) var cycles: [Cycle] = []
    private var eventCount = 0
    /// The selected tick while the trace is frozen; nil while it follows.
    private(set) var frozenTick: UInt64?

    var isFrozen: Bool { frozenTick != nil }

    mutating func note(_ cycle: Cycle) {
        cycles.append(cycle)
        eventCount += cycle.events.count
        while cycles.count > 1, cycles.count > Self.cycleMaximum || eventCount > Self.eventMaximum {
            let oldest = cycles.removeFirst()
            eventCount -= oldest.events.count
            if frozenTick == oldest.tick { frozenTick = cycles.first?.tick }
        }
    }

    /// The selected cycle.
    var shown: Cycle? {
        guard let frozenTick else { return cycles.last }
        return cycles.last { $0.tick == frozenTick }
    }

    mutating func toggleFreeze() { frozenTick = isFrozen ? nil : cycles.last?.tick }

    /// Selects the cycle before or after; freezes the trace.
    mutating func step(forward: Bool) {
        guard let tick = shown?.tick else { return }
        let next =
            forward ? cycles.first { $0.tick > tick } : cycles.last { $0.tick < tick }
        frozenTick = next?.tick ?? tick
    }

    mutating func removeAll() { self = TraceLog() }

    /// The panel's lines.
    var content: PanelContent {
        guard let shown else {
            return PanelContent(
                title: "passes",
                lines: [PanelLine("nothing has happened yet", .faint)])
        }
        var lines = [
            PanelLine([
                Span("tick \(shown.tick)", .accent),
                Span(isFrozen ? "  frozen  " : "  ", .warning),
                Span(isFrozen ? "space runs  , . step" : "space freezes", .faint),
            ])
        ]
        lines.append(.empty)
        for (word, count) in shown.counts {
            lines.append(PanelLine([Span("\(count)".leading(5)), Span("  \(word)")]))
        }
        if shown.durations != nil {
            lines.append(.empty)
            for duration in shown.namedDurations {
                let microseconds = Double(duration.nanoseconds) / 1000
                let text = NumberFormat.short(microseconds) + " µs"
                lines.append(PanelLine([Span(text.leading(12)), Span("  \(duration.pass)")]))
            }
        }
        lines.append(.empty)
        for event in shown.events {
            let parts = event.split(separator: " ", maxSplits: 1).map(String.init)
            let view = parts.count > 1 ? parts[1] : ""
            lines.append(
                PanelLine(
                    [Span(parts.first ?? "", .faint), Span(" " + view)],
                    item: view.isEmpty ? nil : .view(view)))
        }
        return PanelContent(title: "passes", lines: lines)
    }
}

/// Formats numbers.
enum NumberFormat {
    /// With about three significant digits, without trailing zeros.
    static func short(_ value: Double) -> String {
        guard value.magnitude < 1e9 else { return "\(value)" }
        let digits = value.magnitude < 10 ? 100.0 : value.magnitude < 100 ? 10 : 1
        return plain((value * digits).rounded() / digits)
    }

    /// At most two decimals, without trailing zeros.
    static func plain(_ value: Double) -> String {
        guard value.isFinite, value.magnitude < 1e12 else { return "\(value)" }
        let hundredths = Int((value.magnitude * 100).rounded())
        var text = "\(hundredths / 100)"
        if hundredths % 100 != 0 {
            text += "." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)"
            if text.hasSuffix("0") { text.removeLast() }
        }
        return value < 0 && hundredths != 0 ? "-" + text : text
    }
}

extension String {
    /// The text right-aligned in a number of columns.
    func leading(_ columns: Int) -> String {
        String(repeating: " ", count: Swift.max(0, columns - count)) + self
    }

    /// The text left-aligned in a number of columns.
    func trailing(_ columns: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, columns - count))
    }
}
