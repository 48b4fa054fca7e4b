extension UpdateCycle {
    /// Calls `layoutSubviews` from the topmost marked views downwards, depth first, the last
    /// subview first; repeats for what the calls mark again.
    ///
    /// - Throws: `LayoutError.layoutFeedbackLoop` when one view is laid out more often than
    ///   `feedbackLoopLimit` in a cycle. What is pending in the subtree is then dropped; the last
    ///   frames stand.
    func layoutPass(_ scope: View) throws(LayoutError) {
        while scope.marks.subtreeNeedsLayout {
            do {
                try visitForLayout(scope)
            } catch {
                if case .layoutFeedbackLoop = error { dropPendingLayout(scope) }
                throw error
            }
        }
    }

    /// Inlined, so that the end of a branch takes no call.
    @inline(__always)
    private func visitForLayout(_ view: View) throws(LayoutError) {
        view.marks.subtreeNeedsLayout = false
        do throws(LayoutError) {
            if view.marks.needsLayout { try layOutSubviews(of: view) }
            if view.marks.descendantNeedsLayout { try visitSubviewsForLayout(view) }
        } catch {
            markWhatIsLeft(view)
            throw error
        }
    }

    /// Has the next cycle find what is still pending in a subtree whose visit an error has ended.
    private func markWhatIsLeft(_ view: View) {
        view.pendingSubview = nil
        view.marks.descendantNeedsLayout = view.subviews.contains { $0.marks.subtreeNeedsLayout }
        view.marks.subtreeNeedsLayout =
            view.marks.needsLayout || view.marks.descendantNeedsLayout
    }

    private func visitSubviewsForLayout(_ view: View) throws(LayoutError) {
        view.marks.descendantNeedsLayout = false
        charge(LayoutEngine.Price.glances(at: view.subviews.count))
        var index = view.subviews.count
        // Lent: where the call removes it, the engine keeps it until the passes end.
        if let subview = view.pendingSubview {
            view.pendingSubview = nil
            try subview.visitView { view throws(LayoutError) in
                if view.marks.subtreeNeedsLayout { try visitForLayout(view) }
            }
            // Unless the call has marked others, there are none.
            guard view.marks.descendantNeedsLayout else { return }
            index = view.place(of: subview) ?? index
        }
        // By index: a call may change the list.
        while let (next, subview) = view.lastSubviewThatNeedsLayout(before: index) {
            index = next
            try subview.visitView { view throws(LayoutError) in try visitForLayout(view) }
        }
    }

    private func layOutSubviews(of view: View) throws(LayoutError) {
        guard view.storedFrame.size != .zero else {
            // Without a rectangle the hook is skipped and the mark stays, but children are placed.
            view.placeSubviewsWhileEmpty()
            return
        }
        if view.marks.layoutCycle != number {
            view.marks.layoutCycle = number
            view.marks.layoutCount = 0
        }
        view.marks.layoutCount += 1
        guard view.marks.layoutCount <= feedbackLoopLimit else { throw feedbackLoop() }
        view.marks.needsLayout = false
        try spend(
            LayoutEngine.Price.visit
                &+ LayoutEngine.Price.step
                &* UInt64(truncatingIfNeeded: view.unplacedSubviews.count))
        trace(.layoutSubviews, view)
        guard !view.hasNothingToLayOut else { return }
        let outer = phase
        phase = .layingOut(LayoutItemReference(view))
        tracking(.layoutSubviews, of: view) {
            callOverride("layoutSubviews", on: view) {
                view.viewController?.viewWillLayoutSubviews()
                view.layoutSubviewsHook?()
                view.layoutSubviews()
                view.viewController?.viewDidLayoutSubviews()
            }
        }
        phase = outer
        try takePendingError()
    }

    private func feedbackLoop() -> LayoutError {
        let all = root.preorder
        let views = all.filter {
            $0.marks.layoutCycle == number && $0.marks.layoutCount >= feedbackLoopLimit
        }
        var markers: [String] = []
        for view in views {
            guard let marker = all.first(where: { ObjectIdentifier($0) == view.marks.markedBy }),
                !markers.contains(marker.identifier)
            else { continue }
            markers.append(marker.identifier)
        }
        return .layoutFeedbackLoop(views: views.map { $0.identifier }, markedBy: markers)
    }

    private func dropPendingLayout(_ scope: View) {
        for view in scope.preorder {
            view.marks.subtreeNeedsLayout = false
            view.marks.descendantNeedsLayout = false
            view.marks.needsLayout = false
        }
    }
}

extension View {
    /// Whether `layoutSubviews` would run no code but its own, and find no subviews, as of most
    /// views that are at the end of a branch.
    @inline(__always)
    fileprivate var hasNothingToLayOut: Bool {
        marks.isPlainClass && extras == nil && subviews.isEmpty
    }

    fileprivate func place(of subview: LayoutItemReference) -> Int? {
        subviews.firstIndex { LayoutItemReference($0) == subview }
    }

    /// The last subview before a place in the list in whose subtree layout is pending, and its
    /// place; most have none, so that it is looked for with as little as can be.
    fileprivate func lastSubviewThatNeedsLayout(
        before place: Int
    ) -> (place: Int, subview: LayoutItemReference)? {
        unsafe subviews.withUnsafeBufferPointer { views in
            var index = min(place, views.count) - 1
            while index >= 0 {
                if unsafe views[index].marks.subtreeNeedsLayout {
                    return (index, LayoutItemReference(unsafe views[index]))
                }
                index -= 1
            }
            return nil
        }
    }
}
