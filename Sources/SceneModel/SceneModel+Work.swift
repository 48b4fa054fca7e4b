import AutoLayout
import SceneProtocol

/// What a scene costs, and where ops and cycles stop when they cost too much.
extension SceneModel {
    /// What single steps cost, in the units of `Window.work`.
    enum Price {
        /// An op, whatever it does.
        static let op: UInt64 = 400
        /// A view, constraint or set that an op looks at on its way.
        static let record: UInt64 = 3
        /// A byte of text that an op brings, or that members are told.
        static let byte: UInt64 = 2
        /// A line of text that members are told, or that is compared with what they were told.
        static let line: UInt64 = 60
        /// A view that leaves or gets another superview, besides its constraints.
        static let removal: UInt64 = 400
        /// A view whose place members are told.
        static let frame: UInt64 = 120
        /// A view whose looks members are told.
        static let content: UInt64 = 120
        /// A view beside one that came, went or moved: the lists of before and after are compared.
        static let sibling: UInt64 = 40
        /// A document that a member asks for, and each view, constraint or set written into it.
        static let document: UInt64 = 30_000
        static let exported: UInt64 = 120
        /// An answer about views, whatever it says: it is deflated, which has to be prepared. And for each constraint and set that
        /// is looked up for it.
        static let answer: UInt64 = 40_000
        static let answerRecord: UInt64 = 12
        /// A view that is told of, and a constraint that holds it.
        static let inspected: UInt64 = 1_000
        static let influence: UInt64 = 600
        /// A view above one whose place is told: its place is worked out from theirs.
        static let ancestor: UInt64 = 8
    }

    /// Units of work since the model was made: cells of the solver's tableau touched, views visited, characters
    /// measured, records looked at. The same on every machine and in every replay.
    public var work: UInt64 { meter &+ window.work }

    /// Whether something was cut short at `workLimit`. The scene is then half changed: its owner throws it away and goes
    /// back to what it was made from.
    public var isExhausted: Bool { wasCutShort || window.isExhausted }

    /// Whether the scene is half changed, by what was cut short or, without `restoresRefused`, by what was refused. Its owner
    /// throws it away and goes back to what it was made from.
    public var isSpoiled: Bool { isExhausted || isHalfChanged }

    /// Puts questions to the scene that may take so many units of work.
    ///
    /// - Returns: The answer, and whether it was gone into to the end; otherwise layouts count as unambiguous from where it
    ///   was left.
    public func asking<Answer>(
        atMost units: UInt64, _ question: () -> Answer
    ) -> (answer: Answer, isWhole: Bool) {
        let (limit, isTooMuch) = window.work.addingReportingOverflow(units)
        window.questionLimit = isTooMuch ? .max : limit
        defer { window.questionLimit = .max }
        let answer = question()
        return (answer, isTooMuch || window.work <= limit)
    }

    /// Has members told everything anew, whatever they know.
    public func markEverything() { pending.isComplete = true }

    /// Adds work to the scene's that was done for it elsewhere, such as reading its journal.
    public func countIn(_ units: UInt64) { meter &+= units }

    /// Lets the hierarchy have what is left.
    func allotWindow() { window.workLimit = workLimit &- min(meter, workLimit) }

    /// Holds an op to what a single one may take.
    func limitOp(_ op: () throws(Refusal) -> Void) throws(Refusal) {
        guard opWorkLimit < workLimit &- min(sharesBefore.total, workLimit) else {
            return try op()
        }
        let before = workLimit
        workLimit = sharesBefore.total &+ opWorkLimit
        defer { workLimit = before }
        try op()
    }

    /// Begins to count for an op, the first of several.
    func beginShares() { sharesBefore = shares }

    /// Keeps an op out that was cut short; otherwise what follows counts for the next one.
    func settleShares() throws(Refusal) {
        // Once for each op: to ask for it is not free.
        let layout = window.workTold
        guard !wasCutShort, !layout.isExhausted, meter &+ layout.total <= workLimit else {
            return try requireAffordable()
        }
        sharesBefore = shares(layout)
    }

    /// Notes the work of a window that another one takes the place of.
    func retireWindow() {
        meter &+= window.work
        retiredSolverWork &+= window.solverWork
        retiredLayoutWork &+= window.work
        wasCutShort = wasCutShort || window.isExhausted
    }

    /// Notes what it takes to compare what a cycle has marked with what members have, and to tell them.
    func chargeTelling() {
        let (frames, contents, reordered) = pending.takeUncharged()
        guard !frames.isEmpty || !contents.isEmpty || !reordered.isEmpty else { return }
        var units = Price.frame * UInt64(frames.count) + Price.content * UInt64(contents.count)
        let deepest = window.maximumDepth
        if deepest <= Self.shallowDepth {
            units &+= Price.ancestor * UInt64(deepest * frames.count)
        } else {
            for node in frames {
                units &+= Price.ancestor * UInt64(window.depth(of: node.view))
            }
        }
        for case let text as GridTextView in contents.map(\.view) {
            units &+=
                Price.byte * UInt64(text.textByteCount) + Price.line * UInt64(text.lineCount)
        }
        for number in reordered {
            units &+= Price.sibling * UInt64(nodes[number]?.view.subviews.count ?? 0)
        }
        meter &+= units
        if work > workLimit { wasCutShort = true }
    }

    /// Up to here, all views count as deep as the deepest, which is quicker than to ask.
    private static let shallowDepth = 16

    /// Notes work, and keeps the op out if it was too much.
    func spend(_ units: UInt64) throws(Refusal) {
        meter &+= units
        try requireAffordable()
    }

    /// Keeps an op out that was cut short.
    func requireAffordable() throws(Refusal) {
        let layout = window.workTold
        guard wasCutShort || layout.isExhausted || meter &+ layout.total > workLimit else {
            return
        }
        wasCutShort = true
        throw Refusal(tooExpensive: shares - sharesBefore)
    }

    /// Where the work went so far.
    private var shares: WorkShares { shares(window.workTold) }

    private func shares(
        _ layout: (total: UInt64, solver: UInt64, isExhausted: Bool)
    ) -> WorkShares {
        WorkShares(
            total: meter &+ layout.total, solver: retiredSolverWork &+ layout.solver,
            scene: meter &- retiredLayoutWork)
    }
}

/// Where work went.
struct WorkShares: Equatable {
    /// All of it.
    var total: UInt64 = 0
    /// Solving constraints.
    var solver: UInt64 = 0
    /// Looking through the scene's views, constraints and sets.
    var scene: UInt64 = 0

    /// What was spent between two moments.
    static func - (now: Self, before: Self) -> Self {
        Self(
            total: now.total &- before.total, solver: now.solver &- before.solver,
            scene: now.scene &- before.scene)
    }

    /// What took the most.
    fileprivate var main: (units: UInt64, name: String) {
        let layout = total &- solver &- scene
        if solver >= layout, solver >= scene { return (solver, "solving constraints") }
        return layout >= scene
            ? (layout, "laying views and text out") : (scene, "looking through the scene")
    }
}

extension Refusal {
    /// The refusal of an op or a document that was cut short at a limit.
    init(tooExpensive spent: WorkShares) {
        let (units, name) = spent.main
        self.init(
            code: .tooExpensive,
            message:
                "it takes more work than is allowed; it was ended after \(spent.total) units, \(units) of them for \(name)"
        )
    }
}

extension Op {
    /// What an op costs before anything is done: its text and its lists, and what it has to look through.
    func price(in model: SceneModel) -> UInt64 {
        let records: Int
        var bytes = 0
        switch self {
        case .addView(let spec):
            records = spec.properties.weight
            bytes = spec.properties.toldByteCount
        case .setView(_, let properties):
            records = properties.weight
            bytes = properties.toldByteCount
        case .removeView, .moveView, .resetView: records = model.nodes.count + model.constraintCount
        case .activateSet, .deactivateSet, .removeConstraint, .setConstraint:
            records = model.sets.count
        // Each view's safe area and margins are looked at, besides what the passes charge.
        case .setViewport: records = 2 * model.nodes.count
        case .setScene, .addGuide, .addConstraint, .setContentOffset, .setNeedsUpdateConstraints,
            .updateConstraintsIfNeeded, .setNeedsLayout, .layoutIfNeeded, .setNeedsDisplay,
            .sizeToFit, .animate, .setNeedsUpdateProperties, .updatePropertiesIfNeeded:
            records = 0
        }
        return SceneModel.Price.op + SceneModel.Price.record * UInt64(records)
            + SceneModel.Price.byte * UInt64(bytes)
    }
}

extension ViewProperties {
    /// Bytes of text and members of lists, as records.
    fileprivate var weight: Int {
        let text = (text?.utf8.count ?? 0) * Int(SceneModel.Price.byte / SceneModel.Price.record)
        let varied = (variations ?? []).reduce(0) { $0 + 8 + $1.properties.weight }
        return text + varied + 8 * ((arranged?.count ?? 0) + (customSpacing?.count ?? 0))
    }

    /// Bytes of texts that members are told beside the view's content.
    fileprivate var toldByteCount: Int { hasInteraction ? interaction.textByteCount : 0 }
}
