import AutoLayout
import ConstraintLanguage
import SceneDocument

extension SceneModel {
    func addView(_ spec: ViewSpec) throws(Refusal) {
        guard nodeIDs[spec.id] == nil, guides[spec.id] == nil else { throw duplicate(spec.id) }
        let parent = try node(spec.parent)
        try requireRoomForItem()
        guard nextNumber < UInt32(Limits.viewNumberMaximum) else {
            throw Refusal(code: .limit, message: "all view numbers are used up for the moment")
        }
        try checkDepth(of: parent.view, plus: 1)
        // Members must be children, and a new view has none yet.
        guard spec.properties.arranged?.isEmpty ?? true else {
            throw Refusal(
                code: .badValue, message: "\"\(spec.id)\" arranges views that are not its children")
        }
        var properties = spec.properties
        properties.customSpacing = nil
        let view = makeView(spec.id, properties)
        let index = spec.index ?? parent.view.subviews.count
        try refusing { () throws(LayoutError) in try parent.view.insertSubview(view, at: index) }
        adopt(view, id: spec.id, properties: Shared(properties))
        applyAutoresizing(properties, to: view)
        if let added = self.node(of: view) {
            followVariations(added)
            markInteraction(of: added)
        }
        pending.reorder(parent)
    }

    /// Refuses another view or guide beyond the limit; documents count both together.
    func requireRoomForItem() throws(Refusal) {
        let maximum = Limits.standard.viewMaximum
        // `root` is not counted.
        guard isReplaying || nodes.count - 1 + guides.count < maximum else {
            throw Refusal(
                code: .limit, message: "a scene has at most \(maximum) views and guides")
        }
    }

    /// Refuses nesting beyond the depth that the recursive passes support.
    private func checkDepth(of parent: View, plus levels: Int) throws(Refusal) {
        guard depth(of: parent) + levels <= Limits.standard.depthMaximum else {
            throw Refusal(
                code: .limit,
                message: "views nest at most \(Limits.standard.depthMaximum) deep")
        }
    }

    /// The number of levels of a subtree, including its top.
    private func height(of view: View) -> Int {
        var height = 0
        var level = [view]
        while !level.isEmpty {
            height += 1
            level = level.flatMap { $0.subviews }
        }
        return height
    }

    private func depth(of view: View) -> Int {
        var depth = 0
        var above = view.superview
        while let next = above {
            depth += 1
            above = next.superview
        }
        return depth
    }

    func removeView(_ id: String) throws(Refusal) -> [String] {
        let node = try editable(id)
        let parent = node.view.superview
        let gone = node.view.preorder
        try spend(Price.removal * UInt64(gone.count))
        node.view.removeFromSuperview()
        var goneGuides: Set<String> = []
        for view in gone {
            for guide in view.layoutGuides where guides[guide.identifier] === guide {
                guides[guide.identifier] = nil
                goneGuides.insert(guide.identifier)
            }
        }
        let goneIDs = Set(gone.map { $0.identifier }).union(goneGuides)
        let removed = removeConstraints(speakingOf: goneIDs)
        for view in gone {
            guard let node = self.node(of: view) else { continue }
            markInteraction(of: node)
            nodes[node.number] = nil
            nodeIDs[node.id] = nil
            pending.removed.append(node.number)
        }
        if let parent, let owner = self.node(of: parent) {
            forgetMember(goneIDs, of: owner)
            pending.reorder(owner)
        }
        return removed
    }

    /// Removes views that were its children from a stack's properties of its members.
    private func forgetMember(_ ids: Set<String>, of owner: ViewNode) {
        owner.properties.arranged?.removeAll { ids.contains($0) }
        owner.properties.customSpacing?.removeAll { ids.contains($0.id) }
        guard let stack = owner.view as? StackView, let members = stack.explicitArrangement else {
            return
        }
        stack.explicitArrangement = members.filter { $0.superview === stack }
    }

    private func removeConstraints(speakingOf ids: Set<String>) -> [String] {
        let gone = constraints.entries.filter { $0.speaks(of: ids) }
        countIn(Price.removedConstraint * UInt64(gone.count))
        for entry in gone { takeOut(entry) }
        forgetVariations(gone)
        constraints.remove(gone)
        return gone.map { $0.id }
    }

    func moveView(_ id: String, parent: String?, index: Int?) throws(Refusal) -> [String] {
        let node = try editable(id)
        guard let oldParent = node.view.superview else { return [] }
        let newParent = try parent.map { name throws(Refusal) in try self.node(name) }
        let target = newParent?.view ?? oldParent
        guard !target.isDescendant(of: node.view) else {
            throw Refusal(
                code: .cycle, message: "\"\(id)\" cannot move into itself or its own subtree")
        }
        if target !== oldParent {
            try checkDepth(of: target, plus: height(of: node.view))
            try spend(Price.moved * UInt64(node.view.preorder.count))
            if let text = node.view as? TextContentView {
                try spend(Price.hashedLine * UInt64(text.lineCount))
            }
        }
        let count = target.subviews.count - (target === oldParent ? 1 : 0)
        let place = index ?? (target === oldParent ? count : target.subviews.count)
        try refusing { () throws(LayoutError) in
            try target.insertSubview(node.view, at: min(place, max(count, 0)))
        }
        if let owner = self.node(of: oldParent) {
            if target !== oldParent { forgetMember([id], of: owner) }
            pending.reorder(owner)
        }
        if let owner = self.node(of: target) { pending.reorder(owner) }
        for view in node.view.preorder {
            guard let moved = self.node(of: view) else { continue }
            pending.markFrame(moved)
            // Where it rests follows the direction, which may be another one there.
            if view is ScrollView { pending.markContent(moved) }
        }
        if hasTints { tintDidChange(below: node) }
        return []
    }

    func setView(_ id: String, _ properties: ViewProperties) throws(Refusal) {
        let node = try node(id)
        if let kind = properties.kind, kind != node.properties.kind ?? .view {
            throw Refusal(
                code: .notEditable,
                message: "the kind of \"\(id)\" is fixed; remove the view and add another")
        }
        guard node.view !== window else {
            throw Refusal(
                code: .notEditable,
                message: "\"root\" has no properties of its own; its size is set by setViewport")
        }
        try checkArrangement(properties, of: node)
        let properties = dropStrays(properties, of: node)
        let varied = node.variedKeys
        for key in properties.keysToSetAlone where !varied.contains(key) {
            properties.apply(key, to: node.view)
        }
        applyAutoresizing(properties, to: node.view)
        try applyArrangement(properties, to: node)
        node.properties.merge(properties)
        if properties.hasInteraction { interactionLog.mark(id) }
        followVariations(node)
        followLook(node)
        pending.markContent(node)
    }

    /// Checks a stack's members before anything is changed.
    private func checkArrangement(_ properties: ViewProperties, of node: ViewNode) throws(Refusal) {
        for member in properties.arranged ?? [] {
            guard try self.node(member).view.superview === node.view else {
                throw Refusal(
                    code: .badValue,
                    message: "\"\(node.id)\" cannot arrange \"\(member)\", which is not its child")
            }
        }
    }

    private func editable(_ id: String) throws(Refusal) -> ViewNode {
        let node = try node(id)
        guard node.view !== window else {
            throw Refusal(code: .notEditable, message: "\"root\" stays where it is")
        }
        return node
    }
}
