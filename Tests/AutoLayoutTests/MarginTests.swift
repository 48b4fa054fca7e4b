import AutoLayout
import Testing

/// Margins that follow the superview's, and those that the system wants at least.
@Suite("Margins")
struct MarginTests {
    private func fill(_ guide: LayoutGuide, with content: View) throws {
        try LayoutConstraint.activate([
            content.leadingAnchor.constraint(equalTo: guide.leadingAnchor),
            content.trailingAnchor.constraint(equalTo: guide.trailingAnchor),
            content.topAnchor.constraint(equalTo: guide.topAnchor),
            content.bottomAnchor.constraint(equalTo: guide.bottomAnchor),
        ])
    }

    @Test(
        "[SAF-11] margins are preserved as far as the superview's reach into the view, edge by edge"
    )
    func preserved() throws {
        let window = Window(size: Size(width: 300, height: 200))
        window.layoutMargins = EdgeInsets(top: 40, leading: 40, bottom: 40, trailing: 40)
        let inner = View(identifier: "inner")
        let content = View(identifier: "content")
        try window.addSubview(inner)
        try inner.addSubview(content)
        let left = inner.leftAnchor.constraint(equalTo: window.leftAnchor, constant: 10)
        try LayoutConstraint.activate([
            left, inner.topAnchor.constraint(equalTo: window.topAnchor, constant: 20),
            inner.widthAnchor.constraint(equalToConstant: 200),
            inner.heightAnchor.constraint(equalToConstant: 100),
        ])
        try fill(inner.layoutMarginsGuide, with: content)
        try window.runCycle()
        // Its own 8 at each edge.
        #expect(content.frame == Rect(x: 8, y: 8, width: 184, height: 84))
        inner.preservesSuperviewLayoutMargins = true
        try window.runCycle()
        // 40 - 10 at the left, 40 - 20 at the top; 90 and 80 from the other edges, where its own
        // are more.
        #expect(content.frame == Rect(x: 30, y: 20, width: 162, height: 72))
        // They follow the frame within the cycle that moves it.
        left.constant = 95
        try window.runCycle()
        // 5 from the right edge: 35 of the superview's 40 reach in.
        #expect(content.frame == Rect(x: 8, y: 20, width: 157, height: 72))
        inner.preservesSuperviewLayoutMargins = false
        try window.runCycle()
        #expect(content.frame == Rect(x: 8, y: 8, width: 184, height: 84))
    }

    @Test(
        "[SAF-11] preserved margins reach through every view that preserves them, read in each one's direction"
    )
    func chain() throws {
        let window = Window(size: Size(width: 300, height: 200))
        window.layoutMargins = EdgeInsets(top: 0, leading: 50, bottom: 0, trailing: 20)
        let outer = View(identifier: "outer")
        let inner = View(identifier: "inner")
        let content = View(identifier: "content")
        try window.addSubview(outer)
        try outer.addSubview(inner)
        try inner.addSubview(content)
        for (view, inset) in [(outer, 10.0), (inner, 15)] {
            guard let superview = view.superview else { continue }
            view.layoutMargins = .zero
            view.preservesSuperviewLayoutMargins = true
            try LayoutConstraint.activate([
                view.leftAnchor.constraint(equalTo: superview.leftAnchor, constant: inset),
                view.rightAnchor.constraint(equalTo: superview.rightAnchor),
                view.topAnchor.constraint(equalTo: superview.topAnchor),
                view.bottomAnchor.constraint(equalTo: superview.bottomAnchor),
            ])
        }
        inner.layoutDirection = .rightToLeft
        try fill(inner.layoutMarginsGuide, with: content)
        try window.runCycle()
        // 50 - 10 - 15 at the left, which is its trailing edge; 20 at the right. It is 300 - 25
        // wide.
        #expect(content.frame == Rect(x: 25, y: 0, width: 230, height: 200))
    }

    @Test(
        "[SAF-7, SAF-8] a controller's root view has the system's margins at least, by the width of the device"
    )
    func system() throws {
        var traits = TraitValues()
        traits.horizontalSizeClass = .compact
        let window = Window(size: Size(width: 300, height: 200), traits: traits)
        let controller = ViewController(identifier: "controller")
        let content = View(identifier: "content")
        window.rootViewController = controller
        try controller.view.addSubview(content)
        try fill(controller.view.layoutMarginsGuide, with: content)
        try window.runCycle()
        #expect(content.frame == Rect(x: 16, y: 8, width: 268, height: 184))
        window.screenTraits.horizontalSizeClass = .regular
        try window.runCycle()
        #expect(content.frame == Rect(x: 20, y: 8, width: 260, height: 184))
        controller.view.layoutMargins = EdgeInsets(top: 0, leading: 24, bottom: 0, trailing: 0)
        try window.runCycle()
        #expect(content.frame == Rect(x: 24, y: 0, width: 256, height: 200))
        controller.viewRespectsSystemMinimumLayoutMargins = false
        try window.runCycle()
        #expect(content.frame == Rect(x: 24, y: 0, width: 276, height: 200))
        // No device, no minimum.
        controller.viewRespectsSystemMinimumLayoutMargins = true
        controller.view.layoutMargins = .zero
        window.screenTraits.horizontalSizeClass = .unspecified
        try window.runCycle()
        #expect(content.frame == Rect(x: 0, y: 0, width: 300, height: 200))
    }
}
