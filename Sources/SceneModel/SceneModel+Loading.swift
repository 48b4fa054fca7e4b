import AutoLayout
import ConstraintLanguage
public import SceneDocument
import SceneWire

extension SceneModel {
    /// Replaces the scene with a document; if that is refused, the old scene is kept.
    ///
    /// Marks changes as any op does: view numbers continue. Lifts the limits of work after the new
    /// scene was built within them.
    ///
    /// - Throws: `Refusal` for a document that contradicts itself, or costs more than the limits of
    ///   work allow.
    public func replaceScene(_ document: SceneDocument) throws(Refusal) {
        let limit = min(workLimit &- min(work, workLimit), opWorkLimit)
        do throws(Refusal) {
            meter &+= try SceneModel(document, on: screen, workLimit: limit).work
        } catch {
            meter &+=
                error.code == .tooExpensive
                ? limit : Price.loaded * UInt64(document.views.count)
            throw error
        }
        // The new scene is within the limit, and the replacement cannot be stopped from here on.
        (workLimit, opWorkLimit) = (.max, .max)
        let tick = window.tick
        let old = nodes
        try build(
            document, numbers: [:], tick: tick, breaks: breaksDocument(document))
        for number in old.keys.sorted() where nodes[number] == nil {
            pending.removed.append(number)
        }
        pending.isComplete = true
        interactionLog.markEverything()
        try makeStrictDevices()
    }

    /// Builds all objects of a document.
    func load(
        _ document: SceneDocument, numbers: [String: ViewNumber], breaks: Bool
    ) throws(Refusal) {
        isLoading = true
        defer { isLoading = false }
        window.reserveCapacity(
            views: document.views.count, constraints: document.constraints.count)
        let made = try loadViews(document.views, numbers: numbers)
        try spend(Price.loaded * UInt64(document.views.count))
        for guide in document.guides { try add(guide) }
        try spend(Price.loaded * UInt64(document.guides.count))
        constraints.reserveCapacity(document.constraints.count)
        for (index, spec) in document.constraints.enumerated() {
            try spend(Price.record)
            try add(spec, index: index, set: nil, breaks: breaks)
        }
        for spec in document.sets { try add(spec) }
        // Flexible margins and sizes are relative to the superview's size, so they wait until it
        // has one.
        for (spec, node) in zip(document.views, made) {
            applyAutoresizing(spec.properties, to: node.view)
        }
    }

    /// - Returns: What was made of each view of the document, in its order.
    private func loadViews(
        _ specs: [ViewSpec], numbers: [String: ViewNumber]
    ) throws(Refusal) -> [ViewNode] {
        var made: [ViewNode] = []
        made.reserveCapacity(specs.count)
        nodes.reserveCapacity(nodes.count + specs.count)
        nodeIDs.reserveCapacity(nodeIDs.count + specs.count)
        for spec in specs {
            guard nodeIDs[spec.id] == nil else { throw duplicate(spec.id) }
            made.append(
                adopt(
                    makeView(spec.id, spec.properties), id: spec.id,
                    properties: spec.sharedProperties, number: numbers[spec.id]))
        }
        // Trees are built before they are added to the root, so that each is registered in the
        // engine once.
        for isInRoot in [false, true] {
            for (spec, node) in zip(specs, made) where (spec.parent == "root") == isInRoot {
                let parent = try self.node(spec.parent).view
                try refusing { () throws(LayoutError) in
                    try parent.insertSubview(node.view, at: spec.index ?? parent.subviews.count)
                }
            }
        }
        for (spec, node) in zip(specs, made) {
            let properties = spec.properties
            if properties.arranged != nil || properties.customSpacing != nil {
                node.properties = dropStrays(properties, of: node)
                try applyArrangement(node.properties, to: node)
            }
            followVariations(node)
        }
        return made
    }

    func duplicate(_ id: String) -> Refusal {
        Refusal(code: .duplicateID, message: "there is already a \"\(id)\"")
    }

    func add(_ spec: GuideSpec) throws(Refusal) {
        guard nodeIDs[spec.id] == nil, guides[spec.id] == nil else { throw duplicate(spec.id) }
        if !isLoading { try requireRoomForItem() }
        let guide = LayoutGuide(identifier: spec.id)
        try node(spec.parent).view.addLayoutGuide(guide)
        guides[spec.id] = guide
    }

    func add(_ spec: ConstraintSetSpec) throws(Refusal) {
        guard !sets.contains(spec.id) else { throw duplicate(spec.id) }
        let model = Unowned(self)
        let set = ConstraintSet(
            identifier: spec.id, condition: spec.when, resolve: { model.object.item($0) })
        window.addConstraintSet(set)
        sets.add(SetEntry(id: spec.id, set: set))
        for (index, constraint) in spec.constraints.enumerated() {
            try add(constraint, index: index, set: spec.id, breaks: false)
        }
    }

    // MARK: Constraints

    /// Adds a constraint, or all constraints of a visual format, or none of them.
    ///
    /// - Parameter breaks: Whether the newest constraint of a conflict is broken instead of
    ///   refused.
    func add(
        _ spec: ConstraintSpec, index: Int, set: String?, breaks: Bool
    ) throws(Refusal) {
        let id = spec.resolvedID(index: index, set: set)
        guard !isTaken(id, by: spec) else { throw duplicate(id) }
        let entries = try makeEntries(spec, id: id, set: set)
        guard constraints.entries.count + entries.count <= Limits.standard.constraintMaximum else {
            throw Refusal(
                code: .limit,
                message: "a scene has at most \(Limits.standard.constraintMaximum) constraints")
        }
        for entry in entries where entry.id != id && constraints.contains(entry.id) {
            throw duplicate(entry.id)
        }
        if let owner = sets[set] {
            try append(entries, to: owner)
        } else if breaks || givesWay {
            for entry in entries where entry.isInForce { entry.constraint.activateBreaking() }
        } else {
            let active = entries.filter { $0.isInForce }.map { $0.constraint }
            try refusing { () throws(LayoutError) in
                // A refused document is discarded as a whole, so it needs no backup; a copy of the
                // solver for each visual format would make loading quadratic.
                if isLoading {
                    for constraint in active { try constraint.activate() }
                } else {
                    try LayoutConstraint.activate(active)
                }
            }
        }
        for entry in entries {
            constraints.add(entry)
            followVariations(entry)
        }
    }

    /// Adds constraints to a set, or none of them.
    private func append(_ entries: [ConstraintEntry], to set: ConstraintSet) throws(Refusal) {
        func appendEach() throws(LayoutError) {
            for entry in entries {
                if screen != nil, set.isActive, entry.isInForce {
                    entry.constraint.activateBreaking()
                }
                try set.append(entry.constraint, enabled: entry.isInForce)
            }
        }
        do throws(LayoutError) {
            // The engine reverts a single change; several need a backup.
            if entries.count > 1, set.isActive, !isLoading {
                try LayoutConstraint.transaction(on: entries.map { $0.constraint }, appendEach)
            } else {
                try appendEach()
            }
        } catch {
            for entry in entries { set.remove(entry.constraint) }
            throw Refusal(error)
        }
    }

    /// Whether a constraint's id is already in use.
    ///
    /// An op cannot add `row` beside `row.0`, but `row.0` beside `row`. An export has the
    /// constraints of sets last, so a document may have the two in either order.
    private func isTaken(_ id: String, by spec: ConstraintSpec) -> Bool {
        if isLoading, case .rule = spec.body { return constraints[id] != nil }
        return constraints.contains(id)
    }

    private func makeEntries(
        _ spec: ConstraintSpec, id: String, set: String?
    ) throws(Refusal) -> [ConstraintEntry] {
        let rules: [Rule]
        var isGroup = false
        switch spec.body {
        case .rule(let rule): rules = [rule]
        case .visualFormat(let format, let options):
            isGroup = true
            let superview = try commonSuperview(of: format.viewNames)
            do throws(LanguageError) {
                rules = try format.rules(superview: superview, options: options)
            } catch {
                throw Refusal(code: .badRule, message: error.description)
            }
        }
        var entries: [ConstraintEntry] = []
        for (k, rule) in rules.enumerated() {
            let name = isGroup ? ConstraintSpec.ruleID(id, k) : id
            entries.append(
                ConstraintEntry(
                    id: name, group: isGroup ? id : ConstraintEntry.group(of: id),
                    body: isGroup ? .rule(rule) : spec.body, spec: spec,
                    constraint: try makeConstraint(rule, id: name), set: set))
        }
        return entries
    }

    private func makeConstraint(_ rule: Rule, id: String) throws(Refusal) -> LayoutConstraint {
        let first = try resolve(rule.first.item)
        let second: LayoutItem?
        if let reference = rule.second?.item {
            second = try resolve(reference)
        } else {
            second = nil
        }
        return LayoutConstraint(
            item: first, attribute: rule.first.attribute, relatedBy: rule.relation,
            toItem: second, attribute: rule.second?.attribute, multiplier: rule.multiplier,
            constant: rule.constant, scalesConstant: rule.scalesConstant,
            priority: LayoutPriority(rule.priority), identifier: id)
    }

    private func resolve(_ reference: ItemReference) throws(Refusal) -> LayoutItem {
        if let item = item(reference) { return item }
        if nodeIDs[reference.id] != nil, let guide = reference.guide {
            throw Refusal(
                code: .badRule,
                message: "\"\(reference.id)\" has no guide \"\(guide.rawValue)\"")
        }
        throw Refusal(
            code: .unknownView, message: "there is no view or guide \"\(reference.id)\"")
    }

    /// An index whose `#index` no constraint uses.
    var freeConstraintIndex: Int {
        var index = constraints.entries.count
        while constraints.contains("#\(index)") { index += 1 }
        return index
    }

    /// The view that `|` denotes in a visual format: the nearest common superview of the named
    /// views.
    private func commonSuperview(of names: [String]) throws(Refusal) -> String {
        var common: View?
        for name in names {
            let above: View?
            if let guide = guides[name] {
                above = guide.owningView
            } else {
                above = try node(name).view.superview
            }
            guard let above else {
                throw Refusal(
                    code: .badRule, message: "\"\(name)\" has no superview")
            }
            guard var candidate = common else {
                common = above
                continue
            }
            while !above.isDescendant(of: candidate), let next = candidate.superview {
                candidate = next
            }
            common = candidate
        }
        return common?.identifier ?? "root"
    }

    /// Converts the engine's errors to refusals.
    func refusing(_ body: () throws(LayoutError) -> Void) throws(Refusal) {
        do {
            try body()
        } catch {
            throw Refusal(error)
        }
    }

    /// Refuses a document whose own arrangement conflicts, as it would conflicting rules.
    func refuseIfBroken() throws(Refusal) {
        guard shownViewport.unsatisfiable == .refuse else { return }
        for case .brokeConstraint(_, let conflict) in diagnostics {
            throw Refusal(.unsatisfiable(conflict: conflict))
        }
    }
}
