/// An incremental solver of linear constraints with strengths.
///
/// The module owns variables, constraints and the simplex basis between them, and does not depend
/// on views, geometry or time. It follows Badros, Borning and Stuckey, "The Cassowary Linear
/// Arithmetic Constraint Solving Algorithm", ACM TOCHI 8(4), 2001, called "the paper" throughout,
/// and departs from it in three ways: strengths are separate levels; each constraint has a single
/// marker whose price bends at the constant; and the tableau is not kept but computed from the
/// constraints and a factored basis, row by row and column by column as they are asked for. A
/// solver is plain mutable state without locks: its owner uses it from one thread at a time.
///
/// Required constraints hold after every call. Weaker ones are optimised, and values published, by
/// `solve()`.
///
/// To read the module, begin with `Symbol` (what a row or column stands for), `Strength` and
/// `Objective` (what it costs), `TermTable` and `Basis` (what is kept), and `Solver+Tableau` (what
/// is computed from it). `Solver+Step` has the moves of the simplex method; `Solver+Repair` and
/// `Solver+Primal` decide which ones to make; `Solver+Add`, `+Edit`, `+Remove`, `+Solve` and
/// `+Queries` are the public calls; `Solver+Refactor` and `+Rebuild` deal with rounding.
///
/// Questions that inner loops ask of a solver are `mutating`, though they change nothing: to lend
/// itself to a function that may not change it, a method that may copies all of it first, 1.4 KB;
/// what may change it is given its place.
public struct Solver: ~Copyable {
    /// A constraint as its owner stated it, scaled so that its largest coefficient is from 1 to 2.
    /// Its constant is `constant(of:)`.
    struct Source {
        var strengths = Strengths(.required)
        /// `scale`, which needs no more bits: coefficients end at 1e9 and at 1e-9.
        private var shortScale: Float = 1
        var relation = Relation.equal
        var isAlive = false
        var isActive = false
        /// Whether the constraint is out of force although the factored basis still uses its
        /// equation.
        var hasDeparted = false

        /// Whether the constraint must hold.
        var isRequired: Bool { strengths.below.isRequired }

        /// The power of two that the stated coefficients were divided by.
        var scale: Double { Double(shortScale) }

        init() {}

        init(_ strengths: Strengths, scale: Double, relation: Relation) {
            self.strengths = strengths
            shortScale = Float(scale)
            self.relation = relation
            isAlive = true
        }
    }

    struct VariableRecord {
        var isAlive = false
        var isNonNegative = false
    }

    /// Constraints by variables, scaled.
    var terms = TermTable()
    var basis = Basis()
    var objective = Objective()
    var symbols = Buffer<SymbolState>()
    /// The current value of each symbol, which the last `solve()` may not have published yet.
    var values = Buffer<Double>()
    /// The `kinkClass` of each symbol's price; beside the values, since every move asks for it.
    var kinks = Buffer<UInt8>()
    /// Where the price of each constraint's marker changes its slope, which is all that is kept of
    /// the constant.
    var kinkValues = Buffer<Double>()
    var sources = Buffer<Source>()
    var variables = Buffer<VariableRecord>()
    @usableFromInline var published: ContiguousArray<Double> = []
    var freeVariables = Buffer<Int32>()
    var freeConstraints = Buffer<Int32>()
    /// Removed constraints whose equation the factored basis still uses; the next factorisation is
    /// without them.
    var departed = Buffer<Int32>()
    var variableCount = 0
    var constraintCount = 0
    var rowCount = 0
    var rebuildCount = 0

    /// Cells touched outside of the factored basis.
    var meter: UInt64 = 0
    /// The `work` beyond which the solver stops, at the next safe point; none by default.
    ///
    /// A stop in the middle of a change leaves a solver that `isExhausted`.
    public var workLimit = UInt64.max {
        didSet { basis.meterLimit = workLimit &- min(meter, workLimit) }
    }
    /// The `work` beyond which questions are not gone into any further: `isUnique` says then that a
    /// value is. None by default.
    public var questionLimit = UInt64.max
    /// Whether a change was cut short at `workLimit`. The constraints are then not those asked for,
    /// nor the values: the owner goes back to a copy made before, or throws the solver away. Every
    /// later change throws `exhausted`.
    public internal(set) var isExhausted = false
    /// Whether debug builds check small systems. They hold reduced costs against a row computed
    /// anew, more closely than rounding allows where coefficients are many decades apart.
    var checksInvariants = true
    /// Whether superfluous members of conflicts are looked for; not in solvers that are themselves
    /// part of such a search.
    var explainsConflicts = true

    var uncharged = Buffer<Int32>()
    var unpriced = Buffer<Int32>()
    /// The variables whose value moved since the last `solve()`.
    var touched = VariableSet()
    var suspects = Buffer<Int32>()
    var journal = Buffer<JournalEntry>()
    var isJournaling = false
    var movesSinceRefresh = 0
    /// Whether a pivot came out differently by row and by column: the factored basis misleads.
    var isBlurred = false
    /// Whether symbols were exchanged since residuals were last looked at.
    var hasPivoted = false
    /// The largest magnitude that a value had before or after a move since the values were last
    /// recomputed or published.
    var peak = 0.0
    /// The variable whose value was the largest in magnitude when that was last asked; -1 for none.
    var farthest: Int32 = -1

    // Buffers, used again to keep the inner loops free of allocation.
    var row = SparseList()
    var column = SparseList()
    /// The column at hand, while a question is answered.
    var asideColumn = SparseList()
    var rowSum = SparseVector()
    var moves = SparseList()
    var normalTerms = Buffer<NormalTerm>()
    var branches = Buffer<Branch>()
    var breakpoints = Buffer<Breakpoint>()
    var candidates = Buffer<Candidate>()
    /// The price of the column that is looked at, and that of the best one before it.
    var cost = CostVector()
    var bestCost = CostVector()

    /// What was done so far.
    var history = History.plain
    /// Whether something changed since the last `solve()`.
    public internal(set) var needsSolve = false

    /// Makes a solver without variables or constraints.
    public init() {}

    /// Makes an independent solver in the same state: the same ids, values, and changes not yet
    /// published.
    ///
    /// A trial that must leave the original alone; to go back to a state, see
    /// `checkpoint(onlyAdding:)`.
    ///
    /// - Parameters:
    ///   - other: The solver to copy.
    ///   - isCheckpoint: Whether the copy is there to be copied in its turn, and not to work with:
    ///     it does then without the memory for that.
    /// - Complexity: O(number of variables and constraints' terms), a copy of flat memory.
    public init(copying other: borrowing Solver, asCheckpoint isCheckpoint: Bool = false) {
        terms = TermTable(copying: other.terms)
        basis = Basis(copying: other.basis)
        objective = Objective(copying: other.objective)
        symbols = Buffer(copying: other.symbols)
        values = Buffer(copying: other.values)
        kinks = Buffer(copying: other.kinks)
        kinkValues = Buffer(copying: other.kinkValues)
        sources = Buffer(copying: other.sources)
        variables = Buffer(copying: other.variables)
        published = other.published
        freeVariables = Buffer(copying: other.freeVariables)
        freeConstraints = Buffer(copying: other.freeConstraints)
        departed = Buffer(copying: other.departed)
        variableCount = other.variableCount
        constraintCount = other.constraintCount
        rowCount = other.rowCount
        rebuildCount = other.rebuildCount
        uncharged = Buffer(copying: other.uncharged)
        unpriced = Buffer(copying: other.unpriced)
        touched = VariableSet(copying: other.touched)
        movesSinceRefresh = other.movesSinceRefresh
        isBlurred = other.isBlurred
        hasPivoted = other.hasPivoted
        peak = other.peak
        farthest = other.farthest
        history = other.history
        needsSolve = other.needsSolve
        isExhausted = other.isExhausted
        checksInvariants = other.checksInvariants
        explainsConflicts = other.explainsConflicts
        // Copying runs over memory in order, which is some eight times as quick as following cells.
        meter = UInt64(terms.cellCount &+ basis.reduced.cellCount &+ symbols.count) / 8
        guard !isCheckpoint else { return }
        rowSum.grow(to: symbols.count)
        basis.work.grow(to: basis.equations.count)
    }

    /// How much the solver holds: variables, constraints (active or not), rows of the tableau, and
    /// how often it had to rebuild the basis from the constraints because of accumulated rounding.
    public var counts: (variables: Int, constraints: Int, rows: Int, rebuilds: Int) {
        (variableCount, constraintCount, rowCount, rebuildCount)
    }

    /// Gives back the memory that is kept for variables and constraints to come, about half of it
    /// in a solver that was just filled. The next one that is added takes as much again.
    ///
    /// - Complexity: The size of the solver: what is left moves where the allocator finds it a
    ///   place.
    public mutating func trim() {
        terms.trim()
        basis.trim()
        objective.trim()
        symbols.trim()
        values.trim()
        kinks.trim()
        kinkValues.trim()
        sources.trim()
        variables.trim()
        trimPublished()
        freeVariables.trim()
        freeConstraints.trim()
        departed.trim()
        uncharged.trim()
        unpriced.trim()
        suspects.trim()
        journal.trim()
        rowSum.trim()
        normalTerms.trim()
        branches.trim()
        breakpoints.trim()
        candidates.trim()
    }

    /// The value at which a symbol's price changes its slope: for a variable with a bound, zero. A
    /// parametric symbol with a kink rests exactly there.
    @inline(__always)
    func kink(of symbol: Int32) -> Double { symbol & 1 == 0 ? 0 : kinkValues[symbol >> 1] }

    /// The constant of a constraint's expression: exactly what was given, as a scale is a power of
    /// two.
    func constant(of constraint: Int32) -> Double {
        -kinkValues[constraint] * sources[constraint].scale
    }

    mutating func setConstant(_ constant: Double, ofSource constraint: Int32) {
        kinkValues[constraint] = -constant / sources[constraint].scale
    }

    func isKnown(_ variable: Variable) -> Bool {
        variable.index >= 0 && variable.index < variables.count
            && variables[variable.index].isAlive
    }

    func isKnown(_ constraint: ConstraintID) -> Bool {
        constraint.index >= 0 && constraint.index < sources.count
            && sources[constraint.index].isAlive
    }
}
