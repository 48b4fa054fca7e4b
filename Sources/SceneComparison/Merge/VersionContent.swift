import ConstraintLanguage
import JSON
import SceneDocument

/// A document by the names of its parts.
struct VersionContent {
    /// A constraint under the name that it is known by.
    struct Constraint: Equatable {
        var key: String
        var spec: ConstraintSpec
    }

    let json: JSONValue
    /// The views in their order, as JSON.
    let views: [(id: String, value: JSONValue)]
    let viewValues: [String: JSONValue]
    let parents: [String: String]
    /// The views in a view, in their order, `root` among the parents.
    let children: [String: [String]]
    let guides: [GuideSpec]
    let constraints: [Constraint]
    let sets: [(spec: ConstraintSetSpec, constraints: [Constraint])]

    init(_ document: SceneDocument) {
        json = document.json
        views = Array(zip(document.views.map(\.id), json["views"]?.array ?? []))
        viewValues = Dictionary(
            views.map { ($0.id, $0.value) }, uniquingKeysWith: { first, _ in first })
        var parents: [String: String] = [:]
        var children: [String: [String]] = [:]
        for view in document.views {
            parents[view.id] = view.parent
            children[view.parent, default: []].append(view.id)
        }
        self.parents = parents
        self.children = children
        guides = document.guides
        constraints = Self.keyed(document.constraints)
        sets = document.sets.map { ($0, Self.keyed($0.constraints)) }
    }

    /// Constraints without names are known by what they relate, and equal ones by their number:
    /// their places in the list shift.
    private static func keyed(_ specs: [ConstraintSpec]) -> [Constraint] {
        var counts: [String: Int] = [:]
        return specs.map { spec in
            if let id = spec.id { return Constraint(key: id, spec: spec) }
            let text =
                switch spec.body {
                case .rule(let rule):
                    "\(rule.first) \(rule.relation.rawValue) \(rule.second.map(\.description) ?? "")"
                case .visualFormat(let format, _): format.source
                }
            counts[text, default: 0] += 1
            // No name has a space.
            return Constraint(key: "\(text) \(counts[text] ?? 0)", spec: spec)
        }
    }

    /// What speaks of each view besides itself: the guides that it owns and the constraints that
    /// name it.
    func mentions() -> [String: Mentions] {
        var result: [String: Mentions] = [:]
        for guide in guides { result[guide.parent, default: Mentions()].guides[guide.id] = guide }
        for (set, list) in [("", constraints)] + sets.map({ ($0.spec.id, $0.constraints) }) {
            for constraint in list {
                for name in constraint.spec.itemNames {
                    result[name, default: Mentions()].constraints["\(set) \(constraint.key)"] =
                        constraint.spec
                }
            }
        }
        return result
    }
}

/// What speaks of a view.
struct Mentions: Equatable {
    var guides: [String: GuideSpec] = [:]
    var constraints: [String: ConstraintSpec] = [:]

    /// Whether something speaks of the view that did not before, or says something else.
    func say(moreThan before: Mentions) -> Bool {
        guides.contains { before.guides[$0.key] != $0.value }
            || constraints.contains { before.constraints[$0.key] != $0.value }
    }
}

extension ConstraintSpec {
    /// The views and guides that it names, `root` among them.
    var itemNames: [String] {
        switch body {
        case .rule(let rule): [rule.first.item.id] + (rule.second.map { [$0.item.id] } ?? [])
        case .visualFormat(let format, _): format.viewNames
        }
    }
}
