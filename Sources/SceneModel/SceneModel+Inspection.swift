import AutoLayout
import ConstraintLanguage
public import SceneProtocol

/// What stands behind the frames: constraints, priorities, conflicts.
extension SceneModel {
    /// Why views are where they are. Changes nothing, not even how the solver goes on.
    ///
    /// - Parameters:
    ///   - ids: The views to tell of; names that no view has are left out.
    ///   - includesDocument: Whether to give the whole scene besides.
    /// - Complexity: O(views + constraints) for each view asked for.
    public func inspection(
        of ids: [String], includesDocument: Bool, tick: UInt64
    ) -> SceneInspection {
        var result = SceneInspection(tick: tick)
        let records = UInt64(constraints.entries.count + sets.count)
        meter &+= Price.answer + Price.answerRecord * records
        if includesDocument {
            meter &+= Price.document + Price.exported * (records + UInt64(nodes.count))
            result.document = document()
        }
        result.sets = sets.map { entry in
            .init(
                id: entry.id, isActive: entry.set.isActive,
                isOverridden: entry.set.override != nil)
        }
        result.views = ids.compactMap(state(of:))
        let names = Set(constraints.entries.map(\.id))
        result.broken = brokenConstraintIDs.map { id in
            .init(
                id: id, conflicts: (conflicts[id] ?? []).filter { $0 != id && names.contains($0) })
        }
        return result
    }

    private func state(of id: String) -> SceneInspection.ViewState? {
        guard let number = nodeIDs[id], let view = nodes[number]?.view else { return nil }
        meter &+=
            Price.inspected + Price.record * UInt64(constraints.entries.count + nodes.count)
        var state = SceneInspection.ViewState(id: id)
        state.isAmbiguous = view.hasAmbiguousLayout
        state.needsUpdateConstraints = view.needsUpdateConstraints
        state.needsLayout = view.needsLayout
        state.needsDisplay = view.needsDisplay
        state.constraints = constraints.entries.filter { $0.speaks(of: [id]) }.map(\.id)
        state.horizontal = view.layoutInfluences(for: .horizontal).map(influence)
        state.vertical = view.layoutInfluences(for: .vertical).map(influence)
        meter &+= Price.influence * UInt64(state.horizontal.count + state.vertical.count)
        return state
    }

    private func influence(_ influence: LayoutInfluence) -> SceneInspection.Influence {
        // By identity: a stack's own constraint may have the name of one of the document's.
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
