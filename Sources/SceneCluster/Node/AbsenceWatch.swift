/// Which nodes are gone, as the engine's servers know before silence shows it: a process that dies leaves them at once, and then
/// nobody listens for its node any more.
///
/// Being wrong does no harm, as with silence: a node that is between two servers is missed for a moment, so that one miss is not
/// enough, and a shard's journal decides who owns it.
struct AbsenceWatch: Sendable {
    /// A node is asked for after so long without a beat: a third more than the time between two.
    static let patience = Duration.milliseconds(100)
    /// How often it is asked for from then on.
    static let interval = Duration.milliseconds(30)
    /// A node is gone after so many answers in a row that nobody listens for it.
    static let missesMinimum = 2

    private struct Question {
        var askedAt: MonotonicInstant
        var misses = 0
    }

    private var questions: [NodeLife: Question] = [:]

    /// The processes to be asked for now.
    ///
    /// - Parameter quiet: Those that nothing has been heard of for `patience`; what was asked about others is forgotten.
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

    /// Nobody listens for a process's node, so the engine's servers say.
    ///
    /// - Returns: Whether it is gone.
    mutating func miss(_ life: NodeLife) -> Bool {
        guard var question = questions[life] else { return false }
        question.misses += 1
        questions[life] = question
        return question.misses >= Self.missesMinimum
    }

    /// Whether a process was missed since something was heard of it.
    func misses(_ life: NodeLife) -> Bool { questions[life].map { $0.misses > 0 } ?? false }
}
