import Cassowary

/// The constraints that the engine keeps on a view's behalf: its content's size, its collapse while
/// hidden.
extension View {
    // MARK: Content size

    /// Tells the engine that `intrinsicContentSize` may have changed.
    public func invalidateIntrinsicContentSize() {
        updateContentSizeConstraints()
        // A class is slow to ask, and most are no others.
        guard superviewReference?.useView({ $0.marks.isPlainClass }) == false else { return }
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
        // Kept, not lent: who is told what gave way may take the hierarchy apart.
        guard let engine, variables != nil else { return }
        let takesPart = !engine.hasUninstalledViews || !isLeftOut
        let size = takesPart ? wantedFrameSize : Size(width: -1, height: -1)
        // So may a program's `intrinsicContentSize`.
        guard self.engine === engine, let variables else { return }
        hold(variables.width, at: size.width, .horizontal, as: .width, in: engine)
        hold(variables.height, at: size.height, .vertical, as: .height, in: engine)
        if !marks.isPlainClass { didHoldContentSize() }
    }

    /// The size of the frame around an alignment rectangle that is as large as the content; below
    /// zero for no wish.
    private var wantedFrameSize: Size {
        var size = effectiveIntrinsicContentSize
        guard let insets = extras?.alignmentInsets, insets != .zero else { return size }
        if size.width >= 0 { size.width = max(0, size.width + insets.leading + insets.trailing) }
        if size.height >= 0 { size.height = max(0, size.height + insets.top + insets.bottom) }
        return size
    }

    /// The roles of the constraints on a content's length.
    private struct ContentRoles {
        static let width = Self(both: .contentWidth, hug: .hugWidth, compress: .compressWidth)
        static let height = Self(both: .contentHeight, hug: .hugHeight, compress: .compressHeight)

        let both: SystemRole
        let hug: SystemRole
        let compress: SystemRole
    }

    /// Holds the view to its content's length, which is below zero where there is none: by one
    /// constraint that gives way to either side, or by two where one of them must hold.
    private func hold(
        _ extent: Variable, at length: Double, _ axis: Axis, as roles: ContentRoles,
        in engine: LayoutEngine
    ) {
        let isHeld = length >= 0 && !isCollapsed(along: axis) && !ignoresContentSize
        guard isHeld || !systemConstraints.isEmpty else { return }
        let hugging = contentHuggingPriority[axis].strength
        let compression = contentCompressionResistancePriority[axis].strength
        let isOne = !hugging.isRequired && !compression.isRequired
        if !isHeld || !isOne { clearSystemConstraint(roles.both, in: engine) }
        if !isHeld || isOne {
            clearSystemConstraint(roles.hug, in: engine)
            clearSystemConstraint(roles.compress, in: engine)
        }
        guard isHeld else { return }
        let expression = SystemExpression(extent, minus: length)
        guard !isOne else {
            return setSystemConstraint(
                roles.both, to: expression, .equal, compression, above: hugging, in: engine)
        }
        setSystemConstraint(roles.hug, to: expression, .lessThanOrEqual, hugging, in: engine)
        setSystemConstraint(
            roles.compress, to: expression, .greaterThanOrEqual, compression, in: engine)
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
        // A size wanted elsewhere goes out of force before the zero comes in, and the other way
        // round, so that the two never meet and none is given up for the other.
        if !isCollapsed(along: .horizontal) {
            clearSystemConstraint(.collapseWidth, in: engine)
        }
        if !isCollapsed(along: .vertical) {
            clearSystemConstraint(.collapseHeight, in: engine)
        }
        rederiveConstraints()
        for guide in ownedGuides where guide.followsBounds(along: .horizontal) {
            rederiveConstraints(of: guide)
        }
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
            // A stack places its other members without the hidden one, so nothing is lost where
            // what lies in it is too large for zero; were that required, sizes inside would have to
            // be given up. What only follows the view's size does not hold it open.
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
        for view in views where !view.marks.isPlainClass {
            (view as? FlowView)?.markNeedsLayout()
            (view as? ScrollView)?.directionDidChange()
        }
    }
}
