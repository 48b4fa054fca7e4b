public import SceneDocument
public import SceneWire

/// The changes for the members of one stream after a cycle, in the order of application.
public struct SceneChanges: Sendable, Equatable {
    /// Views that were added, removed or moved in the hierarchy.
    public var tree: [TreeChange] = []
    /// Views whose content changed.
    public var contents: [ContentChange] = []
    /// The areas that were drawn again.
    public var invalidations: [Invalidation] = []
    /// Views whose frames changed, ascending by number.
    public var frames: [FrameChange] = []
    /// Animations that begin, in order; only for members that animate locally.
    public var animations: [SceneAnimation] = []
    /// Whether all running animations have ended; only for members that animate locally.
    public var endsAnimations = false

    /// Makes an empty value.
    public init() {}

    /// Whether there are no changes.
    public var isEmpty: Bool {
        tree.isEmpty && contents.isEmpty && invalidations.isEmpty && frames.isEmpty
            && animations.isEmpty && !endsAnimations
    }
}

/// A view that starts an animation.
public struct SceneAnimation: Sendable, Equatable {
    /// The view.
    public var number: ViewNumber
    /// The total change of its frame, in wire units.
    public var delta: QuantisedFrame
    /// Ticks from this one to the animation's first.
    public var delayTicks: UInt32
    /// The duration in ticks; at least 1.
    public var durationTicks: UInt32
    /// The timing curve.
    public var curve: AnimationCurve
}
