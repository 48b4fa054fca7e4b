import Cassowary

/// What a hierarchy's layout costs, and where it stops when it costs too much.
///
/// The units are those of the solver: one for a cell of its tableau, and as many for a view visited
/// or a character measured as take about the same time. They are the same on every machine and in
/// every replay.
extension LayoutEngine {
    /// What single steps cost.
    enum Price {
        /// A view's `updateConstraints`, `layoutSubviews` or `draw`, with the bookkeeping around
        /// it.
        static let visit: UInt64 = 120
        /// A step of a walk over views.
        static let step: UInt64 = 6
        /// Several steps, of which there are no more than the hierarchy has views and constraints.
        @inline(__always)
        static func steps(_ count: Int) -> UInt64 { step &* UInt64(truncatingIfNeeded: count) }
        /// A walk over views that mostly need nothing.
        @inline(__always)
        static func glances(at count: Int) -> UInt64 { UInt64(truncatingIfNeeded: count >> 1) }
        /// A byte of printable ASCII that is measured or broken into lines.
        static let textByte: UInt64 = 1
        /// A byte of ASCII in any other text, in which the ends of characters have to be found;
        /// other scalars count as four.
        static let characterByte: UInt64 = 9
        /// A line that text is broken into, or that is drawn.
        static let line: UInt64 = 15
        /// A byte of text that is broken into lines in faces: its class is looked up, and the words
        /// are found again.
        static let setByte: UInt64 = 14
        /// A word that is measured in faces.
        static let word: UInt64 = 40
        /// A scalar of it.
        static let scalar: UInt64 = 120
        /// A mark, a joiner or an emoji.
        static let hardScalar: UInt64 = 1_000
        /// A copy of the solver to go back to: four of its variables and constraints for one unit.
        static func copy(of solver: borrowing Solver) -> UInt64 {
            UInt64(truncatingIfNeeded: solver.size >> 2)
        }
        /// A control that gets another value, besides its text and its columns.
        static let control: UInt64 = 1_300
        /// A fading offset of a view's frame, at each cycle.
        static let fade: UInt64 = 90
        /// A subview that a flow view gives its place, whether or not that is a new one.
        static let arranged: UInt64 = 40
        /// Writing a constraint's equation, besides what the solver does with it.
        static let equation: UInt64 = 320
    }

    /// Units spent since the engine was made.
    var work: UInt64 { meter &+ solver.currentWork() }

    /// Whether more was spent than `workLimit` allows.
    var isOverdrawn: Bool { work > workLimit }

    /// Whether a change or a pass was cut short. The hierarchy is then to be thrown away:
    /// constraints and frames are half those of before.
    var isExhausted: Bool { wasCutShort || solver.isExhausted }

    /// Notes work that was done.
    @inline(__always)
    func charge(_ units: UInt64) { meter &+= units }

    /// Notes work, and ends the pass at hand if it was too much.
    @inline(__always)
    func spend(_ units: UInt64) throws(LayoutError) {
        meter &+= units
        if isExhausted || isOverdrawn { throw cutShort() }
    }

    /// Notes that the pass at hand ends, since it took too much.
    private func cutShort() -> LayoutError {
        wasCutShort = true
        return .tooExpensive
    }

    /// Lets the solver have what is left.
    func allotSolver() { solver.workLimit = workLimit &- min(meter, workLimit) }

    /// A copy of the solver for a question, which may spend what is left.
    func trialSolver() -> Solver {
        var copy = Solver(copying: solver)
        copy.workLimit = workLimit &- min(work, workLimit)
        return copy
    }
}

extension Window {
    /// Units of work that the hierarchy's layout has taken: cells of the solver's tableau touched,
    /// views visited, characters measured. The same on every machine.
    public var work: UInt64 { engine?.work ?? 0 }

    /// The part of `work` that the solver took.
    public var solverWork: UInt64 { engine?.solver.currentWork() ?? 0 }

    /// `work`, `solverWork` and `isExhausted`, for who asks for them after every change.
    public var workTold: (total: UInt64, solver: UInt64, isExhausted: Bool) {
        guard let engine else { return (0, 0, false) }
        let solver = engine.solver.currentWork()
        return (engine.meter &+ solver, solver, engine.isExhausted)
    }

    /// The `work` beyond which layout stops at the next safe point; none by default.
    ///
    /// What is cut short leaves the hierarchy half changed, and `isExhausted`: its owner throws it
    /// away and goes back to what it was made from.
    public var workLimit: UInt64 {
        get { engine?.workLimit ?? .max }
        set { ensureEngine().workLimit = newValue }
    }

    /// The `work` beyond which questions are not gone into any further: layouts count as
    /// unambiguous then. None by default.
    public var questionLimit: UInt64 {
        get { engine?.questionLimit ?? .max }
        set { ensureEngine().questionLimit = newValue }
    }

    /// Whether something was cut short at `workLimit`.
    public var isExhausted: Bool { engine?.isExhausted ?? false }
}
