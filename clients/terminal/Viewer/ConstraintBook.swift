import ConstraintLanguage
import SceneDocument

/// A document's constraints and sets, by id.
struct ConstraintBook: Hashable {
    struct Constraint: Hashable {
        var id: String
        /// Its rule, as text.
        var rule: String
        /// The rule as a value; nil for a visual format with several.
        var parsed: Rule?
        /// Whether it is enabled, independent of its set.
        var isActive: Bool
        /// Its set.
        var set: String?
    }

    struct ConstraintSet: Hashable {
        var id: String
        /// Its condition; nil if members switch it.
        var condition: String?
        /// The number of its constraints.
        var count: Int
        var isActive: Bool
        /// Whether a member switched it, overriding its condition.
        var isOverridden: Bool
    }

    /// All constraints, those of sets last.
    private(set) var constraints: [Constraint] = []
    private(set) var sets: [ConstraintSet] = []
    private(set) var guides: [String] = []
    private(set) var isRightToLeft = false
    private var places: [String: Int] = [:]

    /// The constraint with that id. Complexity: O(1).
    subscript(id: String) -> Constraint? { places[id].map { constraints[$0] } }

    init(_ document: SceneDocument, states: [SceneInspection.SetState]) {
        isRightToLeft = document.viewport.direction == .rightToLeft
        guides = document.guides.map(\.id)
        add(document.constraints, set: nil, isActive: true)
        for set in document.sets {
            let state = states.first { $0.id == set.id }
            sets.append(
                ConstraintSet(
                    id: set.id, condition: set.when?.description, count: set.constraints.count,
                    isActive: state?.isActive ?? false,
                    isOverridden: state?.isOverridden ?? false))
            add(set.constraints, set: set.id, isActive: state?.isActive ?? false)
        }
    }

    private mutating func add(_ list: [ConstraintSpec], set: String?, isActive: Bool) {
        for (index, spec) in list.enumerated() {
            let (text, rule): (String, Rule?) =
                switch spec.body {
                case .rule(let rule): (rule.description, rule)
                case .visualFormat(let format, _): (format.source, nil)
                }
            let id = spec.resolvedID(index: index, set: set)
            places[id] = constraints.count
            constraints.append(
                Constraint(
                    id: id, rule: text, parsed: rule, isActive: spec.active && isActive, set: set))
        }
    }
}

extension SceneInspection.ViewState {
    /// The pending passes of a view, by UIKit's names.
    var marks: [String] {
        [
            (needsUpdateConstraints, "needsUpdateConstraints"), (needsLayout, "needsLayout"),
            (needsDisplay, "needsDisplay"),
        ].filter(\.0).map(\.1)
    }
}
