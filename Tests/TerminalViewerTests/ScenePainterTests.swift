import SceneDocument
import SceneWire
import Testing

@testable import TerminalViewer

@Suite("Painting")
struct ScenePainterTests {
    @Test(
        "each border is drawn on the outermost cells",
        arguments: [
            (BorderStyle.single, ["┌──┐", "│  │", "└──┘"]), (.rounded, ["╭──╮", "│  │", "╰──╯"]),
            (.double, ["╔══╗", "║  ║", "╚══╝"]), (.heavy, ["┏━━┓", "┃  ┃", "┗━━┛"]),
            (.none, ["", "", ""]),
        ])
    func borders(style: BorderStyle, expected: [String]) throws {
        let scene = SceneBuilder(width: 32, height: 48) { $0.border = style }
        #expect(try picture(scene) == expected)
    }

    @Test("a border needs two cells in both directions")
    func smallBorders() throws {
        var scene = SceneBuilder(width: 48, height: 32)
        scene.add("pair", in: "root", 0, 0, 16, 32) { $0.border = .single }
        scene.add("row", in: "root", 16, 0, 32, 16) { $0.border = .single }
        #expect(try picture(scene) == ["┌┐", "└┘"])
    }

    @Test("later siblings and subviews are in front, and an opaque background hides what is behind")
    func order() throws {
        var scene = SceneBuilder(width: 64, height: 48) { $0.border = .single }
        scene.label("behind it", 8, 16, 48)
        scene.add("front", in: "root", 16, 16, 16, 16) { $0.background = Color("#ff0000") }
        scene.label("x", in: "front", 0, 0, 8)
        let grid = try ScenePainter.paint(scene.mirror(), metrics: standardMetrics())
        #expect(grid.lines == ["┌──────┐", "│bx in…│", "└──────┘"])
        #expect(grid[2, 1].background == Color("#ff0000"))
        #expect(grid[4, 1].background == nil)
    }

    @Test("hidden and wholly transparent subtrees are left out")
    func hidden() throws {
        var scene = SceneBuilder(width: 32, height: 32)
        scene.add("gone", in: "root", 0, 0, 16, 16) { $0.hidden = true }
        scene.label("a", in: "gone", 0, 0, 8)
        scene.add("clear", in: "root", 0, 16, 16, 16) { $0.opacity = 0 }
        scene.label("b", in: "clear", 0, 0, 8)
        scene.label("c", 16, 16, 8)
        #expect(try picture(scene) == ["", "  c"])
    }

    @Test("only a view that clips, or a scroll view, cuts its subviews; the root always does")
    func clipping() throws {
        var scene = SceneBuilder(width: 80, height: 48)
        scene.add("open", in: "root", 0, 0, 16, 16)
        scene.label("abcd", in: "open", 0, 0, 32)
        scene.add("clipping", in: "root", 0, 16, 16, 16) { $0.clips = true }
        scene.label("abcd", in: "clipping", 0, 0, 32)
        scene.add("scroll", in: "root", 0, 32, 16, 16) { $0.kind = .scroll }
        scene.label("abcd", in: "scroll", 0, 0, 32)
        scene.label("wxyz", 64, 0, 32)
        #expect(try picture(scene) == ["abcd    wx", "ab", "ab"])
    }

    @Test("a scroll view shows the part that its offset says")
    func scrolling() throws {
        var scene = SceneBuilder(width: 40, height: 32)
        scene.add("scroll", in: "root", 0, 0, 40, 32) { content in
            content.kind = .scroll
            content.contentOffsetX = 8
            content.contentOffsetY = 16
        }
        for row in 0..<4 { scene.label("row \(row)", in: "scroll", 0, row * 16, 40) }
        // The content is twice as high as what is shown: half the bar, one of two rows, is the
        // thumb, and it stands in the middle, rounded down the screen.
        #expect(try picture(scene) == ["ow 1│", "ow 2┃"])
    }

    @Test("a scroll view's bars stand on its last column and row, or on its border")
    func scrollBars() throws {
        var scene = SceneBuilder(width: 96, height: 96)
        scene.add("scroll", in: "root", 0, 0, 48, 96) { content in
            content.kind = .scroll
            content.border = .single
            content.contentOffsetY = 96
        }
        scene.add("tall", in: "scroll", 0, 0, 48, 192)
        scene.add("wide", in: "root", 48, 0, 48, 96) { $0.kind = .scroll }
        scene.add("long", in: "wide", 0, 0, 96, 96)
        #expect(
            try picture(scene) == [
                "┌────┐", "│    │", "│    │", "│    ┃", "│    ┃", "└────┘━━━───",
            ])
        #expect(ScrollBar.thumb(content: 100, shown: 100, offset: 0, cells: 10) == nil)
        #expect(ScrollBar.thumb(content: 1000, shown: 10, offset: 0, cells: 10) == 0..<1)
        #expect(ScrollBar.thumb(content: 1000, shown: 10, offset: 990, cells: 10) == 9..<10)
        #expect(ScrollBar.thumb(content: 200, shown: 100, offset: -50, cells: 10) == 0..<5)
        #expect(ScrollBar.thumb(content: 200, shown: 100, offset: 50, cells: 10) == 3..<8)
    }

    @Test("a wide character takes two cells and becomes a space where it is cut")
    func wideCharacters() throws {
        var scene = SceneBuilder(width: 64, height: 48)
        scene.label("日本", 0, 0, 32, lineWidth: 32)
        scene.add("clip", in: "root", 0, 16, 24, 16) { $0.clips = true }
        scene.label("日本語", in: "clip", -8, 0, 48, lineWidth: 48)
        // Painted over in the middle of the second character.
        scene.label("日本", 0, 32, 32, lineWidth: 32)
        scene.label("x", 16, 32, 8)
        let grid = try ScenePainter.paint(scene.mirror(), metrics: standardMetrics())
        #expect(grid.lines == ["日本", " 本", "日x"])
        #expect(grid[0, 0].columns == 2)
        #expect(grid[1, 0].isContinuation)
        #expect(grid[3, 2] == .blank)
    }

    @Test("a text that has too few cells ends with an ellipsis, and never in half a character")
    func ellipsis() throws {
        var scene = SceneBuilder(width: 64, height: 64)
        scene.label("abcdef", 0, 0, 32)
        scene.label("日本語", 0, 16, 32, lineWidth: 48)
        scene.label("abc", 0, 32, 8)
        scene.label("abc", 0, 48, 0)
        #expect(try picture(scene) == ["abc…", "日…", "…", ""])
    }

    @Test("nothing that a text says reaches the terminal as a command")
    func controlCharacters() throws {
        var scene = SceneBuilder(width: 64, height: 16)
        scene.label("a\u{1B}[2Jb\u{7}\u{9B}\n\u{202E}c", 0, 0, 64)
        #expect(try picture(scene) == ["a[2Jbc"])
    }

    @Test("at half the size edges are rounded in absolute coordinates, so neighbours stay flush")
    func half() throws {
        var scene = SceneBuilder(width: 96, height: 64)
        for (index, x) in [0, 24, 48, 72].enumerated() {
            // Three cells each; at half the size the edges are at 0, 1.5, 3, 4.5 and 6.
            scene.add("v\(index)", in: "root", x, 0, 24, 64) { $0.border = .single }
        }
        let size = GridSize(columns: 6, rows: 2)
        #expect(try picture(scene, size: size, fit: .fit(size)) == ["┌┐ ┌┐", "└┘ └┘"])
        #expect(
            try picture(scene) == [
                "┌─┐┌─┐┌─┐┌─┐", "│ ││ ││ ││ │", "│ ││ ││ ││ │", "└─┘└─┘└─┘└─┘",
            ])
    }

    @Test("at double the size boxes grow, texts keep theirs and stay where they are aligned")
    func double() throws {
        var scene = SceneBuilder(width: 48, height: 32)
        scene.add("box", in: "root", 0, 0, 48, 32) { $0.border = .single }
        scene.label("l", 8, 0, 32, align: .left)
        scene.label("mm", 8, 16, 32, align: .center, lineX: 8)
        let size = GridSize(columns: 12, rows: 4)
        #expect(
            try picture(scene, size: size, fit: .fit(size)) == [
                "┌─l────────┐", "│          │", "│    mm    │", "└──────────┘",
            ])
        var right = SceneBuilder(width: 48, height: 32)
        right.label("r", 8, 0, 32, align: .right, lineX: 24)
        right.label("n", 8, 16, 32, align: .natural, lineX: 24)
        #expect(try picture(right, fit: .zoom(2)) == ["         r", "", "         n", ""])
    }

    @Test("lines that are squeezed onto one row do not write over each other")
    func squeezedLines() throws {
        var scene = SceneBuilder(width: 32, height: 64)
        scene.add("label", in: "root", 0, 0, 32, 64) { content in
            content.kind = .label
            content.lines = ["one", "two", "3", "4"].enumerated().map { index, text in
                ContentLine(text: text, x: 0, y: Int32(index * 16), width: 24)
            }
        }
        #expect(try picture(scene) == ["one", "two", "3", "4"])
        let size = GridSize(columns: 4, rows: 2)
        // The lines' rows are 0, 0.5, 1 and 1.5.
        #expect(try picture(scene, size: size, fit: .fit(size)) == ["one", "two"])
    }

    @Test("an offset moves the picture without rounding anew")
    func offset() throws {
        var scene = SceneBuilder(width: 48, height: 48) { $0.border = .single }
        scene.add("inner", in: "root", 12, 16, 20, 16) { $0.background = Color("#00ff00") }
        let size = GridSize(columns: 4, rows: 2)
        let grid = try ScenePainter.paint(
            scene.mirror(), metrics: standardMetrics(), size: size,
            offset: GridPoint(column: 2, row: 1))
        #expect(grid.lines == ["   │", "───┘"])
        // The left edge, 1.5 cells, is rounded up to 2; the right one is at 4.
        #expect((0..<4).map { grid[$0, 0].background != nil } == [true, true, false, false])
    }

    @Test("units are turned into points before points into cells")
    func units() throws {
        var scene = SceneBuilder(width: 640, height: 640) { $0.border = .single }
        scene.label("x", 320, 320, 160, 320)
        let metrics = try SceneMetrics(unitsPerPoint: 20, cell: Size(width: 8, height: 16))
        let grid = try ScenePainter.paint(scene.mirror(), metrics: metrics)
        #expect(grid.lines == ["┌──┐", "└─x┘"])
    }

    @Test(
        "a server's numbers that cannot be used are refused",
        arguments: [0, -1, Double.nan, .infinity])
    func badMetrics(value: Double) {
        #expect(throws: SceneMetrics.Failure.self) {
            try SceneMetrics(unitsPerPoint: value, cell: Size(width: 8, height: 16))
        }
        #expect(throws: SceneMetrics.Failure.self) {
            try SceneMetrics(unitsPerPoint: 1, cell: Size(width: 8, height: value))
        }
    }

    @Test("opacity tints what is behind and dims what is faint")
    func opacity() throws {
        var scene = SceneBuilder(width: 32, height: 16) { $0.background = Color("#ffffff") }
        scene.add("veil", in: "root", 0, 0, 16, 16) { content in
            content.background = Color("#000000")
            content.opacity = 51
        }
        scene.label("ab", in: "veil", 0, 0, 16)
        let grid = try ScenePainter.paint(scene.mirror(), metrics: standardMetrics())
        // A fifth of black over white.
        #expect(grid[0, 0].background == Color("#cccccc"))
        #expect(grid[0, 0].attributes == .dim)
        #expect(grid[2, 0].background == Color("#ffffff"))
    }

    @Test("a text without a colour can be read on any background")
    func readableText() throws {
        var scene = SceneBuilder(width: 32, height: 16)
        scene.add("dark", in: "root", 0, 0, 8, 16) { $0.background = Color("#101010") }
        scene.add("bright", in: "root", 8, 0, 8, 16) { $0.background = Color("#f0f0f0") }
        scene.label("abc", 0, 0, 24)
        let grid = try ScenePainter.paint(scene.mirror(), metrics: standardMetrics())
        #expect(
            (0..<3).map { grid[$0, 0].foreground } == [Color("#ffffff"), Color("#000000"), nil])
    }

    @Test("views and scenes of extreme sizes do no harm")
    func extremes() throws {
        let far = Int(Int32.max)
        var scene = SceneBuilder(width: 16, height: 16)
        scene.add("huge", in: "root", -far, -far, far, far) { $0.border = .heavy }
        scene.add("vast", in: "huge", 0, 0, far, far) { $0.background = Color("#ff0000") }
        scene.add("negative", in: "root", 8, 8, -8, -8) { $0.border = .single }
        #expect(try picture(scene) == [""])
        let endless = SceneBuilder(width: far, height: far)
        let grid = try ScenePainter.paint(endless.mirror(), metrics: standardMetrics())
        #expect(grid.width == CellGrid.sideMaximum)
        #expect(
            ScenePainter.paint(SceneMirror(), metrics: try standardMetrics()).text == "")
    }
}
