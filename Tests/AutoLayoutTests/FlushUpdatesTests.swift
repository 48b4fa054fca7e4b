import AutoLayout
import Testing

/// Two views side by side, 60 points wide each; 0.1 s are 6 ticks. No block here lays anything out
/// by itself.
@Suite("Blocks that flush updates")
struct FlushUpdatesTests {
    let window = Window(size: Size(width: 400, height: 200))
    let first = View(identifier: "first")
    let second = View(identifier: "second")
    let firstWidth: LayoutConstraint
    let secondWidth: LayoutConstraint

    init() throws {
        try window.addSubview(first)
        try window.addSubview(second)
        firstWidth = try place(first, width: 60)
        secondWidth = try place(second, width: 60)
        try window.runCycle()
    }

    private func shown(_ view: View, _ ticks: Int) throws -> [Double] {
        try (0..<ticks).map { _ in
            try window.runCycle()
            return (view.presentationFrame.width * 1e6).rounded() / 1e6
        }
    }

    @Test(
        "[UPD-22] what was pending before the block appears at once, [UPD-23] what is changed in it moves"
    )
    func edges() throws {
        firstWidth.constant = 180
        window.animate(duration: 0.1, curve: .linear, options: .flushUpdates) {
            #expect(first.frame.width == 180)
            secondWidth.constant = 120
        }
        #expect(first.presentationFrame.width == 180)
        // Laid out when the block ends; on its way from the next tick on.
        #expect(second.frame.width == 120)
        #expect(try shown(second, 7) == [60, 70, 80, 90, 100, 110, 120])
    }

    @Test("[UPD-23] properties and traits that the block asks for are served in it, and so move")
    func properties() throws {
        let width = firstWidth
        first.updatePropertiesHook = { width.constant = 120 }
        try window.runCycle()
        width.constant = 60
        try window.runCycle()
        #expect(first.frame.width == 60)
        window.animate(duration: 0.1, curve: .linear, options: .flushUpdates) {
            first.setNeedsUpdateProperties()
        }
        #expect(first.frame.width == 120)
        #expect(try shown(first, 7) == [60, 70, 80, 90, 100, 110, 120])
    }

    @Test(
        "[UPD-24] entering a nested block, the outer one's changes move in the outer one's time; [UPD-26] it flushes too"
    )
    func nested() throws {
        window.animate(duration: 0.1, curve: .linear, options: .flushUpdates) {
            firstWidth.constant = 120
            window.animate(
                duration: 0.05, curve: .linear,
                options: [.overrideInheritedDuration, .overrideInheritedCurve]
            ) {
                #expect(first.frame.width == 120)
                secondWidth.constant = 120
            }
            #expect(second.frame.width == 120)
        }
        try window.runCycle()
        // Six ticks for the outer block's change, three for the nested one's.
        var widths: [[Double]] = []
        for _ in 0..<6 {
            try window.runCycle()
            widths.append(
                [first, second].map { ($0.presentationFrame.width * 1e6).rounded() / 1e6 })
        }
        #expect(
            widths == [[70, 80], [80, 100], [90, 120], [100, 120], [110, 120], [120, 120]])
    }

    @Test(
        "[UPD-25] where animations are off, what was changed before moves and what is changed meanwhile does not"
    )
    func switchedOff() throws {
        window.animate(duration: 0.1, curve: .linear, options: .flushUpdates) {
            firstWidth.constant = 120
            window.performWithoutAnimation { secondWidth.constant = 120 }
            #expect(second.presentationFrame.width == 120)
        }
        #expect(try shown(first, 3) == [60, 70, 80])
        #expect(second.presentationFrame.width == 120)
    }

    @Test("a property animator flushes updates too")
    func propertyAnimator() throws {
        firstWidth.constant = 180
        let animator = PropertyAnimator(
            in: window, duration: 0.1, timing: .curve(.linear), flushesUpdates: true
        ) { secondWidth.constant = 120 }
        animator.fractionComplete = 0.5
        #expect(first.presentationFrame.width == 180)
        #expect(second.frame.width == 120)
        #expect(second.presentationFrame.width == 90)
    }

    @Test("[UPD-27] without the option a block moves only what is laid out in it")
    func without() throws {
        window.animate(duration: 0.1, curve: .linear) { secondWidth.constant = 120 }
        #expect(second.frame.width == 60)
        #expect(try shown(second, 2) == [120, 120])
    }
}
