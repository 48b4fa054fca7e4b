/// What still moves between the frames of the model, which are final at once, and those on show.
///
/// An animation adds an offset to a view's frame that fades to zero, so animations that interrupt
/// one another go on from where the view is shown and add up (UIKit's additive animations). Time is
/// counted in ticks; a property animator brings a time line of its own, which can stand still or
/// run back.
final class Animator {
    /// The settings of an open block.
    struct Block {
        var ticks: Int
        var delay: Int
        var timing: AnimationTiming
        var options: AnimationOptions = []
        var completion: ((Bool) -> Void)?
        /// The time line on which the block's animations run; `nil` for the window's ticks.
        var timeline: PropertyAnimator?
    }

    /// One fading offset of one view's frame.
    struct Fade {
        var offset: Rect
        /// Tick at which it begins, of the window or of the time line.
        var start: Double
        var ticks: Double
        var timing: AnimationTiming
        var group: AnimationGroup
        var timeline: PropertyAnimator?

        func remaining(at position: Double) -> Double {
            // Before its first tick an animation shows its beginning.
            1 - timing.progress(at: max(0, position - start) / ticks)
        }

        /// Whether it is at another one's place of the same course at all times.
        func runs(with other: Fade) -> Bool {
            start == other.start && ticks == other.ticks && timing == other.timing
        }
    }

    /// The last share that was computed: the views of one block are all as far, and a curve takes
    /// long to follow.
    @safe @exclusivity(unchecked) private var lastShare:
        (fade: Fade, position: Double, remaining: Double)?

    /// Told of each fade that ticks drive, as it begins.
    var observer: ((View, FrameAnimation) -> Void)?

    private struct OpenBlock {
        var settings: Block
        let group: AnimationGroup
        var assignments = 0
    }

    var tickRate: Double = 60
    @safe @exclusivity(unchecked) private(set) var tick = 0
    /// Frames assigned so far; tells whether a layout inside a block moved anything.
    @safe @exclusivity(unchecked) private(set) var assignmentCount = 0
    /// The views that move, in the order in which they began.
    @safe @exclusivity(unchecked) private(set) var movingViews: [View] = []
    private var fades: [ObjectIdentifier: [Fade]] = [:]
    @safe @exclusivity(unchecked) private var blocks: [OpenBlock] = []
    /// Fades that the window's ticks drive.
    @safe @exclusivity(unchecked) private(set) var tickedFadeCount = 0
    /// The tick at which the last of these has ended, or a later one where that one was cancelled.
    @safe @exclusivity(unchecked) private(set) var endTick = 0.0
    /// Property animators with something to show, in the order in which they began.
    @safe @exclusivity(unchecked) private var timelines: [PropertyAnimator] = []

    /// Whether time lines of property animators show something, which are to be told of each tick.
    var hasTimelines: Bool { !timelines.isEmpty }

    /// Whether the next tick changes what is shown.
    var isAnimating: Bool { tickedFadeCount > 0 || timelines.contains { $0.isRunning } }

    // MARK: Blocks

    /// Opens a block: frames that a layout assigns until `endBlock` are animated.
    ///
    /// - Parameter inherits: Whether the settings of a block around it count for it.
    func beginBlock(_ block: Block, inherits: Bool = true) {
        var block = block
        if inherits, let outer = blocks.last?.settings {
            if !block.options.contains(.overrideInheritedDuration) { block.ticks = outer.ticks }
            if !block.options.contains(.overrideInheritedCurve) { block.timing = outer.timing }
            block.delay = block.delay.saturatingAdd(outer.delay)
            block.timeline = block.timeline ?? outer.timeline
        }
        blocks.append(
            OpenBlock(settings: block, group: AnimationGroup(completion: block.completion)))
    }

    /// The settings of the innermost open block.
    var openBlock: Block? { blocks.last?.settings }

    /// Closes the innermost block; returns whether anything was laid out in it.
    @discardableResult
    func endBlock() -> Bool {
        guard let closed = blocks.popLast() else { return false }
        if !blocks.isEmpty { blocks[blocks.count - 1].assignments += closed.assignments }
        closed.group.close()
        return closed.assignments > 0
    }

    func noteLayout(assignments: Int) {
        guard !blocks.isEmpty else { return }
        blocks[blocks.count - 1].assignments += assignments
    }

    /// Notes that a layout gave a view another frame; in a block the view is animated from where it
    /// was.
    @inline(__always)
    func frameDidChange(of view: View, from old: Rect, to new: Rect) {
        assignmentCount += 1
        if !blocks.isEmpty { animate(view, from: old, to: new) }
    }

    private func animate(_ view: View, from old: Rect, to new: Rect) {
        guard let open = blocks.last, open.settings.ticks > 0 else { return }
        let block = open.settings
        var from = old
        if block.options.contains(.beginFromCurrentState) {
            from = shown(old, of: view)
            drop(view)
        }
        open.group.open()
        if block.timeline == nil {
            observer?(
                view,
                FrameAnimation(
                    from: from, to: new, delayTicks: block.delay, ticks: block.ticks,
                    timing: block.timing))
        }
        add(
            Fade(
                offset: from.minus(new),
                start: block.timeline.map { $0.position + Double(block.delay) }
                    ?? Double(tick) + 1 + Double(block.delay),
                ticks: Double(block.ticks), timing: block.timing, group: open.group,
                timeline: block.timeline), to: view)
    }

    /// The fades that ticks drive, by view in the order in which the views began to move.
    var tickedFades: [(view: View, fade: Fade)] {
        movingViews.flatMap { view in
            (fades[ObjectIdentifier(view)] ?? []).filter { $0.timeline == nil }.map { (view, $0) }
        }
    }

    /// Goes on with a fade that began elsewhere.
    func resume(_ fade: Fade, of view: View) {
        fade.group.open()
        add(fade, to: view)
    }

    private func add(_ fade: Fade, to view: View) {
        let key = ObjectIdentifier(view)
        if fades[key] == nil { movingViews.append(view) }
        if fade.timeline == nil {
            if tickedFadeCount == 0 { endTick = 0 }
            tickedFadeCount += 1
            endTick = max(endTick, fade.start + fade.ticks)
        }
        fades[key, default: []].append(fade)
    }

    // MARK: Time

    /// Moves time on; animations at their end are dropped and tell their completion.
    func advance(to tick: Int) {
        self.tick = tick
        guard !movingViews.isEmpty || !timelines.isEmpty else { return }
        if tickedFadeCount > 0 {
            removeFades(finished: true) { fade in
                fade.timeline == nil && Double(tick) >= fade.start + fade.ticks
            }
        }
        // A copy: a time line that ends leaves the list.
        for timeline in timelines { timeline.advance() }
    }

    /// Drops a view's animations; completions receive `false`.
    func cancel(_ view: View) {
        drop(view)
    }

    /// Drops all animations that ticks drive.
    func cancelAll() {
        removeFades(finished: false) { $0.timeline == nil }
    }

    private func drop(_ view: View) {
        guard let present = fades.removeValue(forKey: ObjectIdentifier(view)) else { return }
        movingViews.removeAll { $0 === view }
        for fade in present {
            if fade.timeline == nil { tickedFadeCount -= 1 }
        }
        for fade in present { fade.group.end(finished: false) }
    }

    private func removeFades(finished: Bool, where isDone: (Fade) -> Bool) {
        var ended: [AnimationGroup] = []
        movingViews.removeAll { view in
            let key = ObjectIdentifier(view)
            let present = fades[key] ?? []
            let left = present.filter { !isDone($0) }
            guard left.count < present.count else { return false }
            for fade in present where isDone(fade) {
                if fade.timeline == nil { tickedFadeCount -= 1 }
                ended.append(fade.group)
            }
            fades[key] = left.isEmpty ? nil : left
            return left.isEmpty
        }
        for group in ended { group.end(finished: finished) }
    }

    // MARK: Time lines

    func begin(_ timeline: PropertyAnimator) {
        if !timelines.contains(where: { $0 === timeline }) { timelines.append(timeline) }
    }

    /// Drops all that a property animator moves, and the animator.
    func end(_ timeline: PropertyAnimator) {
        timelines.removeAll { $0 === timeline }
        removeFades(finished: true) { $0.timeline === timeline }
    }

    /// The views that a property animator moves, with the sum of its offsets at their beginning.
    func offsets(of timeline: PropertyAnimator) -> [(view: View, offset: Rect)] {
        movingViews.compactMap { view in
            let own = (fades[ObjectIdentifier(view)] ?? []).filter { $0.timeline === timeline }
            guard !own.isEmpty else { return nil }
            return (view, own.reduce(Rect.zero) { $0.plus($1.offset, times: 1) })
        }
    }

    // MARK: What is shown

    /// Whether every view is shown at its frame.
    var isIdle: Bool { fades.isEmpty }

    /// Where the view is shown at the current tick.
    func presentationFrame(of view: View) -> Rect { shown(view.storedFrame, of: view) }

    private func shown(_ model: Rect, of view: View) -> Rect {
        var frame = model
        for fade in fades[ObjectIdentifier(view)] ?? [] {
            let position = fade.timeline?.position ?? Double(tick)
            frame = frame.plus(fade.offset, times: remaining(of: fade, at: position))
        }
        return frame
    }

    private func remaining(of fade: Fade, at position: Double) -> Double {
        if let lastShare, lastShare.position == position, lastShare.fade.runs(with: fade) {
            return lastShare.remaining
        }
        let remaining = fade.remaining(at: position)
        lastShare = (fade, position, remaining)
        return remaining
    }

    func ticks(forSeconds seconds: Double) -> Int {
        guard seconds > 0 else { return 0 }
        // Longer than any useful animation, so that a huge number does not trap.
        return max(1, Int(min((seconds * tickRate).rounded(), 1e9)))
    }
}

extension Rect {
    fileprivate func minus(_ other: Rect) -> Rect { plus(other, times: -1) }

    fileprivate func plus(_ other: Rect, times factor: Double) -> Rect {
        Rect(
            x: minX + other.minX * factor, y: minY + other.minY * factor,
            width: width + other.width * factor, height: height + other.height * factor)
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
