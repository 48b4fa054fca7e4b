import SceneModel
import SceneProtocol

/// What is wrong with the layout, and which members have to be told of it.
struct DiagnosticsBoard {
    private var last = Diagnostics()
    /// What members were last told.
    var present: Diagnostics { last }
    /// The views that kept marking one another in the last cycle.
    private var feedbackLoop: [String] = []
    /// Members that joined since the last tick, and can read diagnostics.
    private var newReaders: [Member] = []

    /// Whether the scene was changed since it was last found out what is wrong.
    private var isOutdated = false

    /// Notes that the scene was changed: where nothing moves, something else may be wrong all the same.
    mutating func sceneDidChange() { isOutdated = true }

    /// Whether members wait that have been told nothing yet.
    var hasNewReaders: Bool { !newReaders.isEmpty }

    /// Takes a cycle's diagnostics off the model, whether or not a member reads them.
    mutating func note(_ model: SceneModel) { feedbackLoop = model.takeFeedbackLoop() }

    /// Notes a member that is to be told at the next tick: finding out what is ambiguous may take as long as many ticks, and
    /// the scene that it joined to see should be on its way by then.
    mutating func join(_ member: Member) {
        if member.has(Capability.diagnostics) { newReaders.append(member) }
    }

    /// Forgets a member that left.
    mutating func forget(_ member: Member) { newReaders.removeAll { $0 === member } }

    /// What was found out for a tick before, if it was.
    func known(at tick: UInt64) -> Diagnostics? {
        last.tick == tick && tick > 0 && !isOutdated ? last : nil
    }

    /// What is wrong at the tick that members have.
    func diagnostics(of model: SceneModel, tick: UInt64) -> Diagnostics {
        var diagnostics = Diagnostics()
        diagnostics.tick = tick
        diagnostics.ambiguous = model.ambiguousViewIDs()
        diagnostics.broken = model.brokenConstraintIDs
        diagnostics.feedbackLoop = feedbackLoop
        return diagnostics
    }

    /// The members that joined, which are to be told `present` now.
    mutating func takeNewReaders(_ present: Diagnostics) -> [Member] {
        last = present
        isOutdated = false
        defer { newReaders.removeAll() }
        return newReaders
    }

    /// Takes the present state in.
    ///
    /// - Returns: Whether it says something else than members were told last.
    mutating func isNews(_ present: Diagnostics) -> Bool {
        isOutdated = false
        var same = present
        same.tick = last.tick
        guard same != last else { return false }
        last = present
        return true
    }
}
