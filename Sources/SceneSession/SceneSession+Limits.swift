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

extension SceneSession {
    /// Why a list of ops would make the scene too large, if it would. A visual format counts as one rule here; the
    /// scene itself counts all that it stands for.
    func excess(_ ops: [Op]) -> Refusal? {
        var views = 0
        var constraints = 0
        func count(_ op: Op) {
            switch op {
            case .addView: views += 1
            case .addConstraint: constraints += 1
            case .animate(let animation): for inner in animation.ops { count(inner) }
            default: break
            }
        }
        for op in ops { count(op) }
        return refusal(
            // `root` is no view that anybody added.
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

    private func refusal(views: Int, constraints: Int) -> Refusal? {
        if views > sceneLimits.views {
            return Refusal(
                code: .limit, message: "a scene has at most \(sceneLimits.views) views here")
        }
        guard constraints > sceneLimits.constraints else { return nil }
        return Refusal(
            code: .limit,
            message: "a scene has at most \(sceneLimits.constraints) constraints here")
    }
}
