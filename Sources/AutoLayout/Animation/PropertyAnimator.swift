/// An animation that can be paused, scrubbed, reversed and gone on with. Apple,
/// `UIViewPropertyAnimator`.
///
/// As in a block, what `layoutIfNeeded` assigns inside the animations is animated. Model frames are
/// final as soon as the animator is active; `fractionComplete` decides where between old and new
/// the views are shown. It counts the window's ticks, so replays are exact; a paused animator keeps
/// no tick busy.
public final class PropertyAnimator {
    /// Whether the animations have been taken in.
    public enum State: Sendable {
        /// Not started, or done.
        case inactive
        /// Taken in; running or paused.
        case active
        /// Stopped, waiting for `finishAnimation(at:)`.
        case stopped
    }

    /// Where an animation ended.
    public enum Position: Sendable {
        /// At the frames that the animations lead to.
        case end
        /// At the frames from before the animations.
        case start
        /// Somewhere between.
        case current
    }

    /// What the animator is at.
    public private(set) var state = State.inactive
    /// Whether ticks move it on.
    public private(set) var isRunning = false
    /// Whether it runs back towards the frames from before. May change at any time.
    public var isReversed = false
    /// Ticks passed on its own time line.
    private(set) var position = 0.0

    /// Of the window; gone when that is, and then nothing is left to move.
    private let weakAnimator: Weak<Animator>
    private var animator: Animator? { weakAnimator.object }
    private let ticks: Int
    private let timing: AnimationTiming
    /// Laid out at the edges of the animations, where these flush updates.
    private let weakFlushed: Weak<Window>
    private var flushed: Window? { weakFlushed.object }
    private var pendingAnimations: [() -> Void] = []
    private var completions: [(Position) -> Void] = []
    /// Ticks to wait before the first move; one, for the cycle that shows the beginning.
    private var waiting = 0
    /// Ticks on the time line for each tick of the window.
    private var rate = 1.0

    /// Makes an animator that does nothing until it is started, paused or scrubbed.
    ///
    /// - Parameters:
    ///   - window: The window whose views it moves.
    ///   - duration: Seconds; rounded to whole ticks, at least one.
    ///   - timing: The course of the motion.
    ///   - flushesUpdates: See `AnimationOptions.flushUpdates`. Apple,
    ///     `UIViewPropertyAnimator.flushUpdates`, iOS 26.
    ///   - animations: What to change and lay out.
    public init(
        in window: Window, duration: Double, timing: AnimationTiming = .curve(.easeInOut),
        flushesUpdates: Bool = false, animations: (() -> Void)? = nil
    ) {
        weakFlushed = Weak(flushesUpdates ? window : nil)
        let animator = window.ensureEngine().animator
        weakAnimator = Weak(animator)
        ticks = max(1, animator.ticks(forSeconds: duration))
        self.timing = timing
        if let animations { pendingAnimations.append(animations) }
    }

    /// How much of the duration has passed, within 0...1. Setting it pauses an animator that is not
    /// active yet.
    public var fractionComplete: Double {
        get { position / Double(ticks) }
        set {
            guard state != .stopped, !newValue.isNaN else { return }
            if state == .inactive { takeIn() }
            position = min(max(newValue, 0), 1) * Double(ticks)
        }
    }

    /// Adds animations; to an active animator they are added for the time that is left.
    public func addAnimations(_ animations: @escaping () -> Void) {
        switch state {
        case .inactive: pendingAnimations.append(animations)
        case .active: capture(animations)
        case .stopped: return
        }
    }

    /// Adds something to call when the animator has come to its end, told where.
    ///
    /// An animator that ran back ends at `start`: the views have their frames from before, and the
    /// constraints are the completion's to set back, or the next layout moves the views again.
    public func addCompletion(_ completion: @escaping (Position) -> Void) {
        completions.append(completion)
    }

    /// Starts, or goes on after a pause.
    ///
    /// - Parameter delay: Seconds before the first tick that moves.
    public func startAnimation(afterDelay delay: Double = 0) {
        guard state != .stopped, !isRunning else { return }
        if state == .inactive {
            takeIn()
            // The next cycle shows the beginning, as it does for a block.
            waiting = 1
        }
        waiting = waiting.saturatingAdd(animator?.ticks(forSeconds: delay) ?? 0)
        isRunning = true
    }

    /// Holds the views where they are shown; an inactive animator is taken in first.
    public func pauseAnimation() {
        guard state != .stopped else { return }
        if state == .inactive { takeIn() }
        isRunning = false
    }

    /// Goes on after a pause.
    ///
    /// - Parameter durationFactor: What is left takes this share of the whole duration; 0 takes the
    ///   time left.
    public func continueAnimation(durationFactor: Double = 0) {
        guard state == .active else { return }
        let left = isReversed ? position : Double(ticks) - position
        rate =
            durationFactor > 0 && durationFactor.isFinite
            ? left / max(1, (Double(ticks) * durationFactor).rounded()) : 1
        isRunning = true
    }

    /// Stops with the views where they are shown, until the next layout places them.
    ///
    /// - Parameter withoutFinishing: Whether that is all: the animator is inactive and calls no
    ///   completion. Otherwise it waits for `finishAnimation(at:)`.
    public func stopAnimation(_ withoutFinishing: Bool) {
        guard state == .active else { return }
        isRunning = false
        if withoutFinishing {
            leave(.current)
            state = .inactive
        } else {
            state = .stopped
        }
    }

    /// Ends a stopped animator with the views at the place given, and calls the completions.
    public func finishAnimation(at place: Position) {
        guard state == .stopped else { return }
        finish(at: place)
    }

    // MARK: Driven by the window

    func advance() {
        guard isRunning else { return }
        guard waiting == 0 else {
            waiting -= 1
            return
        }
        position += isReversed ? -rate : rate
        if !isReversed, position >= Double(ticks) - 1e-9 {
            position = Double(ticks)
            finish(at: .end)
        } else if isReversed, position <= 1e-9 {
            position = 0
            finish(at: .start)
        }
    }

    private func takeIn() {
        state = .active
        position = 0
        rate = 1
        let animations = pendingAnimations
        pendingAnimations.removeAll()
        animator?.begin(self)
        for body in animations { capture(body) }
    }

    private func capture(_ body: () -> Void) {
        guard let animator else { return body() }
        flushed?.layoutIfNeeded()
        animator.beginBlock(
            Animator.Block(
                ticks: max(1, Int((Double(ticks) - position).rounded())), delay: 0, timing: timing,
                options: flushed == nil ? [] : .flushUpdates, timeline: self), inherits: false)
        body()
        flushed?.layoutIfNeeded()
        animator.endBlock()
    }

    private func finish(at place: Position) {
        isRunning = false
        state = .inactive
        leave(place)
        let told = completions
        completions.removeAll()
        for completion in told { completion(place) }
    }

    /// Drops what is left of the animation; away from the end the views are placed as by hand.
    private func leave(_ place: Position) {
        guard let animator else { return }
        let frames: [(View, Rect)] = animator.offsets(of: self).map { view, offset in
            switch place {
            case .end: (view, view.storedFrame)
            case .current: (view, animator.presentationFrame(of: view))
            case .start:
                (
                    view,
                    Rect(
                        x: view.storedFrame.minX + offset.minX,
                        y: view.storedFrame.minY + offset.minY,
                        width: view.storedFrame.width + offset.width,
                        height: view.storedFrame.height + offset.height)
                )
            }
        }
        animator.end(self)
        for (view, frame) in frames where frame != view.storedFrame {
            view.show(frame)
        }
    }
}

extension View {
    /// Gives the view a frame that is not its constraints'; the next layout of its superview takes
    /// it back.
    func show(_ frame: Rect) {
        let old = storedFrame
        if translatesFrame { keepHandFrame() }
        storedFrame = frame
        superview?.noteUnplaced(self)
        engine?.frameObserver?(self)
        guard old.size != frame.size else { return }
        markNeedsLayout()
        sizeDidChange(from: old.size)
    }
}
