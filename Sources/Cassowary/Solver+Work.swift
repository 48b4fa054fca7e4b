/// What a solver's answers cost, and where it stops when they cost too much.
///
/// The unit is one cell of the tableau that is read or written on the way: the same number on every
/// machine, and the same in a replay. A step of the simplex method notes the cells of its rows and
/// columns together, so that counting adds nothing to the innermost loops.
extension Solver {
    /// Cells touched since the solver was made. It only grows; a copy begins with the price of
    /// copying.
    public var work: UInt64 { meter &+ basis.cellsTouched &+ objective.meter }

    /// `work`, for callers in other modules that ask at each step: to read a property of a solver
    /// that is stored in a class, the compiler copies the whole of it first; what may change it is
    /// given its place.
    public mutating func currentWork() -> UInt64 { work }

    /// Notes that cells were touched.
    @inline(__always)
    mutating func charge(_ cells: Int) { meter &+= UInt64(truncatingIfNeeded: cells) }

    /// Whether the work is beyond `workLimit`. Loops over outside data end here.
    @inline(__always)
    var isOverdrawn: Bool { work > workLimit }

    /// Notes that a change was cut short because it cost too much, if it did.
    ///
    /// - Returns: Whether the solver is to be given up.
    mutating func stopsIfOverdrawn() -> Bool {
        if isOverdrawn { isExhausted = true }
        return isExhausted
    }
}

extension Solver {
    /// Leaves nothing half done that a later call would trip over, in a solver that is to be given
    /// up.
    mutating func abandon() {
        endJournal()
        clearSuspects()
        isBlurred = false
    }

    /// Makes a change whole, or says that it, or one before it, was cut short.
    ///
    /// - Parameter kind: What it is in the solver's history.
    @inline(__always)
    mutating func change<Result>(
        _ kind: History = .changed, _ body: (inout Solver) throws(SolverError) -> Result
    ) throws(SolverError) -> Result {
        if isExhausted { throw .exhausted }
        note(kind)
        // What a change has at hand serves the next one, which pays for it all the same.
        defer { carryColumn() }
        do throws(SolverError) {
            let result = try body(&self)
            if isExhausted { throw .exhausted }
            return result
        } catch {
            throw isExhausted ? .exhausted : error
        }
    }
}
