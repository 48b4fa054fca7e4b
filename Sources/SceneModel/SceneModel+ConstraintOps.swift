import AutoLayout
import ConstraintLanguage
import SceneDocument

/// The changes of `setConstraint`; `nil` keeps the present value.
struct ConstraintPatch {
    var constant: Double?
    var priority: Double?
    var multiplier: Double?
    var active: Bool?

    var changesNumbers: Bool { constant != nil || priority != nil || multiplier != nil }

    /// The same without what a variation decides.
    func without(_ variation: ConstraintVariation?) -> ConstraintPatch {
        guard let variation else { return self }
        var rest = self
        if variation.constant != nil { rest.constant = nil }
        if variation.priority != nil { rest.priority = nil }
        if variation.active != nil { rest.active = nil }
        return rest
    }
}

extension SceneModel {
    func named(_ id: String) throws(Refusal) -> [ConstraintEntry] {
        let found = constraints.named(id)
        guard !found.isEmpty else {
            throw Refusal(code: .unknownConstraint, message: "there is no constraint \"\(id)\"")
        }
        return found
    }

    func set(_ id: String) throws(Refusal) -> ConstraintSet {
        guard let set = sets[id] else {
            throw Refusal(code: .unknownSet, message: "there is no set \"\(id)\"")
        }
        return set
    }

    func removeConstraint(_ id: String) throws(Refusal) {
        let gone = try named(id)
        for entry in gone { takeOut(entry) }
        forgetVariations(gone)
        constraints.remove(gone)
    }

    /// Deactivates a constraint and removes it from its set.
    func takeOut(_ entry: ConstraintEntry) {
        if let owner = sets[entry.set] {
            owner.remove(entry.constraint)
        } else {
            entry.constraint.deactivate()
        }
    }

    func setConstraint(_ id: String, _ patch: ConstraintPatch) throws(Refusal) {
        let entries = try named(id)
        if patch.changesNumbers, entries.count > 1 {
            throw Refusal(
                code: .badValue,
                message: "\"\(id)\" stands for \(entries.count) rules; name one of them, such as "
                    + "\"\(entries[0].id)\"")
        }
        if patch.multiplier != nil, entries[0].rule.second == nil {
            throw Refusal(
                code: .badValue,
                message: "\"\(id)\" has no second item that a multiplier could act on")
        }
        guard patch.active != true || !entries[0].isPlaceholder else {
            throw Refusal(
                code: .badValue, message: "\"\(id)\" is a placeholder, which is never in force")
        }
        let given = patch
        // What varies now is as its traits say; what is given is kept for others.
        let patch = given.without(entries[0].variation)
        let constraint = entries[0].constraint
        let changes =
            Int(patch.constant != nil ? 1 : 0) + (patch.priority != nil ? 1 : 0)
            + (patch.multiplier != nil ? 1 : 0) + (patch.active != nil ? entries.count : 0)
        try refusing { () throws(LayoutError) in
            // The engine reverts a single change; several need a backup.
            if changes > 1, !givesWay {
                let all = entries.map { $0.constraint } + [constraint]
                try LayoutConstraint.transaction(on: all) { () throws(LayoutError) in
                    try change(entries, patch)
                }
            } else {
                try change(entries, patch)
            }
        }
        for entry in entries {
            if let value = given.constant { entry.rule.constant = value }
            if let value = given.priority { entry.rule.priority = value }
            if let value = given.multiplier { entry.rule.multiplier = value }
            if let value = given.active { entry.isEnabled = value }
        }
    }

    func change(
        _ entries: [ConstraintEntry], _ patch: ConstraintPatch
    ) throws(LayoutError) {
        let constraint = entries[0].constraint
        if patch.active == false {
            for entry in entries {
                if let owner = sets[entry.set] {
                    try owner.setEnabled(false, entry.constraint)
                } else {
                    entry.constraint.deactivate()
                }
            }
        }
        if let value = patch.constant {
            try change(constraint) { constraint throws(LayoutError) in
                try constraint.setConstant(value)
            }
        }
        if let value = patch.multiplier {
            try change(constraint) { constraint throws(LayoutError) in
                try constraint.setMultiplier(value)
            }
        }
        if let value = patch.priority {
            try change(constraint) { constraint throws(LayoutError) in
                try constraint.setPriority(LayoutPriority(value))
            }
        }
        guard patch.active == true else { return }
        for entry in entries {
            let owner = sets[entry.set]
            if givesWay, owner?.isActive ?? true { entry.constraint.activateBreaking() }
            if let owner {
                try owner.setEnabled(true, entry.constraint)
            } else {
                try entry.constraint.activate()
            }
        }
    }

    private func change(
        _ constraint: LayoutConstraint,
        _ body: (LayoutConstraint) throws(LayoutError) -> Void
    ) throws(LayoutError) {
        if givesWay { try constraint.changeBreaking(body) } else { try body(constraint) }
    }

    func activateSet(_ id: String, auto: Bool) throws(Refusal) {
        let set = try set(id)
        if auto {
            set.followCondition()
            window.reviewConditions()
            return
        }
        if givesWay {
            set.activateBreaking()
        } else {
            try refusing { () throws(LayoutError) in try set.activate() }
        }
    }
}
