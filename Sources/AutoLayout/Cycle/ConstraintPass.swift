extension UpdateCycle {
    /// Calls `updateConstraints` on every marked view of the subtree, subviews before their superview and
    /// siblings back to front.
    ///
    /// A container's `updateConstraints` may read what its subviews changed in this same pass; the other way
    /// round it would lay out with the previous cycle's wishes.
    func constraintPass(_ scope: View) throws(LayoutError) {
        guard scope.marks.subtreeNeedsUpdateConstraints else { return }
        try visitForConstraints(scope)
    }

    private func visitForConstraints(_ view: View) throws(LayoutError) {
        view.marks.subtreeNeedsUpdateConstraints = false
        for subview in view.subviews where subview.marks.subtreeNeedsUpdateConstraints {
            try visitForConstraints(subview)
        }
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

    /// Brings conditional sets in line with the sizes that the engine finds, until they agree or have flipped
    /// too often.
    func followConditions(isRoot: Bool) {
        guard isRoot, !engine.constraintSets.isEmpty else { return }
        var changed = true
        while changed, !engine.isExhausted {
            changed = false
            engine.charge(LayoutEngine.Price.visit * UInt64(engine.constraintSets.count))
            for set in engine.constraintSets where set.follow(engine) { changed = true }
        }
    }

    /// Asks the solver for its optimum and marks the superview of whatever moved since the last solve:
    /// once for each of x, y, width and height, views in preorder.
    func takeSolution(_ engine: LayoutEngine) {
        guard engine.needsSettling else { return }
        var items = engine.takeChangedItems()
        guard !items.isEmpty else { return }
        defer { engine.reuse(&items) }
        engine.charge(2 * LayoutEngine.Price.step * UInt64(items.count))
        engine.numberPreorder()
        // Preorder number and place in the list, in one number each, which sort faster than views.
        var order: [UInt64] = []
        swap(&order, &spareOrder)
        defer {
            if order.capacity <= LayoutEngine.spareMaximum {
                order.removeAll(keepingCapacity: true)
                swap(&order, &spareOrder)
            }
        }
        order.reserveCapacity(items.count)
        for index in items.indices {
            let number = items[index].use { $0.preorderIndex }
            if number >= 0 { order.append(UInt64(number) << 32 | UInt64(index)) }
        }
        // A first layout mostly has them in order.
        if !isAscending(order) { order.sort() }
        // Lent: what the observer of a mark, or of the root's new size, removes lives until the passes end.
        var previous = UInt64.max
        for place in order where place >> 32 != previous {
            previous = place >> 32
            // Views alone have a number.
            items[Int(place & 0xFFFF_FFFF)].useView { takeSolution($0, engine) }
        }
    }

    private func isAscending(_ numbers: [UInt64]) -> Bool {
        var previous: UInt64 = 0
        for number in numbers {
            guard number >= previous else { return false }
            previous = number
        }
        return true
    }

    private func takeSolution(_ view: View, _ engine: LayoutEngine) {
        let found = engine.publishedFrame(of: view)
        guard let superview = view.superviewReference else {
            placeRoot(view, to: found)
            return
        }
        var marks = 4
        if let old = view.solvedFrame {
            guard old != found else { return }
            marks = abs(old.minX - found.minX) > Self.noise ? 1 : 0
            marks += abs(old.minY - found.minY) > Self.noise ? 1 : 0
            marks += abs(old.width - found.width) > Self.noise ? 1 : 0
            marks += abs(old.height - found.height) > Self.noise ? 1 : 0
        }
        guard marks > 0 else { return }
        view.solvedFrame = found
        superview.useView { superview in
            superview.noteUnplaced(view)
            if traceHandler != nil {
                for _ in 0..<marks { trace(.setNeedsLayout, superview) }
            }
            superview.marks.markedBy = ObjectIdentifier(view)
            superview.markNeedsLayout()
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

    /// Differences up to this are rounding, not movement.
    private static var noise: Double { 1e-7 }
}
