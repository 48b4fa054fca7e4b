import SceneModel
import SceneWire

/// The diagnostics of the layout, and the members that must receive them.
struct DiagnosticsBoard {
    private var last = Diagnostics()
    /// The diagnostics that members last received.
    var present: Diagnostics { last }
    /// The views that kept marking one another in the last cycle.
    private var feedbackLoop: [String] = []
    /// Members that joined since the last tick and can read diagnostics.
    private var newReaders: [Member] = []

    /// The tick of the baseline that `last` was computed for; `nil` if the scene has changed since.
    private var knownTick: UInt64?

    /// Registers a change of the scene. Diagnostics may change even if no view moves.
    mutating func sceneDidChange() { knownTick = nil }

    /// Whether members wait for their first diagnostics.
    var hasNewReaders: Bool { !newReaders.isEmpty }

    /// Takes a cycle's diagnostics from the model, whether or not a member reads them.
    mutating func note(_ model: SceneModel) { feedbackLoop = model.takeFeedbackLoop() }

    /// Registers a member that receives the diagnostics at the next tick. The computation may take
    /// many ticks, and the scene should be sent before it starts.
    mutating func join(_ member: Member) {
        if member.has(Capability.diagnostics) { newReaders.append(member) }
    }

    /// Removes a member that left.
    mutating func forget(_ member: Member) { newReaders.removeAll { $0 === member } }

    /// The diagnostics computed for an earlier tick; `nil` if they may be outdated.
    func known(at tick: UInt64) -> Diagnostics? { knownTick == tick ? last : nil }

    /// Computes the diagnostics at the tick of the members' baseline.
    func diagnostics(of model: SceneModel, tick: UInt64) -> Diagnostics {
        var diagnostics = Diagnostics()
        diagnostics.tick = tick
        diagnostics.ambiguous = model.ambiguousViewIDs()
        diagnostics.broken = model.brokenConstraintIDs
        diagnostics.feedbackLoop = feedbackLoop
        return diagnostics
    }

    /// Removes and returns the members that joined; they receive `present` now.
    mutating func takeNewReaders(_ present: Diagnostics) -> [Member] {
        take(present)
        defer { newReaders.removeAll() }
        return newReaders
    }

    /// Stores the present diagnostics.
    ///
    /// - Returns: Whether they differ from those that members last received.
    mutating func isNews(_ present: Diagnostics) -> Bool {
        var same = present
        same.tick = last.tick
        defer { take(present) }
        return same != last
    }

    private mutating func take(_ present: Diagnostics) {
        last = present
        knownTick = present.tick
    }
}
