import AutoLayout
import ConstraintLanguage
import SceneDocument

/// Variations of constraints by the traits of the view that they speak of first, resolved as those
/// of views are: in the properties pass, where one of these traits changed.
extension SceneModel {
    /// Starts resolving a constraint's variations, if it has any.
    func followVariations(_ entry: ConstraintEntry) {
        guard !entry.variations.isEmpty, !entry.isPlaceholder, let node = host(of: entry) else {
            return
        }
        node.variedConstraints.append(entry)
        followVariations(node)
    }

    /// Stops that for constraints that go.
    func forgetVariations(_ gone: [ConstraintEntry]) {
        for entry in gone where !entry.variations.isEmpty {
            host(of: entry)?.variedConstraints.removeAll { $0 === entry }
        }
    }

    private func host(of entry: ConstraintEntry) -> ViewNode? {
        let item = entry.constraint.firstItem
        return (item as? View ?? (item as? LayoutGuide)?.owningView).flatMap { node(of: $0) }
    }

    /// Brings a view's constraints in line with its traits. What contradicts others there gives
    /// way, as after any change of a device.
    func resolveConstraints(of node: ViewNode) {
        guard !node.variedConstraints.isEmpty else { return }
        let traits = node.view.traitCollection
        for entry in node.variedConstraints {
            let applying = entry.variations.filter { traits.satisfies($0.when) }
            meter &+=
                Price.record
                &* UInt64(entry.variations.reduce(0) { $0 + 1 + $1.when.clauses.count })
            let now = ConstraintVariation.merged(applying)
            guard now != entry.variation else { continue }
            let wasInForce = entry.isInForce
            entry.variation = now
            show(entry, wasInForce: wasInForce)
        }
    }

    private func show(_ entry: ConstraintEntry, wasInForce: Bool) {
        let constraint = entry.constraint
        let constant = entry.variation?.constant ?? entry.rule.constant
        let priority = LayoutPriority(entry.variation?.priority ?? entry.rule.priority)
        do throws(LayoutError) {
            if constraint.constant != constant {
                try constraint.changeBreaking { (constraint) throws(LayoutError) in
                    try constraint.setConstant(constant)
                }
            }
            if constraint.priority != priority {
                try constraint.changeBreaking { (constraint) throws(LayoutError) in
                    try constraint.setPriority(priority)
                }
            }
            guard entry.isInForce != wasInForce else { return }
            let owner = sets[entry.set]
            if entry.isInForce, owner?.isActive ?? true { constraint.activateBreaking() }
            if let owner {
                try owner.setEnabled(entry.isInForce, constraint)
            } else if !entry.isInForce {
                constraint.deactivate()
            }
        } catch {
            diagnostics.append(.error(error))
        }
    }
}
