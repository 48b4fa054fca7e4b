import SceneProtocol
import Testing

@testable import TerminalViewer

@Suite("Keys")
struct KeyDecoderTests {
    private static let sequences: [(String, [Key])] = [
        ("q", [.character("q")]), ("\u{3}", [.control("c")]), ("\u{1A}", [.control("z")]),
        ("\r", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
        ("\u{1B}OA\u{1B}OD", [.up, .left]), ("\u{1B}[1;5C", [.right]),
        ("\u{1B}[H\u{1B}[F", [.home, .end]), ("\u{1B}[1~\u{1B}[4~", [.home, .end]),
        ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("\u{1B}[15~x", [.unknown, .character("x")]),
        ("ä日🙂", [.character("ä"), .character("日"), .character("🙂")]),
        ("\u{1B}q", [.character("q")]), ("\u{1B}[12\u{1B}[A", [.unknown, .up]),
        ("+-?", [.character("+"), .character("-"), .character("?")]),
    ]

    @Test("sequences are keys", arguments: sequences)
    func whole(text: String, keys: [Key]) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(text.utf8) == keys)
        #expect(!decoder.isWaiting)
    }

    @Test("sequences may be split anywhere", arguments: sequences)
    func split(text: String, keys: [Key]) {
        let bytes = Array(text.utf8)
        for place in 0...bytes.count {
            var decoder = KeyDecoder()
            let first = decoder.decode(bytes[..<place])
            #expect(first + decoder.decode(bytes[place...]) == keys)
        }
    }

    @Test("an ESC alone is the key once nothing follows")
    func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B]) == [])
        #expect(decoder.isWaiting)
        #expect(decoder.flush() == [.escape])
        #expect(!decoder.isWaiting)
        #expect(decoder.flush() == [])
        #expect(decoder.decode([0x1B, 0x1B]) == [.escape])
    }

    @Test("what is no key does no harm", arguments: 0..<30)
    func noise(seed: UInt64) {
        var generator = Generator(state: seed)
        var decoder = KeyDecoder()
        let bytes = (0..<500).map { _ in
            UInt8(generator.pick([generator.int(0...255), 0x1B, 0x5B, 0x30, 0xE0]))
        }
        _ = decoder.decode(bytes)
        _ = decoder.flush()
        #expect(decoder.decode([UInt8(ascii: "q")]) == [.character("q")])
    }

    @Test("a sequence without end is given up, not collected")
    func endless() {
        var decoder = KeyDecoder()
        let keys = decoder.decode([0x1B, 0x5B] + [UInt8](repeating: 0x30, count: 33))
        #expect(keys == [.unknown])
        #expect(!decoder.isWaiting)
    }
}

@Suite("The status line")
struct StatusLineTests {
    private func status(_ connection: ConnectionState) -> StatusLine {
        var status = StatusLine(room: "demo", connection: connection, zoom: "fit")
        status.tick = 123
        status.viewCount = 45
        status.sceneSize = GridSize(columns: 80, rows: 24)
        return status
    }

    @Test("everything is there if there is room")
    func wide() {
        let expected = " demo  live  tick 123  45 views  80x24 fit           q quits  ? help "
        #expect(status(.live).text(columns: expected.count) == expected)
    }

    @Test("what matters least goes first")
    func narrow() {
        #expect(
            status(.live).text(columns: 48) == " demo  live  tick 123           q quits  ? help ")
        #expect(status(.live).text(columns: 30) == " demo  live   q quits  ? help ")
        #expect(status(.live).text(columns: 15) == " demo  live    ")
        #expect(status(.live).text(columns: 3) == "li…")
    }

    @Test(
        "it is exactly as wide as the screen",
        arguments: [
            ConnectionState.connecting, .live, .readOnly, .reconnecting(inSeconds: 5),
            .ended("日本語の理由"),
        ])
    func widths(connection: ConnectionState) {
        for columns in 0...120 {
            let text = status(connection).text(columns: columns)
            let width = text.reduce(0) { $0 + Int(Cell($1).columns) }
            #expect(width == columns)
        }
    }
}

@Suite("The screen")
struct ViewerScreenTests {
    private func screen(
        _ scene: SceneBuilder?, _ size: GridSize, fits: Bool = true
    ) throws -> ViewerScreen {
        var screen = ViewerScreen(url: "ws://host:1/demo?x", fitsAtFirst: fits, size: size)
        if let scene { screen.take(try scene.mirror(), Welcome()) }
        screen.take(connection: .live)
        return screen
    }

    private func numbered() -> SceneBuilder {
        var scene = SceneBuilder(width: 80, height: 96)
        for row in 0..<6 { scene.label("\(row)bcdefghij", 0, row * 16, 80) }
        return scene
    }

    @Test("before the first picture it says what is going on")
    func waiting() throws {
        let screen = try screen(nil, GridSize(columns: 40, rows: 3))
        #expect(screen.paint().line(1) == "        live ws://host:1/demo?x")
        #expect(screen.paint().line(2) == " demo  live             q quits  ? help")
    }

    @Test("a scene is shown above the status line")
    func scene() throws {
        let screen = try screen(numbered(), GridSize(columns: 10, rows: 7))
        #expect(
            screen.paint().lines.prefix(6)
                == numbered().records.dropFirst().map {
                    $0.content.lines[0].text
                }[...])
        #expect(screen.paint()[0, 6].attributes == .reverse)
    }

    @Test("arrows and letters pan no further than the scene")
    func panning() throws {
        var screen = try screen(numbered(), GridSize(columns: 5, rows: 4), fits: false)
        #expect(screen.paint().line(0) == "0bcde")
        #expect(screen.press(.down) == .redraw)
        #expect(screen.press(.character("l")) == .redraw)
        #expect(screen.paint().line(0) == "cdefg")
        for _ in 0..<9 { _ = screen.press(.character("j")) }
        #expect(screen.press(.end) == .redraw)
        #expect(screen.paint().lines.prefix(3) == ["fghij", "fghij", "fghij"])
        #expect(screen.press(.home) == .redraw)
        #expect(screen.paint().line(2) == "2bcde")
    }

    @Test("zooming goes by steps, from fit to the next one")
    func zooming() {
        let scene = GridSize(columns: 80, rows: 24)
        let area = GridSize(columns: 100, rows: 30)
        var navigation = Navigation()
        #expect(navigation.text == "fit")
        #expect(navigation.handle(.character("+"), scene: scene, in: area) == true)
        #expect(navigation.text == "150%")
        #expect(navigation.handle(.character("-"), scene: scene, in: area) == true)
        #expect(navigation.text == "100%")
        for _ in 0..<20 { _ = navigation.handle(.character("-"), scene: scene, in: area) }
        #expect(navigation.text == "25%")
        for _ in 0..<20 { _ = navigation.handle(.character("+"), scene: scene, in: area) }
        #expect(navigation.text == "800%")
        #expect(navigation.handle(.character("0"), scene: scene, in: area) == true)
        #expect(navigation.fit(in: area) == .zoom(1))
        #expect(navigation.handle(.character("f"), scene: scene, in: area) == true)
        #expect(navigation.fit(in: area) == .fit(area))
        #expect(navigation.handle(.tab, scene: scene, in: area) == false)
    }

    @Test("zooming keeps the middle of what is seen")
    func zoomKeepsMiddle() {
        let scene = GridSize(columns: 80, rows: 40)
        let area = GridSize(columns: 40, rows: 20)
        var navigation = Navigation(zoom: 1)
        _ = navigation.handle(.end, scene: scene, in: area)
        #expect(navigation.offset(scene: scene, in: area) == GridPoint(column: 40, row: 20))
        _ = navigation.handle(.character("+"), scene: scene, in: area)
        _ = navigation.handle(.character("+"), scene: scene, in: area)
        // The middle was at column 60 of 80 and is at 120 of 160 now.
        #expect(navigation.offset(scene: scene, in: area) == GridPoint(column: 100, row: 50))
    }

    @Test("help lists the keys, and goes away")
    func help() throws {
        var screen = try screen(numbered(), GridSize(columns: 60, rows: 20))
        let before = screen.paint()
        #expect(screen.press(.character("?")) == .redraw)
        let text = screen.paint().text
        for entry in HelpOverlay.entries {
            #expect(text.contains(entry.keys) && text.contains(entry.meaning))
        }
        #expect(screen.press(.escape) == .redraw)
        #expect(screen.paint() == before)
    }

    @Test("keys end, suspend and draw anew")
    func actions() throws {
        var screen = try screen(nil, GridSize(columns: 10, rows: 3))
        #expect(screen.press(.character("q")) == .quit)
        #expect(screen.press(.control("c")) == .quit)
        #expect(screen.press(.control("z")) == .suspend)
        #expect(screen.press(.control("l")) == .redrawEverything)
        #expect(screen.press(.unknown) == .none)
    }

    @Test("any size can be painted, with help too")
    func tinySizes() throws {
        var screen = try screen(numbered(), GridSize(columns: 1, rows: 1))
        _ = screen.press(.character("?"))
        for columns in [0, 1, 2, 3, 5, 21, 200] {
            for rows in [0, 1, 2, 3, 4, 100] {
                screen.size = GridSize(columns: columns, rows: rows)
                #expect(screen.paint().size == screen.size)
            }
        }
    }

    @Test("a server's unusable unit is told, not drawn")
    func badUnit() throws {
        var screen = try screen(nil, GridSize(columns: 60, rows: 3))
        var welcome = Welcome()
        welcome.unitsPerPoint = 0
        screen.take(try numbered().mirror(), welcome)
        #expect(screen.paint().text.contains("ended: the server's unit"))
    }

    @Test("the room is the last part of the URL")
    func rooms() {
        #expect(ViewerScreen.room(of: "ws://127.0.0.1:7070/demo") == "demo")
        #expect(ViewerScreen.room(of: "wss://host/a?token=b") == "a")
        #expect(ViewerScreen.room(of: "ws://host") == "")
    }
}
