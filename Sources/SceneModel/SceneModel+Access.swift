import AutoLayout
import ConstraintLanguage
public import SceneDocument

/// Which views an op is about, for rules about who may change which part of a scene.
extension SceneModel {
    /// A view that an op changes, with its superviews up to the root, itself first.
    public struct AffectedView: Sendable, Equatable {
        /// The ids, from the view to the root. The first is that of a view to come for `addView`.
        public var path: [String]
        /// Whether all views below it are affected as well.
        public var includesSubviews = false
    }

    /// The views that an op changes in the scene as it is now; none for passes, which change
    /// nothing but when things are done. The ops of an animation are not looked into.
    ///
    /// A constraint affects the views that it names and the owners of the guides that it names. An
    /// ancestor of another named view is left out: a constraint to it places the other view in it.
    ///
    /// - Complexity: O(depth), for sets and visual formats O(constraints).
    public func affectedViews(by op: Op) -> [AffectedView] {
        switch op {
        case .setScene: return [AffectedView(path: ["root"], includesSubviews: true)]
        case .setViewport: return [AffectedView(path: ["root"])]
        case .addView(let spec):
            return [AffectedView(path: [spec.id] + (path(from: spec.parent) ?? []))]
        case .addGuide(let spec): return affected([spec.parent])
        case .removeView(let id):
            return affected([id]).map { AffectedView(path: $0.path, includesSubviews: true) }
        case .moveView(let id, let parent, _):
            let target = parent.flatMap { path(from: $0) }.map { AffectedView(path: [id] + $0) }
            return affected([id]) + (target.map { [$0] } ?? [])
        case .setView(let id, _), .resetView(let id, _), .setContentOffset(let id, _),
            .sizeToFit(let id):
            return affected([id])
        case .addConstraint(let spec, _):
            switch spec.body {
            case .rule(let rule): return affectedViews(by: [rule])
            case .visualFormat(let format, _): return affected(format.viewNames)
            }
        case .removeConstraint(let id), .setConstraint(let id, _, _, _, _):
            return affectedViews(by: constraints.named(id).map { $0.rule })
        case .activateSet(let id, _), .deactivateSet(let id):
            return affectedViews(
                by: constraints.entries.filter { $0.set == id }.map { $0.rule })
        case .setNeedsUpdateConstraints, .updateConstraintsIfNeeded, .setNeedsLayout,
            .layoutIfNeeded, .setNeedsDisplay, .setNeedsUpdateProperties,
            .updatePropertiesIfNeeded, .animate:
            return []
        }
    }

    private func affectedViews(by rules: [Rule]) -> [AffectedView] {
        rules.flatMap { affected($0.itemIDs) }
    }

    /// The views of these names, or that own the guides of these names, but for those above others
    /// of them.
    private func affected(_ names: [String]) -> [AffectedView] {
        let paths = names.compactMap { name in
            path(from: name)
                ?? guides[name]?.owningView.flatMap { node(of: $0) }.flatMap {
                    path(from: $0.id)
                }
        }
        return paths.filter { path in
            !paths.contains { $0.count > path.count && $0.contains(path[0]) }
        }.map { AffectedView(path: $0) }
    }

    // MARK: What is seen

    /// The refusal of an op that names something unseen: that of an op that names something which
    /// does not exist. The ops of an animation are not looked into.
    ///
    /// - Parameter sees: Whether a view is seen, by the ids from it to the root.
    /// - Complexity: O(names · depth); for sets O(constraints).
    public func refusalOfUnseen(in op: Op, sees: ([String]) -> Bool) -> Refusal? {
        func view(_ id: String) -> Refusal? {
            guard id != "root", let path = path(from: id), !sees(path) else { return nil }
            return Refusal(code: .unknownView, message: "there is no view \"\(id)\"")
        }
        func properties(_ properties: ViewProperties) -> Refusal? {
            for id in properties.arranged ?? [] {
                if let refusal = view(id) { return refusal }
            }
            return nil
        }
        func items(_ ids: [String]) -> Refusal? {
            ids.first { !isSeen(item: $0, sees) }.map {
                Refusal(code: .unknownView, message: "there is no view or guide \"\($0)\"")
            }
        }
        switch op {
        case .setScene, .setViewport: return nil
        case .addView(let spec): return view(spec.parent)
        case .addGuide(let spec): return view(spec.parent)
        case .moveView(let id, let parent, _): return view(id) ?? view(parent ?? "root")
        case .setView(let id, let changes): return view(id) ?? properties(changes)
        case .removeView(let id), .resetView(let id, _), .setContentOffset(let id, _),
            .sizeToFit(let id), .setNeedsUpdateConstraints(let id),
            .updateConstraintsIfNeeded(let id), .setNeedsLayout(let id), .layoutIfNeeded(let id),
            .setNeedsDisplay(let id, _), .setNeedsUpdateProperties(let id),
            .updatePropertiesIfNeeded(let id):
            return view(id)
        case .addConstraint(let spec, let set):
            let named: Refusal? =
                switch spec.body {
                case .rule(let rule): items(rule.itemIDs)
                case .visualFormat(let format, _): items(format.viewNames)
                }
            return set.flatMap { refusalOfUnseen(set: $0, sees) } ?? named
        case .removeConstraint(let id), .setConstraint(let id, _, _, _, _):
            guard !isSeen(constraint: id, sees) else { return nil }
            return Refusal(code: .unknownConstraint, message: "there is no constraint \"\(id)\"")
        case .activateSet(let id, _), .deactivateSet(let id):
            return refusalOfUnseen(set: id, sees)
        case .animate: return nil
        }
    }

    private func refusalOfUnseen(set id: String, _ sees: ([String]) -> Bool) -> Refusal? {
        let isSeen = constraints.entries.allSatisfy { entry in
            entry.set != id || entry.rule.itemIDs.allSatisfy { self.isSeen(item: $0, sees) }
        }
        return isSeen ? nil : Refusal(code: .unknownSet, message: "there is no set \"\(id)\"")
    }

    /// Whether all that a constraint names is seen; true for an unknown one.
    public func isSeen(constraint id: String, _ sees: ([String]) -> Bool) -> Bool {
        constraints.named(id).allSatisfy { entry in
            entry.rule.itemIDs.allSatisfy { isSeen(item: $0, sees) }
        }
    }

    /// Whether a view, or the owner of a guide, is visible; true for an unknown name, and for
    /// `root`, which every scene has.
    public func isSeen(item id: String, _ sees: ([String]) -> Bool) -> Bool {
        if id == "root" { return true }
        if let path = path(from: id) { return sees(path) }
        guard let owner = guides[id]?.owningView, let node = node(of: owner),
            node.id != "root"
        else { return true }
        return path(from: node.id).map(sees) ?? true
    }

    /// The ids of a view and all views below it, in the order of drawing; none for an unknown view.
    ///
    /// - Complexity: O(views below it).
    public func subtree(of id: String) -> [String] {
        guard let number = nodeIDs[id], let node = nodes[number] else { return [] }
        var ids: [String] = []
        var rest = [node.view]
        while let view = rest.popLast() {
            guard let node = self.node(of: view) else { continue }
            ids.append(node.id)
            rest += view.subviews.reversed()
        }
        return ids
    }

    /// Whether there is a view of that name.
    public func hasView(_ id: String) -> Bool { nodeIDs[id] != nil }

    /// Whether there is a constraint, or a visual format, of that name.
    public func hasConstraint(_ id: String) -> Bool { constraints.contains(id) }
}

extension Rule {
    /// The views and guides that it names.
    fileprivate var itemIDs: [String] {
        [first.item.id] + (second.map { [$0.item.id] } ?? [])
    }
}
