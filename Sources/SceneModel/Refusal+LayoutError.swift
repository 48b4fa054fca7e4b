import AutoLayout
import SceneProtocol

extension Refusal {
    /// What the engine refused, in the words of the wire.
    init(_ error: LayoutError, opIndex: Int = 0) {
        switch error {
        case .unsatisfiable(let conflict):
            self.init(
                code: .unsatisfiable,
                message: "required constraints contradict one another: "
                    + conflict.joined(separator: ", "),
                opIndex: opIndex, conflicting: conflict)
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
        case .updateConstraintsLoop, .layoutFeedbackLoop, .contextExpired, .nothingToUpdate:
            self.init(code: .conflict, message: "\(error)", opIndex: opIndex)
        }
    }
}
