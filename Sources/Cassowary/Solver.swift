/// An incremental solver of linear constraints with strengths.
///
/// The module owns variables, constraints and the simplex tableau between them, and knows nothing of views,
/// geometry or time. It follows Badros, Borning and Stuckey, "The Cassowary Linear Arithmetic Constraint
/// Solving Algorithm", ACM TOCHI 8(4), 2001, called "the paper" throughout; it departs from it in keeping
/// strengths as separate levels and in giving each constraint a single marker whose price bends at the
/// constant. A solver is plain mutable state without locks: whoever owns it uses it from one thread at a time.
///
/// Required constraints hold after every call. Weaker ones are optimised, and values published, by `solve()`.
public struct Solver: ~Copyable {
    /// A constraint as its owner stated it, scaled so that its largest coefficient is from 1 to 2.
    struct Source {
        var relation = Relation.equal
        var strength = Strength.required
        var constant = 0.0
        /// The power of two that the stated coefficients were divided by.
        var scale = 1.0
        var isAlive = false
        var isActive = false
    }

    struct VariableRecord {
        var isAlive = false
        var isNonNegative = false
    }

    /// Rows are basic symbols, columns parametric ones: basic = sum of coefficient * parametric.
    var tableau = SparseMatrix(floor: 1e-13)
    var objective = Objective()
    var symbols: ContiguousArray<SymbolState> = []
    /// Constraints by variables, scaled.
    var terms = SparseMatrix(floor: 0)
    var sources: ContiguousArray<Source> = []
    var variables: ContiguousArray<VariableRecord> = []
    var published: ContiguousArray<Double> = []
    var freeVariables: ContiguousArray<Int32> = []
    var freeConstraints: ContiguousArray<Int32> = []
    var variableCount = 0
    var constraintCount = 0
    var rowCount = 0
    var rebuildCount = 0

    var unpriced: ContiguousArray<Int32> = []
    var touched: ContiguousArray<Int32> = []
    var suspects: ContiguousArray<Int32> = []
    var journal: ContiguousArray<JournalEntry> = []
    var isJournaling = false
    var movesSinceRefresh = 0
    /// The largest coefficient that a pivot made since the tableau was last made anew.
    var wear = 1.0
    /// The largest magnitude that a value had since the values were last recomputed or published.
    var peak = 0.0

    // Buffers, used again to keep the inner loops free of allocation.
    var pivotRow = SparseRow()
    var scratchRow = SparseRow()
    var breakpoints: ContiguousArray<Breakpoint> = []
    var candidates: ContiguousArray<Candidate> = []

    /// Whether something changed since the last `solve()`.
    public internal(set) var needsSolve = false

    /// Makes a solver without variables or constraints.
    public init() {}

    /// Makes an independent solver in the same state: the same ids, values, and changes not yet published.
    ///
    /// A checkpoint to go back to, or a trial that must leave the original alone. Storage is shared until
    /// either is changed.
    ///
    /// - Complexity: O(1), then O(size of the tableau) once at the first change to either.
    public init(copying other: borrowing Solver) {
        tableau = other.tableau
        objective = other.objective
        symbols = other.symbols
        terms = other.terms
        sources = other.sources
        variables = other.variables
        published = other.published
        freeVariables = other.freeVariables
        freeConstraints = other.freeConstraints
        variableCount = other.variableCount
        constraintCount = other.constraintCount
        rowCount = other.rowCount
        rebuildCount = other.rebuildCount
        unpriced = other.unpriced
        touched = other.touched
        movesSinceRefresh = other.movesSinceRefresh
        wear = other.wear
        peak = other.peak
        needsSolve = other.needsSolve
    }

    /// Makes a variable, with the value 0.
    ///
    /// - Parameter isNonNegative: Whether the variable may never be below zero. This costs no constraint.
    /// - Complexity: O(1), amortised.
    public mutating func makeVariable(isNonNegative: Bool = false) -> Variable {
        let index: Int32
        if let free = freeVariables.popLast() {
            index = free
        } else {
            index = Int32(variables.count)
            variables.append(VariableRecord())
            published.append(0)
            terms.grow(rows: sources.count, columns: variables.count)
            growSymbols()
        }
        variables[Int(index)] = VariableRecord(isAlive: true, isNonNegative: isNonNegative)
        published[Int(index)] = 0
        let variable = Variable(index: index)
        var state = SymbolState()
        state.isTouched = symbols[Symbol(variable).position].isTouched
        state.isUnpriced = symbols[Symbol(variable).position].isUnpriced
        state.status = .parametric
        state.shape = isNonNegative ? .nonNegative : .free
        symbols[Symbol(variable).position] = state
        variableCount += 1
        return variable
    }

    /// Gives a variable back; its index may be used again.
    ///
    /// - Throws: `unknownVariable`, or `variableInUse` while any constraint mentions it.
    /// - Complexity: O(1).
    public mutating func releaseVariable(_ variable: Variable) throws(SolverError) {
        guard isKnown(variable) else { throw .unknownVariable(variable) }
        guard terms.columns[Int(variable.index)].count == 0 else { throw .variableInUse(variable) }
        let symbol = Symbol(variable)
        if symbols[symbol.position].status == .basic {
            // Without constraints a variable is parametric; only rounding can have left it in a row.
            rebuild()
        }
        tableau.removeColumn(symbol.index)
        objective.matrix.removeColumn(symbol.index)
        symbols[symbol.position].status = .absent
        variables[Int(variable.index)].isAlive = false
        freeVariables.append(variable.index)
        variableCount -= 1
    }

    /// How much the solver holds: variables, constraints (active or not), rows of the tableau, and how often
    /// it had to rebuild the tableau from the constraints because of accumulated rounding.
    public var counts: (variables: Int, constraints: Int, rows: Int, rebuilds: Int) {
        (variableCount, constraintCount, rowCount, rebuildCount)
    }

    func isKnown(_ variable: Variable) -> Bool {
        variable.index >= 0 && variable.index < variables.count
            && variables[Int(variable.index)].isAlive
    }

    func isKnown(_ constraint: ConstraintID) -> Bool {
        constraint.index >= 0 && constraint.index < sources.count
            && sources[Int(constraint.index)].isAlive
    }

    /// Makes room for the symbols of every variable and constraint.
    mutating func growSymbols() {
        let count = 2 * max(variables.count, sources.count)
        guard symbols.count < count else { return }
        while symbols.count < count { symbols.append(SymbolState()) }
        tableau.grow(rows: count, columns: count)
        objective.matrix.grow(rows: 0, columns: count)
    }
}
