import AutoLayout
import ConstraintLanguage
public import SceneDocument
public import SceneWire

/// Explains frames: constraints, priorities, conflicts.
extension SceneModel {
    /// Explains the frames of views. Changes nothing, including the state of the solver.
    ///
    /// - Parameters:
    ///   - ids: The views to inspect; unknown ids are ignored.
    ///   - includesDocument: Whether to include the whole document.
    ///   - fittings: The sizes to find out; unknown views are ignored.
    ///   - maximum: Units of work after which no further view is looked at.
    /// - Returns: `nil` if the views take more than that.
    /// - Complexity: O(constraints), besides what the solver is asked of each view.
    public func inspection(
        of ids: [String], includesDocument: Bool, fittings: [FittingQuestion] = [], tick: UInt64,
        atMost maximum: UInt64 = .max
    ) -> SceneInspection? {
        var result = SceneInspection(tick: tick)
        let records = UInt64(constraints.entries.count + sets.count)
        meter &+= Price.answer + Price.answerRecord * records
        if includesDocument {
            meter &+= Price.exported * (records + UInt64(nodes.count))
            meter &+= UInt64(textByteCount)
            result.document = document()
        }
        result.sets = sets.entries.map { entry in
            .init(
                id: entry.id, isActive: entry.set.isActive,
                isOverridden: entry.set.override != nil)
        }
        guard let states = states(of: ids, atMost: maximum) else { return nil }
        result.views = states
        guard let sizes = sizes(fittings, atMost: maximum) else { return nil }
        result.fittings = sizes
        let broken = brokenConstraintIDs
        let names = broken.isEmpty ? [] : Set(constraints.entries.map { $0.id })
        result.broken = broken.map { id in
            .init(
                id: id, conflicts: (conflicts[id] ?? []).filter { $0 != id && names.contains($0) })
        }
        return result
    }

    /// The sizes that fit views; `nil` if they take too much work.
    private func sizes(
        _ questions: [FittingQuestion], atMost maximum: UInt64
    ) -> [SceneInspection.Fitting]? {
        let before = work
        var sizes: [SceneInspection.Fitting] = []
        for question in questions {
            guard let view = nodeIDs[question.view].flatMap({ nodes[$0]?.view }) else { continue }
            meter &+= Price.fitted
            let size = view.fittingSizeAsked(
                question.size, horizontal: question.priorities.horizontal,
                vertical: question.priorities.vertical)
            guard let size, work &- before <= maximum else { return nil }
            sizes.append(.init(id: question.view, size: size))
        }
        return sizes
    }

    private func states(
        of ids: [String], atMost maximum: UInt64
    ) -> [SceneInspection.ViewState]? {
        let views = ids.compactMap { nodeIDs[$0].flatMap { nodes[$0]?.view } }
        guard !views.isEmpty else { return [] }
        let naming = constraints.ids(naming: Set(views.map { $0.identifier }))
        meter &+= Price.inspectedRecord * UInt64(constraints.entries.count)
        let before = work
        var states: [SceneInspection.ViewState] = []
        for (view, isAmbiguous) in zip(views, window.ambiguity(of: views)) {
            states.append(state(of: view, naming[view.identifier] ?? [], isAmbiguous))
            guard work &- before <= maximum else { return nil }
        }
        return states
    }

    private func state(
        of view: View, _ constraints: [String], _ isAmbiguous: Bool
    ) -> SceneInspection.ViewState {
        meter &+= Price.inspected
        var state = SceneInspection.ViewState(id: view.identifier)
        state.isAmbiguous = isAmbiguous
        state.needsUpdateConstraints = view.needsUpdateConstraints
        state.needsLayout = view.needsLayout
        state.needsDisplay = view.needsDisplay
        state.constraints = constraints
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
