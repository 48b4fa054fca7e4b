public import SceneProtocol

/// What the members of one stream have to be told after a cycle, in the order in which it is to be applied.
public struct SceneChanges: Sendable, Equatable {
    /// Views that came, went or moved in the hierarchy.
    public var tree: [TreeChange] = []
    /// Views that look different.
    public var contents: [ContentChange] = []
    /// What was drawn anew.
    public var invalidations: [Invalidation] = []
    /// Views that stand elsewhere, ascending by number.
    public var frames: [FrameChange] = []
    /// Animations that begin, in order; only for members that animate by themselves.
    public var animations: [SceneAnimation] = []
    /// Whether all animations that were under way have ended; only for members that animate by themselves.
    public var endsAnimations = false

    /// Makes changes that tell nothing.
    public init() {}

    /// Whether there is nothing to tell.
    public var isEmpty: Bool {
        tree.isEmpty && contents.isEmpty && invalidations.isEmpty && frames.isEmpty
            && animations.isEmpty && !endsAnimations
    }
}

/// A view that begins to move by itself.
public struct SceneAnimation: Sendable, Equatable {
    /// The view.
    public var number: ViewNumber
    /// How far it moves in all, in the unit of the wire.
    public var delta: QuantisedFrame
    /// Ticks from the one that tells it to the animation's first.
    public var delayTicks: UInt32
    /// Ticks that it takes; at least 1.
    public var durationTicks: UInt32
    /// How its progress follows its time.
    public var curve: AnimationCurve
}
