public import AutoLayout
import ConstraintLanguage

/// What a layout found, in words for people who know the document and not the engine.
extension SceneModel {
    /// A finding as a sentence that quotes the rules of the constraints it names.
    ///
    /// - Parameter place: Where a constraint stands in the document, such as "line 12"; nil where
    ///   that is not known.
    /// - Complexity: O(names in the finding).
    public func sentence(
        about finding: LayoutDiagnostic, place: (_ constraint: String) -> String? = { _ in nil }
    ) -> String {
        func quoted(_ id: String) -> String {
            guard let entry = constraints[id] else { return "a rule of \(owner(of: id))" }
            let where_ = place(id).map { ", \($0)" } ?? ""
            return "\"\(entry.rule)\" (\(id)\(where_))"
        }
        func list(_ ids: [String]) -> String {
            let most = 8
            var parts = ids.prefix(most).map(quoted)
            if ids.count > most { parts.append("\(ids.count - most) more") }
            return parts.joined(separator: "; ")
        }
        switch finding {
        case .brokeConstraint(let id, let conflict):
            let others = conflict.filter { $0 != id }
            return "\(quoted(id)) was given up"
                + (others.isEmpty ? "" : ", as it contradicts \(list(others))")
        case .restoredConstraint(let id): return "\(quoted(id)) holds again"
        case .error(.unsatisfiable(let conflict)):
            return "required constraints contradict one another: \(list(conflict))"
        case .error, .markedOutsideSubtree, .missingSuperCall, .setOscillates, .nothingAnimated:
            return finding.description
        }
    }

    /// The view whose own rule an engine's constraint is: of a stack, `ID.NAME.NUMBER`.
    private func owner(of id: String) -> String {
        let view = id.split(separator: ".", maxSplits: 1).first.map(String.init) ?? id
        return nodeIDs[view] == nil ? "\"\(id)\"" : "\"\(view)\" itself"
    }
}
