import Cassowary

/// The layout engine of one view hierarchy: it owns the solver, knows which variables belong to which item,
/// and collects which views have moved since they were last asked.
///
/// It leaves to its neighbours when anything is called (`UpdateCycle`) and what a constraint means
/// (`ConstraintEquation`). It runs on whichever one thread uses the hierarchy; nothing in it is `Sendable`.
public final class LayoutEngine {
    /// The constraints as the solver keeps them.
    @safe @exclusivity(unchecked) var solver = Solver()

    /// Constraints given up because of a conflict, in the order in which they were.
    @safe @exclusivity(unchecked) var brokenConstraints: [LayoutConstraint] = []
    /// Counts changes of constraints; broken ones are tried again when it has moved.
    @safe @exclusivity(unchecked) var mutationCount = 0
    /// Told of conflicts and other things people should know.
    var diagnosticHandler: ((LayoutDiagnostic) -> Void)?

    /// Which item owns the variables from a multiple of four on: an engine makes and gives back an item's four at a time, so that they
    /// stay together.
    @safe @exclusivity(unchecked) private var itemOfFour: [LayoutItemReference?] = []
    /// Which constraint owns the solver's constraint of a given index.
    @safe @exclusivity(unchecked) private var ownerOfConstraint: [ConstraintOwner?] = []
    /// Items whose variables changed since the last solve; may repeat.
    @safe @exclusivity(unchecked) private var changedItems: [LayoutItemReference] = []
    /// Items that joined since the last solve, which counts as a change of all four variables.
    @safe @exclusivity(unchecked) private var joinedItems: [LayoutItemReference] = []
    @safe @exclusivity(unchecked) private var retriedMutationCount = 0

    /// The passes over the hierarchy.
    private(set) lazy var cycle = UpdateCycle(engine: self, root: root)
    /// The topmost view, which made the engine and outlives it.
    @safe unowned(unsafe) let root: View
    /// Told of each view that was drawn, with the part that was.
    var displayObserver: ((View, Rect) -> Void)?
    /// Told of each view whose lines may lie elsewhere because its cell or its direction changed.
    var linesObserver: ((View) -> Void)?
    /// How many readable content guides were made.
    var readableGuideCount = 0
    /// What moves between model and shown frames.
    let animator = Animator()
    /// Whether the preorder numbers of the hierarchy's views are up to date.
    @safe @exclusivity(unchecked) var preorderIsValid = false {
        didSet { if !preorderIsValid { directionGeneration &+= 1 } }
    }
    /// Counts changes of the hierarchy and of directions: what views know of theirs holds as long as it stays.
    @safe @exclusivity(unchecked) var directionGeneration: UInt32 = 1
    /// How many views lie above the deepest one, valid while `preorderIsValid` holds.
    @safe @exclusivity(unchecked) var maximumDepth: Int32 = 0
    /// Told of each view whose frame was assigned another value.
    @safe @exclusivity(unchecked) var frameObserver: ((View) -> Void)?
    /// Sets whose membership follows conditions.
    @safe @exclusivity(unchecked) var constraintSets: [ConstraintSet] = []
    /// Whether the screen has covered anything, so that safe areas follow frames.
    @safe @exclusivity(unchecked) var followsSafeArea = false
    /// Views that left the hierarchy since passes began to visit it; `nil` between passes. They live until the passes end, so that
    /// these need not count references to what they visit.
    @safe @exclusivity(unchecked) var departedViews: [View]?
    /// Whether any view was not installed, so that constraints are asked whose views are left out.
    @safe @exclusivity(unchecked) var hasUninstalledViews = false
    /// Whether any view's text has had another size than the grid's, so that new views are asked.
    @safe @exclusivity(unchecked) var followsTextSize = false
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

    /// Memory for the items that change next.
    @safe @exclusivity(unchecked) private var spareItems: [LayoutItemReference] = []
    /// The variables that changed in the last solve, and whatever was there before: memory that is used again.
    @safe @exclusivity(unchecked) private var changedVariables: [Variable] = []
    /// Memory for the terms of one equation after the other.
    @safe @exclusivity(unchecked) private var spareTerms: [Term] = []

    /// Views with a flexible mask whose superview was not laid out yet.
    @safe @exclusivity(unchecked) private var awaitingReference: [View] = []

    init(root: View) {
        self.root = root
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

    /// How much the engine has to keep in mind besides the solver; for tests that nothing creeps up.
    var bookkeepingCount: Int {
        itemOfFour.count + ownerOfConstraint.count + changedItems.count + joinedItems.count
            + awaitingReference.count
    }

    /// Whether constraints changed, or views joined, since the last solve.
    var needsSettling: Bool {
        conditionsNeedReview || solver.needsSolve || !changedItems.isEmpty || !joinedItems.isEmpty
            || (!brokenConstraints.isEmpty && retriedMutationCount != mutationCount)
    }

    func report(_ diagnostic: LayoutDiagnostic) {
        diagnosticHandler?(diagnostic)
    }

    // MARK: Items

    /// Gives an item its variables; sizes cannot become negative.
    func join(_ item: LayoutItem) {
        guard item.variables == nil else { return }
        let variables = ItemVariables(
            x: solver.makeVariable(), y: solver.makeVariable(),
            width: solver.makeVariable(isNonNegative: true),
            height: solver.makeVariable(isNonNegative: true))
        item.variables = variables
        let reference = LayoutItemReference(item)
        note(reference, as: variables.x)
        for variable in [variables.y, variables.width, variables.height]
        where Self.four(variable) != Self.four(variables.x) {
            note(reference, as: variable)
        }
        joinedItems.append(reference)
    }

    private static func four(_ variable: Variable) -> Int { Int(variable.index) >> 2 }

    private func note(_ owner: LayoutItemReference, as variable: Variable) {
        let four = Self.four(variable)
        while itemOfFour.count < four { itemOfFour.append(nil) }
        if four == itemOfFour.count {
            itemOfFour.append(owner)
        } else {
            itemOfFour[four] = owner
        }
    }

    /// Takes an item's variables back; no constraint may speak of it any more.
    func leave(_ item: LayoutItem) {
        guard let variables = item.variables else { return }
        item.variables = nil
        item.solvedFrame = nil
        let reference = LayoutItemReference(item)
        for variable in [variables.x, variables.y, variables.width, variables.height] {
            let four = Self.four(variable)
            if itemOfFour[four] == reference { itemOfFour[four] = nil }
            do {
                try solver.releaseVariable(variable)
            } catch  where !isExhausted {
                assertionFailure("a variable was released while constraints used it: \(error)")
            } catch {
                // Constraints were left behind when the engine was cut short.
            }
        }
        joinedItems.removeAll { $0 == reference }
        changedItems.removeAll { $0 == reference }
    }

    /// The item that a variable belongs to; `nil` for none.
    func item(owning variable: Variable) -> LayoutItem? {
        itemOfFour[Self.four(variable)]?.item
    }

    /// The item's place according to the solver now, in the coordinates of its superview; it may run ahead of
    /// the frame that the view shows.
    func solvedFrame(of item: LayoutItem) -> Rect {
        solveIfNeeded()
        return publishedFrame(of: item)
    }

    /// Brings the solver's values up to date and remembers whose changed.
    func solveIfNeeded() {
        guard solver.needsSolve else { return }
        // Without a limit it has all that there is.
        if workLimit < .max { allotSolver() }
        var previous: LayoutItemReference?
        let count = solver.solve(noting: &changedVariables)
        charge(UInt64(truncatingIfNeeded: count))
        for variable in changedVariables[..<count] {
            guard let reference = itemOfFour[Self.four(variable)] else {
                meter &-= 1
                continue
            }
            // The variables of an item mostly follow one another.
            if reference != previous { changedItems.append(reference) }
            previous = reference
        }
        if changedVariables.count > 4 * Self.spareMaximum { changedVariables = [] }
    }

    /// Brings values up to date and returns, once, every item that joined or changed since the last call. None of them
    /// lives longer for it.
    func takeChangedItems() -> [LayoutItemReference] {
        conditionsNeedReview = false
        retryBrokenConstraints()
        solveIfNeeded()
        var result: [LayoutItemReference] = []
        swap(&result, &joinedItems)
        if result.isEmpty {
            swap(&result, &changedItems)
            swap(&changedItems, &spareItems)
        } else {
            result.append(contentsOf: changedItems)
            changedItems.removeAll(keepingCapacity: changedItems.capacity <= Self.spareMaximum)
        }
        return result
    }

    /// Takes back the memory of the items that were taken, for those that change next; not that of a first layout.
    func reuse(_ items: inout [LayoutItemReference]) {
        guard items.capacity <= Self.spareMaximum else { return }
        items.removeAll(keepingCapacity: true)
        swap(&items, &spareItems)
    }

    /// For how many items memory is kept.
    static let spareMaximum = 512

    func publishedFrame(of item: LayoutItem) -> Rect {
        guard let variables = item.variables else { return .zero }
        return Rect(
            x: snapped(solver.value(of: variables.x)), y: snapped(solver.value(of: variables.y)),
            width: snapped(solver.value(of: variables.width)),
            height: snapped(solver.value(of: variables.height)))
    }

    /// Removes the rounding noise of pivoting: a value within a relative 1e-8 of a 1/1024 point is that number.
    /// Without this, 10.5 may come out as 10.499999999999998 and be shown a pixel off.
    func snapped(_ value: Double) -> Double {
        // Values end at 1e9, so that the sum's unit is one: it rounds, without a call, as `rounded()` does but for halves,
        // which are far from any multiple.
        let shift = 0x1.8p52
        let nearest = (value * 1024 + shift - shift) / 1024
        let tolerance = 1e-8 * (1 + abs(value))
        return abs(nearest - value) <= tolerance ? nearest + 0 : value
    }

    // MARK: The solver's constraints

    /// Takes the memory for the terms of one equation out of the engine; `reuse` puts it back.
    func takeSpareTerms() -> [Term] {
        var terms: [Term] = []
        swap(&terms, &spareTerms)
        return terms
    }

    /// Takes the memory of an expression's terms, which nobody else may have by now, for another one.
    func reuse(_ expression: inout Expression) {
        swap(&expression.terms, &spareTerms)
        spareTerms.removeAll(keepingCapacity: true)
    }

    func owner(of id: ConstraintID) -> ConstraintOwner? {
        let index = Int(id.index)
        return index < ownerOfConstraint.count ? ownerOfConstraint[index] : nil
    }

    func insert(
        _ expression: Expression, _ relation: Relation, _ strength: Strength,
        owner: consuming ConstraintOwner
    ) throws(SolverError) -> ConstraintID {
        charge(Price.equation)
        let id = try solver.addConstraint(expression, relation, strength: strength)
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

    /// What a transaction returns to when it fails: bit for bit the solver of before, pivots included, so that a
    /// refused change leaves no trace in later answers.
    struct Checkpoint: ~Copyable {
        fileprivate var solver: Solver
        fileprivate let ownerOfConstraint: [ConstraintOwner?]
        fileprivate let brokenConstraints: [LayoutConstraint]
    }

    func checkpoint() -> Checkpoint {
        Checkpoint(
            solver: Solver(copying: solver, asCheckpoint: true),
            ownerOfConstraint: ownerOfConstraint,
            brokenConstraints: brokenConstraints)
    }

    func restore(_ checkpoint: consuming Checkpoint) {
        ownerOfConstraint = checkpoint.ownerOfConstraint
        brokenConstraints = checkpoint.brokenConstraints
        charge(solver.currentWork())
        solver = Solver(copying: checkpoint.solver)
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

/// The owner of a constraint in the solver.
enum ConstraintOwner {
    /// A constraint that people made.
    case user(LayoutConstraint)
    /// The engine itself, for an item.
    case system
}
