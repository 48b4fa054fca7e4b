import LayoutValues
import SceneDocument
import SceneWire
import SeededRandom
import Testing

@testable import TerminalViewer

private let red: [UInt8] = [255, 0, 0, 255]
private let green: [UInt8] = [0, 255, 0, 255]
private let blue: [UInt8] = [0, 0, 255, 255]
private let white: [UInt8] = [255, 255, 255, 255]
private let clear: [UInt8] = [0, 0, 0, 0]

extension ViewContent {
    /// Has the view show a picture of that size in points.
    mutating func show(
        _ hash: String, _ width: UInt32, _ height: UInt32, _ mode: ContentMode = .scaleToFill
    ) {
        kind = .image
        var image = LookImage()
        (image.hash, image.width, image.height, image.mode) = (hash, width, height, mode)
        var look = look ?? ViewLook()
        look.image = image
        self.look = look
    }
}

@Suite("Pictures as blocks")
struct ImagePaintingTests {
    /// Two columns of four pixels, for two cells by two.
    private func flag() throws -> ScenePicture {
        try scenePicture("flag", width: 2, [red, green, blue, white, white, blue, green, red])
    }

    private func paint(_ scene: SceneBuilder, _ shelf: PictureShelf) throws -> CellGrid {
        try ScenePainter.paint(scene.mirror(), metrics: standardMetrics(), pictures: shelf)
    }

    private func color(_ bytes: [UInt8]) -> Color { Color(r: bytes[0], g: bytes[1], b: bytes[2]) }

    @Test("two pixels a cell: the upper one in the colour of the block, the lower one behind it")
    func halves() throws {
        var scene = SceneBuilder(width: 32, height: 48)
        scene.add("photo", in: "root", 8, 16, 16, 32) { $0.show("flag", 2, 4) }
        let grid = try paint(scene, shelf([flag()]))
        #expect(grid.lines == ["", " ▀▀", " ▀▀"])
        let expected = [[red, blue], [green, white], [white, green], [blue, red]]
        for (index, pair) in expected.enumerated() {
            let cell = grid[1 + index % 2, 1 + index / 2]
            #expect(cell.foreground == color(pair[0]), "cell \(index)")
            #expect(cell.background == color(pair[1]), "cell \(index)")
        }
    }

    @Test("in ASCII a cell has one colour, the mean of both pixels; equal pixels are a space")
    func ascii() throws {
        var scene = SceneBuilder(width: 16, height: 16)
        scene.add("photo", in: "root", 0, 0, 16, 16) { $0.show("p", 2, 2) }
        let picture = try scenePicture("p", width: 2, [red, white, blue, white])
        let grid = try paint(scene, shelf([picture], encoding: .ascii))
        #expect(grid.lines == [""])
        #expect(grid[0, 0].background == Color(r: 128, g: 0, b: 128))
        #expect(grid[1, 0].background == color(white))
        let halves = try paint(scene, shelf([picture]))
        #expect(halves.lines == ["▀"])
        #expect(halves[1, 0].background == color(white))
    }

    @Test("what lets through shows the background behind it; the terminal's own stays as it is")
    func alpha() throws {
        let half: [UInt8] = [255, 0, 0, 128]
        let picture = try scenePicture("p", width: 2, [clear, half, red, clear])
        var scene = SceneBuilder(width: 16, height: 16)
        scene.add("photo", in: "root", 0, 0, 16, 16) { content in
            content.background = Color(r: 0, g: 0, b: 255)
            content.show("p", 2, 2)
        }
        let known = try paint(scene, shelf([picture]))
        #expect(known.lines == ["▀▀"])
        #expect(known[0, 0].foreground == color(blue))
        #expect(known[0, 0].background == color(red))
        #expect(known[1, 0].foreground == Color(r: 128, g: 0, b: 127))
        #expect(known[1, 0].background == color(blue))
        var bare = SceneBuilder(width: 16, height: 16)
        bare.add("photo", in: "root", 0, 0, 16, 16) { $0.show("p", 2, 2) }
        let unknown = try paint(bare, shelf([picture]))
        #expect(unknown.lines == ["▄▀"])
        #expect(unknown[0, 0].foreground == color(red))
        #expect(unknown[0, 0].background == nil)
        // Half of red over black.
        #expect(unknown[1, 0].foreground == Color(r: 128, g: 0, b: 0))
    }

    @Test("a picture larger than its view is cut where the view clips, or a view around it")
    func clipped() throws {
        let picture = try scenePicture("p", width: 1, [red])
        func shown(_ change: (inout ViewContent) -> Void, _ outer: (inout ViewContent) -> Void)
            throws -> [String]
        {
            var scene = SceneBuilder(width: 80, height: 16)
            scene.add("outer", in: "root", 8, 0, 48, 16, outer)
            scene.add("photo", in: "outer", 16, 0, 16, 16) { content in
                content.show("p", 64, 16, .center)
                change(&content)
            }
            let grid = try paint(scene, shelf([picture]))
            return [
                String((0..<10).map { grid[$0, 0].background == color(red) ? "#" : "." })
            ]
        }
        // The middle of the view is that of column 4; the picture has 8 columns.
        #expect(try shown({ _ in }, { _ in }) == ["########.."])
        #expect(try shown({ $0.clips = true }, { _ in }) == ["...##....."])
        #expect(try shown({ _ in }, { $0.clips = true }) == [".######..."])
    }

    @Test(
        "a view in front hides a picture, text stands on it; both are told from the picture's cells"
    )
    func overlapped() throws {
        var scene = SceneBuilder(width: 64, height: 32)
        scene.add("photo", in: "root", 0, 0, 64, 32) { $0.show("p", 8, 2) }
        scene.add("box", in: "root", 0, 0, 16, 16) { $0.background = Color(r: 1, g: 2, b: 3) }
        scene.label("Hi", 24, 16, 16)
        scene.add("tint", in: "root", 48, 0, 16, 16) { $0.background = Color(rgba: 0xFFFF_FF80) }
        let grid = try paint(scene, shelf([scenePicture("p", width: 1, [red])]))
        func marks(_ row: Int) -> String {
            String(
                (0..<8).map { column -> Character in
                    let cell = grid[column, row]
                    return cell.isPicture ? "#" : cell.picture > 0 ? "t" : "."
                })
        }
        #expect(marks(0) == "..####..")
        #expect(marks(1) == "###tt###")
        #expect(grid[0, 0].background == Color(r: 1, g: 2, b: 3))
        #expect(grid[3, 1].background == color(red))
        #expect(grid[6, 0].background == Color(r: 255, g: 128, b: 128))
        let placed = try #require(grid.pictures[grid[3, 0].picture])
        #expect(placed.cover == CellRect(left: 0, top: 0, right: 8, bottom: 2))
    }

    @Test("while a picture is on its way, and where there is none, the view says so")
    func missing() throws {
        var scene = SceneBuilder(width: 240, height: 16)
        scene.add("photo", in: "root", 0, 0, 240, 16) { $0.show("p", 8, 2) }
        let waiting = PictureShelf(colors: .ansi256, encoding: .utf8)
        #expect(try paint(scene, waiting).lines == ["           loading"])
        let failed = PictureShelf(colors: .ansi256, encoding: .utf8, hashes: ["p"]) { _ in
            .failure(PictureFailure("404, not here", isFinal: true))
        }
        #expect(try paint(scene, failed).lines == ["  no picture: 404, not here"])
        // Without colours as before: nothing.
        #expect(try paint(scene, PictureShelf(colors: .none, encoding: .utf8)).lines == [""])
        #expect(try paint(scene, PictureShelf()).lines == [""])
    }

    @Test("256 and 16 colours take the nearest ones")
    func colors() throws {
        var scene = SceneBuilder(width: 8, height: 16)
        scene.add("photo", in: "root", 0, 0, 8, 16) { $0.show("p", 1, 2) }
        let picture = try scenePicture("p", width: 1, [[250, 5, 5, 255], [0, 0, 0, 255]])
        func ansi(_ colors: ColorDepth) throws -> String {
            try ANSIPicture.render(
                scene.mirror(), metrics: standardMetrics(), colors: colors,
                pictures: shelf([picture]))
        }
        #expect(try ansi(.trueColor) == "\u{1B}[38;2;250;5;5;48;2;0;0;0m▀\u{1B}[m\n")
        #expect(try ansi(.ansi256) == "\u{1B}[38;5;196;48;5;16m▀\u{1B}[m\n")
        #expect(try ansi(.ansi16) == "\u{1B}[91;40m▀\u{1B}[m\n")
    }

    @Test("a canvas that follows moving pictures shows what one painted anew shows")
    func canvas() throws {
        let picture = try scenePicture("p", width: 2, [red, green, blue, clear])
        let shelf = shelf([picture])
        let size = GridSize(columns: 20, rows: 8)
        var random = SplitMix64(seed: 5)
        var canvas = SceneCanvas()
        for _ in 0..<200 {
            func any(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
            var scene = SceneBuilder(width: 160, height: 128)
            let modes = ContentMode.allCases
            for index in 0..<3 {
                let (x, y) = (any(-20...150), any(-20...120))
                let (width, height) = (any(0...90), any(0...90))
                let mode = modes[any(0...modes.count - 1)]
                scene.add("photo\(index)", in: "root", x, y, width, height) {
                    $0.show("p", 40, 40, mode)
                }
            }
            let mirror = try scene.mirror()
            let transform = ViewTransform(
                mirror, metrics: try standardMetrics(), fit: .natural, offset: .zero)
            canvas.paint(mirror, transform, size: size, tick: nil, pictures: shelf)
            let fresh = ScenePainter.paint(
                mirror, metrics: try standardMetrics(), size: size, pictures: shelf)
            #expect(canvas.grid.cells == fresh.cells)
        }
    }
}
