import Cassowary
import ConstraintLanguage

extension UpdateCycle {
    /// Calls `updateConstraints` on every marked view of the subtree, subviews before their
    /// superview and siblings back to front.
    ///
    /// A container's `updateConstraints` may read what its subviews changed in this same pass; the
    /// other way round it would lay out with the previous cycle's wishes.
    func constraintPass(_ scope: View) throws(LayoutError) {
        guard scope.marks.subtreeNeedsUpdateConstraints else { return }
        try visitForConstraints(scope)
    }

    private func visitForConstraints(_ view: View) throws(LayoutError) {
        view.marks.subtreeNeedsUpdateConstraints = false
        if !view.subviews.isEmpty { try visitSubviewsForConstraints(view) }
        guard view.marks.needsUpdateConstraints else { return }
        view.marks.needsUpdateConstraints = false
        try spend(LayoutEngine.Price.visit)
        trace(.updateConstraints, view)
        let outer = phase
        phase = .updatingConstraints(LayoutItemReference(view))
        tracking(.updateConstraints, of: view) {
            callOverride("updateConstraints", on: view) {
                view.updateConstraintsHook?()
                if let controller = view.viewController {
                    controller.updateViewConstraints()
                } else {
                    view.updateConstraints()
                }
            }
        }
        phase = outer
        if pendingError != nil { view.marks.needsUpdateConstraints = false }
        try takePendingError()
    }

    private func visitSubviewsForConstraints(_ view: View) throws(LayoutError) {
        view.prefetchFirstSubviews()
        // The list keeps them, so that they are lent.
        let subviews = view.subviews
        defer { withExtendedLifetime(subviews) {} }
        for index in subviews.indices {
            view.prefetchSubview(after: index)
            try LayoutItemReference(subviews[index]).visitView { view throws(LayoutError) in
                if view.marks.subtreeNeedsUpdateConstraints { try visitForConstraints(view) }
            }
        }
    }

    /// Brings conditional sets in line with the sizes that the engine finds, until they agree or
    /// have flipped too often.
    func followConditions(isRoot: Bool, _ engine: LayoutEngine) {
        guard isRoot, !engine.constraintSets.isEmpty else { return }
        var changed = true
        while changed, !engine.isExhausted {
            changed = false
            let clauses = engine.constraintSets.reduce(0) {
                $0 + ($1.condition?.clauses.count ?? 0)
            }
            engine.charge(
                LayoutEngine.Price.visit * UInt64(engine.constraintSets.count)
                    + LayoutEngine.Price.steps(clauses))
            for set in engine.constraintSets where set.follow(engine) { changed = true }
        }
    }

    /// Asks the solver for its optimum and marks the superview of whatever moved since the last
    /// solve: as if once for each of x, y, width and height, views in preorder.
    func takeSolution(_ engine: LayoutEngine) {
        guard engine.needsSettling else { return }
        // Taken out, for an observer may have a layout of its own done meanwhile.
        var changes = spareChanges.take() ?? ChangedViews()
        engine.takeChangedItems(&changes.items)
        engine.charge(LayoutEngine.Price.steps(2 &* changes.items.count))
        if !changes.items.isEmpty { engine.numberPreorder() }
        if traceHandler == nil {
            takeSolution(of: &changes, engine)
        } else {
            traceSolution(of: &changes, engine)
        }
        changes.removeAll()
        spareChanges = consume changes
    }

    /// Takes the views as the solver tells of them. Marks that nobody listens to have no order, but
    /// for who marked a view last, so preorder is made only where that is not clear.
    private func takeSolution(of changes: inout ChangedViews, _ engine: LayoutEngine) {
        changes.putFirst(LayoutItemReference(root))
        var areInOrder = true
        // Lent: what the observer of the root's new size removes lives until the passes end.
        changes.items.removeAll(lookingAhead: { $0.prefetch() }) { item in
            // What has no number is no view.
            guard item.use({ $0.preorderIndex >= 0 }) else { return true }
            return item.useView { view in
                let found = engine.publishedFrame(of: view)
                guard let superview = view.superviewReference else {
                    placeRoot(view, to: found)
                    return true
                }
                guard !view.hasSolved(found) else { return true }
                view.solvedFrame = found
                superview.useView {
                    if !$0.noteUnplaced(view) { areInOrder = false }
                    note(view, on: $0)
                }
                return false
            }
        }
        guard !areInOrder else { return }
        changes.sort()
        for index in changes.items.indices {
            changes.items[index].useView { view in
                view.superviewReference?.useView { $0.marks.markedBy = ObjectIdentifier(view) }
            }
        }
    }

    /// The same, with each mark traced, in preorder.
    private func traceSolution(of changes: inout ChangedViews, _ engine: LayoutEngine) {
        changes.sort()
        // Lent: what the observer of a mark, or of the root's new size, removes lives until the
        // passes end.
        var index = 0
        while index < changes.items.count {
            changes.items[index].useView { view in
                let found = engine.publishedFrame(of: view)
                guard let superview = view.superviewReference else {
                    return placeRoot(view, to: found)
                }
                if !view.hasSolved(found) { traceSolution(view, found, superview) }
            }
            index += 1
        }
    }

    @inline(__always)
    private func note(_ view: View, on superview: View) {
        superview.marks.markedBy = ObjectIdentifier(view)
        superview.markNeedsLayout()
    }

    /// Traces a mark for each of x, y, width and height that changed.
    private func traceSolution(_ view: View, _ found: Rect, _ superview: LayoutItemReference) {
        let changes =
            view.solvedFrame.map { $0.vector - found.vector } ?? SIMD4(repeating: .infinity)
        view.solvedFrame = found
        superview.useView { superview in
            superview.noteUnplaced(view)
            for index in changes.indices where abs(changes[index]) > View.noise {
                trace(.setNeedsLayout, superview)
            }
            note(view, on: superview)
        }
    }

    /// A root has no superview to place it, so it takes its new size here.
    private func placeRoot(_ view: View, to found: Rect) {
        view.solvedFrame = found
        let old = view.storedFrame
        guard old != found else { return }
        view.storedFrame = found
        engine.frameObserver?(view)
        guard old.size != found.size else { return }
        view.markNeedsLayout()
        view.sizeDidChange(from: old.size)
    }
}

extension View {
    /// Differences up to this are rounding, not movement.
    fileprivate static var noise: Double { 1e-7 }

    /// Whether the last solve had found this frame too, but for rounding.
    @inline(__always)
    fileprivate func hasSolved(_ frame: Rect) -> Bool {
        guard let solvedFrame else { return false }
        return !solvedFrame.differs(from: frame, byMoreThan: Self.noise)
    }
}
