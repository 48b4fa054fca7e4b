import SceneDocument
import SceneModel

/// The maximum size of a scene in a session; tighter than the limits of the protocol.
///
/// Enforced for ops before they are applied and journalled, never in a replay: ops that were
/// accepted replay under any later limits.
public struct SceneLimits: Sendable, Equatable {
    /// Views, without `root`.
    public var views = Limits.standard.viewMaximum
    /// Rules, including those of sets.
    public var constraints = Limits.standard.constraintMaximum

    /// Seconds of an animation, and of its delay.
    public var animationSeconds = Limits.secondsMaximum
    /// Animations under way, one for each view that a block moves, at which no further block
    /// begins.
    public var animations = 4 * Limits.standard.viewMaximum

    /// Makes the standard limits.
    public init() {}
}

extension SceneLimits {
    /// Returns a refusal if ops would make the scene too large, or move too much for too long. A
    /// visual format counts as one rule here; the scene itself counts all constraints of the
    /// format.
    func excess(_ ops: OpFootprint, in model: SceneModel) -> Refusal? {
        if let seconds = ops.animationSeconds, let refusal = excess(seconds, in: model) {
            return refusal
        }
        return refusal(
            // `root` is not a view that a member added.
            views: ops.views == 0 ? 0 : model.viewCount - 1 + ops.views,
            constraints: ops.constraints == 0 ? 0 : model.constraintCount + ops.constraints)
    }

    /// - Parameter seconds: The longest duration or delay of the animations.
    private func excess(_ seconds: Double, in model: SceneModel) -> Refusal? {
        guard seconds <= animationSeconds else {
            return Refusal(
                code: .limit,
                message: "an animation and its delay last at most \(animationSeconds) s each here"
            )
        }
        guard model.animationCount >= animations else { return nil }
        return Refusal(
            code: .limit,
            message: "\(animations) views are on their way already; send it when some have arrived"
        )
    }

    /// Returns a refusal if a document is too large.
    func excess(_ document: SceneDocument) -> Refusal? {
        refusal(
            views: document.views.count,
            constraints: document.constraints.count
                + document.sets.reduce(0) { $0 + $1.constraints.count })
    }

    private func refusal(views count: Int, constraints ruleCount: Int) -> Refusal? {
        if count > views {
            return Refusal(code: .limit, message: "a scene has at most \(views) views here")
        }
        guard ruleCount > constraints else { return nil }
        return Refusal(
            code: .limit, message: "a scene has at most \(constraints) constraints here")
    }
}
