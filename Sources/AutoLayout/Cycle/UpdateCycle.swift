import ConstraintLanguage

/// The update cycle of one hierarchy: what is pending is handled in three passes, each finished for
/// all views before the next begins.
///
///     advance animations ▸ traits ▸ update properties ▸ update constraints ▸ solve and mark
///         ▸ layout ▸ (again while dirty) ▸ display
///
/// It owns the order of calls and the rules about what may be asked for when; what constraints mean
/// is the engine's. It runs synchronously on the thread that uses the hierarchy.
final class UpdateCycle {
    /// Where the cycle stands; the rules about requests depend on it.
    enum Phase {
        case idle
        case updatingConstraints(LayoutItemReference)
        case layingOut(LayoutItemReference)
        case drawing
    }

    /// The engine, which owns the cycle.
    var engine: LayoutEngine {
        guard let owner else { preconditionFailure("an engine makes itself known to its cycle") }
        return owner
    }
    @safe @exclusivity(unchecked) private unowned(unsafe) var owner: LayoutEngine?
    /// The topmost view of the hierarchy.
    @safe unowned(unsafe) let root: View

    /// Told of every call and mark, in order; costs nothing while `nil`.
    @safe @exclusivity(unchecked) var traceHandler: ((TraceEvent) -> Void)?
    /// The clock by which passes are measured; they are not while it is `nil`.
    @safe @exclusivity(unchecked) var clock: (() -> UInt64)?
    @safe @exclusivity(unchecked) var durations = PassDurations()
    /// Layouts of one view in one cycle before a feedback loop is reported.
    @safe @exclusivity(unchecked) var feedbackLoopLimit = 100

    @safe @exclusivity(unchecked) var phase = Phase.idle
    /// Numbers cycles and stand-alone layouts, so that per-cycle counts need no resetting.
    @safe @exclusivity(unchecked) var number: Int32 = 0
    /// An error that ends the cycle as soon as the call that made it returns.
    @safe @exclusivity(unchecked) var pendingError: LayoutError?
    @safe @exclusivity(unchecked) var isRunning = false
    /// Units of the passes that the engine was not charged yet; see `spend`.
    @safe @exclusivity(unchecked) var unchargedWork: UInt64 = 0
    /// Rounds of `updateProperties` in the current cycle.
    @safe @exclusivity(unchecked) var propertyRounds = 0
    /// Whether observable properties that calls read are watched.
    @safe @exclusivity(unchecked) var tracksObservableProperties = true
    /// Whether `updateProperties` is being called, and views that are to be installed when all
    /// were.
    @safe @exclusivity(unchecked) var isUpdatingProperties = false
    @safe @exclusivity(unchecked) var viewsToInstall: [View] = []
    /// Layouts in the current cycle after which safe areas changed.
    @safe @exclusivity(unchecked) var safeAreaRounds = 0
    /// The view whose own traits are tracked while they are read, and where its reads are noted
    /// once there are any.
    @safe @exclusivity(unchecked) var trackedView: ObjectIdentifier?
    @safe @exclusivity(unchecked) var openReads: TraitReads?
    /// How many handlers of trait changes were called.
    @safe @exclusivity(unchecked) var traitHandlerCalls = 0

    /// Memory for the views that take what was solved; `nil` while they do.
    @safe @exclusivity(unchecked) var spareChanges: ChangedViews? = nil

    init(root: View) {
        self.root = root
    }

    /// Notes which engine the cycle is of; it makes its cycle first.
    func belong(to engine: LayoutEngine) { owner = engine }

    /// Runs one full cycle.
    ///
    /// - Parameters: The cycle's own root and engine, lent: each reading of the properties counts
    ///   references.
    /// - Throws: The error that ended it early; frames and marks then stand as they were at that
    ///   point.
    func run(_ root: View, _ engine: LayoutEngine) throws(LayoutError) {
        defer { chargeWork(to: engine) }
        if hasPendingLayout(root, engine) || engine.isAwaitingReference {
            try layOut(root, engine)
        }
        if engine.faces.isAwaitingLines {
            for label in engine.faces.takeAwaitingLines() { label.breakAwaitedLines() }
        }
        try timed({ $0.display += $1 }, isOutermost: true) { displayPass() }
    }

    /// The update-constraints and layout passes of a subtree, until nothing is pending there. What
    /// they noted is for the caller to charge. The engine is handed on, for each reading of the
    /// property counts references.
    private func layOut(_ scope: View, _ engine: LayoutEngine) throws(LayoutError) {
        let isOutermost = !isRunning
        if isOutermost {
            isRunning = true
            engine.departedViews = []
            number &+= 1
            propertyRounds = 0
            safeAreaRounds = 0
            if !engine.constraintSets.isEmpty {
                for set in engine.constraintSets { set.flipCount = 0 }
            }
        }
        defer {
            if isOutermost {
                isRunning = false
                engine.departedViews = nil
            }
        }
        repeat {
            try timed({ $0.updateConstraints += $1 }, isOutermost: isOutermost) {
                () throws(LayoutError) in
                try propertyPass(scope)
                try constraintPass(scope)
                followConditions(isRoot: scope === root, engine)
            }
            try timed({ $0.solve += $1 }, isOutermost: isOutermost) { takeSolution(engine) }
            try settleWorkIfLimited()
            try timed({ $0.layout += $1 }, isOutermost: isOutermost) { () throws(LayoutError) in
                try layoutPass(scope)
            }
        } while try goesOn(scope, engine)
    }

    private func goesOn(_ scope: View, _ engine: LayoutEngine) throws(LayoutError) -> Bool {
        if hasPendingLayout(scope, engine) || engine.takeReferences() { return true }
        return try followSafeAreas(scope, engine)
    }

    @inline(__always)
    private func timed(
        _ add: (inout PassDurations, UInt64) -> Void, isOutermost: Bool,
        _ body: () throws(LayoutError) -> Void
    ) throws(LayoutError) {
        guard isOutermost, let clock else { return try body() }
        let began = clock()
        defer { add(&durations, clock() &- began) }
        try body()
    }

    func layoutIfNeeded(in view: View) {
        let engine = engine
        let before = engine.animator.assignmentCount
        defer { chargeWork() }
        do {
            try layOut(view, engine)
        } catch {
            report(error)
        }
        engine.animator.noteLayout(assignments: engine.animator.assignmentCount - before)
    }

    func updateConstraintsIfNeeded(in view: View) {
        defer { chargeWork() }
        do {
            try constraintPass(view)
        } catch {
            report(error)
        }
    }

    func report(_ error: LayoutError) {
        engine.report(.error(error))
    }

    func trace(_ kind: TraceEvent.Kind, _ view: View) {
        traceHandler?(TraceEvent(kind: kind, view: view.identifier))
    }

    private func hasPendingLayout(_ scope: View, _ engine: LayoutEngine) -> Bool {
        scope.marks.subtreeNeedsUpdateConstraints || scope.marks.subtreeNeedsLayout
            || engine.needsSettling || hasPendingProperties(scope) || hasPendingTraits(scope)
    }

    // MARK: Rules about requests

    func noteRequestForConstraints(on view: View) {
        switch phase {
        case .updatingConstraints(let current) where current == LayoutItemReference(view),
            .layingOut(let current) where current == LayoutItemReference(view):
            pendingError = .updateConstraintsLoop(view: view.identifier)
        case .idle, .updatingConstraints, .layingOut, .drawing: break
        }
    }

    func noteRequestForLayout(on view: View) {
        guard case .layingOut(let reference) = phase else { return }
        let current = reference.useView { $0 }
        view.marks.markedBy = ObjectIdentifier(current)
        if !view.isDescendant(of: current) {
            engine.report(
                .markedOutsideSubtree(view: view.identifier, by: current.identifier))
        }
    }

    func takePendingError() throws(LayoutError) {
        guard let error = pendingError else { return }
        pendingError = nil
        throw error
    }

    /// Runs an override and, in debug builds, checks that it called `super`.
    func callOverride(_ method: String, on view: View, _ body: () -> Void) {
        view.marks.reachedBaseImplementation = false
        body()
        #if DEBUG
        if !view.marks.reachedBaseImplementation {
            engine.report(.missingSuperCall(view: view.identifier, method: method))
        }
        #endif
    }
}
