import SceneDocument
import SceneWire

/// The ops that this viewer sent, with their results.
struct OpLog: Hashable {
    enum Outcome: Hashable {
        case waiting
        case committed(tick: UInt64)
        case refused(code: String, message: String, conflicting: [String])
    }

    struct Entry: Hashable {
        /// The ops as JSON, as sent.
        var text: String
        var undoGroup: UInt32
        /// The client's number for the message, once assigned.
        var sequence: UInt64?
        var outcome = Outcome.waiting
        /// The number of messages that the entry represents.
        var count = 1
        /// The time of the last of them, in seconds of the viewer's clock.
        var time = 0.0
    }

    private static let entryMaximum = 500

    private(set) var entries: [Entry] = []
    /// Increases with each entry, so that numbers are never reused.
    private var removed = 0
    /// The entries without a number, oldest first.
    private var unnumbered: [Int] = []

    /// Adds a message that is about to be sent; one of the same undo group replaces its
    /// predecessor.
    mutating func add(_ text: String, undoGroup: UInt32, now: Double) {
        if undoGroup != 0, let last = entries.indices.last, entries[last].undoGroup == undoGroup {
            let count = entries[last].count + 1
            entries[last] = Entry(text: text, undoGroup: undoGroup, count: count, time: now)
        } else {
            entries.append(Entry(text: text, undoGroup: undoGroup, time: now))
        }
        unnumbered.append(removed + entries.count - 1)
        while entries.count > Self.entryMaximum {
            entries.removeFirst()
            removed += 1
        }
    }

    /// Numbers the oldest entry without a number.
    mutating func number(_ sequence: UInt64) {
        guard !unnumbered.isEmpty else { return }
        let index = unnumbered.removeFirst() - removed
        guard entries.indices.contains(index) else { return }
        entries[index].sequence = sequence
    }

    /// The number of entries without a result.
    var waitingCount: Int { entries.count { $0.outcome == .waiting } }

    /// The time of the oldest entry without a result.
    var waitingSince: Double? { entries.first { $0.outcome == .waiting }?.time }

    /// Marks the entries without a result as refused: no result will come.
    mutating func end(_ reason: String) {
        for index in entries.indices where entries[index].outcome == .waiting {
            entries[index].outcome = .refused(code: "closed", message: reason, conflicting: [])
        }
    }

    /// - Returns: The entry with the result.
    mutating func note(_ result: OpsResult) -> Entry? {
        guard let index = entries.lastIndex(where: { $0.sequence == result.clientSequence }) else {
            return nil
        }
        switch result.outcome {
        case .committed(let commit):
            if let refusal = commit.refusals.first {
                entries[index].outcome = Self.outcome(refusal)
            } else {
                entries[index].outcome = .committed(tick: result.tick)
            }
        case .refused(let refusal): entries[index].outcome = Self.outcome(refusal)
        }
        return entries[index]
    }

    private static func outcome(_ refusal: Refusal) -> Outcome {
        .refused(
            code: refusal.code.rawValue, message: refusal.message,
            conflicting: refusal.conflicting)
    }

    /// The last entry as one line.
    var last: [Span]? { entries.last.map { Self.spans($0) } }

    static func spans(_ entry: Entry) -> [Span] {
        var spans: [Span] = []
        switch entry.outcome {
        case .waiting: spans.append(Span("… ", .warning))
        case .committed(let tick): spans.append(Span("✓ \(tick) ", .good))
        case .refused(let code, _, _): spans.append(Span("✗ \(code) ", .bad))
        }
        spans.append(Span(entry.text))
        if entry.count > 1 { spans.append(Span("  ×\(entry.count)", .faint)) }
        return spans
    }

    /// The panel's lines, the newest first.
    var content: PanelContent {
        var lines: [PanelLine] = []
        for (index, entry) in entries.enumerated().reversed() {
            lines.append(PanelLine(Self.spans(entry), item: .op(removed + index)))
            if case .refused(_, let message, let conflicting) = entry.outcome {
                lines.append(PanelLine("  " + message, .bad))
                for id in conflicting {
                    lines.append(PanelLine("  against \(id)", .warning, item: .constraint(id)))
                }
            }
        }
        if lines.isEmpty {
            lines = [PanelLine("what you change is shown here, as the ops it sends", .faint)]
        }
        return PanelContent(title: "ops", lines: lines)
    }

    /// The ops of a line.
    func text(of index: Int) -> String? {
        entries.indices.contains(index - removed) ? entries[index - removed].text : nil
    }
}
