import AutoLayout
import SceneDocument

/// Counts a scene's work, and stops ops and cycles at its limits.
extension SceneModel {
    /// The cost of single steps, in the units of `Window.work`.
    enum Price {
        /// An op of any kind.
        static let op: UInt64 = 400
        /// An op whose names are looked up before a batch is applied.
        static let named: UInt64 = 40
        /// A view of a document that is made.
        static let loaded: UInt64 = 800
        /// A view, constraint or set that an op visits.
        static let record: UInt64 = 3
        /// A byte of text that an op contains.
        static let byte: UInt64 = 2
        /// Bytes of a view's text that are compared with the members' baseline, and sent, for one
        /// unit.
        static let toldBytes: UInt64 = 4
        /// A line of text that is sent to members, or compared with their baseline.
        static let line: UInt64 = 15
        /// A line of text of a view that gets another superview, whose name is a part of its hash:
        /// that is made anew.
        static let hashedLine: UInt64 = 30
        /// A view that gets another superview, and one below it: it leaves the engine and comes
        /// back.
        static let moved: UInt64 = 450
        /// A view that is removed, and a constraint that goes with it.
        static let removal: UInt64 = 2_400
        static let removedConstraint: UInt64 = 200
        /// A view whose frame is sent to members.
        static let frame: UInt64 = 120
        /// A view whose content is sent to members.
        static let content: UInt64 = 120
        /// A view of a scene that members are sent anew.
        static let whole: UInt64 = 600
        /// A sibling of a view that was added, removed or moved: the old and new lists are
        /// compared.
        static let sibling: UInt64 = 80
        /// A view, constraint or set of a requested document.
        static let exported: UInt64 = 360
        /// The answer to an inspection of any size, and each constraint and set visited for it.
        static let answer: UInt64 = 3_500
        static let answerRecord: UInt64 = 16
        /// An inspected view, each constraint looked at for it, and a constraint on it.
        static let inspected: UInt64 = 2_000
        static let inspectedRecord: UInt64 = 6
        static let influence: UInt64 = 600
        /// A fitting size that is asked for, besides the solver's work on it.
        static let fitted: UInt64 = 1_000
        /// A superview of a view whose frame is sent: positions are summed over all of them.
        static let ancestor: UInt64 = 8
        /// A view below one that moved by part of a pixel, whose edges may round differently, and
        /// each of its superviews.
        static let compared: UInt64 = 20
        static let comparedAncestor: UInt64 = 14
    }

    /// Units of work since the model was made: cells of the solver's tableau, visited views,
    /// measured characters, visited records. The same on every machine and in every replay.
    public var work: UInt64 { meter &+ window.work }

    /// Whether something was stopped at `workLimit`. The scene is then half changed: its owner
    /// discards it and rebuilds it from its source.
    public var isExhausted: Bool { wasCutShort || window.isExhausted }

    /// Whether the scene is half changed, by a stop at the limit or, without `restoresRefused`, by
    /// a refusal. Its owner discards it and rebuilds it from its source.
    public var isSpoiled: Bool { isExhausted || isHalfChanged }

    /// Runs a question on the scene within a number of units of work.
    ///
    /// - Returns: The answer, and whether it is complete; layouts not examined within the limit
    ///   count as unambiguous.
    public func asking<Answer>(
        atMost units: UInt64, _ question: () -> Answer
    ) -> (answer: Answer, isWhole: Bool) {
        let (limit, isTooMuch) = window.work.addingReportingOverflow(units)
        window.questionLimit = isTooMuch ? .max : limit
        defer { window.questionLimit = .max }
        let answer = question()
        return (answer, isTooMuch || window.work <= limit)
    }

    /// Marks everything, so that members receive the whole state.
    public func markEverything() { pending.isComplete = true }

    /// Adds work that was done for the scene elsewhere, such as reading its journal.
    public func countIn(_ units: UInt64) { meter &+= units }

    /// Gives the window the rest of the limit.
    func allotWindow() { window.workLimit = workLimit &- min(meter, workLimit) }

    /// Limits an op to the work of a single one.
    func limitOp(_ op: () throws(Refusal) -> Void) throws(Refusal) {
        guard opWorkLimit < workLimit &- min(sharesBefore.total, workLimit) else {
            return try op()
        }
        let before = workLimit
        workLimit = sharesBefore.total &+ opWorkLimit
        defer { workLimit = before }
        try op()
    }

    /// Starts counting for the first of several ops.
    func beginShares() { sharesBefore = shares }

    /// Refuses an op that was stopped; otherwise starts counting for the next one.
    func endShare() throws(Refusal) {
        // Once for each op, since the query has a cost.
        let layout = window.workTold
        guard !wasCutShort, !layout.isExhausted, meter &+ layout.total <= workLimit else {
            return try requireAffordable()
        }
        sharesBefore = shares(layout)
    }

    /// Keeps the work of a window that is being replaced.
    func retireWindow() {
        meter &+= window.work
        retiredSolverWork &+= window.solverWork
        retiredLayoutWork &+= window.work
        wasCutShort = wasCutShort || window.isExhausted
    }

    /// Charges the comparison of a cycle's marks with baselines, and their encoding.
    func chargeTelling() {
        if pending.takeUnchargedWhole() { meter &+= Price.whole * UInt64(nodes.count) }
        let (frames, contents, reordered, asksRoot) = pending.takeUncharged()
        guard !frames.isEmpty || !contents.isEmpty || !reordered.isEmpty || asksRoot else {
            return
        }
        var units = Price.frame * UInt64(frames.count) + Price.content * UInt64(contents.count)
        let deepest = window.maximumDepth
        if deepest <= Self.shallowDepth {
            units &+= Price.ancestor * UInt64(deepest * frames.count)
        } else {
            for node in frames {
                units &+= Price.ancestor * UInt64(window.depth(of: node.view))
            }
        }
        for case let text as TextContentView in contents.map({ $0.view }) {
            units &+=
                UInt64(text.textByteCount) / Price.toldBytes + Price.line * UInt64(text.lineCount)
        }
        for number in reordered {
            units &+= Price.sibling * UInt64(nodes[number]?.view.subviews.count ?? 0)
        }
        if asksRoot { units &+= Price.sibling * UInt64(rootNode.view.subviews.count) }
        meter &+= units &+ comparingWork(of: frames)
        if work > workLimit { wasCutShort = true }
    }

    /// The cost of comparing what lies below views that moved by part of a pixel.
    ///
    /// - Complexity: O(views compared), far fewer instructions than the comparison takes.
    private func comparingWork(of frames: ArraySlice<ViewNode>) -> UInt64 {
        let grid = pixelGrid
        guard grid.rounds, !frames.isEmpty else { return 0 }
        comparisons &+= 1
        let isOnItsWay = !window.isShownAsLaidOut
        var units: UInt64 = 0
        var below: [View] = []
        for node in frames {
            let before = node.pixelOffset
            node.pixelOffset = grid.offset(of: node.view.layoutFrame)
            // Of a view that was not told yet nothing is compared.
            guard isOnItsWay || before.map({ $0 != node.pixelOffset }) == true else { continue }
            below.append(node.view)
            while let view = below.popLast() {
                for child in view.subviews {
                    guard let node = self.node(of: child), node.comparison != comparisons else {
                        continue
                    }
                    node.comparison = comparisons
                    units &+=
                        Price.compared
                        + Price.comparedAncestor * UInt64(window.depth(of: child))
                    below.append(child)
                }
            }
        }
        return units
    }

    /// Up to this depth all views are charged for the deepest, which is faster than finding each
    /// depth.
    private static let shallowDepth = 16

    /// Charges work, and refuses the op if the limit is exceeded.
    func spend(_ units: UInt64) throws(Refusal) {
        meter &+= units
        try requireAffordable()
    }

    /// Refuses an op that was stopped.
    func requireAffordable() throws(Refusal) {
        let layout = window.workTold
        guard wasCutShort || layout.isExhausted || meter &+ layout.total > workLimit else {
            return
        }
        wasCutShort = true
        throw Refusal(tooExpensive: shares - sharesBefore)
    }

    /// The work so far, by purpose.
    private var shares: WorkShares { shares(window.workTold) }

    private func shares(
        _ layout: (total: UInt64, solver: UInt64, isExhausted: Bool)
    ) -> WorkShares {
        WorkShares(
            total: meter &+ layout.total, solver: retiredSolverWork &+ layout.solver,
            scene: meter &- retiredLayoutWork)
    }
}

/// Work by purpose.
struct WorkShares: Equatable {
    /// The sum.
    var total: UInt64 = 0
    /// Solving constraints.
    var solver: UInt64 = 0
    /// Visiting the scene's views, constraints and sets.
    var scene: UInt64 = 0

    /// The work between two moments.
    static func - (now: Self, before: Self) -> Self {
        Self(
            total: now.total &- before.total, solver: now.solver &- before.solver,
            scene: now.scene &- before.scene)
    }

    /// The purpose with the most work.
    fileprivate var main: (units: UInt64, name: String) {
        let layout = total &- solver &- scene
        if solver >= layout, solver >= scene { return (solver, "solving constraints") }
        return layout >= scene
            ? (layout, "laying out views and text")
            : (scene, "visiting the scene's views and constraints")
    }
}

extension Refusal {
    /// The refusal of an op or a document that was stopped at a limit.
    init(tooExpensive spent: WorkShares) {
        let (units, name) = spent.main
        self.init(
            code: .tooExpensive,
            message:
                "it takes more work than is allowed; it was stopped after \(spent.total) units, \(units) of them for \(name)"
        )
    }
}

extension Op {
    /// The cost of an op before it is performed: its text and lists, and the records that it
    /// visits.
    func price(in model: SceneModel) -> UInt64 {
        let footprint = OpFootprint(self)
        return SceneModel.Price.op
            + SceneModel.Price.record * UInt64(footprint.visits.count(in: model))
            + SceneModel.Price.byte * UInt64(footprint.toldByteCount)
    }
}
