/// Brings traits up to date, before anything else of a cycle is called.
extension UpdateCycle {
    /// Updates in one pass before a view's handlers are taken for a loop.
    private static var roundMaximum: Int { 8 }

    /// Whether traits of the subtree wait for an update. Those of a hierarchy that no window shows
    /// wait until one does.
    func hasPendingTraits(_ scope: View) -> Bool {
        scope.marks.subtreeNeedsTraits && root is Window
    }

    /// Updates the marked views of a subtree and all below them, superviews first and siblings back
    /// to front; repeats for what handlers mark.
    ///
    /// - Throws: `LayoutError.traitLoop` when handlers keep changing traits.
    func traitPass(_ scope: View) throws(LayoutError) {
        var rounds = 0
        while hasPendingTraits(scope) {
            rounds += 1
            guard rounds <= Self.roundMaximum else { throw traitLoop(scope) }
            let pass = TopDownPass<Inherited>(
                pending: .traits,
                serve: { (view, inherited) throws(LayoutError) in
                    try self.serveTraits(view, &inherited)
                })
            var inherited = Inherited(
                values: inheritedTraits(of: scope), calls: traitHandlerCalls)
            try pass.run(scope, &inherited)
        }
    }

    func updateTraitsIfNeeded(in view: View) {
        defer { chargeWork() }
        do {
            try traitPass(view)
        } catch {
            report(error)
        }
    }

    /// What the subviews of a view inherit, as of a number of handlers called.
    private struct Inherited {
        var values: TraitValues
        var calls: Int
    }

    /// - Parameter inherited: The traits of what is above: to look for them from every view up
    ///   costs depth for each.
    private func serveTraits(
        _ view: View, _ inherited: inout Inherited
    ) throws(LayoutError) -> Inherited {
        try spend(LayoutEngine.Price.step)
        // A handler may have traits updated, of views above too.
        if inherited.calls != traitHandlerCalls {
            inherited = Inherited(values: inheritedTraits(of: view), calls: traitHandlerCalls)
        }
        if view.marks.needsTraits { try updateTraits(of: view, inherited: inherited.values) }
        // A view without traits of its own has those above.
        return Inherited(
            values: view.traitBox?.values ?? inherited.values, calls: inherited.calls)
    }

    private func updateTraits(of view: View, inherited: TraitValues) throws(LayoutError) {
        view.marks.needsTraits = false
        let hadTraits = view.marks.hasHadTraits
        view.marks.hasHadTraits = true
        let old = view.currentTraits
        let new = view.traits(from: inherited)
        applyDirection(to: view)
        guard new != old else {
            if !(view is Window), new == inherited { view.traitBox = nil }
            return
        }
        try spend(
            LayoutEngine.Price.visit + LayoutEngine.Price.step * UInt64(view.subviews.count))
        for subview in view.subviews {
            // In the handlers of this view, those below still have what they had.
            if subview.traitBox == nil { subview.traitBox = TraitBox(old) }
            subview.marks.needsTraits = true
            subview.marks.subtreeNeedsTraits = true
        }
        view.traitBox = new == inherited && !(view is Window) ? nil : TraitBox(new)
        engine.conditionsNeedReview = true
        let changed = TraitSet(new.differences(from: old))
        if changed.contains(TraitSet(.contentSizeCategory))
            || changed.contains(TraitSet(.typography))
            || new.typography == .faces && changed.contains(TraitSet(.displayScale))
        {
            engine.followsTextTraits = true
            view.takeTextTraits()
        }
        if changed.contains(TraitSet(.layoutDirection)) { view.directionTraitDidChange() }
        if changed.contains(TraitSet(.horizontalSizeClass)) {
            view.viewController?.takeMinimumMargins()
        }
        guard let own = view.extras?.traits else { return }
        for method in own.tracking(changed) { view.ask(for: method) }
        guard hadTraits else { return }
        let previous = TraitCollection(old)
        for registration in own.registrations where !registration.traits.isDisjoint(with: changed) {
            // A handler before may have ended it.
            guard own.registrations.contains(where: { $0 === registration }) else { continue }
            try spend(LayoutEngine.Price.visit)
            traitHandlerCalls &+= 1
            registration.handler(view, previous)
        }
    }

    private func inheritedTraits(of view: View) -> TraitValues {
        if let superview = view.superview { return superview.currentTraits }
        return (view as? Window)?.screenTraits ?? TraitValues()
    }

    /// Has the view's leading and trailing edges follow an override of the direction.
    private func applyDirection(to view: View) {
        guard let own = view.extras?.traits else { return }
        if let direction = own.overrides.layoutDirection {
            own.setsDirection = true
            view.layoutDirection = direction
        } else if own.setsDirection {
            own.setsDirection = false
            view.layoutDirection = nil
        }
    }

    private func traitLoop(_ scope: View) -> LayoutError {
        let views = scope.preorder
        let looping = views.first { $0.marks.needsTraits }
        for view in views {
            view.marks.needsTraits = false
            view.marks.subtreeNeedsTraits = false
        }
        return .traitLoop(view: (looping ?? scope).identifier)
    }

    // MARK: Tracking

    /// Where reads of a view's traits are noted just now: inside its own tracked calls, and nowhere
    /// else.
    func traitReads(of view: View) -> TraitReads? {
        guard trackedView == ObjectIdentifier(view) else { return nil }
        if let reads = openReads { return reads }
        let made = TraitReads()
        openReads = made
        return made
    }

    /// Runs a view's call and keeps which of the view's own traits it read, in place of those of
    /// the call before.
    @inline(__always)
    func tracking(_ method: TraitTracking, of view: View, _ body: () -> Void) {
        let outer = (trackedView, openReads)
        trackedView = ObjectIdentifier(view)
        openReads = nil
        observing(method, of: view, body)
        if let reads = openReads {
            reads.close()
            view.writeTraits().track(method, reads.traits)
        } else if let own = view.extras?.traits {
            own.track(method, [])
        }
        (trackedView, openReads) = outer
    }
}
