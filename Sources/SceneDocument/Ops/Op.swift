/// Ops whose layout is animated.
public struct Animation: Sendable, Equatable {
    /// In seconds, 0...3600.
    public var duration: Double
    /// Seconds before it begins, 0...3600.
    public var delay: Double
    /// How it runs.
    public var curve: AnimationCurve
    /// Whether what is pending is laid out before the block, unanimated, and at its end, animated.
    public var flushesUpdates: Bool
    /// What the block does, in order.
    public var ops: [Op]

    /// Makes an animation.
    public init(
        duration: Double, delay: Double = 0, curve: AnimationCurve = .easeInOut,
        flushesUpdates: Bool = false, ops: [Op]
    ) {
        self.duration = duration
        self.delay = delay
        self.curve = curve
        self.flushesUpdates = flushesUpdates
        self.ops = ops
    }
}

/// One change of a scene, or one request of a pass.
public indirect enum Op: Sendable, Equatable {
    /// Makes the room's scene, or replaces it.
    case setScene(SceneDocument)
    /// Adds a view.
    case addView(ViewSpec)
    /// Removes a view and its subviews.
    case removeView(id: String)
    /// Gives a view another superview, another place among its siblings, or both.
    case moveView(id: String, parent: String? = nil, index: Int? = nil)
    /// Changes the properties that are given.
    case setView(id: String, ViewProperties)
    /// Puts the named properties of a view back to their defaults.
    case resetView(id: String, keys: [ViewKey])
    /// Adds a guide.
    case addGuide(GuideSpec)
    /// Adds a constraint, to a set if one is named.
    case addConstraint(ConstraintSpec, set: String? = nil)
    /// Removes a constraint.
    case removeConstraint(id: String)
    /// Changes what is given of a constraint.
    case setConstraint(
        id: String, constant: Double? = nil, priority: Double? = nil, multiplier: Double? = nil,
        active: Bool? = nil)
    /// Puts a set in force, or (`auto`) leaves that to its condition again.
    case activateSet(id: String, auto: Bool = false)
    /// Puts a set out of force, whatever its condition says.
    case deactivateSet(id: String)
    /// Changes the viewport.
    case setViewport(ViewportPatch)
    /// Scrolls.
    case setContentOffset(id: String, Point)
    /// Marks a view for the constraints pass.
    case setNeedsUpdateConstraints(id: String)
    /// Runs the constraints pass now for a subtree.
    case updateConstraintsIfNeeded(id: String)
    /// Marks a view for the layout pass.
    case setNeedsLayout(id: String)
    /// Lays a subtree out now.
    case layoutIfNeeded(id: String)
    /// Marks a view, or a rectangle of it, for the display pass.
    case setNeedsDisplay(id: String, Rect?)
    /// Gives a view the size of its content.
    case sizeToFit(id: String)
    /// Runs ops and animates what they lay out.
    case animate(Animation)
    /// Marks a view for the properties pass.
    case setNeedsUpdateProperties(id: String)
    /// Runs the properties pass now for a subtree.
    case updatePropertiesIfNeeded(id: String)
}
