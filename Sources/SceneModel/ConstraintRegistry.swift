import AutoLayout
import ConstraintLanguage
import SceneDocument

/// One constraint of the scene, with the id that ops use.
final class ConstraintEntry {
    let id: String
    /// The rule; shared between scenes made from one another.
    private(set) var body: ConstraintSpec.Body
    let constraint: LayoutConstraint
    /// Whether it is enabled (in a set: whether it is active with the set).
    var isEnabled: Bool
    private let more: More?
    /// What the traits of its view make different now.
    var variation: ConstraintVariation? {
        get { more?.variation }
        set { more?.variation = newValue }
    }

    /// Properties that few constraints have.
    private final class More {
        let group: String?
        let set: String?
        let identifier: String?
        let variations: [ConstraintVariation]
        let placeholder: Bool
        var variation: ConstraintVariation?

        // No initialiser that fails: Embedded Swift does not free the object that one gives up.
        static func make(group: String?, set: String?, spec: ConstraintSpec) -> More? {
            if group == nil, set == nil, spec.identifier == nil, spec.variations.isEmpty,
                !spec.placeholder
            {
                return nil
            }
            return More(group: group, set: set, spec: spec)
        }

        private init(group: String?, set: String?, spec: ConstraintSpec) {
            self.group = group
            self.set = set
            identifier = spec.identifier
            variations = spec.variations
            placeholder = spec.placeholder
        }
    }

    /// The id of the visual format that an id such as `row.2` belongs to; an export writes its
    /// rules one by one.
    static func group(of id: String) -> String? {
        // A dot is one byte, and no other character has its byte.
        guard let dot = id.utf8.lastIndex(of: UInt8(ascii: ".")), dot > id.startIndex else {
            return nil
        }
        return String(id[..<dot])
    }

    /// - Parameters:
    ///   - body: A rule, not a visual format.
    ///   - spec: The constraint that it was made from, or the format.
    init(
        id: String, group: String?, body: ConstraintSpec.Body, spec: ConstraintSpec,
        constraint: LayoutConstraint, set: String?
    ) {
        self.id = id
        self.body = body
        self.constraint = constraint
        isEnabled = spec.active
        more = More.make(group: group, set: set, spec: spec)
    }

    /// Whether it takes part in the layout where its set does, as its traits are now.
    var isInForce: Bool { !isPlaceholder && (variation?.active ?? isEnabled) }

    var rule: Rule {
        get {
            guard case .rule(let rule) = body else { preconditionFailure("entries are rules") }
            return rule
        }
        set { body = .rule(newValue) }
    }

    /// The id of the visual format that it was added with, if any.
    var group: String? { more?.group }
    /// The set that it belongs to.
    var set: String? { more?.set }
    /// A label for debugging.
    var identifier: String? { more?.identifier }
    /// What is different under some traits.
    var variations: [ConstraintVariation] { more?.variations ?? [] }
    /// Whether it is never in force.
    var isPlaceholder: Bool { more?.placeholder ?? false }
}

extension ConstraintEntry {
    fileprivate var variedCount: Int {
        variations.reduce(0) { $0 + 1 + $1.when.clauses.count }
    }
}

/// All constraints of a scene, in order, with their ids.
struct ConstraintRegistry {
    private(set) var entries: [ConstraintEntry] = []
    private var byID: [String: ConstraintEntry] = [:]
    private var groups: [String: Int] = [:]
    /// Clauses in the conditions of all variations, and as many again as there are variations.
    private(set) var variedCount = 0

    subscript(id: String) -> ConstraintEntry? { byID[id] }

    /// Makes room for that many constraints at once.
    mutating func reserveCapacity(_ count: Int) {
        entries.reserveCapacity(count)
        byID.reserveCapacity(count)
    }

    /// The constraints with an id: one, or the rules of a visual format.
    func named(_ id: String) -> [ConstraintEntry] {
        if let entry = byID[id] { return [entry] }
        return groups[id] == nil ? [] : entries.filter { $0.group == id }
    }

    func contains(_ id: String) -> Bool { byID[id] != nil || groups[id] != nil }

    /// The ids of the constraints whose rules name each of these items, in order.
    ///
    /// - Complexity: O(constraints), however many items.
    func ids(naming items: Set<String>) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for entry in entries {
            let rule = entry.rule
            let first = rule.first.item.id
            if items.contains(first) { found[first, default: []].append(entry.id) }
            guard let second = rule.second?.item.id, second != first, items.contains(second) else {
                continue
            }
            found[second, default: []].append(entry.id)
        }
        return found
    }

    mutating func add(_ entry: ConstraintEntry) {
        entries.append(entry)
        byID[entry.id] = entry
        if let group = entry.group { groups[group, default: 0] += 1 }
        variedCount += entry.variedCount
    }

    mutating func remove(_ removed: [ConstraintEntry]) {
        guard !removed.isEmpty else { return }
        let gone = Set(removed.map { ObjectIdentifier($0) })
        entries.removeAll { gone.contains(ObjectIdentifier($0)) }
        for entry in removed {
            byID[entry.id] = nil
            variedCount -= entry.variedCount
            guard let group = entry.group else { continue }
            let left = (groups[group] ?? 1) - 1
            groups[group] = left == 0 ? nil : left
        }
    }
}

/// One constraint set of the scene.
final class SetEntry {
    let id: String
    let set: ConstraintSet

    init(id: String, set: ConstraintSet) {
        self.id = id
        self.set = set
    }
}

/// All constraint sets of a scene, in order, with their ids.
struct SetRegistry {
    private(set) var entries: [SetEntry] = []
    private var byID: [String: SetEntry] = [:]

    var count: Int { entries.count }

    /// The set with an id; `nil` for none.
    subscript(id: String?) -> ConstraintSet? { id.flatMap { byID[$0]?.set } }

    func contains(_ id: String) -> Bool { byID[id] != nil }

    mutating func add(_ entry: SetEntry) {
        entries.append(entry)
        byID[entry.id] = entry
    }
}
