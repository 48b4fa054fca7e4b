/// Taking the frames that the engine found.
extension View {
    /// Notes that a subview's frame may not be the one that the last solve found.
    ///
    /// - Returns: Whether it is new among those noted, and the last of them in preorder.
    @discardableResult
    @inline(__always)
    func noteUnplaced(_ subview: View) -> Bool {
        guard !subview.isUnplaced else { return false }
        subview.isUnplaced = true
        let previous = unplacedSubviews.last?.use { $0.preorderIndex } ?? -1
        if unplacedSubviews.isEmpty { unplacedSubviews.reserveCapacity(Self.fewSubviews) }
        unplacedSubviews.append(LayoutItemReference(subview))
        return previous < subview.preorderIndex
    }

    /// Forgets a subview that leaves.
    func forget(_ subview: View) {
        let reference = LayoutItemReference(subview)
        if pendingSubview == reference { pendingSubview = nil }
        guard subview.isUnplaced else { return }
        subview.isUnplaced = false
        unplacedSubviews.removeAll { $0 == reference }
    }

    /// Assigns the frames that the last solve found, back to front, to the subviews that do not
    /// have them yet.
    func placeSubviews() {
        guard !unplacedSubviews.isEmpty else { return }
        var waiting: [LayoutItemReference] = []
        swap(&waiting, &unplacedSubviews)
        place(&waiting)
        // The memory serves the next time, unless more came meanwhile; not that of a first layout.
        if unplacedSubviews.isEmpty, waiting.capacity <= LayoutEngine.spareMaximum {
            waiting.empty()
            swap(&waiting, &unplacedSubviews)
        }
    }

    private func place(_ waiting: inout [LayoutItemReference]) {
        guard let lent = Lent(engine) else {
            // What no engine has takes no frame from it.
            for subview in waiting { subview.useView { $0.isUnplaced = false } }
            return
        }
        if lent.use({ placeWhilePassesRun(&waiting, $0) }) { return }
        guard let engine else { return }
        // The observer of a new frame may remove subviews.
        let kept = subviews
        defer { withExtendedLifetime(kept) {} }
        place(&waiting, engine)
    }

    /// Who runs passes keeps the engine, and the engine what leaves its hierarchy meanwhile.
    ///
    /// - Returns: False if no passes run.
    private func placeWhilePassesRun(
        _ waiting: inout [LayoutItemReference], _ engine: LayoutEngine
    ) -> Bool {
        guard engine.departedViews != nil else { return false }
        place(&waiting, engine)
        return true
    }

    private func place(_ waiting: inout [LayoutItemReference], _ engine: LayoutEngine) {
        // Read once: each reading counts references.
        let observer = engine.frameObserver
        guard engine.preorderIsValid || waiting.count == 1 else {
            engine.charge(LayoutEngine.Price.glances(at: subviews.count))
            for subview in waiting { subview.useView { $0.isUnplaced = false } }
            for subview in subviews { subview.assignSolvedFrame(engine, observer) }
            return
        }
        var last: Int32 = -1
        var isSorted = true
        for subview in waiting {
            subview.useView {
                $0.isUnplaced = false
                isSorted = isSorted && $0.preorderIndex > last
                last = $0.preorderIndex
            }
        }
        if !isSorted {
            waiting.sort { left, right in
                left.use { $0.preorderIndex } < right.use { $0.preorderIndex }
            }
        }
        for subview in waiting { subview.useView { $0.assignSolvedFrame(engine, observer) } }
    }

    /// Takes the frame that the last solve found. Called by the superview's `layoutSubviews`.
    @inline(__always)
    private func assignSolvedFrame(_ engine: LayoutEngine, _ observer: ((View) -> Void)?) {
        guard variables != nil, let target = solvedFrame, target != storedFrame else { return }
        let old = storedFrame
        if translatesFrame { keepHandFrame() }
        storedFrame = target
        Lent(engine.animator).use { $0.frameDidChange(of: self, from: old, to: target) }
        observer?(self)
        guard old.size != target.size else { return }
        markNeedsLayout()
        sizeDidChange(from: old.size)
    }

    func sizeDidChange(from old: Size) {
        if contentMode == .redraw { setNeedsDisplay() }
        if marks.needsDisplay || marks.subtreeNeedsDisplay {
            marks.subtreeNeedsDisplay = false
            raiseDisplay()
        }
        boundsSizeDidChange()
    }
}
