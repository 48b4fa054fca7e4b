/// The `updateProperties` pass, after traits and before constraints. Apple,
/// `UIView.updateProperties()`, iOS 26.
extension UpdateCycle {
    /// Whether `updateProperties` of the subtree waits. A hierarchy that no window shows waits
    /// until one does.
    func hasPendingProperties(_ scope: View) -> Bool {
        scope.marks.subtreeNeedsUpdateProperties && root is Window
    }

    /// Brings traits up to date and calls `updateProperties` on every marked view of the subtree,
    /// superviews first and siblings back to front; repeats for what the calls mark.
    ///
    /// UIKit says that properties come before layout and not where among the passes
    /// `updateConstraints` stands; here all properties are updated before the first
    /// `updateConstraints`, so what they change is solved in the same cycle.
    ///
    /// - Throws: `LayoutError.updatePropertiesLoop` when views keep marking themselves or one
    ///   another, after as many rounds as a view may be laid out in a cycle. What is pending in the
    ///   subtree is then dropped.
    func propertyPass(_ scope: View) throws(LayoutError) {
        while true {
            try traitPass(scope)
            guard hasPendingProperties(scope) else { return }
            propertyRounds += 1
            guard propertyRounds <= feedbackLoopLimit else { throw propertiesLoop(scope) }
            let isOutermost = !isUpdatingProperties
            isUpdatingProperties = true
            defer {
                if isOutermost {
                    isUpdatingProperties = false
                    installViews()
                }
            }
            let pass = TopDownPass<Void>(
                pending: .properties,
                serve: { (view, _) throws(LayoutError) in try self.serveProperties(view) })
            try pass.run(scope)
        }
    }

    func updatePropertiesIfNeeded(in view: View) {
        if !isRunning { propertyRounds = 0 }
        defer { chargeWork() }
        do {
            try propertyPass(view)
        } catch {
            report(error)
        }
    }

    private func serveProperties(_ view: View) throws(LayoutError) {
        switch view.marks.properties {
        case .none: break
        case .new: try callNew(view)
        case .asked: try call(view)
        }
    }

    private func call(_ view: View) throws(LayoutError) {
        view.marks.properties = .none
        try spend(LayoutEngine.Price.visit)
        trace(.updateProperties, view)
        run(view)
    }

    /// The first call of a view whose class may have overridden `updateProperties`. Swift cannot
    /// tell before the call: one that ends in the empty base implementation was none, is not traced
    /// and costs nothing.
    private func callNew(_ view: View) throws(LayoutError) {
        view.marks.properties = .none
        view.marks.reachedBaseProperties = false
        run(view)
        guard !view.marks.reachedBaseProperties else { return }
        try spend(LayoutEngine.Price.visit)
        trace(.updateProperties, view)
    }

    private func run(_ view: View) {
        let outer = phase
        phase = .idle
        tracking(.updateProperties, of: view) {
            view.updatePropertiesHook?()
            view.updateProperties()
            guard let controller = view.viewController else { return }
            callOverride("updateProperties", on: view) { controller.updateProperties() }
        }
        phase = outer
    }

    private func propertiesLoop(_ scope: View) -> LayoutError {
        let views = scope.preorder
        let looping = views.first { $0.marks.properties != .none }
        for view in views {
            view.marks.properties = .none
            view.marks.subtreeNeedsUpdateProperties = false
        }
        return .updatePropertiesLoop(view: (looping ?? scope).identifier)
    }
}

extension View {
    /// Whether `updateProperties` is pending.
    public var needsUpdateProperties: Bool { marks.properties != .none }

    /// Asks for `updateProperties` in the next cycle, before its layout. Records and returns.
    ///
    /// By itself it calls no `layoutSubviews`. Apple, `UIView.setNeedsUpdateProperties()`.
    public func setNeedsUpdateProperties() {
        marks.properties = .asked
        raiseUpdateProperties()
    }

    /// Calls what is pending of `updateProperties` in the view's subtree, now, with traits up to
    /// date; lays nothing out. Apple, `UIView.updatePropertiesIfNeeded()`.
    public func updatePropertiesIfNeeded() {
        hierarchyRoot.ensureEngine().cycle.updatePropertiesIfNeeded(in: self)
    }

    func raiseUpdateProperties() {
        var current: View? = self
        while let view = current, !view.marks.subtreeNeedsUpdateProperties {
            view.marks.subtreeNeedsUpdateProperties = true
            current = view.superview
        }
    }
}
