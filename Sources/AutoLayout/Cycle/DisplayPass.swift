extension UpdateCycle {
    /// Draws every view that needs it and can be seen: root before subviews, siblings back to
    /// front.
    ///
    /// Views that are hidden, not installed, empty, or in a hierarchy that no window shows keep
    /// their marks.
    func displayPass() {
        guard root.marks.subtreeNeedsDisplay, root is Window else { return }
        phase = .drawing
        visitForDisplay(root)
        phase = .idle
    }

    private func visitForDisplay(_ view: View) {
        view.marks.subtreeNeedsDisplay = false
        guard view.hasPlace else {
            // Raised again on the way up when the view is shown.
            view.marks.subtreeNeedsDisplay = true
            return
        }
        if view.marks.needsDisplay, !view.storedFrame.isEmpty { display(view) }
        guard !view.subviews.isEmpty else { return }
        view.prefetchFirstSubviews()
        // The list keeps them, so that they are lent.
        let subviews = view.subviews
        defer { withExtendedLifetime(subviews) {} }
        for index in subviews.indices {
            view.prefetchSubview(after: index)
            LayoutItemReference(subviews[index]).useView {
                if $0.marks.subtreeNeedsDisplay { visitForDisplay($0) }
            }
        }
    }

    private func display(_ view: View) {
        let bounds = view.bounds
        let dirty = view.dirtyRect.map { $0.intersection(bounds) } ?? bounds
        view.marks.needsDisplay = false
        view.dirtyRect = nil
        guard !dirty.isEmpty, view.drawsContent else { return }
        trace(.draw, view)
        charge(LayoutEngine.Price.visit)
        let context = DrawingContext(view: view.identifier)
        tracking(.draw, of: view) { view.draw(dirty, in: context) }
        view.displayList = context.finish()
        charge(LayoutEngine.Price.line * UInt64(view.displayList.count))
        engine.displayObserver?(view, dirty)
    }
}
