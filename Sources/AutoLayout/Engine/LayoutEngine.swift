import Cassowary

/// The layout engine of one view hierarchy: it owns the solver, knows which variables belong to
/// which item, and collects which views have moved since they were last asked.
///
/// It leaves to its neighbours when anything is called (`UpdateCycle`) and what a constraint means
/// (`ConstraintEquation`). It runs on whichever one thread uses the hierarchy; nothing in it is
/// `Sendable`.
public final class LayoutEngine {
    /// The constraints as the solver keeps them.
    @safe @exclusivity(unchecked) var solver = Solver()

    /// Constraints given up because of a conflict, in the order in which they were.
    @safe @exclusivity(unchecked) var brokenConstraints: [LayoutConstraint] = []
    /// Counts changes of constraints; broken ones are tried again when it has moved.
    @safe @exclusivity(unchecked) var mutationCount = 0
    /// Told of conflicts and other things people should know.
    var diagnosticHandler: ((LayoutDiagnostic) -> Void)?

    /// Whose the variables are, and whose have changed.
    @safe @exclusivity(unchecked) private var items = SolvedItems()
    /// Which constraint owns the solver's constraint of a given index; `nil` for one of the
    /// engine's own.
    @safe @exclusivity(unchecked) private var ownerOfConstraint: [LayoutConstraint?] = []
    @safe @exclusivity(unchecked) private var retriedMutationCount = 0

    /// The passes over the hierarchy.
    let cycle: UpdateCycle
    /// The topmost view, which made the engine and outlives it.
    @safe unowned(unsafe) let root: View
    /// Told of each view that was drawn, with the part that was.
    var displayObserver: ((View, Rect) -> Void)?
    /// Told of each view whose lines may lie elsewhere because its cell or its direction changed.
    var contentObserver: ((View) -> Void)?
    /// How many readable content guides were made.
    var readableGuideCount = 0
    /// What moves between model and shown frames.
    let animator = Animator()
    /// Whether the preorder numbers of the hierarchy's views are up to date.
    @safe @exclusivity(unchecked) var preorderIsValid = false {
        didSet { if !preorderIsValid { directionGeneration &+= 1 } }
    }
    /// Counts changes of the hierarchy and of directions: what views know of theirs holds as long
    /// as it stays.
    @safe @exclusivity(unchecked) var directionGeneration: UInt32 = 1
    /// How many views lie above the deepest one, valid while `preorderIsValid` holds.
    @safe @exclusivity(unchecked) var maximumDepth: Int32 = 0
    /// How many views there are, valid while `preorderIsValid` holds.
    @safe @exclusivity(unchecked) var preorderCount: Int32 = 0
    /// Told of each view whose frame was assigned another value.
    @safe @exclusivity(unchecked) var frameObserver: ((View) -> Void)?
    /// Sets whose membership follows conditions.
    @safe @exclusivity(unchecked) var constraintSets: [ConstraintSet] = []
    /// Whether the screen has covered anything, so that safe areas follow frames.
    @safe @exclusivity(unchecked) var followsSafeArea = false
    /// Views that left the hierarchy since passes began to visit it; `nil` between passes. They
    /// live until the passes end, so that these need not count references to what they visit.
    @safe @exclusivity(unchecked) var departedViews: [View]?
    /// Whether any view was not installed, so that constraints are asked whose views are left out.
    @safe @exclusivity(unchecked) var hasUninstalledViews = false
    /// Whether any view's text has had another size than the grid's, so that new views are asked.
    @safe @exclusivity(unchecked) var followsTextTraits = false
    /// The faces of the hierarchy's text.
    var faces = HierarchyFaces()
    /// Whether conditions are to be read although no constraint changed.
    @safe @exclusivity(unchecked) var conditionsNeedReview = false

    /// Work done outside of the solver at hand; those before it included.
    @safe @exclusivity(unchecked) var meter: UInt64 = 0
    /// The `work` at which changes and passes are cut short.
    @safe @exclusivity(unchecked) var workLimit = UInt64.max { didSet { allotSolver() } }
    /// The `work` beyond which questions are not gone into any further.
    @safe @exclusivity(unchecked) var questionLimit = UInt64.max
    /// Whether a pass was.
    @safe @exclusivity(unchecked) var wasCutShort = false

    /// Memory for one equation after the other; `nil` while one is written.
    @safe @exclusivity(unchecked) private var spareExpression: LinearExpression?

    /// Views with a flexible mask whose superview was not laid out yet.
    @safe @exclusivity(unchecked) private var awaitingReference: [View] = []

    init(root: View) {
        self.root = root
        cycle = UpdateCycle(root: root)
        cycle.belong(to: self)
    }

    /// Runs one update cycle of the whole hierarchy.
    ///
    /// - Throws: As `UpdateCycle.run` does.
    func runCycle(of window: Window, at tick: Int) throws(LayoutError) {
        advanceAnimations(to: tick)
        var failure: LayoutError?
        Lent(cycle).use { cycle in
            do throws(LayoutError) { try cycle.run(window, self) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Moves animations on, and charges each that is under way.
    func advanceAnimations(to tick: Int) {
        Lent(animator).use { animator in
            if animator.tickedFadeCount > 0 {
                meter &+= Price.fade &* UInt64(truncatingIfNeeded: animator.tickedFadeCount)
            }
            animator.advance(to: tick)
        }
    }

    /// Whether views wait for their superview's size.
    var isAwaitingReference: Bool { !awaitingReference.isEmpty }

    func awaitReference(_ view: View) {
        guard !view.awaitsReference else { return }
        view.awaitsReference = true
        awaitingReference.append(view)
    }

    /// Makes flexible what waited for its superview's size; returns whether anything did.
    func takeReferences() -> Bool {
        guard !awaitingReference.isEmpty else { return false }
        var waiting: [View] = []
        var isAnyReady = false
        for view in awaitingReference {
            guard view.engine === self, view.superview?.solvedFrame == nil else {
                view.awaitsReference = false
                guard view.engine === self else { continue }
                isAnyReady = true
                view.updateFrameConstraints()
                continue
            }
            waiting.append(view)
        }
        awaitingReference = waiting
        return isAnyReady
    }

    /// How much the engine has to keep in mind besides the solver; for tests that nothing creeps
    /// up.
    var bookkeepingCount: Int {
        items.bookkeepingCount + ownerOfConstraint.count + awaitingReference.count
    }

    /// Whether constraints changed, or views joined, since the last solve.
    var needsSettling: Bool {
        conditionsNeedReview || solver.needsSolve || items.isAnyWaiting
            || (!brokenConstraints.isEmpty && retriedMutationCount != mutationCount)
    }

    func report(_ diagnostic: LayoutDiagnostic) {
        diagnosticHandler?(diagnostic)
    }

    // MARK: Items

    /// Gives an item its variables; sizes cannot become negative.
    func join(_ item: LayoutItem) {
        guard item.variables == nil else { return }
        let made = solver.makeRectangle()
        let variables = ItemVariables(x: made.x, y: made.y, width: made.width, height: made.height)
        item.variables = variables
        items.join(LayoutItemReference(item), variables)
    }

    /// Makes room for so many more items, and constraints of theirs.
    func reserveCapacity(items itemCount: Int, constraints constraintCount: Int) {
        // With what the engine holds items to that have contents.
        let total = constraintCount + itemCount
        solver.reserveCapacity(variables: 4 * itemCount, constraints: total)
        items.reserveCapacity(itemCount)
        ownerOfConstraint.reserveCapacity(ownerOfConstraint.count + total)
    }

    /// Takes an item's variables back; no constraint may speak of it any more.
    func leave(_ item: LayoutItem) {
        guard let variables = item.variables else { return }
        item.variables = nil
        item.solvedFrame = nil
        items.leave(LayoutItemReference(item), variables)
        for variable in variables.all {
            do {
                try solver.releaseVariable(variable)
            } catch  where !isExhausted {
                assertionFailure("a variable was released while constraints used it: \(error)")
            } catch {
                // Constraints were left behind when the engine was cut short.
            }
        }
    }

    /// The item that a variable belongs to; `nil` for none.
    func item(owning variable: Variable) -> LayoutItem? { items.owner(of: variable)?.item }

    /// Brings the solver's values up to date and remembers whose changed.
    @inline(__always)
    func solveIfNeeded() {
        if solver.needsSolve { solve() }
    }

    private func solve() {
        // Without a limit it has all that there is.
        if workLimit < .max { allotSolver() }
        charge(items.noteChanges(of: &solver))
    }

    /// Brings values up to date and tells, once, every item that joined or changed since the last
    /// call. None of them lives longer for it.
    ///
    /// - Parameter changed: An empty buffer, which becomes them; the engine has its memory for
    ///   those that change next.
    @inline(__always)
    func takeChangedItems(_ changed: inout Buffer<LayoutItemReference>) {
        conditionsNeedReview = false
        retryBrokenConstraints()
        solveIfNeeded()
        items.take(&changed)
    }

    /// For how many items memory is kept.
    static let spareMaximum = 512

    // MARK: The solver's constraints

    /// Takes an empty expression, with the memory for its terms, out of the engine; `reuse` puts it
    /// back.
    func takeSpareExpression() -> LinearExpression { spareExpression.take() ?? LinearExpression() }

    /// Keeps an expression's memory for another one.
    func reuse(_ expression: consuming LinearExpression) {
        expression.removeAll()
        spareExpression = consume expression
    }

    /// The constraint that people made of which the solver has one; `nil` where it is one of the
    /// engine's own.
    func owner(of id: ConstraintID) -> LayoutConstraint? {
        let index = Int(id.index)
        return index < ownerOfConstraint.count ? ownerOfConstraint[index] : nil
    }

    func insert(
        _ expression: borrowing LinearExpression, _ relation: Relation, _ strength: Strength,
        above: Strength? = nil, owner: LayoutConstraint?
    ) throws(SolverError) -> ConstraintID {
        charge(Price.equation)
        let id =
            if let above {
                try solver.addConstraint(
                    expression.terms, constant: expression.constant, below: strength, above: above)
            } else {
                try solver.addConstraint(
                    expression.terms, constant: expression.constant, relation, strength: strength)
            }
        let index = Int(id.index)
        // A number that a refused constraint had may be missing.
        while ownerOfConstraint.count < index { ownerOfConstraint.append(nil) }
        if index == ownerOfConstraint.count {
            ownerOfConstraint.append(owner)
        } else {
            ownerOfConstraint[index] = owner
        }
        mutationCount += 1
        return id
    }

    func erase(_ id: ConstraintID) {
        ownerOfConstraint[Int(id.index)] = nil
        mutationCount += 1
        do {
            try solver.removeConstraint(id)
        } catch .exhausted {
            // The solver is to be given up, and the constraint with it.
        } catch {
            assertionFailure("a constraint was removed twice: \(error)")
        }
    }

    // MARK: Returning to an earlier state

    /// What a transaction returns to when it fails: bit for bit the solver of before, pivots
    /// included, so that a refused change leaves no trace in later answers.
    struct Checkpoint: ~Copyable {
        fileprivate let solver: Solver.Checkpoint
        /// `nil` where those of later constraints only follow them.
        fileprivate let ownerOfConstraint: [LayoutConstraint?]?
        fileprivate let brokenConstraints: [LayoutConstraint]
    }

    /// Notes the state at hand.
    ///
    /// - Parameter onlyAdding: Whether nothing is done to the solver but that constraints are
    ///   added, until `restore`.
    func checkpoint(onlyAdding: Bool = false) -> Checkpoint {
        let state = solver.checkpoint(onlyAdding: onlyAdding)
        let isCopy = state.constraintCount == nil
        if isCopy { charge(Price.copy(of: solver)) }
        return Checkpoint(
            solver: state, ownerOfConstraint: isCopy ? ownerOfConstraint : nil,
            brokenConstraints: brokenConstraints)
    }

    func restore(_ checkpoint: borrowing Checkpoint) {
        if let owners = checkpoint.ownerOfConstraint {
            ownerOfConstraint = owners
        } else if let count = checkpoint.solver.constraintCount {
            ownerOfConstraint.removeLast(max(0, ownerOfConstraint.count - count))
        }
        brokenConstraints = checkpoint.brokenConstraints
        charge(solver.currentWork())
        solver.restore(checkpoint.solver)
        allotSolver()
    }

    func retryBrokenConstraints() {
        guard !brokenConstraints.isEmpty, retriedMutationCount != mutationCount else { return }
        for constraint in brokenConstraints where constraint.isActive {
            restoreIfPossible(constraint)
        }
        brokenConstraints.removeAll { !$0.isBroken }
        retriedMutationCount = mutationCount
    }
}
