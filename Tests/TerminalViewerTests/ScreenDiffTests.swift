import SceneDocument
import Testing

@testable import TerminalViewer

private func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "^")
}

private func grid(_ columns: Int, _ lines: String...) -> CellGrid {
    var grid = CellGrid(size: GridSize(columns: columns, rows: lines.count))
    for (row, line) in lines.enumerated() {
        grid.write(line, column: 0, row: row, clip: grid.bounds)
    }
    return grid
}

@Suite("Screen differences")
struct ScreenDiffTests {
    private func diff(
        _ old: CellGrid?, _ new: CellGrid, _ colors: ColorDepth = .trueColor,
        synchronized: Bool = false
    ) -> String {
        text(ScreenDiff.bytes(from: old, to: new, colors: colors, synchronized: synchronized))
    }

    @Test("equal pictures need no bytes, not even the brackets")
    func nothing() {
        #expect(diff(grid(3, "abc"), grid(3, "abc"), synchronized: true) == "")
    }

    @Test("only changed cells are written, and short gaps where that is shorter than moving")
    func changedCells() {
        #expect(diff(grid(6, "abcdef", "x"), grid(6, "aXYdeF", "x")) == "^[1;2HXYdeF")
        #expect(diff(grid(9, "abcdefghi"), grid(9, "XbcdefghY")) == "^[HX^[7CY")
        #expect(diff(grid(6, "a日cde"), grid(6, "X日cdY")) == "^[HX^[4CY")
    }

    @Test("an unknown screen, or one of another size, is cleared first")
    func unknownScreen() {
        #expect(diff(nil, grid(3, "", " a")) == "^[m^[2J^[2;2Ha")
        #expect(diff(grid(4, "a"), grid(3, "a")) == "^[m^[2J^[Ha")
    }

    @Test("the cursor is moved by whatever takes the fewest bytes")
    func cursor() {
        // Down a row and back over what was written: VT and BS.
        #expect(
            diff(grid(9, "", "", ""), grid(9, "    │", "    │", "    │"))
                == "^[1;5H│\u{B}\u{8}│\u{B}\u{8}│")
        // To the left edge: CR.
        #expect(diff(grid(9, "", ""), grid(9, "     x", "y")) == "^[1;6Hx\u{B}\u{D}y")
        // After the last column nobody knows where the cursor is.
        #expect(diff(grid(2, "", ""), grid(2, "ab", "c")) == "^[Hab^[2Hc")
        #expect(diff(grid(20, ""), grid(20, "a          b")) == "^[Ha^[10Cb")
    }

    @Test("the cursor goes on after East Asian characters, and is placed absolutely after emoji")
    func wide() {
        #expect(diff(nil, grid(5, "日本x", "ab")) == "^[m^[2J^[H日本x^[2Hab")
        #expect(diff(grid(4, ""), grid(4, "🙂x")) == "^[H🙂^[1;3Hx")
    }

    @Test("to the right of a character of several scalars the row is written again")
    func clusters() {
        let family = "👨‍👩‍👧"
        #expect(diff(grid(5, "ab cd"), grid(5, family + " cd")) == "^[H\(family)^[1;3H cd")
    }

    @Test("colours and attributes are set where they change and ended")
    func style() {
        var new = grid(3, "")
        new.write(
            "ab", column: 0, row: 0, clip: new.bounds, foreground: Color("#010203"),
            attributes: .bold)
        new.write("c", column: 2, row: 0, clip: new.bounds)
        #expect(diff(grid(3, ""), new) == "^[1;38;2;1;2;3m^[Hab^[mc")
        #expect(diff(grid(3, ""), new, .ansi256) == "^[1;38;5;16m^[Hab^[mc")
        #expect(diff(grid(3, ""), new, .ansi16) == "^[1;30m^[Hab^[mc")
        #expect(diff(grid(3, ""), new, .none) == "^[1m^[Hab^[mc")
        var filled = grid(2, "")
        filled.fill(filled.bounds, with: Color(rgba: 0xFF00_00FF))
        #expect(diff(grid(2, ""), filled) == "^[48;2;255;0;0m^[H  ^[m")
        #expect(diff(grid(2, ""), filled, .ansi16) == "^[101m^[H  ^[m")
    }

    @Test("cells of the same colours are written together where colours change often")
    func byPens() {
        var new = grid(8, "", "")
        let colors = [Color("#ff0000"), Color("#00ff00")]
        for row in 0..<2 {
            for column in 0..<8 {
                new.write(
                    "x", column: column, row: row, clip: new.bounds,
                    foreground: colors[column / 4])
            }
        }
        // Green stands before red, since its number is lower: 4 bytes further on in both rows.
        #expect(
            diff(grid(8, "", ""), new)
                == "^[38;2;0;255;0m^[1;5Hxxxx^[2;5Hxxxx^[38;2;255;0;0m^[Hxxxx\u{B}\u{D}xxxx^[m")
    }

    @Test("without colours, a change of colour alone is none")
    func invisibleChanges() {
        var filled = grid(2, "")
        filled.fill(filled.bounds, with: Color(rgba: 0xFF00_00FF))
        #expect(diff(grid(2, ""), filled, .none) == "")
    }

    @Test("synchronized output is enclosed in brackets")
    func synchronized() {
        #expect(
            diff(grid(1, "a"), grid(1, "b"), synchronized: true) == "^[?2026h^[Hb^[?2026l")
    }
}

@Suite("Screen differences, at random")
struct ScreenDiffPropertyTests {
    private static let texts = [
        "abc", "x", "日本語", "│─┐", "👨‍👩‍👧", "e\u{301}", "🇩🇪", "❤\u{FE0F}", "  ", "ﬁn", "한",
    ]

    private func scribble(on grid: inout CellGrid, _ generator: inout Generator) {
        func color() -> Color? {
            generator.pick([
                nil, Color(rgba: 0xFF00_00FF), Color(rgba: 0x0000_FFFF), Color(rgba: 0x1234_5680),
            ])
        }
        let left = generator.int(-3...grid.width)
        let top = generator.int(-2...grid.height)
        let area = CellRect(
            left: left, top: top, right: left + generator.int(0...8),
            bottom: top + generator.int(0...3))
        switch generator.int(0...5) {
        case 0: grid.clear(area)
        case 1:
            if let color = color() { grid.fill(area, with: color) }
        case 2:
            let opacity = Double(generator.int(0...4)) / 4
            if let color = color() { grid.fill(area, with: color, opacity: opacity) }
        default:
            grid.write(
                generator.pick(Self.texts), column: left, row: top,
                clip: generator.int(0...1) == 0 ? grid.bounds : area, foreground: color(),
                opacity: generator.pick([1, 0.4]),
                attributes: generator.pick([[], .bold, .reverse, [.bold, .dim], .underline]))
        }
    }

    @Test("after any sequence of differences the screen shows the last picture", arguments: 0..<60)
    func screenFollows(seed: UInt64) throws {
        var generator = Generator(state: seed)
        let size = GridSize(columns: generator.int(1...14), rows: generator.int(1...5))
        let colors = generator.pick([ColorDepth.none, .ansi16, .ansi256, .trueColor])
        var screen = ScreenEmulator(size: size)
        var grid = CellGrid(size: size)
        var old: CellGrid?
        // As the viewer does it: cursor and colours are remembered from one picture to the next.
        var renderer = ScreenRenderer(colors: colors)
        let remembers = seed % 2 == 0
        for step in 0..<40 {
            for _ in 0..<generator.int(0...4) { scribble(on: &grid, &generator) }
            let isSynchronized = generator.int(0...1) == 0
            if remembers, generator.int(0...19) == 0 {
                // Ctrl-L: somebody else wrote to the terminal.
                try screen.feed(Array("\u{1B}[m\u{1B}[Hx".utf8))
                renderer.reset()
                old = nil
            }
            try screen.feed(
                remembers
                    ? renderer.bytes(from: old, to: grid, synchronized: isSynchronized)
                    : ScreenDiff.bytes(
                        from: old, to: grid, colors: colors, synchronized: isSynchronized))
            let expected = ScreenEmulator.expected(grid, colors: colors)
            let isRight = zip(screen.places, expected).allSatisfy(ScreenEmulator.looksAlike)
            #expect(isRight, "seed \(seed), step \(step)")
            if !remembers { #expect(screen.pen == ScreenEmulator.Place()) }
            #expect(!screen.isSynchronizing)
            guard isRight else { return }
            old = grid
        }
    }

    @Test("wide characters stay whole whatever is painted", arguments: 0..<40)
    func wideCharactersStayWhole(seed: UInt64) {
        var generator = Generator(state: seed)
        var grid = CellGrid(size: GridSize(columns: 9, rows: 3))
        for _ in 0..<200 {
            scribble(on: &grid, &generator)
            for row in 0..<grid.height {
                for column in 0..<grid.width {
                    let cell = grid[column, row]
                    if cell.isContinuation {
                        let left = grid[column - 1, row]
                        #expect(column > 0 && left.columns == 2, "seed \(seed)")
                        #expect(cell == .continuation(of: left), "seed \(seed)")
                    } else if cell.columns == 2 {
                        #expect(grid[column + 1, row].isContinuation, "seed \(seed)")
                    }
                }
            }
        }
    }
}
