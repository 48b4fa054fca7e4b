/// What still moves between the frames of the model, which are final at once, and those on show.
///
/// An animation adds an offset to a view's frame that fades to zero, so animations that interrupt one another go
/// on from where the view is shown and add up (UIKit's additive animations). Time is counted in ticks.
final class Animator {
    /// The settings of an open block.
    struct Block {
        var ticks: Int
        var delay: Int
        var curve: AnimationCurve
        var completion: ((Bool) -> Void)?
    }

    /// One fading offset of one view's frame.
    struct Fade {
        var offset: Rect
        var start: Int
        var ticks: Int
        var curve: AnimationCurve
        var group: AnimationGroup

        func remaining(at tick: Int) -> Double {
            1 - curve.progress(at: Double(tick - start) / Double(ticks))
        }
    }

    var tickRate: Double = 60
    private(set) var tick = 0
    /// Frames assigned so far; tells whether a layout inside a block moved anything.
    private(set) var assignmentCount = 0
    /// The views that move, in the order in which they began.
    private(set) var movingViews: [View] = []
    private var fades: [ObjectIdentifier: [Fade]] = [:]
    private var blocks: [(block: Block, group: AnimationGroup)] = []
    private var laidOutInBlock = 0

    var isAnimating: Bool { !movingViews.isEmpty }

    /// Opens a block: frames that a layout assigns until `endBlock` are animated.
    func beginBlock(_ block: Block) {
        blocks.append((block, AnimationGroup(completion: block.completion)))
        laidOutInBlock = 0
    }

    /// Closes the block; returns whether anything was animated in it.
    func endBlock() -> Bool {
        guard let (_, group) = blocks.popLast() else { return false }
        let animated = laidOutInBlock > 0
        group.close()
        return animated
    }

    func noteLayout(assignments: Int) {
        laidOutInBlock += assignments
    }

    func frameDidChange(of view: View, from old: Rect, to new: Rect) {
        assignmentCount += 1
        guard let (block, group) = blocks.last, block.ticks > 0 else { return }
        let offset = Rect(
            x: old.minX - new.minX, y: old.minY - new.minY, width: old.width - new.width,
            height: old.height - new.height)
        let key = ObjectIdentifier(view)
        if fades[key] == nil { movingViews.append(view) }
        group.open()
        fades[key, default: []].append(
            Fade(
                offset: offset, start: tick + 1 + block.delay, ticks: block.ticks,
                curve: block.curve, group: group))
    }

    /// Moves time on; animations at their end are dropped and tell their completion.
    func advance(to tick: Int) {
        self.tick = tick
        guard !movingViews.isEmpty else { return }
        var ended: [AnimationGroup] = []
        movingViews.removeAll { view in
            let key = ObjectIdentifier(view)
            let present = fades[key] ?? []
            let left = present.filter { tick < $0.start + $0.ticks }
            for fade in present where tick >= fade.start + fade.ticks { ended.append(fade.group) }
            fades[key] = left.isEmpty ? nil : left
            return left.isEmpty
        }
        for group in ended { group.end(finished: true) }
    }

    /// Drops a view's animations, because it leaves; completions are told that they did not finish.
    func cancel(_ view: View) {
        guard let present = fades.removeValue(forKey: ObjectIdentifier(view)) else { return }
        movingViews.removeAll { $0 === view }
        for fade in present { fade.group.end(finished: false) }
    }

    /// Where the view is shown at the current tick.
    func presentationFrame(of view: View) -> Rect {
        var frame = view.storedFrame
        for fade in fades[ObjectIdentifier(view)] ?? [] {
            // Before its first tick an animation shows its beginning.
            let share = fade.remaining(at: max(tick, fade.start))
            frame.origin.x += fade.offset.minX * share
            frame.origin.y += fade.offset.minY * share
            frame.size.width += fade.offset.width * share
            frame.size.height += fade.offset.height * share
        }
        return frame
    }

    func ticks(forSeconds seconds: Double) -> Int {
        guard seconds > 0 else { return 0 }
        return max(1, Int((seconds * tickRate).rounded()))
    }
}

/// All that one block animates; its completion is called once, after the last view.
final class AnimationGroup {
    private var completion: ((Bool) -> Void)?
    private var running = 1
    private var finished = true

    init(completion: ((Bool) -> Void)?) {
        self.completion = completion
    }

    func open() { running += 1 }

    /// The block itself counts as running until it is closed.
    func close() { end(finished: true) }

    func end(finished: Bool) {
        running -= 1
        if !finished { self.finished = false }
        guard running == 0, let completion else { return }
        self.completion = nil
        completion(self.finished)
    }
}

extension View {
    /// Where the view is shown at this tick: its frame, or on the way to it while animated.
    public var presentationFrame: Rect {
        engine?.animator.presentationFrame(of: self) ?? storedFrame
    }
}

extension Window {
    /// Runs `changes`; whatever `layoutIfNeeded` assigns inside it is animated, from the next cycle on.
    ///
    /// What `setNeedsLayout` defers is not animated: it appears whole at the next cycle.
    ///
    /// - Parameters:
    ///   - duration: Seconds; rounded to whole ticks, at least one when positive. Zero applies at once.
    ///   - delay: Seconds before the animation starts.
    ///   - completion: Called once at the end; false when the animation was cut short.
    public func animate(
        duration: Double, delay: Double = 0, curve: AnimationCurve = .easeInOut,
        completion: ((Bool) -> Void)? = nil, changes: () -> Void
    ) {
        guard let engine else { return changes() }
        let animator = engine.animator
        animator.beginBlock(
            .init(
                ticks: animator.ticks(forSeconds: duration),
                delay: animator.ticks(forSeconds: delay), curve: curve, completion: completion))
        changes()
        if !animator.endBlock() { engine.report(.nothingAnimated) }
    }

    /// Whether any view is on its way to its frame.
    public var isAnimating: Bool { engine?.animator.isAnimating ?? false }

    /// The views on their way to their frames, in the order in which they began.
    public var animatingViews: [View] { engine?.animator.movingViews ?? [] }
}
