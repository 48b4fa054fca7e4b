import AutoLayout
import SceneDocument

extension Refusal {
    /// The maximum number of conflicting constraints that a refusal names; its message states how
    /// many more there are. A chain of thousands would exceed the maximum size of a message.
    private static let conflictMaximum = 64

    /// Makes the protocol's refusal for an error of the engine.
    init(_ error: LayoutError, opIndex: Int = 0) {
        switch error {
        case .unsatisfiable(let conflict):
            self.init(
                code: .unsatisfiable,
                message: "required constraints contradict one another: "
                    + Self.list(conflict),
                opIndex: opIndex, conflicting: Self.told(conflict))
        case .tooExpensive:
            self.init(
                code: .tooExpensive, message: "the op takes more work than is allowed",
                opIndex: opIndex)
        case .noCommonAncestor(let id):
            self.init(
                code: .badRule, message: "the items of \"\(id)\" share no ancestor",
                opIndex: opIndex)
        case .badValue(let what):
            self.init(code: .badValue, message: what, opIndex: opIndex)
        case .hierarchyCycle(let id):
            self.init(
                code: .cycle, message: "\"\(id)\" would be its own ancestor", opIndex: opIndex)
        case .badDescription(let what), .noSuperview(let what), .badFormat(let what):
            self.init(code: .badRule, message: what, opIndex: opIndex)
        case .updateConstraintsLoop, .layoutFeedbackLoop, .updatePropertiesLoop, .traitLoop,
            .contextExpired, .nothingToUpdate:
            self.init(code: .conflict, message: error.description, opIndex: opIndex)
        }
    }

    /// The first ids of a conflict and the last one: the constraint that was added comes last.
    private static func told(_ conflict: [String]) -> [String] {
        guard conflict.count > conflictMaximum else { return conflict }
        return Array(conflict.prefix(conflictMaximum - 1) + conflict.suffix(1))
    }

    private static func list(_ conflict: [String]) -> String {
        let names = told(conflict).joined(separator: ", ")
        let rest = conflict.count - conflictMaximum
        return rest > 0 ? "\(names), and \(rest) more" : names
    }
}
