import LayoutValues

/// Places in views, which mean the same on every device.
extension SceneMirror {
    /// Where in a view a point of the root is.
    ///
    /// - Parameters:
    ///   - x: In units of the mirror's frames.
    ///   - y: See `x`.
    /// - Returns: `nil` for a view that the mirror does not have.
    /// - Complexity: O(depth).
    public func place(x: Double, y: Double, in number: ViewNumber) -> PresencePlace? {
        guard let frame = absoluteFrame(number), let view = view(number) else { return nil }
        func share(_ distance: Double, _ extent: Int) -> Double {
            extent > 0 ? min(max(distance / Double(extent), 0), 1) : 0
        }
        return PresencePlace(
            view: view.id,
            fraction: Point(
                x: share(x - Double(frame.x), frame.width),
                y: share(y - Double(frame.y), frame.height)))
    }

    /// The point of the root, in units, at a place.
    ///
    /// - Returns: `nil` where the view is not there, or not on show.
    /// - Complexity: O(depth).
    public func point(of place: PresencePlace) -> (x: Double, y: Double)? {
        guard let number = number(id: place.view), let frame = absoluteFrame(number) else {
            return nil
        }
        var next: ViewNumber? = number
        while let current = next, let view = view(current) {
            if view.content.hidden { return nil }
            next = view.parent
        }
        func clamped(_ share: Double) -> Double { share.isFinite ? min(max(share, 0), 1) : 0 }
        return (
            Double(frame.x) + clamped(place.fraction.x) * Double(frame.width),
            Double(frame.y) + clamped(place.fraction.y) * Double(frame.height)
        )
    }
}
