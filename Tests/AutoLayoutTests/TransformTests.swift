import AutoLayout
import SeededRandom
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Transforms of views")
struct TransformTests {
    @Test("the frames of 10,000 random transforms are those of arithmetic by hand")
    func frames() {
        var random = SplitMix64(seed: 64)
        func number(_ range: Double) -> Double {
            (Double(random.below(2_000_001)) / 1_000_000 - 1) * range
        }
        for _ in 0..<10_000 {
            let rect = Rect(
                x: number(500), y: number(500), width: abs(number(300)), height: abs(number(300)))
            let (degrees, scale) = (number(720), Point(x: number(4), y: number(4)))
            let translation = Point(x: number(100), y: number(100))
            let view = View(frame: rect)
            view.transform = AffineTransform(
                degrees: degrees, scale: scale, translation: translation)
            // Each corner, seen from the middle: scaled, turned by the C library's functions,
            // moved.
            let angle = degrees * Double.pi / 180
            var (left, top) = (Double.infinity, Double.infinity)
            var (right, bottom) = (-Double.infinity, -Double.infinity)
            for (x, y) in [(-1.0, -1.0), (1, -1), (-1, 1), (1, 1)] {
                let (across, down) = (x * rect.width / 2 * scale.x, y * rect.height / 2 * scale.y)
                let turnedX = across * cos(angle) - down * sin(angle)
                let turnedY = across * sin(angle) + down * cos(angle)
                left = min(left, turnedX)
                right = max(right, turnedX)
                top = min(top, turnedY)
                bottom = max(bottom, turnedY)
            }
            let middle = Point(x: rect.minX + rect.width / 2, y: rect.minY + rect.height / 2)
            let frame = view.frame
            #expect(abs(frame.minX - (middle.x + translation.x + left)) < 1e-9)
            #expect(abs(frame.minY - (middle.y + translation.y + top)) < 1e-9)
            #expect(abs(frame.width - (right - left)) < 1e-9)
            #expect(abs(frame.height - (bottom - top)) < 1e-9)
            #expect(view.layoutFrame == rect)
            #expect(view.bounds == Rect(x: 0, y: 0, width: rect.width, height: rect.height))
            #expect(view.center == middle)
        }
    }

    @Test("quarter turns are exact")
    func quarters() {
        let view = View(frame: Rect(x: 10, y: 20, width: 30, height: 60))
        for degrees in [90.0, 270, -90, 450, 36_090] {
            view.transform = AffineTransform(
                degrees: degrees, scale: Point(x: 1, y: 1), translation: .zero)
            #expect(view.frame == Rect(x: -5, y: 35, width: 60, height: 30))
        }
        view.transform = AffineTransform(
            degrees: 180, scale: Point(x: 1, y: 1), translation: .zero)
        #expect(view.frame == Rect(x: 10, y: 20, width: 30, height: 60))
        view.transform = .identity
        #expect(view.frame == view.layoutFrame)
    }

    @Test("points go through transforms and back")
    func conversion() throws {
        let root = View(frame: Rect(x: 0, y: 0, width: 400, height: 400))
        let outer = View(frame: Rect(x: 100, y: 100, width: 100, height: 100))
        let inner = View(frame: Rect(x: 10, y: 20, width: 40, height: 20))
        try root.addSubview(outer)
        try outer.addSubview(inner)
        outer.transform = AffineTransform(
            degrees: 90, scale: Point(x: 2, y: 2), translation: Point(x: 5, y: 0))
        // The corner of `inner` is 40 left of and 30 above the middle of `outer`: twice as far, and
        // a quarter further, that is 60 right of and 80 above it.
        #expect(inner.convert(.zero, to: root) == Point(x: 215, y: 70))
        #expect(inner.convert(.zero, to: nil) == Point(x: 215, y: 70))
        #expect(root.convert(Point(x: 215, y: 70), to: inner) == .zero)
        #expect(
            inner.convert(inner.bounds, to: root) == Rect(x: 175, y: 70, width: 40, height: 80))
        outer.transform = .identity
        #expect(inner.convert(.zero, to: root) == Point(x: 110, y: 120))
    }

    @Test("what is hit is what is shown there")
    func hits() throws {
        let root = View(frame: Rect(x: 0, y: 0, width: 400, height: 400))
        let back = View(frame: Rect(x: 0, y: 0, width: 400, height: 50))
        let turned = View(frame: Rect(x: 100, y: 100, width: 100, height: 20))
        let inner = View(frame: Rect(x: 90, y: 0, width: 10, height: 20))
        try root.addSubview(back)
        try root.addSubview(turned)
        try turned.addSubview(inner)
        #expect(root.hitTest(Point(x: 195, y: 110)) === inner)
        turned.transform = AffineTransform(
            degrees: 90, scale: Point(x: 1, y: 1), translation: .zero)
        // It now reaches from (140, 60) to (160, 160), its right end at the bottom.
        #expect(root.hitTest(Point(x: 195, y: 110)) === root)
        #expect(root.hitTest(Point(x: 150, y: 155)) === inner)
        #expect(root.hitTest(Point(x: 150, y: 65)) === turned)
        #expect(root.hitTest(Point(x: 150, y: 165)) === root)
        #expect(root.hitTest(Point(x: 150, y: 20)) === back)
        #expect(root.hitTest(Point(x: 150, y: 400)) == nil)
        turned.isHidden = true
        #expect(root.hitTest(Point(x: 150, y: 155)) === root)
        turned.isHidden = false
        turned.transform = AffineTransform(
            degrees: 0, scale: Point(x: 0, y: 1), translation: .zero)
        #expect(root.hitTest(Point(x: 150, y: 110)) === root)
    }

    @Test("a transform lays out nothing")
    func layout() throws {
        let window = Window(size: Size(width: 300, height: 200))
        let view = View(identifier: "a")
        try window.addSubview(view)
        let size = view.widthAnchor.constraint(equalToConstant: 100)
        try size.activate()
        try window.runCycle()
        let before = view.layoutFrame
        var calls = 0
        window.traceHandler = { _ in calls += 1 }
        view.transform = AffineTransform(
            degrees: 45, scale: Point(x: 3, y: 3), translation: Point(x: 9, y: 9))
        try window.runCycle()
        #expect(calls == 0)
        #expect(view.layoutFrame == before)
    }
}
