import SceneProtocol

/// What a room's work may cost, and what it has cost.
struct WorkAccount {
    /// What is allowed.
    let budget: WorkBudget
    /// Units that one tick may take where the room is now, before it goes on elsewhere.
    var slice = UInt64.max
    /// Requests that are tried together in one tick; fewer after some were too dear to lay out at once.
    private(set) var requestMaximum = Int.max
    /// What it took to make the scene from its last snapshot.
    private(set) var snapshotWork: UInt64
    /// What it took to get from there to the present, which a replay of the journal spends again.
    private(set) var journalWork: UInt64
    /// For changes.
    private(set) var changes: WorkPurse
    /// For questions: a quarter as much.
    private(set) var questions: WorkPurse
    /// What all questions have cost so far.
    private(set) var questionWork: UInt64 = 0
    private var tick: UInt64
    private let ticksPerSecond: UInt64
    /// What was spent in the present second of ticks, and in the one before.
    private var seconds: (number: UInt64, now: UInt64, before: UInt64) = (0, 0, 0)

    init(_ budget: WorkBudget, tickRate: Int, tick: UInt64, snapshot: UInt64, journal: UInt64) {
        self.budget = budget
        self.tick = tick
        snapshotWork = snapshot
        journalWork = journal
        changes = WorkPurse(second: budget.second, tickRate: tickRate, tick: tick)
        questions = WorkPurse(second: budget.second / 4, tickRate: tickRate, tick: tick)
        ticksPerSecond = UInt64(max(tickRate, 1))
    }

    // MARK: The purses

    /// Pays what comes with the ticks that have passed.
    mutating func refill(to now: UInt64) {
        tick = now
        changes.refill(to: now)
        questions.refill(to: now)
    }

    /// Notes what a tick's changes have cost.
    mutating func spend(_ units: UInt64) {
        changes.spend(units)
        count(units)
    }

    /// Notes what a question has cost. People who only look do not use up what editors may spend.
    mutating func spendOnQuestion(_ units: UInt64) {
        questions.spend(units)
        questionWork &+= units
        count(units)
    }

    private mutating func count(_ units: UInt64) {
        let number = tick / ticksPerSecond
        if number != seconds.number {
            seconds = (number, 0, number == seconds.number + 1 ? seconds.now : 0)
        }
        seconds.now &+= units
    }

    /// Units that one question may take, and whether that is all that the tick's slice has.
    var questionLimit: (units: UInt64, isSlice: Bool) {
        (min(budget.tick, slice), slice < budget.tick)
    }

    /// Whether a second's ticks take an eighth of a slice each on average at most.
    func isLight(within slice: UInt64, at now: UInt64) -> Bool {
        let age = now / ticksPerSecond - min(seconds.number, now / ticksPerSecond)
        let recent = age == 0 ? max(seconds.now, seconds.before) : age == 1 ? seconds.now : 0
        return recent / ticksPerSecond <= slice / 8
    }

    // MARK: Requests that are laid out together

    /// Notes that so many requests were too dear to lay out at once.
    mutating func tryFewer(than count: Int) { requestMaximum = max(1, count / 2) }

    /// Notes that a tick's requests were laid out.
    mutating func tryMore() {
        guard requestMaximum < .max else { return }
        requestMaximum = requestMaximum > 1 << 16 ? .max : requestMaximum * 2
    }

    // MARK: What a replay costs

    /// What it takes to bring the scene back from the journal.
    var replayWork: UInt64 { snapshotWork &+ journalWork }

    /// Notes work that a replay does again.
    mutating func journalled(_ units: UInt64) { journalWork &+= units }

    /// Notes that the scene was written anew.
    mutating func wroteSnapshot(_ units: UInt64) {
        snapshotWork = units
        journalWork = 0
    }

    /// Whether a replay takes so long that the scene should be written anew, which costs about as much as making it: then
    /// all snapshots together cost at most an eighth of the work that makes them due.
    var isSnapshotDue: Bool { journalWork >= enoughWork }
    /// Whether it should be written anew at once, however little the moment fits.
    var isSnapshotOverdue: Bool { journalWork / 4 >= enoughWork }

    private var enoughWork: UInt64 { max(budget.message / 4, 8 * snapshotWork) }
}
