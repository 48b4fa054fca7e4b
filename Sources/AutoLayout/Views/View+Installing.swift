import Cassowary

/// Views that exist and take no part in the layout, as Interface Builder has them for size classes
/// in which they are not installed.
extension View {
    /// Whether the view takes part in the layout; true by default. Apple, "Size-Class-Specific
    /// Layout": an item that is not installed is kept, with its constraints, outside of the
    /// hierarchy.
    ///
    /// While it does not, the view and all in it are not shown, their frames are zero, stacks and
    /// flows do without them, and constraints that speak of one of them are out of force; unlike
    /// what a hidden view does, which keeps its place. What is installed during the properties pass
    /// joins at the end of that, so that views that exclude one another change places without a
    /// conflict.
    public var isInstalled: Bool {
        get { extras?.isUninstalled != true }
        set {
            guard newValue != isInstalled else { return }
            if newValue, let cycle = engine?.cycle, cycle.isUpdatingProperties {
                cycle.viewsToInstall.append(self)
            } else {
                install(newValue)
            }
        }
    }

    /// Whether stacks and flows have a place for the view.
    var hasPlace: Bool { !isHidden && isInstalled }

    /// Whether the view, or one that it lies in, is not installed.
    var isLeftOut: Bool {
        var current: View? = self
        while let view = current {
            if view.extras?.isUninstalled == true { return true }
            current = view.superview
        }
        return false
    }

    func install(_ isInstalled: Bool) {
        guard isInstalled != self.isInstalled else { return }
        writeExtras().isUninstalled = !isInstalled
        if let engine {
            if !isInstalled { engine.hasUninstalledViews = true }
            let views = preorder
            engine.charge(LayoutEngine.Price.step * UInt64(views.count))
            // What goes leaves before the zero comes in, and the other way round, so that none is
            // given up for the other.
            func updateOwn() {
                for view in views {
                    view.updateFrameConstraints()
                    view.updateCollapseConstraints()
                    view.updateContentSizeConstraints()
                }
            }
            if isInstalled { updateOwn() }
            for constraint in Self.constraints(of: views) { engine.rederiveBreaking(constraint) }
            if !isInstalled { updateOwn() }
        }
        if isInstalled, marks.needsDisplay || marks.subtreeNeedsDisplay {
            marks.subtreeNeedsDisplay = false
            raiseDisplay()
        }
        (superview as? StackView)?.arrangementDidChange()
        (superview as? FlowView)?.markNeedsLayout()
        superview?.markNeedsLayout()
    }

    /// Holds a view that is left out at zero; returns whether it is one.
    func holdLeftOut(in engine: LayoutEngine) -> Bool {
        guard engine.hasUninstalledViews, isLeftOut, let variables else { return false }
        for (role, variable) in [
            (SystemRole.frameX, variables.x), (.frameY, variables.y),
            (.frameWidth, variables.width), (.frameHeight, variables.height),
        ] {
            setSystemConstraint(
                role, to: SystemExpression(variable, minus: 0), .equal, .required, in: engine)
        }
        return true
    }
}

extension UpdateCycle {
    /// Installs what the properties pass asked for.
    func installViews() {
        guard !viewsToInstall.isEmpty else { return }
        let views = viewsToInstall
        viewsToInstall.removeAll()
        for view in views { view.install(true) }
    }
}
