extension View {
    /// Whether the view is `other` or lies below it.
    public func isDescendant(of other: View) -> Bool {
        var current: View? = self
        while let view = current {
            if view === other { return true }
            current = view.superview
        }
        return false
    }

    /// How many views lie above this one.
    var depth: Int {
        var depth = 0
        var view = self
        while let above = view.superview { (view, depth) = (above, depth + 1) }
        return depth
    }

    /// The topmost view of the hierarchy, perhaps the view itself.
    public var hierarchyRoot: View {
        var view = self
        while let above = view.superview { view = above }
        return view
    }

    /// How many subviews there is room for once there is one. A list that grows from one on is
    /// moved again and again.
    static let fewSubviews = 4

    /// Adds a view in front of the others.
    ///
    /// - Throws: `LayoutError.hierarchyCycle` when the view is this one or holds it.
    public func addSubview(_ view: View) throws(LayoutError) {
        try insertSubview(view, at: subviews.count)
    }

    /// Adds a view at an index among the subviews, 0 being the backmost; larger indices mean in
    /// front.
    ///
    /// A view that already has a superview moves; its constraints stay while their items share a
    /// hierarchy.
    ///
    /// - Throws: `LayoutError.hierarchyCycle` when the view is this one or holds it.
    public func insertSubview(_ view: View, at index: Int) throws(LayoutError) {
        // A view that holds nothing cannot hold this one.
        guard view !== self, view.subviews.isEmpty || !isDescendant(of: view) else {
            throw .hierarchyCycle(view.identifier)
        }
        if view.superview === self {
            if let place = indexOfSubview(view) { subviews.remove(at: place) }
            subviews.insert(view, at: min(max(index, 0), subviews.count))
            engine?.preorderIsValid = false
            markNeedsLayout()
            subviewsDidChange()
            return
        }
        let oldSuperview = view.superview
        view.rebaseHandFrame()
        if oldSuperview != nil { view.keepTraits() }
        (oldSuperview as? StackView)?.release(view)
        view.leaveEngine()
        if let oldSuperview {
            oldSuperview.forget(view)
            if let place = oldSuperview.indexOfSubview(view) {
                oldSuperview.subviews.remove(at: place)
            }
            oldSuperview.markNeedsLayout()
        }
        view.superview = self
        Lent(engine)?.use { $0.directionGeneration &+= 1 }
        if subviews.isEmpty { subviews.reserveCapacity(Self.fewSubviews) }
        if index >= subviews.count {
            subviews.append(view)
        } else {
            subviews.insert(view, at: max(index, 0))
        }
        noteUnplaced(view)
        view.dropConstraintsWithoutCommonAncestor()
        if let engine { view.join(engine) }
        view.markNeedsLayout()
        markNeedsLayout()
        view.raisePendingMarks()
        oldSuperview?.subviewsDidChange()
        subviewsDidChange()
        view.viewController?.takeMinimumMargins()
        view.didMoveToSuperview()
    }

    /// Takes the view out of its superview. Constraints between its subtree and the rest leave with
    /// it.
    ///
    /// - Returns: The constraints that left, in the order of their creation.
    @discardableResult
    public func removeFromSuperview() -> [LayoutConstraint] {
        guard let old = superview else { return [] }
        rebaseHandFrame()
        keepTraits()
        (old as? StackView)?.release(self)
        leaveEngine()
        old.forget(self)
        if let place = old.indexOfSubview(self) { old.subviews.remove(at: place) }
        superview = nil
        old.engine?.directionGeneration &+= 1
        let dropped = dropConstraintsWithoutCommonAncestor()
        old.markNeedsLayout()
        old.subviewsDidChange()
        didMoveToSuperview()
        return dropped
    }

    /// A view's place among the subviews; `nil` for any other view.
    ///
    /// - Complexity: O(subviews), without counting references, which takes ten times as long.
    public func indexOfSubview(_ view: View) -> Int? {
        guard view.superview === self else { return nil }
        let wanted = LayoutItemReference(view)
        return unsafe subviews.withUnsafeBufferPointer { subviews in
            for index in subviews.indices {
                let isIt = unsafe Lent(subviews[index]).use { LayoutItemReference($0) == wanted }
                if isIt { return index }
            }
            return nil
        }
    }

    /// The view and all below it, each before its subviews, siblings back to front.
    public var preorder: [View] {
        guard !subviews.isEmpty else { return [self] }
        var result: [View] = []
        var stack: [View] = [self]
        while let view = stack.popLast() {
            result.append(view)
            stack.append(contentsOf: view.subviews.reversed())
        }
        return result
    }

    /// Each active constraint that refers to one of the views or their guides, once, in order of
    /// creation.
    static func constraints(of views: [View]) -> [LayoutConstraint] {
        var result: [LayoutConstraint] = []
        for view in views {
            view.forEachAttached { result.append($0) }
            for guide in view.ownedGuides { guide.forEachAttached { result.append($0) } }
        }
        guard result.count > 1 else { return result }
        // A constraint stands with each of its items; in order of creation, its mentions are
        // neighbours.
        result.sort { $0.serial < $1.serial }
        var previous: LayoutConstraint?
        result.removeAll { constraint in
            defer { previous = constraint }
            return constraint === previous
        }
        return result
    }

    /// Deactivates the subtree's constraints whose other item is no longer in the same hierarchy.
    @discardableResult
    private func dropConstraintsWithoutCommonAncestor() -> [LayoutConstraint] {
        guard !subviews.isEmpty || !isUnconstrained || mayOwnGuides else { return [] }
        let subtree = preorder
        let constraints = Self.constraints(of: subtree)
        guard !constraints.isEmpty else { return [] }
        let root = hierarchyRoot
        // The way up is long in deep hierarchies, and most constraints stay within the subtree.
        var isBelowRoot: [ObjectIdentifier: Bool] = [:]
        for view in subtree { isBelowRoot[ObjectIdentifier(view)] = true }
        func isInHierarchy(_ item: LayoutItem?) -> Bool {
            guard let host = item?.hostView else { return false }
            if let known = isBelowRoot[ObjectIdentifier(host)] { return known }
            let isBelow = host.hierarchyRoot === root
            isBelowRoot[ObjectIdentifier(host)] = isBelow
            return isBelow
        }
        let dropped = constraints.filter { constraint in
            constraint.hasSecondItem
                && !(isInHierarchy(constraint.firstItem) && isInHierarchy(constraint.secondItem))
        }
        LayoutConstraint.deactivate(dropped)
        return dropped
    }
}
