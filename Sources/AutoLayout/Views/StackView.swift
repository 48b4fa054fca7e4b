/// Arranges views in a row or a column by constraints that it keeps itself. Apple, `UIStackView`.
///
/// The constraints are made anew in the update-constraints pass after something they depend on
/// changed.
public final class StackView: View {
    override var isBuiltIn: Bool { true }
    override var defaultMargins: EdgeInsets { .zero }

    /// UIKit's name for `StackDistribution`.
    public typealias Distribution = StackDistribution
    /// UIKit's name for `StackAlignment`.
    public typealias Alignment = StackAlignment

    /// The direction in which members follow one another.
    public var axis = Axis.horizontal { didSet { if axis != oldValue { arrangementDidChange() } } }
    /// How members share the stack's length.
    public var distribution = Distribution.fill {
        didSet { if distribution != oldValue { arrangementDidChange() } }
    }
    /// How members lie across the stack.
    public var alignment = Alignment.fill {
        didSet { if alignment != oldValue { arrangementDidChange() } }
    }
    /// The gap between neighbours, in points; the least gap for `equalSpacing` and
    /// `equalCentering`.
    public var spacing: Double = 0 {
        didSet { if spacing != oldValue { arrangementDidChange() } }
    }
    /// Whether members are arranged within the stack's margins. Apple,
    /// `UIStackView.isLayoutMarginsRelativeArrangement`.
    public var isLayoutMarginsRelativeArrangement = false {
        didSet {
            if isLayoutMarginsRelativeArrangement != oldValue { arrangementDidChange() }
        }
    }
    /// Whether the gaps of a column are measured from the last baseline of a member to the first of
    /// the next, and not between edges; false by default. Apple,
    /// `UIStackView.isBaselineRelativeArrangement`.
    public var isBaselineRelativeArrangement = false {
        didSet { if isBaselineRelativeArrangement != oldValue { arrangementDidChange() } }
    }
    /// The members in order; `nil` means all subviews. Others among the subviews are left alone.
    public var explicitArrangement: [View]? { didSet { arrangementDidChange() } }

    /// The smallest size in which the members keep theirs, whatever size there is.
    ///
    /// - Complexity: that of `systemLayoutSizeFitting`.
    public override func sizeThatFits(_ size: Size) -> Size {
        systemLayoutSizeFitting(View.layoutFittingCompressedSize)
    }

    private var customSpacings: [ObjectIdentifier: Double] = [:]
    private var ownConstraints: [LayoutConstraint] = []
    private var ownGuides: [LayoutGuide] = []
    private var isArranged = false

    /// The members, in the order in which they are arranged.
    public var arrangedSubviews: [View] {
        guard let explicitArrangement else { return subviews }
        var seen: Set<ObjectIdentifier> = []
        return explicitArrangement.filter {
            $0.superview === self && seen.insert(ObjectIdentifier($0)).inserted
        }
    }

    /// Sets the gap after one member, in points; `nil` takes `spacing` again.
    public func setCustomSpacing(_ spacing: Double?, after view: View) {
        customSpacings[ObjectIdentifier(view)] = spacing
        arrangementDidChange()
    }

    /// Forgets all gaps that single members have of their own.
    public func removeCustomSpacings() {
        guard !customSpacings.isEmpty else { return }
        customSpacings.removeAll()
        arrangementDidChange()
    }

    /// The gap after one member, if it has one of its own.
    public func customSpacing(after view: View) -> Double? {
        customSpacings[ObjectIdentifier(view)]
    }

    public override func subviewsDidChange() {
        arrangementDidChange()
    }

    public override func updateConstraints() {
        if !isArranged {
            isArranged = true
            arrange()
        }
        super.updateConstraints()
    }

    /// Asks for new constraints in the next update-constraints pass.
    func arrangementDidChange() {
        guard isArranged || !marks.needsUpdateConstraints else { return }
        isArranged = false
        marks.needsUpdateConstraints = true
        raiseUpdateConstraints()
    }

    func contentSizeOfMemberDidChange() {
        if distribution == .fillProportionally { arrangementDidChange() }
    }

    /// Lets go of a view that leaves the stack, at once: what is said of it elsewhere must not
    /// contradict the stack.
    func release(_ view: View) {
        engine?.charge(LayoutEngine.Price.steps(ownConstraints.count))
        let own = ownConstraints.filter { $0.firstItem === view || $0.secondItem === view }
        LayoutConstraint.deactivate(own)
        view.leaveStack()
    }

    private func arrange() {
        LayoutConstraint.deactivate(ownConstraints)
        removeLayoutGuides(ownGuides)
        ownConstraints.removeAll()
        ownGuides.removeAll()
        // What was given up for the former arrangement holds again first, so that what gives way to
        // this one depends on the scene alone and not on what was given up before.
        engine?.retryBrokenConstraints()
        let members = arrangedSubviews
        let names = Set(members.map(ObjectIdentifier.init))
        for view in subviews {
            let isMember = names.contains(ObjectIdentifier(view))
            view.stackCollapseAxis = isMember ? axis : nil
            view.ignoresContentSize = isMember && view.isHidden && alignment == .fill
        }
        var arrangement = StackArrangement(stack: self)
        arrangement.build(members.filter { $0.isInstalled })
        ownGuides = arrangement.guides
        ownConstraints = arrangement.constraints
        for guide in ownGuides { addLayoutGuide(guide) }
        for constraint in ownConstraints { constraint.activateBreaking() }
    }
}
