import PicturePixels
import SceneDocument
import SceneWire
import Testing

@testable import TerminalViewer

/// The commands for pictures in the bytes of a screen.
private struct Commands {
    var sent: [String] = []
    var placed: [String] = []
    var removed: [String] = []
    var sixels: [String] = []
    var inline: [String] = []

    init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        for part in text.components(after: "\u{1B}_G") {
            if part.hasPrefix("a=t") { sent.append(part.until(";")) }
            if part.hasPrefix("a=p") { placed.append(part.until("\u{1B}")) }
            if part.hasPrefix("a=d") { removed.append(part.until("\u{1B}")) }
        }
        sixels = text.components(after: "\u{1B}P").map { $0.until("#") }
        inline = text.components(after: "\u{1B}]1337;File=").map { $0.until(":") }
    }

    var isEmpty: Bool {
        sent.isEmpty && placed.isEmpty && removed.isEmpty && sixels.isEmpty && inline.isEmpty
    }
}

extension String {
    /// What follows each occurrence of a mark, up to the next one.
    fileprivate func components(after mark: String) -> [String] {
        let bytes = Array(utf8)
        let mark = Array(mark.utf8)
        var starts: [Int] = []
        var place = 0
        while place + mark.count <= bytes.count {
            if Array(bytes[place..<place + mark.count]) == mark { starts.append(place) }
            place += 1
        }
        return starts.enumerated().map { index, start in
            let end = index + 1 < starts.count ? starts[index + 1] : bytes.count
            return String(decoding: bytes[(start + mark.count)..<end], as: UTF8.self)
        }
    }

    fileprivate func until(_ mark: Character) -> String { String(prefix { $0 != mark }) }
}

@Suite("Pictures as pixels")
struct PictureLayerTests {
    private let size = GridSize(columns: 20, rows: 6)

    /// A terminal, and what it shows.
    private struct Screen: ~Copyable {
        var renderer: ScreenRenderer
        var shown: CellGrid?

        init(
            _ method: GraphicsProtocol, colors: ColorDepth = .trueColor, cellHeight: Int = 12
        ) throws {
            renderer = ScreenRenderer(colors: colors)
            let cell = try #require(CellPixels(width: 4, height: cellHeight))
            let hadPixels = renderer.show(
                TerminalGraphics(method: method, cell: cell), firstNumber: 100)
            #expect(!hadPixels)
        }

        mutating func show(_ grid: CellGrid, isMoving: Bool = false) -> [UInt8] {
            let bytes = renderer.bytes(
                from: shown, to: grid, synchronized: false, isMoving: isMoving)
            shown = grid
            return bytes
        }
    }

    /// A picture of 10 by 4 pixels in as many cells, from a place on.
    private func grid(
        x: Int = 2, y: Int = 1, _ change: (inout SceneBuilder) -> Void = { _ in }
    ) throws -> CellGrid {
        let pixels = (0..<40).map { [UInt8($0 * 6), UInt8(255 - $0 * 6), 0, 255] }
        let picture = try scenePicture("p", width: 10, pixels)
        var scene = SceneBuilder(width: 160, height: 96)
        scene.add("photo", in: "root", x * 8, y * 16, 80, 64) { $0.show("p", 10, 4) }
        change(&scene)
        return try ScenePainter.paint(
            scene.mirror(), metrics: standardMetrics(), size: size, pictures: shelf([picture]))
    }

    @Test("kitty: sent once, then placed; moved by its placement; nothing for the same screen")
    func kitty() throws {
        var screen = try Screen(.kitty)
        let first = Commands(screen.show(try grid()))
        #expect(first.sent == ["a=t,f=100,i=101,q=1"])
        #expect(first.placed == ["a=p,i=101,p=1,x=0,y=0,w=10,h=4,c=10,r=4,C=1,z=-1,q=1"])
        let same = screen.show(try grid())
        #expect(same.isEmpty)
        let moved = Commands(screen.show(try grid(x: 5)))
        #expect(moved.sent.isEmpty)
        #expect(moved.removed == ["a=d,d=i,i=101,p=1,q=1"])
        #expect(moved.placed == ["a=p,i=101,p=2,x=0,y=0,w=10,h=4,c=10,r=4,C=1,z=-1,q=1"])
        let gone = Commands(screen.show(CellGrid(size: size)))
        #expect(gone.removed == ["a=d,d=i,i=101,p=2,q=1"])
        #expect(gone.placed.isEmpty && gone.sent.isEmpty)
    }

    @Test("kitty: cut at the screen's edge, and into rectangles around what is in front of it")
    func kittyParts() throws {
        var screen = try Screen(.kitty)
        // The left three columns and the top row lie outside.
        let cut = Commands(screen.show(try grid(x: -3, y: -1)))
        #expect(cut.placed == ["a=p,i=101,p=1,x=3,y=1,w=7,h=3,c=7,r=3,C=1,z=-1,q=1"])
        // A box over its lower right quarter: columns 7 to 11, rows 3 and 4.
        let boxed = Commands(
            screen.show(
                try grid { scene in
                    scene.add("box", in: "root", 56, 48, 40, 32) {
                        $0.background = Color(r: 1, g: 2, b: 3)
                    }
                }))
        #expect(
            boxed.placed == [
                "a=p,i=101,p=2,x=0,y=0,w=10,h=2,c=10,r=2,C=1,z=-1,q=1",
                "a=p,i=101,p=3,x=0,y=2,w=5,h=2,c=5,r=2,C=1,z=-1,q=1",
            ])
        #expect(boxed.removed == ["a=d,d=i,i=101,p=1,q=1"])
    }

    @Test("kitty: text stands above the pixels")
    func kittyText() throws {
        var screen = try Screen(.kitty)
        let bytes = screen.show(try grid { $0.label("Hi", 32, 32, 16) })
        #expect(Commands(bytes).placed.count == 1)
        #expect(String(decoding: bytes, as: UTF8.self).contains("Hi"))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("▀"))
    }

    @Test("sixel: once, at its place; around text; again where something in front is gone")
    func sixel() throws {
        var screen = try Screen(.sixel)
        let bytes = screen.show(try grid())
        // Ten cells of 4 by four of 12 pixels; the cursor is in row 2, column 3.
        #expect(Commands(bytes).sixels == ["0;1;0q\"1;1;40;48"])
        #expect(String(decoding: bytes, as: UTF8.self).contains("\u{1B}[2;3H\u{1B}P"))
        let same = screen.show(try grid())
        #expect(same.isEmpty)
        let covered = screen.show(try grid { $0.label("Hi", 32, 32, 16) })
        #expect(Commands(covered).isEmpty)
        // Each letter stands on the colour of its own block.
        #expect(String(decoding: covered, as: UTF8.self).contains("\u{1B}[3;5HH"))
        // Columns 4 and 5 of row 2 alone.
        let uncovered = screen.show(try grid())
        #expect(Commands(uncovered).sixels == ["0;1;0q\"1;1;8;12"])
        #expect(String(decoding: uncovered, as: UTF8.self).contains("\u{1B}[3;5H\u{1B}P"))
    }

    @Test("sixel: what was picture and is none is written again, though it is a blank")
    func sixelRemoved() throws {
        var screen = try Screen(.sixel)
        _ = screen.show(try grid())
        let bytes = screen.show(CellGrid(size: size))
        // Four rows of ten blanks.
        #expect(bytes.count { $0 == 0x20 } == 40)
        #expect(Commands(bytes).isEmpty)
    }

    @Test("sixel: never in the last row, nor so that six pixels reach into it: it would scroll")
    func sixelLastRow() throws {
        // The picture has the last four of six rows.
        for (height, sixels) in [(12, "0;1;0q\"1;1;40;36"), (8, "0;1;0q\"1;1;40;16")] {
            var screen = try Screen(.sixel, cellHeight: height)
            let bytes = screen.show(try grid(y: 2))
            #expect(Commands(bytes).sixels == [sixels])
            #expect(String(decoding: bytes, as: UTF8.self).contains("▀"))
        }
    }

    @Test("iTerm2: the file itself where it fills its cells whole, otherwise a part of it")
    func iterm2() throws {
        var screen = try Screen(.iterm2)
        let whole = Commands(screen.show(try grid()))
        #expect(whole.inline.count == 1)
        #expect(
            whole.inline[0].hasSuffix("width=10;height=4;preserveAspectRatio=0;doNotMoveCursor=1"))
        let cut = Commands(screen.show(try grid(x: 14)))
        #expect(cut.inline.count == 1)
        #expect(cut.inline[0].contains(";width=6;height=4;"))
    }

    @Test("while it moves a picture is blocks, and pixels once it rests")
    func moving() throws {
        for method in [GraphicsProtocol.kitty, .iterm2, .sixel] {
            var screen = try Screen(method)
            let first = screen.show(try grid(), isMoving: true)
            #expect(Commands(first).isEmpty)
            #expect(String(decoding: first, as: UTF8.self).contains("▀"))
            let waits = screen.renderer.isIncomplete
            #expect(waits)
            let last = screen.show(try grid())
            #expect(!Commands(last).isEmpty)
            let waitsStill = screen.renderer.isIncomplete
            #expect(!waitsStill)
        }
    }

    @Test("a picture in more pieces than allowed is blocks")
    func blocks() throws {
        for method in [GraphicsProtocol.kitty, .sixel] {
            var screen = try Screen(method)
            let pieces = screen.show(
                try grid { scene in
                    for index in 0..<20 {
                        scene.add(
                            "box\(index)", in: "root", 16 + index % 5 * 16 + index / 5 % 2 * 8,
                            16 + index / 5 * 16, 8, 16
                        ) { $0.background = Color(r: 1, g: 2, b: 3) }
                    }
                })
            #expect(Commands(pieces).isEmpty, "\(method)")
        }
    }

    @Test("a translucent picture is pixels on one background whose colour is known, else blocks")
    func translucent() throws {
        let picture = try scenePicture("p", width: 1, [[200, 100, 0, 128]])
        func grid(_ background: Color, _ change: (inout SceneBuilder) -> Void) throws -> CellGrid {
            var scene = SceneBuilder(width: 160, height: 96) { $0.background = background }
            change(&scene)
            scene.add("photo", in: "root", 16, 16, 80, 64) { $0.show("p", 1, 1) }
            return try ScenePainter.paint(
                scene.mirror(), metrics: standardMetrics(), size: size, pictures: shelf([picture]))
        }
        let blue = Color(r: 0, g: 0, b: 200)
        let plain = try grid(blue) { _ in }
        let striped = try grid(blue) { scene in
            scene.add("stripe", in: "root", 0, 32, 160, 16) {
                $0.background = Color(r: 9, g: 9, b: 9)
            }
        }
        for method in [GraphicsProtocol.kitty, .sixel] {
            var all = try Screen(method)
            let pixels = all.show(plain)
            #expect(!Commands(pixels).isEmpty)
            var several = try Screen(method)
            let blocks = several.show(striped)
            #expect(Commands(blocks).isEmpty)
            var few = try Screen(method, colors: .ansi256)
            let nearest = few.show(plain)
            #expect(Commands(nearest).isEmpty)
        }
    }

    @Test("a picture that the terminal could not take is blocks from then on")
    func refused() throws {
        var screen = try Screen(.kitty)
        _ = screen.show(try grid())
        screen.renderer.refuse(picture: 101)
        let bytes = screen.show(try grid())
        #expect(Commands(bytes).isEmpty)
        #expect(String(decoding: bytes, as: UTF8.self).contains("▀"))
    }

    @Test("a screen drawn anew removes all pictures and sends them again")
    func anew() throws {
        var screen = try Screen(.kitty)
        _ = screen.show(try grid())
        screen.shown = nil
        let bytes = Commands(screen.show(try grid()))
        #expect(bytes.removed == ["a=d,d=A,q=2"])
        #expect(bytes.sent == ["a=t,f=100,i=102,q=1"])
        #expect(bytes.placed.count == 1)
    }

    @Test("a recording, and every terminal that shows no pixels, has blocks")
    func none() throws {
        var renderer = ScreenRenderer(colors: .trueColor)
        let bytes = renderer.bytes(from: nil, to: try grid(), synchronized: false)
        #expect(Commands(bytes).isEmpty)
        #expect(String(decoding: bytes, as: UTF8.self).contains("▀"))
    }
}
