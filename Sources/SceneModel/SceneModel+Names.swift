import AutoLayout
import ConstraintLanguage
import SceneDocument

/// Finds mistakes in names before ops are applied that are taken whole or not at all.
///
/// Once one of them has been applied, going back means building the scene again, which takes far
/// longer than the ops of an ordinary message. Most mistakes are names: of what has gone meanwhile,
/// or is there already.
extension SceneModel {
    /// The refusal of the first op that names what does not exist, or adds what does, if every op
    /// before it is certain to be accepted; `nil` where only applying them tells.
    ///
    /// - Complexity: O(ops), and O(depth) for each view that is added.
    func refusalOfNames(in ops: [Op]) -> Refusal? {
        var names = NameForecast(of: self)
        for (index, op) in ops.enumerated() {
            do throws(Refusal) {
                guard try names.isCertain(op) else { return nil }
            } catch {
                return error.at(index)
            }
        }
        return nil
    }
}

/// The names of a scene as they will be when some ops were applied.
private struct NameForecast {
    private let model: SceneModel
    /// The views to come, with the number of views above each.
    private var views: [String: Int] = [:]
    private var guides: Set<String> = []
    private var constraints: Set<String> = []
    private var constraintCount = 0

    init(of model: SceneModel) { self.model = model }

    /// Whether an op is certain to be accepted; its names count from then on.
    ///
    /// - Throws: The refusal with which it is certain to be refused.
    mutating func isCertain(_ op: Op) throws(Refusal) -> Bool {
        switch op {
        case .addView(let spec): return try isCertain(spec)
        case .addGuide(let spec):
            guard isFree(spec.id) else { throw model.duplicate(spec.id) }
            guard hasRoom else { return false }
            try requireView(spec.parent)
            guides.insert(spec.id)
            return true
        case .addConstraint(let spec, let set): return try isCertain(spec, set)
        case .setConstraint(let id, _, _, let multiplier, _):
            try requireConstraint(id)
            return multiplier == nil && model.constraints[id]?.isPlaceholder == false
        case .setView(let id, let properties):
            try requireView(id)
            return id != "root" && properties.kind == nil && properties.arranged == nil
        case .activateSet(let id, _), .deactivateSet(let id):
            _ = try model.set(id)
            return true
        case .setNeedsUpdateConstraints(let id), .updateConstraintsIfNeeded(let id),
            .setNeedsLayout(let id), .layoutIfNeeded(let id), .setNeedsDisplay(let id, _),
            .setNeedsUpdateProperties(let id), .updatePropertiesIfNeeded(let id),
            .sizeToFit(let id):
            try requireView(id)
            return true
        case .setViewport: return true
        // What is gone afterwards is found out by doing it.
        case .removeView(let id), .resetView(let id, _), .moveView(let id, _, _),
            .setContentOffset(let id, _):
            try requireView(id)
            return false
        case .removeConstraint(let id):
            try requireConstraint(id)
            return false
        case .setScene, .animate: return false
        }
    }

    private mutating func isCertain(_ spec: ViewSpec) throws(Refusal) -> Bool {
        guard isFree(spec.id) else { throw model.duplicate(spec.id) }
        try requireView(spec.parent)
        let depth = depth(of: spec.parent) + 1
        guard hasRoom, depth <= Limits.standard.depthMaximum,
            spec.properties.arranged?.isEmpty ?? true
        else { return false }
        views[spec.id] = depth
        return true
    }

    private mutating func isCertain(
        _ spec: ConstraintSpec, _ set: String?
    ) throws(Refusal) -> Bool {
        if let set { _ = try model.set(set) }
        guard case .rule(let rule) = spec.body else { return false }
        if let id = spec.id {
            guard !constraints.contains(id), !model.constraints.contains(id) else {
                throw model.duplicate(id)
            }
        }
        let items = [rule.first.item, rule.second?.item].compactMap { $0 }
        for item in items where isFree(item.id) {
            throw Refusal(
                code: .unknownView, message: "there is no view or guide \"\(item.id)\"")
        }
        constraintCount += 1
        if let id = spec.id { constraints.insert(id) }
        // Whether a view has a guide depends on its kind, and a set may refuse a member. A name
        // that looks like those of constraints without one may be taken by then.
        return set == nil && items.allSatisfy { $0.guide == nil } && spec.id?.first != "#"
            && model.constraintCount + constraintCount <= Limits.standard.constraintMaximum
    }

    private func isFree(_ id: String) -> Bool {
        model.nodeIDs[id] == nil && model.guides[id] == nil && views[id] == nil
            && !guides.contains(id)
    }

    private var hasRoom: Bool {
        model.nodes.count + model.guides.count + views.count + guides.count
            <= Limits.standard.viewMaximum
            && model.nextNumber + UInt32(views.count) < UInt32(Limits.viewNumberMaximum)
    }

    private func requireView(_ id: String) throws(Refusal) {
        if views[id] == nil { _ = try model.node(id) }
    }

    private func requireConstraint(_ id: String) throws(Refusal) {
        if !constraints.contains(id) { _ = try model.named(id) }
    }

    private func depth(of id: String) -> Int {
        if let depth = views[id] { return depth }
        guard let number = model.nodeIDs[id], let node = model.nodes[number] else { return 0 }
        var (depth, above) = (0, node.view.superview)
        while let view = above { (depth, above) = (depth + 1, view.superview) }
        return depth
    }
}
