import ConstraintLanguage
public import SceneDocument

/// Some of the changes of a document: the version that they come from, with only those that are
/// named made.
///
/// A view's change is what it says, where it lies, and whether it is there; a removed view takes
/// along what lay in it, its guides, and the constraints that name any of that. A set is taken as a
/// whole, or its constraints one by one. The viewport, the devices, the faces and the order of
/// views are no part of it.
public struct DocumentPart: Sendable {
    /// The earlier version with the changes that are named.
    public let document: SceneDocument
    /// Names of which nothing is changed, in order.
    public let unknown: [String]

    /// - Parameters:
    ///   - version: The later version.
    ///   - base: The earlier one.
    ///   - names: Views, guides, constraints and sets; constraints without a name by their rules,
    ///     or by what they relate. Differences in words have the same names.
    /// - Throws: `DocumentError`, with `conflict` where a change that is named needs one that is
    ///   not.
    /// - Complexity: O(*n*) in the size of the documents.
    public init(
        of version: SceneDocument, since base: SceneDocument, only names: Set<String>
    ) throws(DocumentError) {
        var part = PartBuilder(version: version, base: base, names: names)
        try part.takeViews()
        try part.takeGuides()
        try part.takeConstraints()
        document = part.document
        unknown = names.subtracting(part.known).sorted()
    }
}

private struct PartBuilder {
    let version: SceneDocument
    let base: SceneDocument
    let names: Set<String>
    var document: SceneDocument
    /// The names of which something is changed.
    var known: Set<String> = []
    /// The views and guides that the part removes.
    private var removed: Set<String> = []
    private var items: Set<String> = ["root"]

    init(version: SceneDocument, base: SceneDocument, names: Set<String>) {
        (self.version, self.base, self.names) = (version, base, names)
        document = base
    }

    mutating func takeViews() throws(DocumentError) {
        let later = Dictionary(
            version.views.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let before = Set(base.views.map(\.id))
        var views: [String: ViewSpec] = [:]
        for view in base.views {
            let new = later[view.id]
            // Superviews come before their subviews.
            let goesAlong = removed.contains(view.parent)
            if names.contains(view.id), new != view { known.insert(view.id) }
            if goesAlong || names.contains(view.id) {
                if let new { views[view.id] = new } else { removed.insert(view.id) }
            } else {
                views[view.id] = view
            }
        }
        for view in version.views where !before.contains(view.id) && names.contains(view.id) {
            known.insert(view.id)
            views[view.id] = view
        }
        items.formUnion(views.keys)
        let order = ConflictLog.inserting(
            version.views.map(\.id).filter { views[$0] != nil },
            into: base.views.map(\.id).filter { views[$0] != nil })
        document.views = Self.parentsFirst(order.compactMap { views[$0] })
        for index in document.views.indices {
            let view = document.views[index]
            guard items.contains(view.parent) else {
                throw DocumentError(
                    code: .conflict,
                    message: "view \"\(view.id)\" lies in \"\(view.parent)\", which is not taken")
            }
            document.views[index].properties.arranged?.removeAll { !items.contains($0) }
            document.views[index].properties.customSpacing =
                view.properties.customSpacing?.filter { items.contains($0.id) }
        }
    }

    /// The views with each behind its superview, else in their order. Those in a circle stay last,
    /// where the reader of the document finds them.
    private static func parentsFirst(_ views: [ViewSpec]) -> [ViewSpec] {
        let ids = Set(views.map(\.id))
        var placed: Set<String> = []
        var (result, rest) = ([ViewSpec](), views)
        while !rest.isEmpty {
            let count = rest.count
            var later: [ViewSpec] = []
            for view in rest {
                if !ids.contains(view.parent) || placed.contains(view.parent) {
                    placed.insert(view.id)
                    result.append(view)
                } else {
                    later.append(view)
                }
            }
            guard later.count < count else { return result + later }
            rest = later
        }
        return result
    }

    mutating func takeGuides() throws(DocumentError) {
        let later = Dictionary(
            version.guides.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let before = Set(base.guides.map(\.id))
        var guides: [GuideSpec] = []
        for guide in base.guides {
            let isNamed = names.contains(guide.id)
            let new = later[guide.id]
            if isNamed, new != guide { known.insert(guide.id) }
            if let kept = isNamed ? new : guide, !removed.contains(kept.parent) {
                guides.append(kept)
            } else {
                removed.insert(guide.id)
            }
        }
        for guide in version.guides where !before.contains(guide.id) && names.contains(guide.id) {
            known.insert(guide.id)
            guides.append(guide)
        }
        for guide in guides where !items.contains(guide.parent) {
            throw DocumentError(
                code: .conflict,
                message: "guide \"\(guide.id)\" is in \"\(guide.parent)\", which is not taken")
        }
        items.formUnion(guides.map(\.id))
        document.guides = guides
    }

    mutating func takeConstraints() throws(DocumentError) {
        let (old, new) = (VersionContent(base), VersionContent(version))
        document.constraints = try taken(old.constraints, new.constraints)
        let later = Dictionary(
            new.sets.map { ($0.spec.id, $0) }, uniquingKeysWith: { first, _ in first })
        let before = Set(base.sets.map(\.id))
        var sets: [ConstraintSetSpec] = []
        for set in old.sets {
            let other = later[set.spec.id]
            var kept = set.spec
            if names.contains(set.spec.id) {
                if other?.spec != set.spec { known.insert(set.spec.id) }
                guard let other else { continue }
                kept = other.spec
                for constraint in other.constraints { try check(constraint.spec) }
            } else {
                kept.constraints = try taken(
                    set.constraints, other?.constraints ?? [], of: set.spec.id)
            }
            sets.append(kept)
        }
        for set in new.sets where !before.contains(set.spec.id) && names.contains(set.spec.id) {
            known.insert(set.spec.id)
            for constraint in set.constraints { try check(constraint.spec) }
            sets.append(set.spec)
        }
        document.sets = sets
    }

    /// - Parameter set: The set that the constraints are in.
    private mutating func taken(
        _ before: [VersionContent.Constraint], _ after: [VersionContent.Constraint],
        of set: String? = nil
    ) throws(DocumentError) -> [ConstraintSpec] {
        let old = Dictionary(
            before.map { ($0.key, $0.spec) }, uniquingKeysWith: { first, _ in first })
        let new = Dictionary(
            after.map { ($0.key, $0.spec) }, uniquingKeysWith: { first, _ in first })
        var result: [ConstraintSpec] = []
        for constraint in before {
            let other = new[constraint.key]
            let called = named(constraint.spec, other, of: set)
            guard !called.isEmpty else {
                let goesAlong = constraint.spec.itemNames.contains(where: removed.contains)
                if !goesAlong { result.append(constraint.spec) }
                continue
            }
            if other != constraint.spec { known.formUnion(called) }
            if let other {
                try check(other)
                result.append(other)
            }
        }
        for constraint in after where old[constraint.key] == nil {
            let called = named(constraint.spec, nil, of: set)
            guard !called.isEmpty else { continue }
            known.formUnion(called)
            try check(constraint.spec)
            result.append(constraint.spec)
        }
        return result
    }

    /// The names by which a constraint is taken, of those that it has in either version.
    private func named(
        _ spec: ConstraintSpec, _ other: ConstraintSpec?, of set: String?
    ) -> Set<String> {
        var all = spec.partNames + (other?.partNames ?? [])
        if let set { all += all.map { "\(set) \($0)" } }
        return names.intersection(all)
    }

    /// Throws for a constraint of what the part lacks.
    private func check(_ spec: ConstraintSpec) throws(DocumentError) {
        guard let missing = spec.itemNames.first(where: { !items.contains($0) }) else { return }
        throw DocumentError(
            code: .conflict,
            message: "constraint \"\(spec.partNames[0])\" names \"\(missing)\", which is not taken")
    }
}

extension ConstraintSpec {
    /// The name, or for a constraint without one what it says, and what it relates.
    fileprivate var partNames: [String] {
        if let id { return [id] }
        switch body {
        case .rule(let rule):
            let place = "\(rule.first) \(rule.relation.rawValue)"
            guard let second = rule.second else { return [rule.description, place, place + " "] }
            return [rule.description, "\(place) \(second)"]
        case .visualFormat(let format, _): return [format.source]
        }
    }
}
