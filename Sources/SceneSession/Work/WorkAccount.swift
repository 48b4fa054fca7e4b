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
    /// What it took to get from there to the present, which whoever replays the journal spends again.
    private(set) var journalWork: UInt64
    /// Units that the room may spend; less than none after a tick that cost more, until it has paid.
    private var balance: Int64
    private var tick: UInt64
    private let unitsPerTick: Int64
    private let ticksPerSecond: UInt64
    /// What was spent in the present second of ticks, and in the one before.
    private var seconds: (number: UInt64, now: UInt64, before: UInt64) = (0, 0, 0)

    init(_ budget: WorkBudget, tickRate: Int, tick: UInt64, snapshot: UInt64, journal: UInt64) {
        self.budget = budget
        self.tick = tick
        snapshotWork = snapshot
        journalWork = journal
        let second = Int64(clamping: budget.second)
        unitsPerTick = max(1, second / Int64(max(tickRate, 1)))
        ticksPerSecond = UInt64(max(tickRate, 1))
        balance = second
    }

    // MARK: The purse

    /// Pays a room what it may spend in the ticks that have passed, at most that of a second.
    mutating func refill(to now: UInt64) {
        let ticks = Int64(clamping: now - min(tick, now))
        tick = now
        let (pay, isTooMuch) = ticks.multipliedReportingOverflow(by: unitsPerTick)
        let second = Int64(clamping: budget.second)
        balance =
            isTooMuch ? second : min(second, balance.addingReportingOverflow(pay).partialValue)
    }

    /// Notes what a tick has cost.
    mutating func spend(_ units: UInt64) {
        let number = tick / ticksPerSecond
        if number != seconds.number {
            seconds = (number, 0, number == seconds.number + 1 ? seconds.now : 0)
        }
        seconds.now &+= units
        let (rest, isTooMuch) = balance.subtractingReportingOverflow(Int64(clamping: units))
        balance = isTooMuch ? .min / 2 : rest
    }

    /// Whether a second's ticks take an eighth of a slice each on average at most, and a replay less than one.
    func isLight(within slice: UInt64, at now: UInt64) -> Bool {
        let age = now / ticksPerSecond - min(seconds.number, now / ticksPerSecond)
        let recent = age == 0 ? max(seconds.now, seconds.before) : age == 1 ? seconds.now : 0
        return snapshotWork <= slice && recent / ticksPerSecond <= slice / 8
    }

    /// Whether the room may take requests in.
    var isSolvent: Bool { balance > 0 }

    /// The tick at which the room may take requests in, if it spends nothing until then.
    var solventTick: UInt64 {
        guard balance <= 0 else { return tick }
        return tick + UInt64(-balance / unitsPerTick) + 1
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
