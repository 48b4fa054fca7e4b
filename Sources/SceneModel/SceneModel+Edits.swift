import AutoLayout
import ConstraintLanguage
import SceneDocument

/// Computes the inverses of ops.
///
/// The inverse of an op is computed from the scene before it; for an addition, from the scene after
/// it.
extension SceneModel {
    /// Whether the scene has an object.
    public func contains(_ object: EditObject) -> Bool {
        switch object {
        case .view(let id): nodeIDs[id] != nil || guides[id] != nil
        case .constraint(let id): constraints[id] != nil
        case .set(let id): sets.contains(id)
        case .viewport: true
        }
    }

    /// All objects that are removed with a view: its subtree, the guides in it, and every
    /// constraint that refers to one of these. Empty for an unknown view.
    ///
    /// - Complexity: O(subtree + constraints).
    public func objectsGoing(with id: String) -> [EditObject] {
        guard let number = nodeIDs[id], let node = nodes[number] else { return [] }
        let views = node.view.preorder
        var names: [String] = []
        for view in views {
            names.append(view.identifier)
            names += ownGuides(of: view).map { $0.identifier }
        }
        let gone = Set(names)
        return names.map { .view($0) }
            + constraints.entries.filter { $0.speaks(of: gone) }.map { .constraint($0.id) }
    }

    private func ownGuides(of view: View) -> [LayoutGuide] {
        view.layoutGuides.filter { guides[$0.identifier] === $0 }
    }

    // MARK: Before an op

    /// The edits of an op that is about to be applied, as far as they can be computed before it.
    func editsBefore(_ op: Op) -> [Edit] {
        switch op {
        case .removeView(let id): return removal(of: id)
        case .moveView(let id, let parent, _): return move(of: id, to: parent)
        case .setView(let id, let properties): return write(id, properties.givenKeys)
        case .resetView(let id, let keys): return write(id, keys)
        case .removeConstraint(let id):
            let entries = constraints.named(id)
            return [
                Edit(
                    .removed(entries.map { .constraint($0.id) }),
                    inverse: entries.map { .addConstraint($0.spec, set: $0.set) })
            ]
        case .setConstraint(let id, let constant, let priority, let multiplier, let active):
            return write(
                id,
                ConstraintPatch(
                    constant: constant, priority: priority, multiplier: multiplier, active: active))
        case .activateSet(let id, _), .deactivateSet(let id): return override(of: id)
        case .setViewport(let patch): return write(patch)
        case .setContentOffset(let id, _): return write(id, [.contentOffset])
        case .sizeToFit(let id):
            guard let number = nodeIDs[id], nodes[number]?.properties.frame != nil else {
                return []
            }
            return write(id, [.frame])
        case .setScene, .addView, .addGuide, .addConstraint, .setNeedsUpdateConstraints,
            .updateConstraintsIfNeeded, .setNeedsLayout, .layoutIfNeeded, .setNeedsDisplay,
            .animate, .setNeedsUpdateProperties, .updatePropertiesIfNeeded:
            return []
        }
    }

    /// The edits of an op that was just applied, as far as they can only be computed after it.
    ///
    /// - Parameter count: The number of constraints before it.
    func editsAfter(_ op: Op, constraintsBefore count: Int) -> [Edit] {
        switch op {
        case .addView(let spec):
            return [Edit(.added([.view(spec.id)]), inverse: [.removeView(id: spec.id)])]
        case .addConstraint:
            let added = constraints.entries.dropFirst(count)
            return [
                Edit(
                    .added(added.map { .constraint($0.id) }),
                    inverse: added.map { .removeConstraint(id: $0.id) })
            ]
        case .setScene, .removeView, .moveView, .setView, .resetView, .addGuide,
            .removeConstraint, .setConstraint, .activateSet, .deactivateSet, .setViewport,
            .setContentOffset, .setNeedsUpdateConstraints, .updateConstraintsIfNeeded,
            .setNeedsLayout, .layoutIfNeeded, .setNeedsDisplay, .sizeToFit, .animate,
            .setNeedsUpdateProperties, .updatePropertiesIfNeeded:
            return []
        }
    }

    private func removal(of id: String) -> [Edit] {
        guard let number = nodeIDs[id], let top = nodes[number], let superview = top.view.superview
        else { return [] }
        var inverse: [Op] = []
        var arrangements: [Op] = []
        var names: Set<String> = []
        for view in top.view.preorder {
            guard let node = node(of: view) else { continue }
            names.insert(node.id)
            var properties = presentProperties(of: node)
            let memberships = properties.only([.arranged, .customSpacing])
            if !memberships.isEmpty {
                arrangements.append(.setView(id: node.id, memberships))
                properties.remove([.arranged, .customSpacing])
            }
            let index = view === top.view ? superview.indexOfSubview(view) : nil
            inverse.append(
                .addView(
                    ViewSpec(
                        id: node.id, parent: view.superview?.identifier ?? "root", index: index,
                        properties: properties)))
            for guide in ownGuides(of: view) {
                names.insert(guide.identifier)
                arrangements.append(.addGuide(GuideSpec(id: guide.identifier, parent: node.id)))
            }
        }
        inverse += arrangements
        inverse += arrangement(of: superview, naming: names)
        let gone = constraints.entries.filter { $0.speaks(of: names) }
        inverse += gone.map { .addConstraint($0.spec, set: $0.set) }
        return [Edit(.removed(objectsGoing(with: id)), inverse: inverse)]
    }

    /// The ops that restore a stack's arrangement of members that leave it.
    private func arrangement(of view: View, naming names: Set<String>) -> [Op] {
        guard let owner = node(of: view) else { return [] }
        let arranged = owner.properties.arranged ?? []
        let spacings = owner.properties.customSpacing ?? []
        guard
            arranged.contains(where: { names.contains($0) })
                || spacings.contains(where: { names.contains($0.id) })
        else { return [] }
        return [
            .setView(id: owner.id, owner.properties.only([.arranged, .customSpacing]))
        ]
    }

    private func move(of id: String, to parent: String?) -> [Edit] {
        guard let number = nodeIDs[id], let node = nodes[number],
            let superview = node.view.superview,
            let index = superview.indexOfSubview(node.view)
        else { return [] }
        var inverse: [Op] = [.moveView(id: id, parent: superview.identifier, index: index)]
        if parent != nil { inverse += arrangement(of: superview, naming: [id]) }
        return [Edit(.wrote(.view(id), property: "place"), inverse: inverse)]
    }

    private func write(_ id: String, _ keys: [ViewKey]) -> [Edit] {
        guard let number = nodeIDs[id], let node = nodes[number] else { return [] }
        let present = presentProperties(of: node)
        let given = Set(present.givenKeys)
        return keys.map { key in
            Edit(
                .wrote(.view(id), property: key.rawValue),
                inverse: [
                    given.contains(key)
                        ? .setView(id: id, present.only(key.withCompanions)) : reset(id, key)
                ])
        }
    }

    /// The op that resets a property to its default.
    private func reset(_ id: String, _ key: ViewKey) -> Op {
        guard key == .kind else { return .resetView(id: id, keys: [key]) }
        // A kind cannot be changed, so it needs no inverse.
        var properties = ViewProperties()
        properties.kind = .view
        return .setView(id: id, properties)
    }

    private func write(_ id: String, _ patch: ConstraintPatch) -> [Edit] {
        let entries = constraints.named(id)
        guard let first = entries.first else { return [] }
        func edit(
            _ entry: ConstraintEntry, _ property: String, constant: Double? = nil,
            priority: Double? = nil, multiplier: Double? = nil, active: Bool? = nil
        ) -> Edit {
            Edit(
                .wrote(.constraint(entry.id), property: property),
                inverse: [
                    .setConstraint(
                        id: entry.id, constant: constant, priority: priority,
                        multiplier: multiplier, active: active)
                ])
        }
        var edits: [Edit] = []
        if patch.constant != nil {
            edits.append(edit(first, "constant", constant: first.rule.constant))
        }
        if patch.priority != nil {
            edits.append(edit(first, "priority", priority: first.rule.priority))
        }
        if patch.multiplier != nil {
            edits.append(edit(first, "multiplier", multiplier: first.rule.multiplier))
        }
        if patch.active != nil {
            edits += entries.map { edit($0, "active", active: $0.isEnabled) }
        }
        return edits
    }

    private func override(of id: String) -> [Edit] {
        guard let set = sets[id] else { return [] }
        let inverse: Op =
            switch set.override {
            case nil: .activateSet(id: id, auto: true)
            case true?: .activateSet(id: id, auto: false)
            case false?: .deactivateSet(id: id)
            }
        return [Edit(.wrote(.set(id), property: "active"), inverse: [inverse])]
    }

    private func write(_ patch: ViewportPatch) -> [Edit] {
        patch.givenKeys.map { key in
            Edit(
                .wrote(.viewport, property: key.rawValue),
                inverse: [.setViewport(viewport.patch(of: [key]))])
        }
    }
}

extension ViewKey {
    /// The key, and the keys that an op must set together with it.
    fileprivate var withCompanions: [ViewKey] {
        self == .frame || self == .frameIn ? [.frame, .frameIn] : [self]
    }
}

extension ConstraintEntry {
    /// Whether its rule names a view or guide in a set.
    func speaks(of names: Set<String>) -> Bool {
        names.contains(rule.first.item.id)
            || rule.second.map { names.contains($0.item.id) } == true
    }
}
