import Testing

@testable import PicturePixels

@Suite("Pixels at other sizes")
struct ScalablePictureTests {
    /// Opaque greys, row by row.
    private func greys(_ rows: [[UInt8]]) -> PixelImage {
        PixelImage(
            width: rows[0].count, height: rows.count,
            bytes: rows.flatMap { row in row.flatMap { [$0, $0, $0, 255] } })
    }

    private func values(_ image: PixelImage) -> [[UInt8]] {
        (0..<image.height).map { y in
            (0..<image.width).map { x in image.bytes[4 * (y * image.width + x)] }
        }
    }

    private func alphas(_ image: PixelImage) -> [[UInt8]] {
        (0..<image.height).map { y in
            (0..<image.width).map { x in image.bytes[4 * (y * image.width + x) + 3] }
        }
    }

    @Test("a picture at its own size is itself")
    func same() {
        let image = greys([[1, 2, 3], [4, 5, 6]])
        let drawn = ScalablePicture(image).draw(
            in: PixelFrame(x: 0, y: 0, width: 3, height: 2), left: 0, top: 0, columns: 3, rows: 2)
        #expect(drawn == image)
    }

    @Test("a pixel that covers several is their mean, weighted by their shares of it")
    func reduced() {
        let picture = ScalablePicture(greys([[0, 60, 120]]))
        let halves = picture.draw(
            in: PixelFrame(x: 0, y: 0, width: 1.5, height: 1), left: 0, top: 0, columns: 2,
            rows: 1)
        // Each pixel is two of the picture; the second one has half of its area only.
        #expect(values(halves) == [[30, 60]])
        #expect(alphas(halves) == [[255, 128]])
        let one = picture.draw(
            in: PixelFrame(x: 0, y: 0, width: 1, height: 1), left: 0, top: 0, columns: 1, rows: 1)
        #expect(values(one) == [[60]])
    }

    @Test("an enlarged picture is interpolated between the middles of its pixels")
    func enlarged() {
        let drawn = ScalablePicture(greys([[0, 100]])).draw(
            in: PixelFrame(x: 0, y: 0, width: 4, height: 1), left: 0, top: 0, columns: 4, rows: 1)
        #expect(values(drawn) == [[0, 25, 75, 100]])
    }

    @Test("beside the picture there is nothing, and an edge within a pixel lets a part through")
    func edges() {
        let drawn = ScalablePicture(greys([[200, 200]])).draw(
            in: PixelFrame(x: 0.5, y: 1, width: 2, height: 1), left: -1, top: 0, columns: 5,
            rows: 3)
        #expect(alphas(drawn) == [[0, 0, 0, 0, 0], [0, 128, 255, 128, 0], [0, 0, 0, 0, 0]])
        #expect(values(drawn)[1] == [0, 100, 200, 100, 0])
    }

    @Test("a part of a picture is that part of the whole one, at any scale")
    func parts() {
        let rows = (0..<37).map { y in (0..<53).map { x in UInt8((x * 4 + y) % 256) } }
        let picture = ScalablePicture(greys(rows))
        for (width, height) in [(53.0, 37.0), (20.3, 11.7), (7.0, 5.0), (90.5, 70.25)] {
            let frame = PixelFrame(x: 1.25, y: 0.5, width: width, height: height)
            let (columns, lines) = (Int(width) + 3, Int(height) + 2)
            let whole = values(
                picture.draw(in: frame, left: 0, top: 0, columns: columns, rows: lines))
            let part = values(
                picture.draw(in: frame, left: 2, top: 1, columns: columns - 3, rows: lines - 2))
            #expect(part == whole[1..<lines - 1].map { Array($0[2..<columns - 1]) })
        }
    }

    @Test("far smaller pictures keep the mean: each level is the mean of the one before")
    func levels() {
        let rows = (0..<64).map { y in (0..<64).map { x in UInt8((x + y) % 2 * 200) } }
        let drawn = ScalablePicture(greys(rows)).draw(
            in: PixelFrame(x: 0, y: 0, width: 3, height: 3), left: 0, top: 0, columns: 3, rows: 3)
        #expect(values(drawn) == Array(repeating: [100, 100, 100], count: 3))
    }

    @Test("a picture larger than the bound is halved, and keeps its proportions")
    func bound() {
        let image = PixelImage(
            width: 4096, height: 2049, bytes: [UInt8](repeating: 255, count: 4 * 4096 * 2049))
        let picture = ScalablePicture(image)
        #expect(picture.byteCount < 4 * ScalablePicture.pixelMaximum * 3 / 2)
        let drawn = picture.draw(
            in: PixelFrame(x: 0, y: 0, width: 4, height: 2), left: 0, top: 0, columns: 4, rows: 2)
        #expect(drawn.bytes == [UInt8](repeating: 255, count: 32))
    }

    @Test("over a colour nothing is let through; opacity counts for colour and alpha")
    func over() {
        let image = PixelImage(width: 2, height: 1, bytes: [100, 50, 0, 128, 255, 255, 255, 255])
        // 100 + 200 · 127 / 255 = 199.6, 50 + 99.6, 0 + 99.6.
        #expect(
            image.over((200, 200, 200), opacity: 1).bytes == [
                200, 150, 100, 255, 255, 255, 255, 255,
            ])
        #expect(image.over(nil, opacity: 0.5).bytes == [50, 25, 0, 64, 127, 127, 127, 127])
        #expect(image.over(nil, opacity: 1) == image)
    }
}
