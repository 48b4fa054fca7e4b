import AutoLayout
import Testing

@Suite("The display pass")
struct DisplayTests {
    let window = Window(size: Size(width: 300, height: 200))
    let view = RecordingView(identifier: "view")
    let width: LayoutConstraint
    let drawn = Drawn()

    /// What was drawn, with the parts.
    final class Drawn {
        private var list: [String: [Rect]] = [:]
        func note(_ view: View, _ rect: Rect) { list[view.identifier, default: []].append(rect) }
        func take(_ id: String) -> [Rect] { list.removeValue(forKey: id) ?? [] }
    }

    init() throws {
        view.draws = true
        try window.addSubview(view)
        width = try place(view, width: 100)
        window.displayObserver = { [drawn] in drawn.note($0, $1) }
    }

    private let whole = Rect(x: 0, y: 0, width: 100, height: 40)

    @Test("[DIS-2] the union of the marked rectangles is drawn, clipped to the bounds")
    func rectangles() throws {
        try window.runCycle()
        #expect(drawn.take("view") == [whole])
        view.setNeedsDisplay(Rect(x: 10, y: 5, width: 10, height: 5))
        view.setNeedsDisplay(Rect(x: 90, y: 30, width: 50, height: 50))
        #expect(drawn.take("view") == [])
        try window.runCycle()
        #expect(drawn.take("view") == [Rect(x: 10, y: 5, width: 90, height: 35)])
        view.setNeedsDisplay(Rect(x: 10, y: 5, width: 10, height: 5))
        view.setNeedsDisplay()
        try window.runCycle()
        #expect(drawn.take("view") == [whole])
        view.setNeedsDisplay(Rect(x: 500, y: 5, width: 10, height: 5))
        try window.runCycle()
        #expect(drawn.take("view") == [])
    }

    @Test("[DIS-3] an empty view keeps its mark until it has a rectangle")
    func empty() throws {
        width.constant = 0
        try window.runCycle()
        #expect(drawn.take("view") == [])
        #expect(view.needsDisplay)
        width.constant = 30
        try window.runCycle()
        #expect(drawn.take("view") == [Rect(x: 0, y: 0, width: 30, height: 40)])
        #expect(!view.needsDisplay)
    }

    @Test("[DIS-4] what is hidden, or under no window, keeps its mark")
    func hidden() throws {
        let child = RecordingView(identifier: "child")
        child.draws = true
        try view.addSubview(child)
        _ = try place(child, width: 20)
        view.isHidden = true
        try window.runCycle()
        #expect(drawn.take("child") == [])
        #expect(child.needsDisplay)
        view.isHidden = false
        try window.runCycle()
        #expect(drawn.take("child") == [Rect(x: 0, y: 0, width: 20, height: 40)])

        let loose = RecordingView(identifier: "loose")
        loose.draws = true
        var draws = 0
        loose.onDraw = { _ in draws += 1 }
        let holder = View(identifier: "holder")
        try holder.addSubview(loose)
        _ = try place(loose, width: 20)
        holder.layoutIfNeeded()
        #expect(loose.frame.width == 20)
        #expect(draws == 0)
        #expect(loose.needsDisplay)
    }

    @Test("[DIS-5] a view is drawn once; moving or covering it does not draw it again")
    func cached() throws {
        let leading = view.leftAnchor.constraint(equalTo: window.leftAnchor)
        let free = RecordingView(identifier: "free")
        free.draws = true
        free.onDraw = { context in
            try? context.add(.fill(Rect(x: 0, y: 0, width: 1, height: 1), color: "#ffffff"))
        }
        try window.addSubview(free)
        let left = free.leftAnchor.constraint(equalTo: window.leftAnchor, constant: 10)
        try LayoutConstraint.activate([
            leading, left, free.topAnchor.constraint(equalTo: window.topAnchor),
            free.widthAnchor.constraint(equalToConstant: 50),
            free.heightAnchor.constraint(equalToConstant: 40),
        ])
        try window.runCycle()
        #expect(drawn.take("free").count == 1)
        #expect(
            free.displayList == [.fill(Rect(x: 0, y: 0, width: 1, height: 1), color: "#ffffff")])
        left.constant = 90
        let cover = View(frame: Rect(x: 0, y: 0, width: 300, height: 200), identifier: "cover")
        try window.addSubview(cover)
        try window.runCycle()
        #expect(free.frame.minX == 90)
        #expect(drawn.take("free") == [])
        #expect(free.displayList.count == 1)
    }

    @Test("[DIS-6] only with the content mode redraw does another size draw")
    func redraw() throws {
        try window.runCycle()
        _ = drawn.take("view")
        width.constant = 120
        try window.runCycle()
        #expect(drawn.take("view") == [])
        view.contentMode = .redraw
        width.constant = 80
        try window.runCycle()
        #expect(drawn.take("view") == [Rect(x: 0, y: 0, width: 80, height: 40)])
    }

    @Test("[DIS-7] a drawing context kept after draw throws")
    func expiredContext() throws {
        var kept: DrawingContext?
        view.onDraw = { kept = $0 }
        try window.runCycle()
        let context = try #require(kept)
        #expect(throws: LayoutError.contextExpired(view: "view")) {
            try context.add(.fill(Rect(x: 0, y: 0, width: 1, height: 1), color: "#ffffff"))
        }
        #expect(view.displayList == [])
    }

    @Test("[DIS-9] sizeThatFits changes nothing, sizeToFit sets the size")
    func fitting() throws {
        let label = Label("abcde fgh", identifier: "label")
        label.numberOfLines = 0
        label.translatesFrame = true
        label.frame = Rect(x: 4, y: 4, width: 40, height: 16)
        try window.addSubview(label)
        try window.runCycle()
        _ = drawn.take("label")
        #expect(label.sizeThatFits(Size(width: 40, height: 0)) == Size(width: 40, height: 32))
        #expect(label.frame.size == Size(width: 40, height: 16))
        #expect(!window.hasPendingWork)
        label.sizeToFit()
        #expect(label.frame == Rect(x: 4, y: 4, width: 40, height: 32))
        #expect(label.needsLayout)
        try window.runCycle()
        #expect(label.lines.map(\.text) == ["abcde", "fgh"])
        #expect(drawn.take("label") == [Rect(x: 0, y: 0, width: 40, height: 32)])
    }
}
