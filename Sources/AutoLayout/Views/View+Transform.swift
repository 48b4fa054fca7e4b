/// Transforms of views, which the layout knows nothing of: constraints, `layoutFrame` and what a
/// superview makes of its subviews stay as they are. Apple, `UIView.transform`.
extension View {
    /// The map of the view about its centre. Apple, `UIView.transform`.
    public var transform: AffineTransform {
        get { extras?.transform ?? .identity }
        set {
            guard newValue != transform else { return }
            writeExtras().transform = newValue.isIdentity ? nil : newValue
        }
    }

    /// The frame without the view's transform, in points of its superview.
    public var layoutFrame: Rect { storedFrame }

    /// The middle of `layoutFrame`. Apple, `UIView.center`.
    public var center: Point {
        Point(
            x: storedFrame.minX + storedFrame.width / 2,
            y: storedFrame.minY + storedFrame.height / 2)
    }

    /// The smallest rectangle around the transformed view.
    func transformedFrame(_ transform: AffineTransform) -> Rect {
        transform.bounds(of: storedFrame.size, around: center)
    }

    /// A point of the view's own coordinates in its superview's.
    func pointInSuperview(_ point: Point) -> Point {
        let bounds = bounds
        guard let transform = extras?.transform else {
            return Point(
                x: point.x - bounds.minX + storedFrame.minX,
                y: point.y - bounds.minY + storedFrame.minY)
        }
        let moved = transform.apply(
            to: Point(
                x: point.x - bounds.minX - bounds.width / 2,
                y: point.y - bounds.minY - bounds.height / 2))
        return Point(x: center.x + moved.x, y: center.y + moved.y)
    }

    /// A point of the superview's coordinates in the view's own; by the place alone where the
    /// transform leaves no area.
    func pointFromSuperview(_ point: Point) -> Point {
        let bounds = bounds
        guard let inverse = extras?.transform?.inverse else {
            return Point(
                x: point.x - storedFrame.minX + bounds.minX,
                y: point.y - storedFrame.minY + bounds.minY)
        }
        let moved = inverse.apply(to: Point(x: point.x - center.x, y: point.y - center.y))
        return Point(
            x: moved.x + bounds.minX + bounds.width / 2,
            y: moved.y + bounds.minY + bounds.height / 2)
    }

    /// Whether the view or one above it has a transform.
    var isInTransform: Bool {
        var current: View? = self
        while let view = current {
            if view.extras?.transform != nil { return true }
            current = view.superview
        }
        return false
    }

    /// The frontmost view at a point of this view's coordinates, which lies within every view
    /// around it; `nil` for none. Hidden views and those out of the layout are passed over. Apple,
    /// `UIView.hitTest(_:with:)`.
    ///
    /// - Complexity: O(views).
    public func hitTest(_ point: Point) -> View? {
        guard isHit(point) else { return nil }
        var found = self
        var place = point
        // Subviews that are hit are entered one by one: no recursion over a document's depth.
        while true {
            var next: (view: View, place: Point)?
            for subview in found.subviews.reversed() {
                let inside = subview.pointFromSuperview(place)
                guard subview.isHit(inside) else { continue }
                next = (subview, inside)
                break
            }
            guard let next else { return found }
            (found, place) = next
        }
    }

    private func isHit(_ point: Point) -> Bool {
        guard !isHidden, extras?.isUninstalled != true else { return false }
        if let transform = extras?.transform, transform.inverse == nil { return false }
        let bounds = bounds
        return point.x >= bounds.minX && point.y >= bounds.minY && point.x < bounds.maxX
            && point.y < bounds.maxY
    }
}
