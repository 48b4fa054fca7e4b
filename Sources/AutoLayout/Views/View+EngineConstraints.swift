import Cassowary

/// The constraints that the engine keeps on a view's behalf: its content's size, its collapse while hidden.
extension View {
    // MARK: Content size

    /// Tells the engine that `intrinsicContentSize` may have changed.
    public func invalidateIntrinsicContentSize() {
        updateContentSizeConstraints()
        (superview as? StackView)?.contentSizeOfMemberDidChange()
        (superview as? FlowView)?.markNeedsLayout()
    }

    /// `intrinsicContentSize`, or what overrides it.
    var effectiveIntrinsicContentSize: Size {
        intrinsicContentSizeOverride ?? intrinsicContentSize
    }

    func contentPrioritiesDidChange() {
        updateContentSizeConstraints()
    }

    func updateContentSizeConstraints() {
        guard let engine, let variables else { return }
        guard !engine.hasUninstalledViews || !isLeftOut else {
            for role in [SystemRole.hugWidth, .hugHeight, .compressWidth, .compressHeight] {
                clearSystemConstraint(role, in: engine)
            }
            return
        }
        let size = effectiveIntrinsicContentSize
        func constrain(
            _ length: Double, _ extent: Variable, _ axis: Axis,
            _ hug: (SystemRole, LayoutPriority), _ compress: (SystemRole, LayoutPriority)
        ) {
            guard length >= 0, !isCollapsed(along: axis) else {
                clearSystemConstraint(hug.0, in: engine)
                clearSystemConstraint(compress.0, in: engine)
                return
            }
            let expression = SystemExpression(extent, minus: length)
            setSystemConstraint(
                hug.0, to: expression, .lessThanOrEqual, hug.1.strength, in: engine)
            setSystemConstraint(
                compress.0, to: expression, .greaterThanOrEqual, compress.1.strength, in: engine)
        }
        constrain(
            size.width, variables.width, .horizontal,
            (.hugWidth, contentHuggingPriority.horizontal),
            (.compressWidth, contentCompressionResistancePriority.horizontal))
        constrain(
            size.height, variables.height, .vertical,
            (.hugHeight, contentHuggingPriority.vertical),
            (.compressHeight, contentCompressionResistancePriority.vertical))
    }

    // MARK: Collapse

    /// Whether the view takes no room along the axis because it is hidden and collapses.
    func isCollapsed(along axis: Axis) -> Bool {
        isHidden && (collapses(along: axis) || stackCollapseAxis == axis)
    }

    func hiddenDidChange() {
        if !isHidden, marks.needsDisplay || marks.subtreeNeedsDisplay {
            marks.subtreeNeedsDisplay = false
            raiseDisplay()
        }
        (superview as? StackView)?.arrangementDidChange()
        (superview as? FlowView)?.markNeedsLayout()
        if collapses(along: .horizontal) || collapses(along: .vertical) || stackCollapseAxis != nil
        {
            collapseDidChange()
        }
    }

    func collapseDidChange() {
        guard let engine else { return }
        // A size wanted elsewhere goes out of force before the zero comes in, and the other way round, so
        // that the two never meet and none is given up for the other.
        if !isCollapsed(along: .horizontal) {
            clearSystemConstraint(.collapseWidth, in: engine)
        }
        if !isCollapsed(along: .vertical) {
            clearSystemConstraint(.collapseHeight, in: engine)
        }
        rederiveConstraints()
        updateFrameConstraints()
        updateContentSizeConstraints()
        updateCollapseConstraints()
    }

    func updateCollapseConstraints() {
        guard isHidden, let engine, let variables else { return }
        for (axis, role, variable) in [
            (Axis.horizontal, SystemRole.collapseWidth, variables.width),
            (.vertical, .collapseHeight, variables.height),
        ] where isCollapsed(along: axis) {
            if engine.hasUninstalledViews, isLeftOut {
                clearSystemConstraint(role, in: engine)
                continue
            }
            // A stack places its other members without the hidden one, so nothing is lost where what lies in
            // it is too large for zero; were that required, sizes inside would have to be given up. What only
            // follows the view's size does not hold it open.
            let strength =
                collapses(along: axis) ? .required : LayoutPriority(999.75).strength
            setSystemConstraint(
                role, to: .init(variable, minus: 0), .equal, strength, in: engine)
        }
    }

    // MARK: Writing constraints anew

    /// Derives every constraint that refers to the view again, after one of their inputs changed.
    func rederiveConstraints() {
        rederiveConstraints(of: self)
    }

    func rederiveConstraints(of item: LayoutItem?) {
        guard let engine, let item else { return }
        for constraint in item.attachedConstraints { engine.rederiveBreaking(constraint) }
    }

    func layoutDirectionDidChange() {
        guard let engine else { return }
        let views = preorder
        for constraint in Self.constraints(of: views) { engine.rederiveBreaking(constraint) }
        for case let flow as FlowView in views { flow.markNeedsLayout() }
    }
}
