/// Short ways that people know from UIKit; each is made of what stands elsewhere.
extension View {
    // MARK: Subviews

    /// Adds a view directly behind another subview.
    ///
    /// - Throws: `LayoutError.noSuperview` when `sibling` is no subview of this one, or as
    ///   `addSubview` does.
    public func insertSubview(
        _ view: View, belowSubview sibling: View
    ) throws(LayoutError) {
        try insertSubview(view, at: try place(of: sibling, for: view))
    }

    /// Adds a view directly in front of another subview.
    ///
    /// - Throws: `LayoutError.noSuperview` when `sibling` is no subview of this one, or as
    ///   `addSubview` does.
    public func insertSubview(
        _ view: View, aboveSubview sibling: View
    ) throws(LayoutError) {
        try insertSubview(view, at: try place(of: sibling, for: view) + 1)
    }

    /// Puts a subview in front of the others; a view that is none stays where it is.
    ///
    /// - Throws: As `insertSubview(_:at:)`.
    public func bringSubviewToFront(_ view: View) throws(LayoutError) {
        guard view.superview === self else { return }
        try insertSubview(view, at: subviews.count)
    }

    /// Puts a subview behind the others; a view that is none stays where it is.
    ///
    /// - Throws: As `insertSubview(_:at:)`.
    public func sendSubviewToBack(_ view: View) throws(LayoutError) {
        guard view.superview === self else { return }
        try insertSubview(view, at: 0)
    }

    /// The index of a sibling among the subviews without `view`.
    private func place(of sibling: View, for view: View) throws(LayoutError) -> Int {
        let others = subviews.filter { $0 !== view }
        guard let index = others.firstIndex(where: { $0 === sibling }) else {
            throw .noSuperview("\(sibling.identifier) is no subview of \(identifier)")
        }
        return index
    }

    // MARK: Coordinates

    /// A point of this view's coordinates in another view's, or (`nil`) in the topmost view's, by
    /// the frames assigned.
    ///
    /// Scroll views' offsets count: what scrolled lies higher. Views that share no hierarchy are
    /// taken to have their topmost views at one place.
    public func convert(_ point: Point, to other: View?) -> Point {
        guard !isInTransform, other?.isInTransform != true else {
            return convertThroughTransforms(point, to: other)
        }
        let here = originInRoot
        let there = other?.originInRoot ?? .zero
        return Point(x: point.x + here.x - there.x, y: point.y + here.y - there.y)
    }

    /// A rectangle of this view's coordinates in another view's, or (`nil`) in the topmost view's.
    ///
    /// Through a transform it is the smallest rectangle around the four corners.
    public func convert(_ rect: Rect, to other: View?) -> Rect {
        let origin = convert(rect.origin, to: other)
        guard isInTransform || other?.isInTransform == true else {
            return Rect(origin: origin, size: rect.size)
        }
        let corners = [
            origin, convert(Point(x: rect.maxX, y: rect.minY), to: other),
            convert(Point(x: rect.minX, y: rect.maxY), to: other),
            convert(Point(x: rect.maxX, y: rect.maxY), to: other),
        ]
        let left = corners.reduce(origin.x) { min($0, $1.x) }
        let top = corners.reduce(origin.y) { min($0, $1.y) }
        return Rect(
            x: left, y: top, width: corners.reduce(origin.x) { max($0, $1.x) } - left,
            height: corners.reduce(origin.y) { max($0, $1.y) } - top)
    }

    private func convertThroughTransforms(_ point: Point, to other: View?) -> Point {
        var result = point
        var current = self
        while let above = current.superview {
            result = current.pointInSuperview(result)
            current = above
        }
        var way: [View] = []
        var next = other
        while let view = next, view.superview != nil {
            way.append(view)
            next = view.superview
        }
        for view in way.reversed() { result = view.pointFromSuperview(result) }
        return result
    }

    /// Where the origin of the view's own coordinates lies in the topmost view's.
    private var originInRoot: Point {
        var result = Point.zero
        var current: View? = self
        while let view = current {
            result.x -= view.bounds.minX
            result.y -= view.bounds.minY
            guard let above = view.superview else { break }
            result.x += view.layoutFrame.minX
            result.y += view.layoutFrame.minY
            current = above
        }
        return result
    }

    // MARK: Priorities of the content

    /// How strongly the view resists growing beyond its content along an axis.
    public func contentHuggingPriority(for axis: Axis) -> LayoutPriority {
        contentHuggingPriority[axis]
    }

    /// Sets how strongly the view resists growing beyond its content along an axis.
    public func setContentHuggingPriority(_ priority: LayoutPriority, for axis: Axis) {
        contentHuggingPriority[axis] = priority
    }

    /// How strongly the view resists shrinking below its content along an axis.
    public func contentCompressionResistancePriority(for axis: Axis) -> LayoutPriority {
        contentCompressionResistancePriority[axis]
    }

    /// Sets how strongly the view resists shrinking below its content along an axis.
    public func setContentCompressionResistancePriority(
        _ priority: LayoutPriority, for axis: Axis
    ) {
        contentCompressionResistancePriority[axis] = priority
    }
}

extension StackView {
    /// Adds a view to the subviews and, where the members are listed, to the end of that list.
    ///
    /// - Throws: As `addSubview`.
    public func addArrangedSubview(_ view: View) throws(LayoutError) {
        try insertArrangedSubview(view, at: arrangedSubviews.filter { $0 !== view }.count)
    }

    /// Adds a view to the subviews, and to the members at an index.
    ///
    /// - Throws: As `addSubview`.
    public func insertArrangedSubview(_ view: View, at index: Int) throws(LayoutError) {
        var members = arrangedSubviews.filter { $0 !== view }
        if view.superview !== self { try addSubview(view) }
        members.insert(view, at: min(max(index, 0), members.count))
        explicitArrangement = members
    }

    /// Takes a view from the members; it stays a subview, placed by its own constraints.
    public func removeArrangedSubview(_ view: View) {
        explicitArrangement = arrangedSubviews.filter { $0 !== view }
    }
}
