import ConstraintLanguage
import SceneProtocol

/// A document's constraints and sets, by the names that ops use.
struct ConstraintBook: Hashable {
    struct Constraint: Hashable {
        var id: String
        /// Its rule, as text.
        var rule: String
        /// The same as a value; nil for a visual format that stands for several.
        var parsed: Rule?
        /// Whether it is in force, as far as that does not depend on its set.
        var isActive: Bool
        /// The set that it belongs to.
        var set: String?
    }

    struct ConstraintSet: Hashable {
        var id: String
        /// When it is in force; nil if members switch it.
        var condition: String?
        /// How many constraints it has.
        var count: Int
        var isActive: Bool
        /// Whether a member switched it, whatever its condition says.
        var isOverridden: Bool
    }

    /// All of them, those of sets last.
    private(set) var constraints: [Constraint] = []
    private(set) var sets: [ConstraintSet] = []
    private(set) var guides: [String] = []
    private(set) var isRightToLeft = false
    private var places: [String: Int] = [:]

    /// The constraint of that name. Complexity: O(1).
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
    /// What a pass has still to do, by UIKit's names.
    var marks: [String] {
        [
            (needsUpdateConstraints, "needsUpdateConstraints"), (needsLayout, "needsLayout"),
            (needsDisplay, "needsDisplay"),
        ].filter(\.0).map(\.1)
    }
}
