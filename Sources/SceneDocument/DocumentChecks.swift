import ConstraintLanguage
import JSON

/// What the parts of a document must agree on: names, parents, references, limits.
struct DocumentChecks {
    private let limits: Limits
    private var items: [(id: String, parent: String, node: JSONCursor, isView: Bool)] = []
    private var itemIndices: [String: Int] = [:]
    private var constraintIDs: Set<String> = []
    private var ruleCount = 0

    init(limits: Limits) {
        self.limits = limits
    }

    /// Makes room for that many views and guides, and constraints, at once.
    mutating func reserveCapacity(items itemCount: Int, constraints constraintCount: Int) {
        items.reserveCapacity(itemCount)
        itemIndices.reserveCapacity(itemCount)
        constraintIDs.reserveCapacity(constraintCount)
    }

    mutating func declare(_ view: ViewSpec, _ node: JSONCursor) throws(DocumentError) {
        try declare(view.id, view.parent, node, isView: true)
    }

    mutating func declare(_ guide: GuideSpec, _ node: JSONCursor) throws(DocumentError) {
        try declare(guide.id, guide.parent, node, isView: false)
    }

    private mutating func declare(
        _ id: String, _ parent: String, _ node: JSONCursor, isView: Bool
    ) throws(DocumentError) {
        var node = node
        node.id = id
        guard id != "root" else {
            throw node.error(.duplicateID, "\"root\" always exists and cannot be added")
        }
        guard itemIndices.updateValue(items.count, forKey: id) == nil else {
            throw node.error(.duplicateID, "the name \"\(id)\" is taken")
        }
        items.append((id, parent, node, isView))
    }

    /// Every parent is a view, no view is its own ancestor, and no view lies too deep.
    func checkTree() throws(DocumentError) {
        var depths = Array(repeating: 0, count: items.count)
        var path: [Int] = []
        for start in items.indices where depths[start] == 0 {
            path.removeAll(keepingCapacity: true)
            var index = start
            var depth = 0
            while true {
                // −1 marks what is on the way; to meet it again is to go in a circle.
                depths[index] = -1
                path.append(index)
                let item = items[index]
                if item.parent == "root" { break }
                guard let parent = itemIndices[item.parent], items[parent].isView else {
                    throw item.node.error(
                        .unknownView, "the parent \"\(item.parent)\" is not a view of the document")
                }
                if depths[parent] == -1 {
                    throw item.node.error(.cycle, "\"\(item.id)\" would be its own ancestor")
                }
                if depths[parent] > 0 {
                    depth = depths[parent]
                    break
                }
                index = parent
            }
            for index in path.reversed() {
                depth += 1
                depths[index] = depth
                guard depth <= limits.depthMaximum else {
                    throw items[index].node.error(
                        .limit, "nested deeper than \(limits.depthMaximum) levels")
                }
            }
        }
    }

    func checkItem(_ id: String, _ node: JSONCursor) throws(DocumentError) {
        guard id == "root" || itemIndices[id] != nil else {
            throw node.error(.unknownView, "no view or guide is named \"\(id)\"")
        }
    }

    private func checkView(_ id: String, _ node: JSONCursor) throws(DocumentError) {
        guard let index = itemIndices[id], items[index].isView else {
            throw node.error(.unknownView, "no view is named \"\(id)\"")
        }
    }

    /// What a stack arranges exists. Its `customSpacing` may name anything: a gap that follows no
    /// child is left out of the scene, here as in ops.
    func check(_ view: ViewSpec, _ node: JSONCursor) throws(DocumentError) {
        for id in view.properties.arranged ?? [] {
            try checkView(
                id,
                JSONCursor(
                    node.value["arranged"] ?? node.value, path: "\(node.path).arranged",
                    id: view.id))
        }
    }

    /// The name is free, what it names exists, and `|` has one meaning.
    mutating func check(_ constraint: ConstraintSpec, _ node: JSONCursor) throws(DocumentError) {
        var node = node
        node.id = constraint.id
        if let id = constraint.id, !constraintIDs.insert(id).inserted {
            throw node.error(.duplicateID, "the name \"\(id)\" is taken")
        }
        ruleCount += constraint.ruleCount
        guard ruleCount <= limits.constraintMaximum else {
            throw node.error(.limit, "more than \(limits.constraintMaximum) constraints")
        }
        let format: VisualFormat
        switch constraint.body {
        case .rule(let rule):
            try checkItem(rule.first.item.id, node)
            if let second = rule.second { try checkItem(second.item.id, node) }
            return
        case .visualFormat(let found, _): format = found
        }
        for name in format.viewNames { try checkItem(name, node) }
        guard format.usesSuperview else { return }
        let parents = format.elementNames.map { name in itemIndices[name].map { items[$0].parent } }
        guard let first = parents.first, first != nil, parents.allSatisfy({ $0 == first }) else {
            throw node.error(
                .badRule, "\"|\" needs views that share a superview", expected: "siblings")
        }
    }
}
