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

    /// Adds a view in front of the others.
    ///
    /// - Throws: `LayoutError.hierarchyCycle` when the view is this one or holds it.
    public func addSubview(_ view: View) throws(LayoutError) {
        try insertSubview(view, at: subviews.count)
    }

    /// Adds a view at an index among the subviews, 0 being the backmost; larger indices mean in front.
    ///
    /// A view that already has a superview moves; its constraints stay while their items share a hierarchy.
    ///
    /// - Throws: `LayoutError.hierarchyCycle` when the view is this one or holds it.
    public func insertSubview(_ view: View, at index: Int) throws(LayoutError) {
        // A view that holds nothing cannot hold this one.
        guard view !== self, view.subviews.isEmpty || !isDescendant(of: view) else {
            throw .hierarchyCycle(view.identifier)
        }
        if view.superview === self {
            subviews.removeAll { $0 === view }
            subviews.insert(view, at: min(max(index, 0), subviews.count))
            engine?.preorderIsValid = false
            markNeedsLayout()
            subviewsDidChange()
            return
        }
        let oldSuperview = view.superview
        view.rebaseHandFrame()
        if oldSuperview != nil { view.keepTraits() }
        view.leaveEngine()
        if let oldSuperview {
            oldSuperview.forget(view)
            oldSuperview.subviews.removeAll { $0 === view }
            oldSuperview.markNeedsLayout()
        }
        view.superview = self
        engine?.directionGeneration &+= 1
        subviews.insert(view, at: min(max(index, 0), subviews.count))
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

    /// Takes the view out of its superview. Constraints between its subtree and the rest leave with it.
    ///
    /// - Returns: The constraints that left, in the order of their creation.
    @discardableResult
    public func removeFromSuperview() -> [LayoutConstraint] {
        guard let old = superview else { return [] }
        rebaseHandFrame()
        keepTraits()
        leaveEngine()
        old.forget(self)
        old.subviews.removeAll { $0 === self }
        superview = nil
        old.engine?.directionGeneration &+= 1
        let dropped = dropConstraintsWithoutCommonAncestor()
        old.markNeedsLayout()
        old.subviewsDidChange()
        didMoveToSuperview()
        return dropped
    }

    /// Adds a guide, in whose terms constraints can then speak.
    public func addLayoutGuide(_ guide: LayoutGuide) {
        guide.owningView?.removeLayoutGuide(guide)
        guide.owningView = self
        layoutGuides.append(guide)
        if guide.hasVariables { engine?.join(guide) }
    }

    /// Removes a guide and the constraints that speak of it.
    public func removeLayoutGuide(_ guide: LayoutGuide) {
        guard guide.owningView === self else { return }
        removeLayoutGuides([guide])
    }

    /// Removes some of the view's guides and the constraints that speak of them, going through its list once.
    func removeLayoutGuides(_ guides: [LayoutGuide]) {
        guard !guides.isEmpty else { return }
        for guide in guides {
            LayoutConstraint.deactivate(guide.attachedConstraints)
            engine?.leave(guide)
            guide.owningView = nil
        }
        layoutGuides.removeAll { $0.owningView == nil }
    }

    /// The guide inset by `layoutMargins`.
    public var layoutMarginsGuide: LayoutGuide {
        if let marginsGuide { return marginsGuide }
        let guide = LayoutGuide(kind: .margins, identifier: identifier + ".margins")
        guide.owningView = self
        marginsGuide = guide
        return guide
    }

    /// The guide inset by `safeAreaInsets`.
    public var safeAreaLayoutGuide: LayoutGuide {
        if let safeAreaGuide { return safeAreaGuide }
        let guide = LayoutGuide(kind: .safeArea, identifier: identifier + ".safeArea")
        guide.owningView = self
        safeAreaGuide = guide
        return guide
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

    // MARK: Joining an engine

    /// The engine of the hierarchy, made now if no window shows it yet. To be called on the root.
    @discardableResult
    func ensureEngine() -> LayoutEngine {
        if let engine { return engine }
        let engine = LayoutEngine(root: self)
        join(engine)
        return engine
    }

    /// Enters the whole subtree: variables first, then the engine's own constraints, then people's.
    func join(_ engine: LayoutEngine) {
        engine.preorderIsValid = false
        guard !subviews.isEmpty || !isUnconstrained || mayOwnGuides else {
            takeVariables(in: engine)
            if engine.followsTextSize { takeContentSizeCategory() }
            updateOwnConstraints()
            return
        }
        let views = preorder
        for view in views {
            view.takeVariables(in: engine)
            for guide in view.ownedGuides where guide.hasVariables { engine.join(guide) }
        }
        // New text has the size that people want from the start.
        if engine.followsTextSize { for view in views { view.takeContentSizeCategory() } }
        for view in views { view.updateOwnConstraints() }
        for constraint in Self.constraints(of: views) where constraint.engine === engine {
            engine.addBreaking(constraint)
        }
    }

    /// Enters the view alone.
    private func takeVariables(in engine: LayoutEngine) {
        self.engine = engine
        knownDirectionGeneration = 0
        if let extras {
            if extras.isUninstalled { engine.hasUninstalledViews = true }
            if extras.preservesSuperviewMargins { engine.followsSafeArea = true }
        }
        engine.join(self)
    }

    /// Has the engine's own constraints for the view say what the view asks for.
    private func updateOwnConstraints() {
        updateFrameConstraints()
        updateContentSizeConstraints()
        updateCollapseConstraints()
    }

    /// Takes the whole subtree out of its engine; active constraints wait for the next one.
    func leaveEngine() {
        guard let engine else { return }
        let views = preorder
        engine.departedViews?.append(contentsOf: views)
        engine.preorderIsValid = false
        for constraint in Self.constraints(of: views) { engine.remove(constraint) }
        for view in views {
            engine.animator.cancel(view)
            view.clearSystemConstraints(in: engine)
        }
        // Only now: a flexible size refers to the superview's, which may be one of these.
        for view in views {
            for guide in view.ownedGuides where guide.hasVariables { engine.leave(guide) }
            engine.leave(view)
            view.engine = nil
            view.awaitsReference = false
            if view.translatesFrame { view.solvedFrame = view.storedFrame }
        }
    }

    /// Forgets, for the whole subtree, an engine that ends with its root; active constraints wait for the next one.
    func forgetEngine() {
        func forget(_ item: LayoutItem) {
            item.variables = nil
            item.solvedFrame = nil
            item.forEachAttached { constraint in
                constraint.solverID = nil
                constraint.isBroken = false
            }
        }
        for view in preorder {
            forget(view)
            for guide in view.ownedGuides { forget(guide) }
            view.engine = nil
            view.systemConstraints = SystemConstraints()
            view.awaitsReference = false
            if view.translatesFrame { view.solvedFrame = view.storedFrame }
        }
    }

    /// False where `ownedGuides` is known to be empty.
    private var mayOwnGuides: Bool { extras != nil || self is ScrollView }

    /// All guides whose place depends on this view, built-in ones included.
    var ownedGuides: [LayoutGuide] {
        guard mayOwnGuides else { return [] }
        var guides = layoutGuides
        if let marginsGuide { guides.append(marginsGuide) }
        if let safeAreaGuide { guides.append(safeAreaGuide) }
        if let readable = extras?.readableGuide { guides.append(readable) }
        if let keyboard = extras?.keyboardGuide { guides.append(keyboard) }
        if let scroll = self as? ScrollView {
            guides += [scroll.contentLayoutGuide, scroll.frameLayoutGuide]
        }
        return guides
    }

    /// Each active constraint that refers to one of the views or their guides, once, in order of creation.
    static func constraints(of views: [View]) -> [LayoutConstraint] {
        var result: [LayoutConstraint] = []
        for view in views {
            view.forEachAttached { result.append($0) }
            for guide in view.ownedGuides { guide.forEachAttached { result.append($0) } }
        }
        guard result.count > 1 else { return result }
        // A constraint stands with each of its items; in order of creation, its mentions are neighbours.
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
