/// Joining the engine of a hierarchy, and leaving it.
extension View {
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
            if engine.followsTextTraits { takeTextTraits() }
            updateOwnConstraints()
            return
        }
        let views = preorder
        for view in views {
            view.takeVariables(in: engine)
            for guide in view.ownedGuides where guide.hasVariables { engine.join(guide) }
        }
        // New text has the size that people want from the start.
        if engine.followsTextTraits { for view in views { view.takeTextTraits() } }
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
            if extras.preservesSuperviewMargins || extras.followsReadableWidth {
                engine.followsSafeArea = true
            }
        }
        engine.join(self)
    }

    /// Has the engine's own constraints for the view say what the view asks for.
    private func updateOwnConstraints() {
        guard !asksForNothing else { return }
        updateFrameConstraints()
        updateContentSizeConstraints()
        updateCollapseConstraints()
    }

    /// Whether the view is one of no class but this one, and neither has nor wants a constraint of
    /// the engine's own.
    private var asksForNothing: Bool {
        marks.isPlainClass && !translatesFrame && !isHidden && systemConstraints.isEmpty
            && intrinsicContentSizeOverride == nil && engine?.hasUninstalledViews == false
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

    /// Forgets, for the whole subtree, an engine that ends with its root; active constraints wait
    /// for the next one.
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
}
