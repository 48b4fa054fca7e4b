import Testing

@testable import AutoLayout
@testable import Cassowary

/// How a view holds to its content's size.
@Suite("Content sizes")
struct ContentSizeTests {
    /// Two labels' worth of content side by side in a row of a width.
    private func row(_ width: Double) throws -> (
        window: Window, views: [View], width: LayoutConstraint
    ) {
        let window = Window(size: Size(width: 640, height: 480))
        let row = View(identifier: "row")
        let views = [View(identifier: "first"), View(identifier: "second")]
        try window.addSubview(row)
        for view in views {
            try row.addSubview(view)
            view.intrinsicContentSizeOverride = Size(width: 100, height: 20)
        }
        let whole = row.widthAnchor.constraint(equalToConstant: width)
        try LayoutConstraint.activate(
            [
                whole,
                row.leftAnchor.constraint(equalTo: window.leftAnchor),
                row.topAnchor.constraint(equalTo: window.topAnchor),
                row.heightAnchor.constraint(equalToConstant: 20),
                views[0].leftAnchor.constraint(equalTo: row.leftAnchor),
                views[1].leftAnchor.constraint(equalTo: views[0].rightAnchor),
                views[1].rightAnchor.constraint(equalTo: row.rightAnchor),
            ] + views.map { $0.topAnchor.constraint(equalTo: row.topAnchor) })
        return (window, views, whole)
    }

    @Test("hugging and compression resistance decide, and may become required and weak again")
    func priorities() throws {
        let (window, views, whole) = try row(300)
        func widths() throws -> [Double] {
            try window.runCycle()
            return views.map(\.frame.width)
        }
        views[0].setContentHuggingPriority(251, for: .horizontal)
        #expect(try widths() == [100, 200])
        views[1].setContentHuggingPriority(252, for: .horizontal)
        #expect(try widths() == [200, 100])
        let engine = try #require(window.engine)
        let count = engine.solver.counts.constraints
        // Required on one side: two constraints instead of one.
        views[0].setContentHuggingPriority(.required, for: .horizontal)
        #expect(try widths() == [100, 200])
        #expect(engine.solver.counts.constraints == count + 1)
        try whole.setConstant(150)
        views[0].setContentCompressionResistancePriority(700, for: .horizontal)
        #expect(try widths() == [50, 100])
        views[0].setContentCompressionResistancePriority(.required, for: .horizontal)
        #expect(try widths() == [100, 50])
        views[0].setContentCompressionResistancePriority(749, for: .horizontal)
        views[0].setContentHuggingPriority(100, for: .horizontal)
        #expect(try widths() == [50, 100])
        #expect(engine.solver.counts.constraints == count)
        try whole.setConstant(300)
        #expect(try widths() == [200, 100])
        views[0].intrinsicContentSizeOverride = nil
        #expect(engine.solver.counts.constraints == count - 2)
    }

    @Test("a layout that is asked says which side of a content's size holds the view")
    func influences() throws {
        let (window, views, whole) = try row(300)
        views[0].setContentHuggingPriority(251, for: .horizontal)
        func rules() throws -> [String] {
            try window.runCycle()
            return views[0].layoutInfluences(for: .horizontal)
                .filter { $0.kind == .contentSize }.map { "\($0.rule)" }
        }
        #expect(try rules() == ["first.width <= 100 @251"])
        try whole.setConstant(150)
        views[1].setContentCompressionResistancePriority(700, for: .horizontal)
        #expect(try rules() == ["first.width >= 100 @750"])
    }
}
