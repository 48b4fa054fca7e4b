import SceneModel
import SceneProtocol

/// How large a scene may become in a session; tighter than what any scene may be.
///
/// Held against ops before they are applied and journalled, never in a replay: what was once accepted comes back,
/// whatever the limits are by then.
public struct SceneLimits: Sendable, Equatable {
    /// Views, `root` not counted.
    public var views = Limits.standard.viewMaximum
    /// Rules, those of sets included.
    public var constraints = Limits.standard.constraintMaximum

    /// Makes the standard limits.
    public init() {}
}

extension SceneLimits {
    /// Why a list of ops would make a scene too large, if it would. A visual format counts as one rule here; the
    /// scene itself counts all that it stands for.
    func excess(_ ops: [Op], in model: SceneModel) -> Refusal? {
        var views = 0
        var constraints = 0
        var lists = [ops]
        while let list = lists.popLast() {
            for op in list {
                switch op {
                case .addView: views += 1
                case .addConstraint: constraints += 1
                case .animate(let animation): lists.append(animation.ops)
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
            // `root` is no view that a member added.
            views: views == 0 ? 0 : model.viewCount - 1 + views,
            constraints: constraints == 0 ? 0 : model.constraintCount + constraints)
    }

    /// Why a document is too large, if it is.
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
