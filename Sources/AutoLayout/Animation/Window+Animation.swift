extension View {
    /// Where the view is shown at this tick: its frame, or on the way to it while animated.
    public var presentationFrame: Rect {
        engine?.animator.presentationFrame(of: self) ?? storedFrame
    }

    /// Ends the view's animations: it is shown at its frame at once, and completions receive
    /// `false`.
    public func removeAllAnimations() {
        engine?.animator.cancel(self)
    }
}

/// The way of one view's frame, as an animation block began it.
public struct FrameAnimation: Sendable {
    /// Where it begins, in points.
    public var from: Rect
    /// Where it ends: the view's frame.
    public var to: Rect
    /// Cycles from the next one to the animation's first.
    public var delayTicks: Int
    /// Cycles that it takes; at least 1.
    public var ticks: Int
    /// How it runs.
    public var timing: AnimationTiming
}

extension Window {
    /// Whether every view is shown at its frame.
    public var isShownAsLaidOut: Bool { engine?.animator.isIdle ?? true }

    /// Told of each frame that a block animates, for renderers that interpolate by themselves.
    public var animationObserver: ((View, FrameAnimation) -> Void)? {
        get { engine?.animator.observer }
        set { engine?.animator.observer = newValue }
    }

    /// Runs `changes`; whatever `layoutIfNeeded` assigns inside it is animated, from the next cycle
    /// on.
    ///
    /// What `setNeedsLayout` defers is not animated: it appears whole at the next cycle. A block
    /// inside a block takes duration and curve of the outer one unless `options` say otherwise.
    ///
    /// - Parameters:
    ///   - duration: Seconds; rounded to whole ticks, at least one when positive. Zero applies at
    ///     once.
    ///   - delay: Seconds before the animation starts.
    ///   - curve: The course of the motion.
    ///   - options: What the animation inherits and includes.
    ///   - completion: Called once at the end; false when the animation was cut short.
    ///   - changes: Makes the changes and lays out.
    public func animate(
        duration: Double, delay: Double = 0, curve: AnimationCurve = .easeInOut,
        options: AnimationOptions = [], completion: ((Bool) -> Void)? = nil, changes: () -> Void
    ) {
        animate(
            duration: duration, delay: delay, timing: .curve(curve), options: options,
            completion: completion, changes: changes)
    }

    /// The same along any timing. A spring's own `duration` is ignored: it is stretched to the one
    /// given.
    public func animate(
        duration: Double, delay: Double = 0, timing: AnimationTiming,
        options: AnimationOptions = [], completion: ((Bool) -> Void)? = nil, changes: () -> Void
    ) {
        guard let engine else { return changes() }
        let animator = engine.animator
        run(
            Animator.Block(
                ticks: animator.ticks(forSeconds: duration),
                delay: animator.ticks(forSeconds: delay), timing: timing, options: options,
                completion: completion), changes)
    }

    /// The same on a spring, for as long as that takes to settle.
    public func animate(
        spring: SpringTiming, delay: Double = 0, options: AnimationOptions = [],
        completion: ((Bool) -> Void)? = nil, changes: () -> Void
    ) {
        animate(
            duration: spring.duration, delay: delay, timing: .spring(spring), options: options,
            completion: completion, changes: changes)
    }

    /// Runs `keyframes`, which adds parts by `addKeyframe`; each moves what is laid out in it in
    /// its share of the time.
    ///
    /// - Parameters:
    ///   - duration: Seconds that all parts together take.
    ///   - delay: Seconds before the first part starts.
    ///   - options: What the animation inherits and includes.
    ///   - completion: Called once at the end; false when the animation was cut short.
    ///   - keyframes: Adds the parts.
    public func animateKeyframes(
        duration: Double, delay: Double = 0, options: AnimationOptions = [],
        completion: ((Bool) -> Void)? = nil, keyframes: () -> Void
    ) {
        animate(
            duration: duration, delay: delay, timing: .curve(.linear), options: options,
            completion: completion, changes: keyframes)
    }

    /// Adds a part to `animateKeyframes`, in whose block it has to stand; elsewhere the changes are
    /// made at once.
    ///
    /// - Parameters:
    ///   - relativeStartTime: When it begins, as a share of the whole duration, within 0...1.
    ///   - relativeDuration: How long it takes, as a share of the whole duration, within 0...1.
    ///   - timing: The course of the motion within the part.
    ///   - changes: Makes the changes and lays out.
    public func addKeyframe(
        relativeStartTime: Double, relativeDuration: Double,
        timing: AnimationTiming = .curve(.linear), changes: () -> Void
    ) {
        guard let engine, let outer = engine.animator.openBlock else { return changes() }
        func share(_ value: Double) -> Int {
            Int((Double(outer.ticks) * (value.isNaN ? 0 : min(max(value, 0), 1))).rounded())
        }
        var block = outer
        block.completion = nil
        block.delay = block.delay.saturatingAdd(share(relativeStartTime))
        block.ticks = outer.ticks == 0 ? 0 : max(1, share(relativeDuration))
        block.timing = timing
        let flushes = block.options.contains(.flushUpdates)
        // What the block around it changed so far moves in that block's time.
        if flushes { layoutIfNeeded() }
        engine.animator.beginBlock(block, inherits: false)
        changes()
        if flushes { layoutIfNeeded() }
        engine.animator.endBlock()
    }

    /// Groups changes: they are laid out together when the block ends, animated if a duration is
    /// given.
    ///
    /// It is the explicit form of the transaction that each tick commits (Apple, `CATransaction`).
    ///
    /// - Parameters:
    ///   - animationDuration: Seconds; zero commits without animation.
    ///   - curve: The course of the motion.
    ///   - completion: Called once, when everything has reached its place.
    ///   - changes: Makes the changes.
    public func performTransaction(
        animationDuration: Double = 0, curve: AnimationCurve = .easeInOut,
        completion: ((Bool) -> Void)? = nil, changes: () -> Void
    ) {
        animate(
            duration: animationDuration, curve: curve, options: .layoutSubviews,
            completion: completion, changes: changes)
    }

    /// Runs `changes`; whatever is laid out in it appears at once, though a block around it
    /// animates. Within a block that flushes updates, what was changed before is animated, and what
    /// is changed in it is not.
    public func performWithoutAnimation(_ changes: () -> Void) {
        guard let engine else { return changes() }
        var block = Animator.Block(ticks: 0, delay: 0, timing: .curve(.linear))
        let flushes = engine.animator.openBlock?.options.contains(.flushUpdates) ?? false
        if flushes {
            block.options = .flushUpdates
            layoutIfNeeded()
        }
        engine.animator.beginBlock(block, inherits: false)
        changes()
        if flushes { layoutIfNeeded() }
        engine.animator.endBlock()
    }

    /// Whether a tick would move any view on its way to its frame.
    public var isAnimating: Bool { engine?.animator.isAnimating ?? false }

    /// Whether the next cycle would do nothing but move animations on.
    public var onlyAnimates: Bool {
        guard let engine, engine.animator.isAnimating else { return false }
        return !engine.animator.hasTimelines && !isAnythingMarked && !engine.isAwaitingReference
    }

    /// The animations that cycles drive: one for each frame that a block changed, until its time is
    /// over.
    public var animationCount: Int { engine?.animator.tickedFadeCount ?? 0 }

    /// Cycles after which no animation is under way any more, if no other begins; 0 if none is.
    public var cyclesUntilShownAsLaidOut: Int {
        guard let animator = engine?.animator, animator.tickedFadeCount > 0 else { return 0 }
        return max(1, Int(nearest: animator.endTick - Double(tick)))
    }

    /// Moves animations on by a number of cycles at once, which would all do nothing else
    /// (`onlyAnimates`). What is shown then is the same as if each of them had run.
    ///
    /// - Complexity: O(animations), however many cycles.
    public func skipCycles(_ count: Int) {
        precondition(onlyAnimates, "a cycle with other work is not skipped")
        skipTicks(count)
        engine?.advanceAnimations(to: tick)
    }

    /// The views on their way to their frames, in the order in which they began; those that a
    /// paused property animator holds included.
    public var animatingViews: [View] { engine?.animator.movingViews ?? [] }

    /// Ends all animations but those of property animators; completions receive `false`.
    public func removeAllWindowAnimations() {
        engine?.animator.cancelAll()
    }

    private func run(_ block: Animator.Block, _ changes: () -> Void) {
        guard let engine else { return changes() }
        var block = block
        if let outer = engine.animator.openBlock, outer.options.contains(.flushUpdates) {
            block.options.insert(.flushUpdates)
        }
        // Before the block is open: what was pending is the business of the block around it, or of
        // none.
        if block.options.contains(.flushUpdates) { layoutIfNeeded() }
        engine.animator.beginBlock(block)
        changes()
        if !block.options.isDisjoint(with: [.layoutSubviews, .flushUpdates]) { layoutIfNeeded() }
        if !engine.animator.endBlock(), block.ticks > 0 { engine.report(.nothingAnimated) }
    }
}
