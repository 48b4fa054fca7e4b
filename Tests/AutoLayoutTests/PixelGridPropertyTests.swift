import AutoLayout
import SeededRandom
import Testing

@Suite("Rounding to pixels, at random")
struct PixelGridPropertyTests {
    @Test("edges at one place are shown at one place, on whole pixels", arguments: [1, 1.5, 2, 3])
    func flush(scale: Double) {
        let grid = PixelGrid(scale: scale)
        var random = SplitMix64(seed: 0x51DE)
        for round in 0..<20_000 {
            let origin = Point(x: random.length(), y: random.length())
            let first = Rect(
                x: random.length(), y: random.length(), width: random.length(),
                height: random.length())
            // A neighbour at the right edge, in the same superview or in one whose corner is
            // elsewhere.
            let away = Point(x: origin.x - 3.25, y: origin.y)
            let second = Rect(
                x: first.maxX + 3.25, y: first.minY, width: random.length(), height: first.height)
            let shown = grid.frame(first, superviewOrigin: origin)
            let next = grid.frame(second, superviewOrigin: away)
            let right = grid.edge(origin.x) + shown.maxX
            let left = grid.edge(away.x) + next.minX
            #expect(abs(right - left) < 1e-9, "seed 0x51DE, round \(round)")
            let pixels = right * scale
            #expect(abs(pixels - pixels.rounded()) < 1e-6, "seed 0x51DE, round \(round)")
            #expect(abs(right - (origin.x + first.maxX)) <= 0.5 / scale + 1e-9)
            #expect(shown.width >= 0 && shown.height >= 0)
        }
    }

    @Test(
        "[PROP-14] frames that begin before their superview go to whole pixels too, as wide as they are"
    )
    func negative() {
        let grid = PixelGrid(scale: 2)
        var random = SplitMix64(seed: 0x51DF)
        for round in 0..<20_000 {
            let origin = Point(x: Double(random.below(1000)), y: 0)
            // Quarters of a point: half of them are halves of a pixel.
            let start = -Double(random.below(400)) / 4
            let width = Double(random.below(400)) / 2
            let shown = grid.frame(
                Rect(x: start, y: 0, width: width, height: 1), superviewOrigin: origin)
            #expect(shown.minX == -((-start * 2).rounded() / 2), "seed 0x51DF, round \(round)")
            #expect(shown.width == width, "seed 0x51DF, round \(round)")
        }
    }

    @Test("without rounding frames stay as solved")
    func exact() {
        let grid = PixelGrid(scale: 1, rounds: false)
        let frame = Rect(x: 0.3, y: 1.7, width: 10.01, height: 3)
        #expect(grid.frame(frame, superviewOrigin: Point(x: 0.4, y: 0.1)) == frame)
    }
}

extension SplitMix64 {
    /// A length of quarters of a 32nd, so that sums are exact and neighbours really meet.
    fileprivate mutating func length() -> Double { Double(below(100_000)) / 128 }
}
