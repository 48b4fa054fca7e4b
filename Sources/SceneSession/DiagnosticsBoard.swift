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

    /// Whether the scene has changed since the diagnostics were last computed.
    private var isOutdated = false

    /// Registers a change of the scene. Diagnostics may change even if no view moves.
    mutating func sceneDidChange() { isOutdated = true }

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
    func known(at tick: UInt64) -> Diagnostics? {
        last.tick == tick && tick > 0 && !isOutdated ? last : nil
    }

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
        last = present
        isOutdated = false
        defer { newReaders.removeAll() }
        return newReaders
    }

    /// Stores the present diagnostics.
    ///
    /// - Returns: Whether they differ from those that members last received.
    mutating func isNews(_ present: Diagnostics) -> Bool {
        isOutdated = false
        var same = present
        same.tick = last.tick
        guard same != last else { return false }
        last = present
        return true
    }
}
