/// In which direction text runs in a view.
extension View {
    /// The direction in force here.
    ///
    /// - Complexity: O(1), besides O(depth) once after the hierarchy or a direction has changed.
    public var effectiveLayoutDirection: LayoutDirection {
        if let layoutDirection { return layoutDirection }
        let generation = engine?.directionGeneration ?? 0
        if generation != 0, knownDirectionGeneration == generation { return knownDirection }
        var found = LayoutDirection.leftToRight
        var above = superview
        while let view = above {
            if let direction = view.layoutDirection {
                found = direction
                break
            }
            if generation != 0, view.knownDirectionGeneration == generation {
                found = view.knownDirection
                break
            }
            above = view.superview
        }
        guard generation != 0 else { return found }
        var below: View? = self
        while let view = below, view !== above {
            view.knownDirectionGeneration = generation
            view.knownDirection = found
            below = view.superview
        }
        return found
    }
}
