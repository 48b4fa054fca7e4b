import LayoutValues
import PicturePixels
import SceneDocument
import SceneWire
import Testing

@testable import TerminalViewer

@Suite("Where pictures lie on a grid")
struct ImagePlacementTests {
    /// Cells of 8 by 16 points; the view has 10 by 4 of them, its corner at (2, 1).
    private let area = CellRect(left: 2, top: 1, right: 12, bottom: 5)
    private let size = Size(width: 80, height: 64)
    private let everywhere = CellRect(left: -100, top: -100, right: 100, bottom: 100)

    private func place(
        _ width: UInt32, _ height: UInt32, _ mode: ContentMode, clip: CellRect? = nil
    ) -> ImagePlacement? {
        var image = LookImage()
        (image.width, image.height, image.mode) = (width, height, mode)
        return ImagePlacement(image, size: size, area: area, clip: clip ?? everywhere)
    }

    /// The picture's edges in cells of the grid: left, top, right, bottom.
    private func edges(_ placement: ImagePlacement?) -> [Double]? {
        placement.map { placement in
            let x = Double(placement.cover.left) + placement.frame.x
            let y = Double(placement.cover.top) + placement.frame.y
            return [x, y, x + placement.frame.width, y + placement.frame.height]
        }
    }

    private typealias Row = (ContentMode, [Double])

    private static let smallerPlaces: [Row] = [
        (.scaleToFill, [2, 1, 12, 5]),
        // By the factor 2: 80 by 32 points, 16 above and below.
        (.scaleAspectFit, [2, 2, 12, 4]),
        // By the factor 4: 160 by 64 points, 40 on either side.
        (.scaleAspectFill, [-3, 1, 17, 5]),
        (.redraw, [2, 1, 12, 5]),
        (.center, [4.5, 2.5, 9.5, 3.5]),
        (.top, [4.5, 1, 9.5, 2]), (.bottom, [4.5, 4, 9.5, 5]),
        (.left, [2, 2.5, 7, 3.5]), (.right, [7, 2.5, 12, 3.5]),
        (.topLeft, [2, 1, 7, 2]), (.topRight, [7, 1, 12, 2]),
        (.bottomLeft, [2, 4, 7, 5]), (.bottomRight, [7, 4, 12, 5]),
    ]

    @Test(
        "a smaller picture of 40 by 16 points, five cells by one, in each of the thirteen modes",
        arguments: smallerPlaces)
    func smaller(_ mode: ContentMode, _ expected: [Double]) {
        #expect(edges(place(40, 16, mode)) == expected)
    }

    private static let third = 5.0 / 3
    private static let largerPlaces: [Row] = [
        (.scaleToFill, [2, 1, 12, 5]),
        // By the factor 1/2: 80 by 48 points, 8 above and below.
        (.scaleAspectFit, [2, 1.5, 12, 4.5]),
        // By the factor 2/3: 106 2/3 by 64 points.
        (.scaleAspectFill, [2 - third, 1, 12 + third, 5]),
        (.redraw, [2, 1, 12, 5]),
        (.center, [-3, 0, 17, 6]),
        (.top, [-3, 1, 17, 7]), (.bottom, [-3, -1, 17, 5]),
        (.left, [2, 0, 22, 6]), (.right, [-8, 0, 12, 6]),
        (.topLeft, [2, 1, 22, 7]), (.topRight, [-8, 1, 12, 7]),
        (.bottomLeft, [2, -1, 22, 5]), (.bottomRight, [-8, -1, 12, 5]),
    ]

    @Test(
        "a larger picture of 160 by 96 points, twenty cells by six, in each of the thirteen modes",
        arguments: largerPlaces)
    func larger(_ mode: ContentMode, _ expected: [Double]) throws {
        let found = try #require(edges(place(160, 96, mode)))
        for (edge, wanted) in zip(found, expected) { #expect(abs(edge - wanted) < 1e-9) }
    }

    @Test("the cells that a picture touches are whole; those that may be seen are cut")
    func cover() throws {
        let clip = CellRect(left: 0, top: 0, right: 6, bottom: 3)
        let placement = try #require(place(40, 16, .center, clip: clip))
        #expect(placement.cover == CellRect(left: 4, top: 2, right: 10, bottom: 4))
        #expect(placement.frame == PixelFrame(x: 0.5, y: 0.5, width: 5, height: 1))
        #expect(placement.seen == CellRect(left: 4, top: 2, right: 6, bottom: 3))
        #expect(!placement.fillsSeenCells)
        let corner = try #require(place(40, 16, .topLeft))
        #expect(corner.fillsSeenCells)
        // Its edges within cells cannot be seen.
        let inner = CellRect(left: 5, top: 3, right: 9, bottom: 4)
        let middle = try #require(place(40, 32, .center, clip: inner))
        #expect(middle.fillsSeenCells)
    }

    @Test("a view without an area, and a picture without one, have no place")
    func empty() {
        #expect(place(0, 0, .scaleToFill) == nil)
        #expect(place(0, 0, .center) == nil)
        var image = LookImage()
        (image.width, image.height) = (8, 8)
        #expect(ImagePlacement(image, size: .zero, area: area, clip: everywhere) == nil)
        let none = CellRect(left: 2, top: 1, right: 2, bottom: 5)
        #expect(ImagePlacement(image, size: size, area: none, clip: everywhere) == nil)
    }
}
