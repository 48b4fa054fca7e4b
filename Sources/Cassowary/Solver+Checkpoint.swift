/// Going back to an earlier state.
extension Solver {
    /// A state of a solver to go back to.
    ///
    /// It is a copy, except of a solver whose constraints have only been entered, each with a
    /// variable that was free for it: how many there were tells enough then, since those that
    /// follow leave what is kept of them as it is. So the first constraints of a layout, which come
    /// in one large batch, need no copy of what they grow out of.
    public struct Checkpoint: ~Copyable {
        fileprivate enum State: ~Copyable {
            case copy(Solver)
            case counts(variables: Int, constraints: Int, symbols: Int)
        }

        fileprivate let state: State

        /// How many constraints there were, if the solver has to be given none but new ones until
        /// it goes back; nil if it may be changed in all ways.
        public var constraintCount: Int? {
            switch state {
            case .copy: nil
            case .counts(_, let constraints, _): constraints
            }
        }
    }

    /// What was done to a solver so far, each including those before it.
    enum History: UInt8 {
        /// Variables were made, and constraints entered that needed no step of the simplex method.
        case plain
        /// Others were entered, or refused.
        case entered
        /// Something was changed, taken out, or solved.
        case changed
    }

    /// Notes that something of a kind was done.
    @inline(__always)
    mutating func note(_ kind: History) {
        if kind.rawValue > history.rawValue { history = kind }
    }

    /// Notes the state at hand.
    ///
    /// - Parameter onlyAdding: Whether nothing but `makeVariable` and `addConstraint` is called
    ///   until the solver goes back to the state or the checkpoint is given up.
    /// - Complexity: O(1), or a copy of the solver.
    public func checkpoint(onlyAdding: Bool) -> Checkpoint {
        guard onlyAdding, history == .plain else {
            return Checkpoint(state: .copy(Solver(copying: self, asCheckpoint: true)))
        }
        return Checkpoint(
            state: .counts(
                variables: variables.count, constraints: sources.count, symbols: symbols.count))
    }

    /// Goes back to a state, bit for bit. Limits of work are none afterwards, and `work` begins
    /// with the price of this.
    ///
    /// - Complexity: O(number of variables and constraints' terms at that time).
    public mutating func restore(_ checkpoint: borrowing Checkpoint) {
        switch checkpoint.state {
        case .copy(let solver): self = Solver(copying: solver)
        case .counts(let variables, let constraints, let symbols):
            // The caller's fault, and no input's: from what was changed there is no way back.
            precondition(
                history != .changed, "something was changed where only additions were to be")
            self = Solver(
                replaying: self, variables: variables, constraints: constraints, symbols: symbols)
        }
    }

    /// Makes a solver that was given the first variables and constraints of another one.
    private init(
        replaying other: borrowing Solver, variables variableCount: Int,
        constraints constraintCount: Int, symbols symbolCount: Int
    ) {
        self.init()
        checksInvariants = other.checksInvariants
        explainsConflicts = other.explainsConflicts
        reserveCapacity(variables: variableCount, constraints: constraintCount)
        growSymbols(to: symbolCount)
        for index in 0..<variableCount {
            _ = makeVariable(isNonNegative: other.variables[Int32(index)].isNonNegative)
        }
        for row in 0..<Int32(constraintCount) { enterAgain(row, of: other) }
    }

    /// Enters the constraint that another solver has in a row.
    private mutating func enterAgain(_ row: Int32, of other: borrowing Solver) {
        let source = other.sources[row]
        normalTerms.removeAll()
        var next = other.terms.head(ofRow: row)
        while next >= 0 {
            let cell = other.terms.cells[next]
            next = cell.nextInRow(after: next)
            normalTerms.append(
                NormalTerm(variable: cell.column, coefficient: cell.value, magnitude: 0))
        }
        normalTerms.reverse()
        meter &+= UInt64(normalTerms.count)
        let id = takeIn(
            Source(source.strengths, scale: source.scale, relation: source.relation),
            kink: other.kinkValues[row], multiplyingTermsBy: 1)
        sources[id.index].isActive = true
        insertRow(id)
        _ = takesFreshVariable(id)
        needsSolve = true
        finishChange()
    }
}
