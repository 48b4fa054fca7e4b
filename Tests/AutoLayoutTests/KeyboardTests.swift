import AutoLayout
import Testing

/// A screen of 300 × 600 with a safe area of 34 points at the bottom.
@Suite("The keyboard's guide")
struct KeyboardTests {
    let window = Window(size: Size(width: 300, height: 600))
    let content = View(identifier: "content")

    init() throws {
        window.screenSafeAreaInsets = EdgeInsets(top: 20, leading: 0, bottom: 34, trailing: 0)
        try window.addSubview(content)
        try LayoutConstraint.activate([
            content.leadingAnchor.constraint(equalTo: window.leadingAnchor),
            content.widthAnchor.constraint(equalToConstant: 10),
            content.topAnchor.constraint(equalTo: window.topAnchor),
            content.bottomAnchor.constraint(equalTo: window.keyboardLayoutGuide.topAnchor),
        ])
        try window.runCycle()
    }

    @Test("[SAF-13] away, it begins where the safe area ends; [SAF-14] or at the view's bottom")
    func away() throws {
        #expect(content.frame.height == 566)
        #expect(
            window.keyboardLayoutGuide.layoutFrame == Rect(x: 0, y: 566, width: 300, height: 34))
        window.keyboardUsesBottomSafeArea = false
        try window.runCycle()
        #expect(content.frame.height == 600)
        // It follows the safe area of the device.
        window.keyboardUsesBottomSafeArea = true
        window.screenSafeAreaInsets = .zero
        try window.runCycle()
        #expect(content.frame.height == 600)
    }

    @Test("[SAF-15] shown, it begins at the keyboard's top, and goes back with it")
    func shown() throws {
        window.keyboardHeight = 216
        // The engine knows at once, the frame follows with the cycle.
        #expect(content.frame.height == 566)
        #expect(window.keyboardLayoutGuide.layoutFrame.minY == 384)
        try window.runCycle()
        #expect(content.frame.height == 384)
        window.keyboardHeight = 0
        try window.runCycle()
        #expect(content.frame.height == 566)
    }

    @Test("[SAF-15] in an animation block it moves what it holds")
    func animated() throws {
        window.animate(duration: 0.1, curve: .linear) {
            window.keyboardHeight = 94
            window.layoutIfNeeded()
        }
        #expect(content.frame.height == 506)
        let shown = try (0..<7).map { _ in
            try window.runCycle()
            return content.presentationFrame.height.rounded()
        }
        #expect(shown == [566, 556, 546, 536, 526, 516, 506])
    }

    @Test("[SAF-16] the keyboard changes no safe area and no margin")
    func safeArea() throws {
        let margins = window.layoutMarginsGuide.layoutFrame
        window.keyboardHeight = 216
        try window.runCycle()
        #expect(window.safeAreaInsets == EdgeInsets(top: 20, leading: 0, bottom: 34, trailing: 0))
        #expect(window.layoutMarginsGuide.layoutFrame == margins)
    }

    @Test("it reaches into a view as far as the view lies below its top, and follows the view")
    func inner() throws {
        let card = View(identifier: "card")
        let inside = View(identifier: "inside")
        try window.addSubview(card)
        try card.addSubview(inside)
        let bottom = card.bottomAnchor.constraint(equalTo: window.bottomAnchor, constant: -100)
        try LayoutConstraint.activate([
            card.leadingAnchor.constraint(equalTo: window.leadingAnchor),
            card.widthAnchor.constraint(equalToConstant: 50),
            card.heightAnchor.constraint(equalToConstant: 300), bottom,
            inside.leadingAnchor.constraint(equalTo: card.leadingAnchor),
            inside.widthAnchor.constraint(equalToConstant: 5),
            inside.topAnchor.constraint(equalTo: card.topAnchor),
            inside.bottomAnchor.constraint(equalTo: card.keyboardLayoutGuide.topAnchor),
        ])
        try window.runCycle()
        // The safe area does not reach up to it.
        #expect(inside.frame.height == 300)
        window.keyboardHeight = 150
        try window.runCycle()
        #expect(inside.frame.height == 250)
        bottom.constant = -10
        try window.runCycle()
        #expect(inside.frame.height == 160)
    }

    @Test(
        "a view that is moved away by what the keyboard covers of it ends the cycle; the error names it"
    )
    func feedback() throws {
        let odd = View(identifier: "odd")
        let spacer = View(identifier: "spacer")
        try window.addSubview(odd)
        try window.addSubview(spacer)
        try LayoutConstraint.activate([
            odd.leadingAnchor.constraint(equalTo: window.leadingAnchor),
            odd.widthAnchor.constraint(equalToConstant: 50),
            odd.heightAnchor.constraint(equalToConstant: 40),
            odd.bottomAnchor.constraint(equalTo: spacer.topAnchor),
            spacer.leadingAnchor.constraint(equalTo: window.leadingAnchor),
            spacer.widthAnchor.constraint(equalToConstant: 50),
            spacer.bottomAnchor.constraint(equalTo: window.bottomAnchor),
            // At the bottom 200 points of keyboard reach into it; 400 above that none does, and it
            // comes down again.
            spacer.heightAnchor.constraint(
                equalTo: odd.keyboardLayoutGuide.heightAnchor, multiplier: 2),
        ])
        odd.keyboardUsesBottomSafeArea = false
        try window.runCycle()
        window.keyboardHeight = 200
        #expect(throws: LayoutError.layoutFeedbackLoop(views: ["odd"], markedBy: [])) {
            try window.runCycle()
        }
        // The scene goes on.
        window.keyboardHeight = 0
        try window.runCycle()
        #expect(content.frame.height == 566)
    }
}
