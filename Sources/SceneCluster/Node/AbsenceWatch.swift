/// Detects dead nodes sooner than silence does. When a process dies, the engine's servers remove
/// its subscriptions at once, and report a message on a subject without subscribers.
///
/// A wrong result does no harm, as with silence: a shard's journal decides who owns it. A node that
/// moves from one server to another has no subscriptions for a moment, so one report is not enough.
struct AbsenceWatch: Sendable {
    /// The time without a beat after which a node is probed: a third more than the time between two
    /// beats.
    static let patience = Duration.milliseconds(100)
    /// The time between two probes of one node.
    static let interval = Duration.milliseconds(30)
    /// A node is gone after this number of reports since its last beat.
    static let missesMinimum = 2

    private struct Question {
        var askedAt: MonotonicInstant
        var misses = 0
    }

    private var questions: [NodeLife: Question] = [:]

    /// The processes to probe now.
    ///
    /// - Parameter quiet: The processes without a beat for `patience`; the reports on all others
    ///   are forgotten.
    /// - Complexity: O(quiet).
    mutating func due(among quiet: [NodeLife], at now: MonotonicInstant) -> [NodeLife] {
        guard !quiet.isEmpty else {
            if !questions.isEmpty { questions = [:] }
            return []
        }
        var next: [NodeLife: Question] = [:]
        var due: [NodeLife] = []
        for life in quiet {
            let known = questions[life]
            if let known, now.elapsed(since: known.askedAt) < Self.interval {
                next[life] = known
            } else {
                next[life] = Question(askedAt: now, misses: known?.misses ?? 0)
                due.append(life)
            }
        }
        questions = next
        return due
    }

    /// Takes the report that a process's node has no subscribers.
    ///
    /// - Returns: Whether it is gone.
    mutating func miss(_ life: NodeLife) -> Bool {
        guard var question = questions[life] else { return false }
        question.misses += 1
        questions[life] = question
        return question.misses >= Self.missesMinimum
    }

    /// Whether there was a report on a process since its last beat.
    func misses(_ life: NodeLife) -> Bool { questions[life].map { $0.misses > 0 } ?? false }
}
