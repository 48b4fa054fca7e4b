import AutoLayout
import Testing

/// Views that are kept outside of the layout.
@Suite("Views that are not installed")
struct InstallingTests {
    let window = Window(size: Size(width: 300, height: 200))
    let first = View(identifier: "first")
    let second = View(identifier: "second")
    let third = View(identifier: "third")

    private func fix(_ view: View, _ width: Double) throws {
        try LayoutConstraint.activate([
            view.leftAnchor.constraint(equalTo: window.leftAnchor),
            view.topAnchor.constraint(equalTo: window.topAnchor),
            view.widthAnchor.constraint(equalToConstant: width),
            view.heightAnchor.constraint(equalToConstant: 10),
        ])
    }

    @Test("[TRA-40] it keeps its constraints, which come back with it; one added meanwhile waits")
    func keepsConstraints() throws {
        try window.addSubview(first)
        try window.addSubview(second)
        try fix(first, 100)
        let follows = second.leftAnchor.constraint(equalTo: first.rightAnchor, constant: 5)
        try LayoutConstraint.activate([
            follows, second.topAnchor.constraint(equalTo: window.topAnchor),
            second.widthAnchor.constraint(equalToConstant: 20),
            second.heightAnchor.constraint(equalToConstant: 10),
        ])
        let waits = second.leftAnchor.constraint(equalTo: window.leftAnchor, constant: 40)
        waits.priority = 500
        try waits.activate()
        try window.runCycle()
        #expect(second.frame.minX == 105)
        first.isInstalled = false
        try window.runCycle()
        #expect(first.frame == .zero)
        #expect(second.frame.minX == 40)
        #expect(follows.isActive && !follows.isBroken)
        // Contradicts nothing while the view is out, so it is taken, and speaks of it once it is
        // in.
        let higher = second.topAnchor.constraint(greaterThanOrEqualTo: first.bottomAnchor)
        higher.priority = 400
        try higher.activate()
        try window.runCycle()
        #expect(second.frame == Rect(x: 40, y: 0, width: 20, height: 10))
        first.isInstalled = true
        try window.runCycle()
        #expect(first.frame == Rect(x: 0, y: 0, width: 100, height: 10))
        #expect(second.frame.minX == 105)
        #expect(!second.hasAmbiguousLayout)
    }

    @Test("[TRA-40] what it holds is out with it, and what is put into it meanwhile too")
    func subtree() throws {
        let inner = View(identifier: "inner")
        try window.addSubview(first)
        try fix(first, 100)
        first.isInstalled = false
        try first.addSubview(inner)
        try LayoutConstraint.activate([
            inner.leftAnchor.constraint(equalTo: first.leftAnchor, constant: 7),
            inner.topAnchor.constraint(equalTo: first.topAnchor),
            inner.widthAnchor.constraint(equalToConstant: 30),
            inner.heightAnchor.constraint(equalToConstant: 3),
            // Nobody hears of it while both are out.
            second.widthAnchor.constraint(equalTo: inner.widthAnchor),
        ])
        try window.addSubview(second)
        try LayoutConstraint.activate([
            second.leftAnchor.constraint(equalTo: window.leftAnchor),
            second.topAnchor.constraint(equalTo: window.topAnchor),
            second.heightAnchor.constraint(equalToConstant: 3),
        ])
        let free = second.widthAnchor.constraint(equalToConstant: 50)
        free.priority = 10
        try free.activate()
        try window.runCycle()
        #expect(inner.frame == .zero)
        #expect(second.frame.width == 50)
        // Out of it, it takes part.
        try window.addSubview(inner)
        try window.runCycle()
        #expect(inner.frame.size == Size(width: 30, height: 3))
        try first.addSubview(inner)
        try window.runCycle()
        #expect(inner.frame == .zero)
        first.isInstalled = true
        try window.runCycle()
        #expect(inner.frame.size == Size(width: 30, height: 3))
    }

    @Test(
        "[TRA-41] in the properties pass those that leave do so first, so nothing has to give way")
    func exchange() throws {
        for view in [second, first, third] { try window.addSubview(view) }
        try fix(first, 100)
        second.isInstalled = false
        try fix(second, 200)
        try LayoutConstraint.activate([
            third.leftAnchor.constraint(equalTo: window.leftAnchor),
            third.topAnchor.constraint(equalTo: window.topAnchor),
            third.heightAnchor.constraint(equalToConstant: 10),
            third.widthAnchor.constraint(equalTo: first.widthAnchor),
            third.widthAnchor.constraint(equalTo: second.widthAnchor),
        ])
        var told: [LayoutDiagnostic] = []
        window.diagnosticHandler = { told.append($0) }
        try window.runCycle()
        #expect(third.frame.width == 100)
        // The one that comes is asked before the one that goes.
        second.updatePropertiesHook = { [second] in second.isInstalled.toggle() }
        first.updatePropertiesHook = { [first] in first.isInstalled.toggle() }
        try window.runCycle()
        #expect(third.frame.width == 200)
        second.setNeedsUpdateProperties()
        first.setNeedsUpdateProperties()
        try window.runCycle()
        #expect(third.frame.width == 100)
        #expect(told == [])
    }

    @Test("it is not drawn, and is when it comes back")
    func drawing() throws {
        let label = Label("text", identifier: "label")
        try window.addSubview(label)
        var drawn: [String] = []
        window.displayObserver = { view, _ in drawn.append(view.identifier) }
        label.isInstalled = false
        try window.runCycle()
        #expect(drawn == [])
        label.isInstalled = true
        try window.runCycle()
        #expect(drawn == ["label"])
    }
}
