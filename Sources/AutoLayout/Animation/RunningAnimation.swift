/// What is left of one animation of a view: an offset from the view's frame that fades to zero.
public struct RunningAnimation: Equatable, Sendable {
    /// The offset at its beginning, in points.
    public var offset: Rect
    /// Cycles from the window's last one to the animation's first; below zero where it has begun.
    public var startTicks: Int
    /// Cycles that it takes; at least 1.
    public var ticks: Int
    /// How it runs.
    public var timing: AnimationTiming

    /// Makes an animation.
    public init(offset: Rect, startTicks: Int, ticks: Int, timing: AnimationTiming) {
        self.offset = offset
        self.startTicks = startTicks
        self.ticks = ticks
        self.timing = timing
    }
}

extension Window {
    /// The animations that cycles drive, by view in the order in which the views began to move;
    /// those of property animators are not among them.
    ///
    /// - Complexity: O(animations).
    public var runningAnimations: [(view: View, animation: RunningAnimation)] {
        guard let animator = engine?.animator else { return [] }
        return animator.tickedFades.map { view, fade in
            let animation = RunningAnimation(
                offset: fade.offset, startTicks: Int(nearest: fade.start - Double(animator.tick)),
                ticks: Int(nearest: fade.ticks), timing: fade.timing)
            return (view, animation)
        }
    }

    /// Goes on with animations of another window's equal views. Nobody is told that they begin, nor
    /// that they end.
    ///
    /// - Complexity: O(animations).
    public func resumeAnimations(_ animations: [(view: View, animation: RunningAnimation)]) {
        guard let animator = engine?.animator else { return }
        let group = AnimationGroup(completion: nil)
        for (view, animation) in animations {
            animator.resume(
                Animator.Fade(
                    offset: animation.offset,
                    start: Double(animator.tick) + Double(animation.startTicks),
                    ticks: Double(animation.ticks), timing: animation.timing, group: group),
                of: view)
        }
        group.close()
    }
}
