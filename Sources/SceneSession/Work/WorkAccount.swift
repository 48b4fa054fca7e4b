import SceneWire

/// A room's budget of work, and the work done.
struct WorkAccount {
    /// The budget.
    let budget: WorkBudget
    /// What else makes snapshots due.
    private let options: SessionOptions
    /// Units of work for one tick on the room's present thread.
    var slice = UInt64.max
    /// The number of requests laid out together in one tick; reduced after the layout of several
    /// exceeded the budget.
    private(set) var requestMaximum = Int.max
    /// Units of work to build the scene from its last snapshot.
    private(set) var snapshotWork: UInt64
    /// Units of work since then, which a replay of the journal repeats.
    private(set) var journalWork: UInt64
    /// Units of work since then that refusals have had repeated, to go back.
    private var repeatedWork: UInt64 = 0
    /// The purse for changes.
    private(set) var changes: WorkPurse
    /// The purse for questions: a quarter of that.
    private(set) var questions: WorkPurse
    /// The total cost of questions.
    private(set) var questionWork: UInt64 = 0
    /// The total cost of changes and questions.
    private(set) var totalWork: UInt64 = 0
    private var tick: UInt64
    /// The tick of the last snapshot since the room was opened; `nil` for none.
    private var snapshotTick: UInt64?
    private let ticksPerSecond: UInt64
    /// The work of the present second of ticks, and of the one before.
    private var seconds: (number: UInt64, now: UInt64, before: UInt64) = (0, 0, 0)

    init(
        _ options: SessionOptions, tickRate: Int, tick: UInt64, snapshot: UInt64, journal: UInt64
    ) {
        budget = options.work
        self.options = options
        self.tick = tick
        snapshotWork = snapshot
        journalWork = journal
        changes = WorkPurse(second: budget.second, tickRate: tickRate, tick: tick)
        questions = WorkPurse(second: budget.second / 4, tickRate: tickRate, tick: tick)
        ticksPerSecond = UInt64(max(tickRate, 1))
    }

    // MARK: The purses

    /// Adds the allowance of the ticks that have passed.
    mutating func refill(to now: UInt64) {
        tick = now
        changes.refill(to: now)
        questions.refill(to: now)
    }

    /// Charges a tick's changes.
    mutating func spend(_ units: UInt64) {
        changes.spend(units)
        count(units)
    }

    /// Charges a question. The purses are separate, so viewers do not spend the allowance of
    /// editors.
    mutating func spendOnQuestion(_ units: UInt64) {
        questions.spend(units)
        questionWork &+= units
        count(units)
    }

    private mutating func count(_ units: UInt64) {
        totalWork &+= units
        let number = tick / ticksPerSecond
        if number != seconds.number {
            seconds = (number, 0, number == seconds.number + 1 ? seconds.now : 0)
        }
        seconds.now &+= units
    }

    /// The limit of one question, and whether the tick's slice sets it.
    var questionLimit: (units: UInt64, isSlice: Bool) {
        (min(budget.tick, slice), slice < budget.tick)
    }

    /// Whether the ticks of a second took at most an eighth of a slice each on average.
    func isLight(within slice: UInt64, at now: UInt64) -> Bool {
        let age = now / ticksPerSecond - min(seconds.number, now / ticksPerSecond)
        let recent = age == 0 ? max(seconds.now, seconds.before) : age == 1 ? seconds.now : 0
        return recent / ticksPerSecond <= slice / 8
    }

    // MARK: Requests that are laid out together

    /// Registers that the layout of so many requests exceeded the budget.
    mutating func tryFewer(than count: Int) { requestMaximum = max(1, count / 2) }

    /// Registers that a tick's requests were laid out.
    mutating func tryMore() {
        guard requestMaximum < .max else { return }
        requestMaximum = requestMaximum > 1 << 16 ? .max : requestMaximum * 2
    }

    // MARK: The cost of a replay

    /// Units of work to rebuild the scene from the journal.
    var replayWork: UInt64 { snapshotWork &+ journalWork }

    /// Registers work that a replay repeats.
    mutating func journalled(_ units: UInt64) { journalWork &+= units }

    /// Registers that a refusal had the scene built again from its snapshot, and what followed
    /// repeated.
    mutating func restored(_ units: UInt64) { repeatedWork &+= units - min(units, snapshotWork) }

    /// Registers a snapshot.
    mutating func wroteSnapshot(_ units: UInt64) {
        snapshotWork = units
        journalWork = 0
        repeatedWork = 0
        snapshotTick = tick
    }

    /// Whether a replay takes so long that a snapshot is due, which costs about as much as building
    /// the scene: then all snapshots together cost at most an eighth of the work that makes them
    /// due.
    ///
    /// Where refusals have the scene go back again and again, it is due as soon as that has taken
    /// as much as a snapshot does: so both together are at most twice what the best choice of
    /// moments would have taken. Refusals alone, without anything to repeat, write nothing.
    ///
    /// It is due, too, before going back would take more than a tick has on the present thread,
    /// which a refusal may need at any time.
    var isSnapshotDue: Bool {
        journalWork >= enoughWork || hasRepeated(snapshots: 1)
            || fills(options.apart(slice / 2))
    }
    /// Whether a snapshot is due immediately, even while something changes.
    var isSnapshotOverdue: Bool {
        journalWork / 4 >= enoughWork || hasRepeated(snapshots: 4)
            || fills(options.apart(slice / 16 * 9))
    }

    /// Seconds of ticks, at least, between two snapshots that are written so that going back fits
    /// into a slice: what they cost beside the work that makes them due has no other bound.
    private static let fittingSeconds: UInt64 = 5

    /// Whether a replay takes so much of the slice, and a snapshot would make it fit again.
    private func fills(_ part: UInt64) -> Bool {
        slice < .max && snapshotWork <= slice / 4 * 3 && journalWork >= slice / 8
            && replayWork >= part
            && snapshotTick.map {
                tick >= $0 + options.apart(Self.fittingSeconds * ticksPerSecond)
            } ?? true
    }

    /// Units below which a snapshot's own writing costs more than its scene.
    private static let smallestSnapshot: UInt64 = 16_384

    /// Whether what could be kept by a snapshot was repeated for as much as so many snapshots take.
    private func hasRepeated(snapshots count: UInt64) -> Bool {
        journalWork > 0 && repeatedWork / count >= max(snapshotWork, Self.smallestSnapshot)
    }

    private var enoughWork: UInt64 {
        options.apart(max(budget.message / max(options.replayDivisor, 1), 8 * snapshotWork))
    }
}
