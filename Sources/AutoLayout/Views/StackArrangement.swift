import ConstraintLanguage

/// The constraints by which a stack view arranges its members; built afresh for every arrangement.
///
/// Priorities below required follow what UIKit's own stack shows in its logs: 51 pulls the stack
/// across its axis to its largest member, 25 takes away what ambiguity is left, 149 evens out
/// centres. That a stack with equal gaps hugs its members, and how hard (52), follows from the
/// frames that Xcode stored: none of them is ambiguous.
struct StackArrangement {
    let stack: StackView
    private(set) var constraints: [LayoutConstraint] = []
    private(set) var guides: [LayoutGuide] = []

    init(stack: StackView) {
        self.stack = stack
    }

    /// The rectangle that members are arranged in.
    private var canvas: LayoutItem {
        stack.isLayoutMarginsRelativeArrangement ? stack.layoutMarginsGuide : stack
    }

    private var isHorizontal: Bool { stack.axis == .horizontal }
    private var start: LayoutAttribute { isHorizontal ? .leading : .top }
    private var end: LayoutAttribute { isHorizontal ? .trailing : .bottom }
    private var center: LayoutAttribute { isHorizontal ? .centerX : .centerY }
    private var length: LayoutAttribute { isHorizontal ? .width : .height }
    private var crossStart: LayoutAttribute { isHorizontal ? .top : .leading }
    private var crossEnd: LayoutAttribute { isHorizontal ? .bottom : .trailing }
    private var crossCenter: LayoutAttribute { isHorizontal ? .centerY : .centerX }
    private var crossLength: LayoutAttribute { isHorizontal ? .height : .width }

    mutating func build(_ members: [View]) {
        let visible = members.filter { !$0.isHidden }
        if visible.isEmpty {
            // Nothing else holds it open or closed; hidden members pull with 24 only.
            add("empty", canvas, .width, .equal, nil, nil, priority: 51)
            add("empty", canvas, .height, .equal, nil, nil, priority: 51)
        }
        chain(members, visible)
        switch stack.distribution {
        case .fill: break
        case .fillEqually:
            for view in visible.dropFirst() {
                add("fill-equally", view, length, .equal, visible.first, length)
            }
        case .fillProportionally: proportion(visible)
        case .equalSpacing:
            evenGaps(visible)
            hug(visible)
        case .equalCentering:
            evenCenters(visible)
            hug(visible)
        }
        align(members, visible)
    }

    // MARK: Along the axis

    private mutating func chain(_ members: [View], _ visible: [View]) {
        var previous: View?
        var lastVisible: View?
        for view in members {
            guard view.isHidden else {
                lastVisible = view
                continue
            }
            // A hidden member has no length; it waits where its neighbour before it ends, and gives
            // way to whatever names it: visible members never do.
            if let before = lastVisible {
                add("hiding", view, start, .equal, before, end, priority: 24)
            } else {
                add("hiding", view, start, .equal, canvas, start, priority: 24)
            }
        }
        for view in visible {
            if let previous {
                let gap = stack.customSpacing(after: previous) ?? stack.spacing
                let isExact =
                    stack.distribution != .equalSpacing && stack.distribution != .equalCentering
                let isBetweenBaselines = !isHorizontal && stack.isBaselineRelativeArrangement
                add(
                    "spacing", view, isBetweenBaselines ? .firstBaseline : start,
                    isExact ? .equal : .greaterThanOrEqual, previous,
                    isBetweenBaselines ? .lastBaseline : end, constant: gap)
            } else {
                add("canvas-connection", view, start, .equal, canvas, start)
            }
            previous = view
        }
        if let previous { add("canvas-connection", canvas, end, .equal, previous, end) }
    }

    /// Lengths in proportion to the contents'. UIKit forgets the gaps in this sum; ours adds up.
    private mutating func proportion(_ visible: [View]) {
        func wish(_ view: View) -> Double {
            let size = view.effectiveIntrinsicContentSize
            return isHorizontal ? size.width : size.height
        }
        let wishing = visible.filter { wish($0) > 0 }
        guard let first = wishing.first else { return }
        for view in wishing.dropFirst() {
            add(
                "fill-proportionally", view, length, .equal, first, length,
                multiplier: wish(view) / wish(first))
        }
    }

    private mutating func evenGaps(_ visible: [View]) {
        spacers(visible, from: end, to: start, name: "equal-spacing", priority: .required)
    }

    /// Pulls the stack's length together, where gaps may be longer than they have to be.
    private mutating func hug(_ visible: [View]) {
        guard !visible.isEmpty else { return }
        add("hugging", canvas, length, .equal, nil, nil, priority: 52)
    }

    private mutating func evenCenters(_ visible: [View]) {
        spacers(visible, from: center, to: center, name: "equal-centering", priority: 149)
    }

    /// A guide between each two neighbours, all of one length.
    private mutating func spacers(
        _ visible: [View], from: LayoutAttribute, to: LayoutAttribute, name: String,
        priority: LayoutPriority
    ) {
        guard visible.count > 2 else { return }
        var first: LayoutGuide?
        for (index, view) in visible.dropFirst().enumerated() {
            let guide = LayoutGuide(identifier: "\(stack.identifier).\(name).\(index)")
            guides.append(guide)
            add(name, guide, start, .equal, visible[index], from)
            add(name, guide, end, .equal, view, to)
            add(name, guide, crossStart, .equal, canvas, crossStart)
            add(name, guide, crossLength, .equal, nil, nil)
            if let first {
                add(name, guide, length, .equal, first, length, priority: priority)
            } else {
                first = guide
            }
        }
    }

    // MARK: Across the axis

    private mutating func align(_ members: [View], _ visible: [View]) {
        for view in members where view.isHidden {
            // It follows the stack's extent: where members fill the stack as they do, so that a
            // height that it is given holds the stack open as in UIKit, though its content's does
            // not; otherwise so weakly that neither does.
            let fills = stack.alignment == .fill && !visible.isEmpty
            add("hiding", view, crossStart, .equal, canvas, crossStart)
            add(
                "hiding", view, crossEnd, .equal, canvas, crossEnd, priority: fills ? .required : 24
            )
        }
        for view in visible {
            switch stack.alignment {
            case .fill:
                add("alignment", view, crossStart, .equal, canvas, crossStart)
                add("alignment", view, crossEnd, .equal, canvas, crossEnd)
            case .leading, .top:
                add("alignment", view, crossStart, .equal, canvas, crossStart)
                add("spanning", view, crossEnd, .lessThanOrEqual, canvas, crossEnd)
            case .trailing, .bottom:
                add("alignment", view, crossEnd, .equal, canvas, crossEnd)
                add("spanning", view, crossStart, .greaterThanOrEqual, canvas, crossStart)
            case .center:
                add("alignment", view, crossCenter, .equal, canvas, crossCenter)
                add("spanning", view, crossStart, .greaterThanOrEqual, canvas, crossStart)
                add("spanning", view, crossEnd, .lessThanOrEqual, canvas, crossEnd)
            case .firstBaseline, .lastBaseline:
                alignBaseline(view, visible)
            }
        }
        guard stack.alignment != .fill, !visible.isEmpty else { return }
        add("spanning-fit", canvas, crossLength, .equal, nil, nil, priority: 51)
        for view in visible {
            add("ambiguity-suppression", view, crossLength, .equal, nil, nil, priority: 25)
        }
    }

    private mutating func alignBaseline(_ view: View, _ visible: [View]) {
        let sharesFirst = isHorizontal && stack.alignment == .firstBaseline
        if !sharesFirst || view === visible.first {
            add("spanning", view, crossStart, .greaterThanOrEqual, canvas, crossStart)
        }
        add("spanning", view, crossEnd, .lessThanOrEqual, canvas, crossEnd)
        if sharesFirst {
            // Where the stack is higher than its members they lie at its bottom, and one that
            // reaches higher than the first sticks out: so frames are that Xcode stored.
            add("spanning-fit", view, crossEnd, .equal, canvas, crossEnd, priority: 50)
        } else {
            add("spanning-fit", view, crossStart, .equal, canvas, crossStart, priority: 50)
        }
        guard isHorizontal, let first = visible.first, first !== view else { return }
        let baseline: LayoutAttribute = sharesFirst ? .firstBaseline : .lastBaseline
        add("alignment", view, baseline, .equal, first, baseline)
    }

    private mutating func add(
        _ name: String, _ first: LayoutItem, _ attribute: LayoutAttribute,
        _ relation: LayoutRelation, _ second: LayoutItem?, _ secondAttribute: LayoutAttribute?,
        multiplier: Double = 1, constant: Double = 0, priority: LayoutPriority = .required
    ) {
        let constraint = LayoutConstraint(
            item: first, attribute: attribute, relatedBy: relation, toItem: second,
            attribute: secondAttribute, multiplier: multiplier, constant: constant,
            priority: priority, identifier: "\(stack.identifier).\(name).\(constraints.count)")
        constraint.isOfStack = true
        constraints.append(constraint)
    }
}
