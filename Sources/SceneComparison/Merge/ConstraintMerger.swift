import ConstraintLanguage
import SceneDocument

/// Merges lists of constraints, part by part.
struct ConstraintMerger {
    /// The views and guides of the merged document.
    let names: Set<String>
    /// The views that they removed and that stay, with the constraints that name them.
    let restored: Set<String>

    /// Merges two versions of a list.
    ///
    /// - Parameter set: The set that the constraints are in, for conflicts in words.
    func merge(
        _ versions: Versions<[VersionContent.Constraint]>, set: String? = nil,
        _ log: inout ConflictLog
    ) -> [ConstraintSpec] {
        let specs = versions.map { list in
            Dictionary(list.map { ($0.key, $0.spec) }, uniquingKeysWith: { first, _ in first })
        }
        // The order says nothing about the layout, so two new ones are no conflict.
        let order = ConflictLog.order(versions.map { $0.map(\.key) }, onConflict: {})
        return order.compactMap { key in
            let of = specs.map { $0[key] }
            guard let any = of.ours ?? of.theirs else { return nil }
            let name = (set.map { "\($0): " } ?? "") + (any.id ?? any.text)
            let isRestored = of.theirs == nil && any.itemNames.contains(where: restored.contains)
            guard isRestored || log.keeps("constraint", name, of) else { return nil }
            var merged = any
            if let ours = of.ours, let theirs = of.theirs {
                var parts = PartMerger(name: name, base: of.base, theirs: theirs)
                merged = parts.merge(into: ours, &log)
            }
            guard let missing = merged.itemNames.first(where: { !names.contains($0) }) else {
                return merged
            }
            // One that was there before goes with its view.
            if merged != of.base {
                log.note(
                    "constraint", name,
                    "constraint \"\(name)\" names \"\(missing)\", which is removed")
            }
            return nil
        }
    }

    /// Merges the sets.
    func sets(
        _ versions: Versions<VersionContent>, _ log: inout ConflictLog
    ) -> [ConstraintSetSpec] {
        let sets = versions.map { version in
            Dictionary(
                version.sets.map { ($0.spec.id, $0) }, uniquingKeysWith: { first, _ in first })
        }
        let ids = ConflictLog.order(
            versions.map { $0.sets.map(\.spec.id) }, onConflict: {})
        return ids.compactMap { id in
            let of = sets.map { $0[id] }
            guard log.keeps("set", id, of.map { $0?.spec }),
                var merged = (of.ours ?? of.theirs)?.spec
            else { return nil }
            if of.ours != nil, of.theirs != nil {
                merged.when = log.value(
                    "set", id, "condition of set \"\(id)\"", of.map { $0?.spec.when }
                ) { $0.map(\.description) ?? "none" }
            }
            let isShared = of.ours != nil && of.theirs != nil
            let list = (of.ours ?? of.theirs)?.constraints ?? []
            merged.constraints = merge(
                isShared
                    ? of.map { $0?.constraints ?? [] }
                    : Versions(base: of.base?.constraints ?? [], ours: list, theirs: list),
                set: id, &log)
            return merged
        }
    }
}

extension SceneDocument {
    /// Resolves duplicate names: of two constraints with one name in different sets, ours stays.
    mutating func removeRepeatedNames(ours: SceneDocument, _ log: inout ConflictLog) {
        var places: [String: String] = [:]
        ours.forEachName { places[$0] = $1 }
        var counts: [String: Int] = [:]
        forEachName { id, _ in counts[id, default: 0] += 1 }
        func isSuperfluous(_ spec: ConstraintSpec, _ place: String) -> Bool {
            guard let id = spec.id, counts[id] ?? 0 > 1, places[id] != place else { return false }
            log.note(
                "constraint", id,
                "constraint \"\(id)\" is in a set in one version and elsewhere in the other")
            return true
        }
        constraints.removeAll { isSuperfluous($0, "") }
        for index in sets.indices {
            let place = sets[index].id
            sets[index].constraints.removeAll { isSuperfluous($0, place) }
        }
    }

    /// - Parameter body: Called with each constraint's name and its set's, which is empty outside
    ///   of sets.
    private func forEachName(_ body: (String, String) -> Void) {
        for spec in constraints { if let id = spec.id { body(id, "") } }
        for set in sets {
            for spec in set.constraints { if let id = spec.id { body(id, set.id) } }
        }
    }
}

/// Merges the parts of one constraint.
private struct PartMerger {
    let name: String
    /// `nil` where the constraint is new in both versions; then what differs is a conflict.
    let base: ConstraintSpec?
    let theirs: ConstraintSpec

    mutating func merge(
        into ours: ConstraintSpec, _ log: inout ConflictLog
    ) -> ConstraintSpec {
        guard ours != theirs else { return ours }
        var result = ours
        result.active = value("active", ours, \.active, &log) { "\($0)" }
        result.placeholder = value("placeholder", ours, \.placeholder, &log) { "\($0)" }
        result.identifier = value("identifier", ours, \.identifier, &log) { $0 ?? "none" }
        result.variations = value("variations", ours, \.variations, &log) { "\($0.count)" }
        guard let mine = ours.rule, theirs.rule != nil, base == nil || base?.rule != nil else {
            result.body = value("rule", ours, \.body, &log) { $0.text }
            return result
        }
        var rule = mine
        let items = value("anchors", ours, { $0.rule.map(Items.init) }, &log) { $0?.text ?? "" }
        if let items { items.put(into: &rule) }
        let length = value("constant", ours, { $0.rule.map(Length.init) }, &log) { $0?.text ?? "" }
        if let length { (rule.constant, rule.scalesConstant) = (length.points, length.scales) }
        rule.multiplier =
            value("multiplier", ours, { $0.rule?.multiplier }, &log) { Self.text($0) } ?? 1
        rule.priority =
            value("priority", ours, { $0.rule?.priority }, &log) { Self.text($0) } ?? 1000
        result.body = .rule(rule)
        return result
    }

    private static func text(_ number: Double?) -> String {
        number.map(FrameWords.length) ?? "none"
    }

    private func value<Value: Equatable>(
        _ part: String, _ ours: ConstraintSpec, _ value: (ConstraintSpec) -> Value,
        _ log: inout ConflictLog, text: (Value) -> String
    ) -> Value {
        let versions = Versions<Value?>(
            base: base.map(value), ours: value(ours), theirs: value(theirs))
        let merged = log.value(
            "constraint", name, "\(part) of constraint \"\(name)\"", versions
        ) { $0.map(text) ?? "none" }
        return merged ?? value(ours)
    }
}

/// What a rule relates, and how.
private struct Items: Equatable {
    let first: AnchorReference
    let relation: LayoutRelation
    let second: AnchorReference?

    init(_ rule: Rule) {
        (first, relation, second) = (rule.first, rule.relation, rule.second)
    }

    var text: String {
        "\(first) \(relation.rawValue)" + (second.map { " \($0)" } ?? "")
    }

    func put(into rule: inout Rule) {
        (rule.first, rule.relation, rule.second) = (first, relation, second)
    }
}

/// A rule's constant.
private struct Length: Equatable {
    let points: Double
    let scales: Bool

    init(_ rule: Rule) { (points, scales) = (rule.constant, rule.scalesConstant) }

    var text: String {
        let number = FrameWords.length(points)
        return scales ? "scaled(\(number))" : number
    }
}

extension ConstraintSpec {
    /// The rule; `nil` for a visual format.
    fileprivate var rule: Rule? {
        if case .rule(let rule) = body { rule } else { nil }
    }

    fileprivate var text: String { body.text }
}

extension ConstraintSpec.Body {
    fileprivate var text: String {
        switch self {
        case .rule(let rule): rule.description
        case .visualFormat(let format, _): format.source
        }
    }
}
