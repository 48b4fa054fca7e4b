import AutoLayout
import ConstraintLanguage
public import SceneProtocol

/// Explains frames: constraints, priorities, conflicts.
extension SceneModel {
    /// Explains the frames of views. Changes nothing, including the state of the solver.
    ///
    /// - Parameters:
    ///   - ids: The views to inspect; unknown ids are ignored.
    ///   - includesDocument: Whether to include the whole document.
    /// - Complexity: O(constraints) for each requested view, besides asking the solver whether its frame is unique.
    public func inspection(
        of ids: [String], includesDocument: Bool, tick: UInt64
    ) -> SceneInspection {
        var result = SceneInspection(tick: tick)
        let records = UInt64(constraints.entries.count + sets.count)
        meter &+= Price.answer + Price.answerRecord * records
        if includesDocument {
            meter &+= Price.exported * (records + UInt64(nodes.count))
            meter &+= UInt64(textByteCount)
            result.document = document()
        }
        result.sets = sets.map { entry in
            .init(
                id: entry.id, isActive: entry.set.isActive,
                isOverridden: entry.set.override != nil)
        }
        result.views = ids.compactMap(state(of:))
        let broken = brokenConstraintIDs
        let names = broken.isEmpty ? [] : Set(constraints.entries.map(\.id))
        result.broken = broken.map { id in
            .init(
                id: id, conflicts: (conflicts[id] ?? []).filter { $0 != id && names.contains($0) })
        }
        return result
    }

    private func state(of id: String) -> SceneInspection.ViewState? {
        guard let number = nodeIDs[id], let view = nodes[number]?.view else { return nil }
        meter &+= Price.inspected + Price.inspectedRecord * UInt64(constraints.entries.count)
        var state = SceneInspection.ViewState(id: id)
        state.isAmbiguous = view.hasAmbiguousLayout
        state.needsUpdateConstraints = view.needsUpdateConstraints
        state.needsLayout = view.needsLayout
        state.needsDisplay = view.needsDisplay
        let names: Set = [id]
        state.constraints = constraints.entries.filter { $0.speaks(of: names) }.map(\.id)
        state.horizontal = view.layoutInfluences(for: .horizontal).map(influence)
        state.vertical = view.layoutInfluences(for: .vertical).map(influence)
        meter &+= Price.influence * UInt64(state.horizontal.count + state.vertical.count)
        return state
    }

    private func influence(_ influence: LayoutInfluence) -> SceneInspection.Influence {
        // By identity: a stack's own constraint may have the same id as one of the document.
        let entry = influence.constraint.flatMap { constraint in
            constraints[constraint.identifier].flatMap {
                $0.constraint === constraint ? $0 : nil
            }
        }
        return .init(
            id: entry?.id, kind: influence.kind.rawValue,
            rule: (entry?.rule ?? influence.rule).description)
    }
}
