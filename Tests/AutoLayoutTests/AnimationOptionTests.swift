import AutoLayout
import Testing

/// One view, 60 points wide; 0.1 s are 6 ticks. Widths are read after each tick, the first showing
/// the beginning.
@Suite("Springs, keyframes, options, nested blocks")
struct AnimationOptionTests {
    let window = Window(size: Size(width: 300, height: 200))
    let view = View(identifier: "view")
    let width: LayoutConstraint
    let trace = TraceRecorder()

    init() throws {
        try window.addSubview(view)
        width = try place(view, width: 60)
        trace.attach(to: window)
        try window.runCycle()
    }

    private func shown(_ ticks: Int) throws -> [Double] {
        var widths: [Double] = []
        for _ in 0..<ticks {
            try window.runCycle()
            // To a millionth, so that lists can be compared.
            widths.append((view.presentationFrame.width * 1e6).rounded() / 1e6)
        }
        return widths
    }

    private func set(_ value: Double) {
        width.constant = value
        window.layoutIfNeeded()
    }

    @Test("[ANI-8] a block inside a block takes duration and curve of the outer one")
    func nestedInherits() throws {
        window.animate(duration: 0.1, curve: .linear) {
            window.animate(duration: 0.05, curve: .easeIn) { set(120) }
        }
        #expect(try shown(8) == [60, 70, 80, 90, 100, 110, 120, 120])
        #expect(trace.diagnostics == [])
    }

    @Test("[ANI-8] unless it is told to keep its own")
    func nestedOverrides() throws {
        window.animate(duration: 0.1, curve: .easeIn) {
            window.animate(
                duration: 0.05, curve: .linear,
                options: [.overrideInheritedDuration, .overrideInheritedCurve]
            ) { set(120) }
        }
        #expect(try shown(5) == [60, 80, 100, 120, 120])
    }

    @Test("[ANI-8] animations add up; from the current state they replace one another")
    func interruptions() throws {
        window.animate(duration: 0.1, curve: .linear) { set(120) }
        #expect(try shown(4) == [60, 70, 80, 90])
        // Additive: −60 fading over 6 ticks, +60 over another 6 from the next tick on.
        window.animate(duration: 0.1, curve: .linear) { set(60) }
        #expect(view.presentationFrame.width == 90)
        #expect(try shown(7) == [100, 100, 100, 90, 80, 70, 60])
        var told: [Bool] = []
        window.animate(
            duration: 0.1, curve: .linear, completion: { told.append($0) }, changes: { set(120) })
        #expect(try shown(4) == [60, 70, 80, 90])
        window.animate(
            duration: 0.05, curve: .linear, options: .beginFromCurrentState,
            completion: { told.append($0) }, changes: { set(60) })
        #expect(told == [false])
        #expect(try shown(5) == [90, 80, 70, 60, 60])
        #expect(told == [false, true])
    }

    @Test("[ANI-8] removeAllAnimations shows the frame at once and tells it did not finish")
    func cancel() throws {
        var told: [Bool] = []
        window.animate(
            duration: 0.1, completion: { told.append($0) }, changes: { set(120) })
        _ = try shown(3)
        view.removeAllAnimations()
        #expect(view.presentationFrame.width == 120)
        #expect(told == [false])
        #expect(!window.isAnimating)
        window.animate(
            duration: 0.1, completion: { told.append($0) }, changes: { set(60) })
        window.removeAllWindowAnimations()
        #expect(told == [false, false])
        #expect(!window.hasPendingWork)
    }

    @Test(
        "[CYC-8] an explicit transaction groups changes, lays them out at its end, and carries the animation"
    )
    func transaction() throws {
        var done = 0
        window.performTransaction(
            animationDuration: 0.05, curve: .linear, completion: { _ in done += 1 },
            changes: {
                width.constant = 100
                width.constant = 120
                #expect(view.frame.width == 60)
            })
        #expect(view.frame.width == 120)
        #expect(trace.take().filter { $0 == "layoutSubviews view" }.count == 2)
        #expect(try shown(4) == [60, 80, 100, 120])
        #expect(done == 1)
        window.performTransaction {
            width.constant = 60
        }
        #expect(view.frame.width == 60)
        #expect(view.presentationFrame.width == 60)
        #expect(trace.diagnostics == [])
    }

    @Test("performWithoutAnimation inside a block applies at once")
    func withoutAnimation() throws {
        window.animate(duration: 0.1, curve: .linear) {
            window.performWithoutAnimation { set(90) }
            set(120)
        }
        #expect(try shown(3) == [90, 95, 100])
    }

    @Test("keyframes move in their shares of the time")
    func keyframes() throws {
        var told: [Bool] = []
        window.animateKeyframes(
            duration: 0.1, completion: { told.append($0) },
            keyframes: {
                window.addKeyframe(relativeStartTime: 0, relativeDuration: 0.5) { set(90) }
                window.addKeyframe(relativeStartTime: 0.5, relativeDuration: 0.5) { set(240) }
            })
        #expect(view.frame.width == 240)
        #expect(try shown(8) == [60, 70, 80, 90, 140, 190, 240, 240])
        #expect(told == [true])
        #expect(trace.diagnostics == [])
        window.addKeyframe(relativeStartTime: 0, relativeDuration: 1) { set(60) }
        #expect(view.presentationFrame.width == 60)
    }

    @Test("a spring by its damping ratio overshoots and comes to rest in its time")
    func springInBlock() throws {
        let spring = try SpringTiming(dampingRatio: 0.3, duration: 1)
        window.animate(spring: spring) { set(160) }
        let widths = try shown(61)
        #expect(widths[0] == 60)
        #expect(widths.max() ?? 0 > 170)
        #expect(widths[60] == 160)
        #expect(!window.isAnimating)
    }

    /// The number of quarter turns is no `Int`, on any machine.
    @Test func aVeryStiffSpringEndsAndDoesNotTrap() throws {
        let spring = try SpringTiming(mass: 1e-100, stiffness: 1e200, damping: 1e40)
        _ = spring.progress(at: 0.5)
        #expect(spring.progress(at: 1) == 1)
    }

    @Test("springs follow the damped oscillator, in all three regimes")
    func springs() throws {
        // ω = 10, ζ = 0.5: x = 1 − e^(−5t)(cos 8.660t + 0.57735 sin 8.660t).
        let under = try SpringTiming(mass: 1, stiffness: 100, damping: 10)
        #expect(abs(under.dampingRatio - 0.5) < 1e-12)
        #expect(abs(under.naturalFrequency - 10) < 1e-12)
        // At t = π / 8.660 the cosine is −1: x = 1 + e^(−π/√3) = 1.163033.
        let half = 3.141592653589793 / 8.660254037844386
        #expect(abs(under.progress(at: half / under.duration) - 1.163033) < 1e-6)
        // ω = 10, ζ = 1 at t = 0.1: 1 − 2/e = 0.264241.
        let critical = try SpringTiming(mass: 1, stiffness: 100, damping: 20)
        #expect(abs(critical.progress(at: 0.1 / critical.duration) - 0.264241) < 1e-6)
        // Settled where (1 + 10t) e^(−10t) = 0.001: t = 0.92334.
        #expect(abs(critical.duration - 0.92334) < 1e-4)
        // ω = 10, ζ = 1.25: roots 5 and 20; x(0.1) = 1 − (4/3)e^(−0.5) + (1/3)e^(−2) = 0.236404.
        let over = try SpringTiming(mass: 1, stiffness: 100, damping: 25)
        #expect(abs(over.progress(at: 0.1 / over.duration) - 0.236404) < 1e-6)
        // The mass halves the frequency: ω = 5.
        let heavy = try SpringTiming(mass: 4, stiffness: 100, damping: 40)
        #expect(abs(heavy.naturalFrequency - 5) < 1e-12)
        // A push at the start goes on with its speed: after 1 ms, about 20 · 0.001.
        let pushed = try SpringTiming(
            mass: 1, stiffness: 100, damping: 10, initialVelocity: 20)
        #expect(abs(pushed.progress(at: 0.001 / pushed.duration) - 0.02) < 2e-4)
        for spring in [under, critical, over, heavy, pushed] {
            #expect(spring.progress(at: 0) == 0)
            #expect(spring.progress(at: 1) == 1)
            #expect(abs(spring.progress(at: 0.999999) - 1) <= 0.0011)
        }
        let ratio = try SpringTiming(dampingRatio: 0.5, duration: 2)
        #expect(ratio.duration == 2)
        #expect(abs(ratio.progress(at: 0.999999) - 1) <= 0.0011)
        #expect(throws: LayoutError.self) { try SpringTiming(mass: 0, stiffness: 1, damping: 1) }
        #expect(throws: LayoutError.self) { try SpringTiming(mass: 1, stiffness: 1, damping: -1) }
        #expect(throws: LayoutError.self) {
            try SpringTiming(mass: .nan, stiffness: 1, damping: 1)
        }
        #expect(throws: LayoutError.self) { try SpringTiming(dampingRatio: 0.5, duration: 0) }
    }

    @Test("[ANI-9] durations beyond all reason are no trap")
    func hugeDurations() {
        window.animate(duration: 1e300, curve: .linear) { set(120) }
        #expect(view.presentationFrame.width == 60)
        window.animate(duration: .nan) { set(60) }
        #expect(view.frame.width == 60)
    }

    @Test("any cubic Bézier can be a timing")
    func cubic() {
        let curve = CubicTiming(Point(x: 0.42, y: 0), Point(x: 0.58, y: 1))
        #expect(
            AnimationTiming.cubic(curve).progress(at: 0.25)
                == AnimationCurve.easeInOut.progress(at: 0.25))
        let straight = AnimationTiming.cubic(
            CubicTiming(Point(x: 0.2, y: 0.2), Point(x: 0.7, y: 0.7)))
        #expect(abs(straight.progress(at: 0.3) - 0.3) < 1e-12)
        // Control points (0.25, 0.1) and (0.25, 1), CSS's "ease", at parameter ½: x = 0.3125, y =
        // 0.5375.
        let ease = CubicTiming(Point(x: 0.25, y: 0.1), Point(x: 0.25, y: 1))
        #expect(abs(ease.progress(at: 0.3125) - 0.5375) < 1e-12)
    }
}

@Suite("Property animators")
struct PropertyAnimatorTests {
    let window = Window(size: Size(width: 300, height: 200))
    let view = View(identifier: "view")
    let width: LayoutConstraint

    init() throws {
        try window.addSubview(view)
        width = try place(view, width: 60)
        try window.runCycle()
    }

    private func animator(to value: Double = 120) -> PropertyAnimator {
        PropertyAnimator(in: window, duration: 0.1, timing: .curve(.linear)) { [window, width] in
            width.constant = value
            window.layoutIfNeeded()
        }
    }

    private func shown(_ ticks: Int) throws -> [Double] {
        var widths: [Double] = []
        for _ in 0..<ticks {
            try window.runCycle()
            widths.append((view.presentationFrame.width * 1e6).rounded() / 1e6)
        }
        return widths
    }

    @Test("an animator does nothing until started, then runs like a block and tells that it ended")
    func runs() throws {
        let animator = animator()
        var told: [PropertyAnimator.Position] = []
        animator.addCompletion { told.append($0) }
        #expect(animator.state == .inactive)
        #expect(try shown(2) == [60, 60])
        animator.startAnimation()
        #expect(animator.state == .active && animator.isRunning)
        #expect(view.frame.width == 120)
        #expect(try shown(7) == [60, 70, 80, 90, 100, 110, 120])
        #expect(told == [.end])
        #expect(animator.state == .inactive && !animator.isRunning)
        #expect(!window.hasPendingWork)
    }

    @Test("a pause holds the view and keeps no tick busy; it goes on where it stood")
    func pauses() throws {
        let animator = animator()
        animator.startAnimation()
        #expect(try shown(3) == [60, 70, 80])
        animator.pauseAnimation()
        #expect(!window.hasPendingWork)
        #expect(try shown(3) == [80, 80, 80])
        #expect(abs(animator.fractionComplete - 1.0 / 3) < 1e-12)
        animator.startAnimation()
        #expect(try shown(5) == [90, 100, 110, 120, 120])
    }

    @Test("scrubbing shows any part of the way, without ticks")
    func scrubs() throws {
        let animator = animator()
        animator.fractionComplete = 0.5
        #expect(animator.state == .active && !animator.isRunning)
        #expect(view.presentationFrame.width == 90)
        animator.fractionComplete = 0.25
        #expect(view.presentationFrame.width == 75)
        animator.fractionComplete = 7
        #expect(view.presentationFrame.width == 120)
        animator.fractionComplete = 0.5
        animator.continueAnimation(durationFactor: 0.5)
        // Three ticks' worth of way is left for half of six ticks.
        #expect(try shown(4) == [100, 110, 120, 120])
        #expect(animator.state == .inactive)
    }

    @Test(
        "a reversed animator runs back to the beginning, where the completion can undo the change")
    func reverses() throws {
        let animator = animator()
        var told: [PropertyAnimator.Position] = []
        animator.addCompletion { [width] position in
            told.append(position)
            width.constant = 60
        }
        animator.startAnimation()
        #expect(try shown(4) == [60, 70, 80, 90])
        animator.isReversed = true
        #expect(try shown(4) == [80, 70, 60, 60])
        #expect(told == [.start])
        #expect(view.frame.width == 60)
        #expect(!window.isAnimating)
    }

    @Test("a stopped animator leaves the view where it is shown, until it is finished or laid out")
    func stops() throws {
        let first = animator()
        var told: [PropertyAnimator.Position] = []
        first.addCompletion { told.append($0) }
        first.startAnimation()
        _ = try shown(4)
        first.stopAnimation(true)
        #expect(first.state == .inactive)
        #expect(view.frame.width == 90)
        #expect(told == [])
        window.setNeedsLayout()
        #expect(try shown(1) == [120])
        let second = animator(to: 60)
        second.addCompletion { told.append($0) }
        second.startAnimation()
        _ = try shown(3)
        second.stopAnimation(false)
        #expect(second.state == .stopped)
        #expect(view.presentationFrame.width == 100)
        second.finishAnimation(at: .end)
        #expect(told == [.end])
        #expect(view.frame.width == 60 && view.presentationFrame.width == 60)
    }

    @Test("animations added on the way take the time that is left; a delay puts off the start")
    func adds() throws {
        let other = View(identifier: "other")
        try window.addSubview(other)
        let otherWidth = try place(other, width: 10)
        try window.runCycle()
        let animator = animator()
        animator.startAnimation(afterDelay: 0.05)
        #expect(try shown(5) == [60, 60, 60, 60, 70])
        _ = try shown(2)
        animator.addAnimations { [window] in
            otherWidth.constant = 40
            window.layoutIfNeeded()
        }
        #expect(other.presentationFrame.width == 10)
        try window.runCycle()
        #expect(abs(other.presentationFrame.width - 20) < 1e-9)
        _ = try shown(2)
        #expect(other.presentationFrame.width == 40)
        #expect(animator.state == .inactive)
    }
}
