import AutoLayout
import Testing

@Suite("Who keeps whom alive")
struct LifetimeTests {
    @Test("a subtree outlives its window and is laid out on its own")
    func subtreeWithoutWindow() throws {
        let box = View(identifier: "box")
        let leaf = View(identifier: "leaf")
        try box.addSubview(leaf)
        let inset = leaf.leftAnchor.constraint(equalTo: box.leftAnchor, constant: 3)
        try LayoutConstraint.activate([
            inset, leaf.topAnchor.constraint(equalTo: box.topAnchor, constant: 4),
            leaf.widthAnchor.constraint(equalToConstant: 10),
            leaf.heightAnchor.constraint(equalToConstant: 20),
            box.widthAnchor.constraint(equalToConstant: 50),
            box.heightAnchor.constraint(equalToConstant: 60),
        ])
        do {
            let window = Window(size: Size(width: 100, height: 100))
            try window.addSubview(box)
            try LayoutConstraint.activate([
                box.leftAnchor.constraint(equalTo: window.leftAnchor, constant: 7)
            ])
            try window.runCycle()
            #expect(box.frame.minX == 7)
            #expect(leaf.frame == Rect(x: 3, y: 4, width: 10, height: 20))
        }
        #expect(box.superview == nil)
        #expect(inset.isActive)
        try inset.setConstant(5)
        box.setNeedsLayout()
        box.layoutIfNeeded()
        #expect(leaf.frame == Rect(x: 5, y: 4, width: 10, height: 20))
        let next = Window(size: Size(width: 200, height: 200))
        try next.addSubview(box)
        try inset.setConstant(6)
        try next.runCycle()
        #expect(leaf.frame.minX == 6)
    }

    /// Does something each time it is asked for its content's size.
    private final class Meddler: View {
        var meddle: (() -> Void)?

        override var intrinsicContentSize: Size {
            meddle?()
            return Size(width: 30, height: 20)
        }
    }

    @Test(
        "a view whose window goes before its first cycle, or while it tells its content's size, is laid out in the next one",
        arguments: [false, true])
    func windowGoes(meanwhile: Bool) throws {
        var window: Window? = Window(size: Size(width: 100, height: 100))
        let view = Meddler()
        try window?.addSubview(view)
        if meanwhile {
            view.meddle = { window = nil }
            view.invalidateIntrinsicContentSize()
        }
        window = nil
        #expect(view.superview == nil)
        view.meddle = nil
        let next = Window(size: Size(width: 200, height: 200))
        try next.addSubview(view)
        try LayoutConstraint.activate([
            view.leftAnchor.constraint(equalTo: next.leftAnchor, constant: 5),
            view.topAnchor.constraint(equalTo: next.topAnchor, constant: 6),
        ])
        try next.runCycle()
        #expect(view.frame == Rect(x: 5, y: 6, width: 30, height: 20))
    }

    @Test("a view forgets a controller that has gone, and a constraint its item")
    func referencesThatDoNotKeep() throws {
        let view = View()
        do {
            let controller = ViewController()
            controller.view = view
            #expect(view.viewController === controller)
        }
        #expect(view.viewController == nil)
        var item: View? = View()
        let constraint = try #require(item).widthAnchor.constraint(equalToConstant: 10)
        #expect(constraint.firstItem === item)
        item = nil
        #expect(constraint.firstItem == nil)
        try constraint.activate()
        #expect(!constraint.isActive)
    }

    @Test(
        "whoever is told of a frame may remove views that wait for theirs, the last reference included"
    )
    func removalWhilePlacing() throws {
        let window = Window(size: Size(width: 100, height: 100))
        weak var last: View?
        do {
            for index in 0..<20 {
                let view = View(identifier: "v\(index)")
                try window.addSubview(view)
                try LayoutConstraint.activate([
                    view.leftAnchor.constraint(equalTo: window.leftAnchor, constant: Double(index)),
                    view.topAnchor.constraint(equalTo: window.topAnchor),
                    view.widthAnchor.constraint(equalToConstant: 10),
                    view.heightAnchor.constraint(equalToConstant: 20),
                ])
                last = view
            }
        }
        var told: [String] = []
        window.frameObserver = { [unowned window] view in
            told.append(view.identifier)
            for other in window.subviews where other !== view { _ = other.removeFromSuperview() }
        }
        try window.runCycle()
        #expect(told == ["v0"])
        #expect(window.subviews.map(\.identifier) == ["v0"])
        #expect(last == nil)
        window.frameObserver = nil
        try window.runCycle()
        #expect(window.subviews[0].frame == Rect(x: 0, y: 0, width: 10, height: 20))
    }

    /// What is done with the ancestors of a view while passes visit them.
    enum Dismantling: CaseIterable { case fromTop, fromBottom, toAnotherWindow }

    @Test(
        "whoever is told of a frame may take the view's ancestors apart, the last references included",
        arguments: Dismantling.allCases)
    func dismantling(_ kind: Dismantling) throws {
        let window = Window(size: Size(width: 100, height: 100))
        let other = Window(size: Size(width: 100, height: 100))
        var names: [String] = []
        var alive: [() -> View?] = []
        for column in 0..<3 {
            var above: View = window
            for level in 0..<4 {
                let view = View(identifier: "\(column)\(level)")
                try above.addSubview(view)
                try LayoutConstraint.activate([
                    view.leftAnchor.constraint(equalTo: above.leftAnchor),
                    view.topAnchor.constraint(equalTo: above.topAnchor),
                    view.widthAnchor.constraint(equalToConstant: Double(50 - level)),
                    view.heightAnchor.constraint(equalToConstant: 20),
                ])
                above = view
                if column == 1 { alive.append { [weak view] in view } }
            }
        }
        window.frameObserver = { view in
            names.append(view.identifier)
            guard view.identifier == "13" else { return }
            // By name, for whatever holds a view here would keep it.
            let order = kind == .fromBottom ? [3, 2, 1, 0] : [0, 1, 2, 3]
            for level in order {
                if kind == .toAnotherWindow {
                    alive[level]().map { try? other.addSubview($0) }
                }
                alive[level]()?.removeFromSuperview()
            }
        }
        try window.runCycle()
        #expect(names.filter { $0.hasPrefix("1") } == ["10", "11", "12", "13"])
        #expect(names.filter { $0.hasPrefix("0") } == ["00", "01", "02", "03"])
        #expect(window.subviews.map(\.identifier) == ["00", "20"])
        #expect(alive.allSatisfy { $0() == nil })
        #expect(other.subviews.isEmpty)
        window.frameObserver = nil
        try window.runCycle()
    }
}
