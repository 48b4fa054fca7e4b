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
    /// Returns a refusal if a list of ops would make the scene too large. A visual format counts as
    /// one rule here; the scene itself counts all constraints of the format.
    func excess(_ ops: [Op], in model: SceneModel) -> Refusal? {
        var views = 0
        var constraints = 0
        var lists = [ops]
        while let list = lists.popLast() {
            for op in list {
                switch op {
                case .addView: views += 1
                case .addConstraint: constraints += 1
                case .animate(let animation):
                    if let refusal = excess(animation, in: model) { return refusal }
                    lists.append(animation.ops)
                case .setScene, .removeView, .moveView, .setView, .resetView, .addGuide,
                    .removeConstraint, .setConstraint, .activateSet, .deactivateSet, .setViewport,
                    .setContentOffset, .setNeedsUpdateConstraints, .updateConstraintsIfNeeded,
                    .setNeedsLayout, .layoutIfNeeded, .setNeedsDisplay, .sizeToFit,
                    .setNeedsUpdateProperties, .updatePropertiesIfNeeded:
                    break
                }
            }
        }
        return refusal(
            // `root` is not a view that a member added.
            views: views == 0 ? 0 : model.viewCount - 1 + views,
            constraints: constraints == 0 ? 0 : model.constraintCount + constraints)
    }

    private func excess(_ animation: Animation, in model: SceneModel) -> Refusal? {
        guard max(animation.duration, animation.delay) <= animationSeconds else {
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
