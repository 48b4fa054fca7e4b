import CharacterWidth
import Foundation
import LayoutValues
import SceneDocument
import SceneWire
import Testing

@testable import TerminalViewer

@Suite("Pictures for pipes")
struct PictureTests {
    private func scene() -> SceneBuilder {
        var scene = SceneBuilder(width: 80, height: 48) { $0.background = Color("#102030") }
        scene.add("box", in: "root", 8, 8, 64, 32) { content in
            content.border = .rounded
            content.clips = true
            content.opacity = 51
        }
        scene.label("<&\">'\u{1B}", in: "box", 8, 0, 40)
        scene.add("tint", in: "root", 0, 0, 20, 10) { $0.background = Color("#ff000080") }
        scene.add("gone", in: "root", 0, 0, 80, 48) { $0.hidden = true }
        scene.label("secret", in: "gone", 0, 0, 48)
        return scene
    }

    @Test("text has no escape sequences and no spaces at line ends")
    func text() throws {
        var scene = SceneBuilder(width: 40, height: 48)
        scene.add("box", in: "root", 0, 0, 24, 32) { content in
            content.border = .single
            content.foreground = Color("#ff0000")
        }
        let mirror = try scene.mirror()
        #expect(try TextPicture.render(mirror, metrics: standardMetrics()) == "┌─┐\n└─┘\n\n")
        let wide = try TextPicture.render(
            mirror, metrics: standardMetrics(), size: GridSize(columns: 10, rows: 3))
        #expect(wide == "┌────┐\n└────┘\n\n")
    }

    @Test("SVG says where everything is, in points, and escapes texts")
    func svg() throws {
        let svg = try SVGPicture.render(scene().mirror(), metrics: standardMetrics())
        #expect(svg.contains("width=\"80\" height=\"48\" viewBox=\"0 0 80 48\""))
        #expect(svg.contains("<rect x=\"0\" y=\"0\" width=\"80\" height=\"48\" fill=\"#102030\"/>"))
        #expect(
            svg.contains(
                "<rect x=\"8.5\" y=\"8.5\" width=\"63\" height=\"31\" rx=\"8\" fill=\"none\" "
                    + "stroke=\"#ffffff\" stroke-width=\"1\"/>"))
        #expect(svg.contains("<g opacity=\"0.2\">"))
        #expect(
            svg.contains(
                "<clipPath id=\"clip2\"><rect x=\"8\" y=\"8\" width=\"64\" height=\"32\"/>"))
        // The baseline is four fifths of 16 points below the line's top at 8.
        #expect(svg.contains("<text x=\"16\" y=\"20.8\" textLength=\"40\""))
        #expect(svg.contains(">&lt;&amp;&quot;&gt;'</text>"))
        #expect(svg.contains("fill=\"#ff0000\" fill-opacity=\"0.502\""))
        #expect(!svg.contains("secret"))
        #expect(!svg.contains("\u{1B}"))
    }

    /// Tells which characters it was asked for.
    private struct NamedFaces: FaceSource {
        func chain(of faces: [FaceSpec], weight: Int) -> [FaceSpec] {
            faces.filter { $0.weight == weight }
        }

        func subset(of face: FaceSpec, characters: Set<Unicode.Scalar>) -> [UInt8]? {
            let text = characters.map { String($0) }.sorted().joined()
            return face.name == "Gone" ? nil : Array("\(face.name)\(face.weight):\(text)".utf8)
        }

        func outline(of line: String, faces: [FaceSpec], weight: Int, size: Double) -> String? {
            line == "d" ? nil : "M\(line)-\(faces.count)-\(weight)-\(size)"
        }
    }

    @Test("an SVG carries the faces of its texts along, each once, with their characters alone")
    func faces() throws {
        func spec(_ name: String, _ weight: Int) -> FaceSpec {
            FaceSpec(name: name, weight: weight, hash: "\(name)\(weight)")
        }
        var scene = SceneBuilder(width: 80, height: 48)
        let files = [spec("A\"<", 400), spec("A\"<", 600), spec("Gone", 400)]
        for (text, weight) in [("aba", 400), ("c", 400), ("d", 600), ("", 400)] {
            scene.add("label \(text)", in: "root", 0, 0, 80, 16) { content in
                content.kind = .label
                content.lines = [ContentLine(text: text, x: 0, y: 0, width: 30)]
                content.face = TextFace(
                    weight: UInt32(weight), size: 64 * 12, ascent: 11, fitted: false, files: files)
            }
        }
        scene.label("grid", 0, 0, 80)
        let mirror = try scene.mirror()
        let metrics = try standardMetrics()
        let svg = SVGPicture.render(mirror, metrics: metrics, text: .embedded(NamedFaces()))
        // Base64 by hand of `A"<400:abc` and `A"<600:d`.
        let style = """
            <style>
            @font-face{font-family:"A\\22 \\3c ";font-weight:400;src:url(data:font/otf;base64,QSI8NDAwOmFiYw==)}
            @font-face{font-family:"A\\22 \\3c ";font-weight:600;src:url(data:font/otf;base64,QSI8NjAwOmQ=)}
            </style>

            """
        #expect(svg.hasSuffix("</g>\n" + style + "</svg>\n"))
        let sheet = SVGPicture.sheet(
            [("one", mirror, metrics), ("two", mirror, metrics)],
            text: .embedded(NamedFaces()))
        #expect(sheet.hasSuffix("</svg>\n" + style + "</svg>\n"))
        var film = SVGFilm(seconds: 1, text: .embedded(NamedFaces()))
        film.add(mirror, metrics: metrics, at: 0)
        #expect(film.text.hasSuffix(style + "</svg>\n"))
        #expect(!SVGPicture.render(mirror, metrics: metrics).contains("<style>"))
        // As outlines, but for a line that has none; no face is carried along then.
        let outlined = SVGPicture.render(mirror, metrics: metrics, text: .outlined(NamedFaces()))
        #expect(!outlined.contains("<style>"))
        #expect(
            outlined.contains(
                #"<path role="img" aria-label="aba" transform="translate(0 11)" d="Maba-3-400-12.0" "#
            ))
        #expect(outlined.contains(">d</text>") && !outlined.contains(">aba</text>"))
    }

    @Test("SVG is well-formed: every element is closed in its turn")
    func wellFormed() throws {
        for scene in [scene(), SceneBuilder(width: 0, height: 0)] {
            let svg = try SVGPicture.render(scene.mirror(), metrics: standardMetrics())
            var open: [Substring] = []
            var rest = svg[...]
            while let start = rest.firstIndex(of: "<") {
                rest = rest[rest.index(after: start)...]
                let end = try #require(rest.firstIndex(of: ">"))
                let tag = rest[..<end]
                rest = rest[rest.index(after: end)...]
                if tag.hasPrefix("?") || tag.hasSuffix("/") { continue }
                if tag.hasPrefix("/") {
                    #expect(open.popLast() == tag.dropFirst())
                } else {
                    open.append(tag.prefix { $0 != " " })
                }
                #expect(tag.count { $0 == "\"" } % 2 == 0)
            }
            #expect(open.isEmpty)
        }
    }

    private func symbols(_ name: String, _ mode: ContentMode = .scaleToFill) -> SceneBuilder {
        var scene = SceneBuilder(width: 48, height: 48)
        scene.add("icon", in: "root", 8, 16, 32, 16) { content in
            content.kind = .image
            content.look = ViewLook()
            content.look?.tint = Color("#007aff80")
            content.look?.symbol = LookSymbol()
            content.look?.symbol?.name = name
            content.look?.symbol?.side = 12
            content.look?.symbol?.mode = mode
        }
        return scene
    }

    @Test("SVG has the outline of a symbol in its tint")
    func symbol() throws {
        func svg(_ name: String, _ mode: ContentMode = .scaleToFill) throws -> String {
            try SVGPicture.render(symbols(name, mode).mirror(), metrics: standardMetrics())
        }
        // 16 of 960 units in the middle of 32 points; the plus is two bars of 60 units.
        let plus = try svg("plus")
        #expect(
            plus.contains(
                "<path transform=\"translate(16 16) scale(0.016666666666666666)\" d=\"M"))
        #expect(plus.contains("fill=\"#007aff\" fill-opacity=\"0.502\"/>"))
        #expect(try svg("plus", .left).contains("translate(8 18) scale(0.0125)"))
        #expect(try !svg("of.a.newer.server").contains("<path"))
    }

    @Test("a terminal writes a character for a symbol, where there is one")
    func symbolText() throws {
        func lines(_ name: String, _ mode: ContentMode = .scaleToFill) throws -> String {
            try TextPicture.render(symbols(name, mode).mirror(), metrics: standardMetrics())
        }
        #expect(try lines("star.fill") == "\n  ★\n\n")
        #expect(try lines("star.fill", .left) == "\n ★\n\n")
        #expect(try lines("star.fill", .bottomRight) == "\n    ★\n\n")
        #expect(try lines("terminal") == "\n  >_\n\n")
        #expect(try lines("trash") == "\n\n\n")
        #expect(try lines("of.a.newer.server") == "\n\n\n")
    }

    private func chart(
        _ style: ChartStyle, _ heights: [UInt32], _ width: Int, _ height: Int, gridLines: UInt32 = 0
    ) -> SceneBuilder {
        var scene = SceneBuilder(width: width, height: height)
        scene.add("chart", in: "root", 0, 0, width, height) { content in
            content.look = ViewLook()
            content.look?.chart = LookChart()
            content.look?.chart?.style = style
            content.look?.chart?.lineWidth = 2
            content.look?.chart?.gridLines = gridLines
            content.look?.chart?.color = Color("#ff0000")
            content.look?.chart?.heights = heights
        }
        return scene
    }

    @Test("a terminal draws charts in eighths and dots of cells")
    func chartText() throws {
        func text(_ scene: SceneBuilder) throws -> String {
            try TextPicture.render(scene.mirror(), metrics: standardMetrics())
        }
        // In the middle of each column: 1, 4, 7, 9, 12 and 15 of 16 eighths.
        #expect(try text(chart(.area, [0, 5000, 10_000], 48, 32)) == "   ▁▄▇\n▁▄▇███\n")
        #expect(try text(chart(.bars, [5000, 10_000], 64, 16)) == "▄▄▄ ███\n")
        #expect(try text(chart(.bars, [5000, 0, 10_000], 24, 16)) == "▄ █\n")
        // From the lower left dot of eight by four to the upper right one.
        #expect(try text(chart(.line, [0, 10_000], 16, 16)) == "⡠⠊\n")
        // A step has no gap.
        #expect(try text(chart(.line, [0, 0, 10_000, 10_000], 24, 16)) == "⣀⠔⠉\n")
        let step: [UInt32] = [0, 0, 0, 10_000, 10_000, 10_000]
        #expect(try text(chart(.line, step, 8, 16)) == "⡸\n")
        #expect(try text(chart(.line, [], 16, 16)) == "\n")
        #expect(TextEncoding.ascii.encode("⡠▁▄▇█") == "*_=##")
    }

    @Test("SVG has the line, the area or the bars of a chart over its grid")
    func chartShapes() throws {
        func svg(_ scene: SceneBuilder) throws -> String {
            try SVGPicture.render(scene.mirror(), metrics: standardMetrics())
        }
        // The line lies within the height.
        let line = ##"<path d="M0 49L100 1" fill="none" stroke="#ff0000" stroke-width="2""##
        #expect(try svg(chart(.line, [0, 10_000], 100, 50)).contains(line))
        let area = try svg(chart(.area, [0, 10_000], 100, 50, gridLines: 3))
        #expect(
            area.contains(##"<path d="M0 49L100 1V50H0Z" fill="#ff0000" fill-opacity="0.251"/>"##))
        #expect(area.contains(line))
        for y in ["49", "24.5", "0"] {
            #expect(
                area.contains(##"<rect x="0" y="\##(y)" width="100" height="1" fill="#ff0000" "##))
        }
        let bars = try svg(chart(.bars, [10_000, 0, 5000], 90, 40))
        #expect(bars.contains(##"<rect x="3" y="0" width="24" height="40" fill="#ff0000"/>"##))
        #expect(bars.contains(##"<rect x="63" y="20" width="24" height="20" fill="#ff0000"/>"##))
        #expect(!bars.contains(##"x="33""##))
        #expect(try svg(chart(.line, [5000], 100, 50)).contains(##"d="M0 25L100 25""##))
    }

    @Test("every symbol of the set has an outline, and at most two columns of text")
    func set() {
        for name in SymbolName.all {
            let entry = SymbolSet.shared[name]
            #expect(entry?.outline.hasPrefix("M") == true, "\(name)")
            #expect(displayWidth(of: entry?.text ?? "") <= 2, "\(name)")
        }
        #expect(SymbolSet.shared.box == 960)
    }

    @Test("SVG cuts a text as cells do")
    func cutText() throws {
        var scene = SceneBuilder(width: 80, height: 16)
        scene.label("abcdef", 0, 0, 32)
        let svg = try SVGPicture.render(scene.mirror(), metrics: standardMetrics())
        #expect(svg.contains(">abc…</text>"))
    }
}

@Suite("Text with colours")
struct ANSIPictureTests {
    private func scene() -> SceneBuilder {
        var scene = SceneBuilder(width: 32, height: 48)
        scene.add("box", in: "root", 0, 0, 16, 16) { $0.background = Color("#ff0000") }
        scene.label("ab", in: "root", 0, 16, 16)
        return scene
    }

    @Test("each line sets what it needs and ends plain; plain spaces at the end are left out")
    func lines() throws {
        func text(_ colors: ColorDepth) throws -> String {
            try ANSIPicture.render(scene().mirror(), metrics: standardMetrics(), colors: colors)
                .replacing("\u{1B}", with: "^")
        }
        #expect(try text(.trueColor) == "^[48;2;255;0;0m  ^[m\nab\n\n")
        #expect(try text(.ansi16) == "^[101m  ^[m\nab\n\n")
        #expect(try text(.none) == "\nab\n\n")
    }
}

@Suite("A line a frame")
struct FrameLinesTests {
    @Test("the first line says everything, each further one what changed")
    func lines() throws {
        var scene = SceneBuilder(width: 64, height: 32)
        scene.label("one", 8, 16, 24)
        scene.add("gone", in: "root", 0, 0, 8, 16)
        var lines = FrameLines(
            metrics: try SceneMetrics(unitsPerPoint: 2, cell: Size(width: 8, height: 16)))
        let first = try scene.mirror(tick: 1)
        let hash = ViewHash.text(first.stateHash)
        let line1 = lines.line(for: first)
        #expect(
            line1
                == #"{"tick":1,"hash":"\#(hash)","frames":{"root":[0,0,32,16],"label1":[4,8,12,8],"gone":[0,0,4,8]},"texts":{"label1":"one"}}"#
        )
        let again = lines.line(for: first)
        #expect(again == nil)
        var other = SceneBuilder(width: 64, height: 32)
        other.label("two", 8, 16, 26)
        let second = try other.mirror(tick: 2)
        let line = lines.line(for: second)
        #expect(
            line
                == #"{"tick":2,"hash":"\#(ViewHash.text(second.stateHash))","frames":{"label1":[4,8,13,8]},"texts":{"label1":"two"},"removed":["gone"]}"#
        )
    }
}

@Suite("Recordings")
struct CastTests {
    @Test("what is written reads back as the same")
    func roundTrip() throws {
        let size = GridSize(columns: 90, rows: 30)
        let events: [(Double, Cast.Event)] = [
            (0, .output("\u{1B}[2J\"x\\\u{7}日🙂")), (0.25, .resize(GridSize(columns: 10, rows: 5))),
            (1.5, .output("y")),
        ]
        var text = Cast.header(size: size, timestamp: 1_700_000_000, title: "t") + "\n"
        for (seconds, event) in events { text += Cast.line(seconds: seconds, event) + "\n" }
        #expect(try Cast.parse(Array(text.utf8)) == Cast(size: size, events: events))
        // asciinema's own example of the format's second version.
        let example = """
            {"version": 2, "width": 80, "height": 24, "timestamp": 1504467315, "title": "Demo", "env": {"TERM": "xterm-256color", "SHELL": "/bin/zsh"}}
            [0.248848, "o", "\\u001b[1;31mHello \\u001b[32mWorld!\\u001b[0m\\n"]
            [1.001376, "i", "q"]
            [2.143733, "m", "a marker"]
            [3.5, "r", "100x50"]
            """
        let cast = try Cast.parse(Array(example.utf8))
        #expect(cast.size == GridSize(columns: 80, rows: 24))
        #expect(
            cast.events.map(\.event) == [
                .output("\u{1B}[1;31mHello \u{1B}[32mWorld!\u{1B}[0m\n"),
                .resize(GridSize(columns: 100, rows: 50)),
            ])
    }

    @Test(
        "what is no recording is refused, with the line",
        arguments: [
            ("", 1), ("{}", 1), (#"{"version": 1, "width": 80, "height": 24}"#, 1),
            (#"{"version": 2, "width": 0, "height": 24}"#, 1),
            (#"{"version": 2, "width": 80, "height": 99999}"#, 1),
            ("{\"version\": 2, \"width\": 80, \"height\": 24}\nnonsense", 2),
            ("{\"version\": 2, \"width\": 80, \"height\": 24}\n\n[1, 2]", 3),
            (
                "{\"version\": 2, \"width\": 80, \"height\": 24}\n[2, \"o\", \"\"]\n[1, \"o\", \"\"]",
                3
            ),
            ("{\"version\": 2, \"width\": 80, \"height\": 24}\n[2, \"r\", \"8x\"]", 2),
        ])
    func refusals(text: String, line: Int) {
        do throws(Cast.Failure) {
            _ = try Cast.parse(Array(text.utf8))
            Issue.record("taken: \(text)")
        } catch {
            #expect(error.line == line, "\(error)")
        }
    }
}

@Suite("Colour depth")
struct ColorDepthTests {
    @Test(
        "the environment tells how many colours there are",
        arguments: [
            (["TERM": "xterm-256color", "COLORTERM": "truecolor"], ColorDepth.trueColor),
            (["TERM": "xterm-256color", "COLORTERM": "24bit"], .trueColor),
            (["TERM": "xterm-direct"], .trueColor), (["TERM": "xterm-kitty"], .trueColor),
            (["TERM": "tmux-256color"], .ansi256), (["TERM": "xterm"], .ansi16),
            (["TERM": "linux"], .ansi16), (["TERM": "dumb", "COLORTERM": "truecolor"], .none),
            (["TERM": "vt100"], .none), ([:], .none),
            (["TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"], .none),
            (["TERM": "xterm-256color", "NO_COLOR": ""], .ansi256),
        ])
    func detection(environment: [String: String], expected: ColorDepth) {
        #expect(ColorDepth.detect(environment: environment) == expected)
    }

    @Test("colours that a terminal lacks become the nearest it has")
    func nearest() throws {
        #expect(Palette.nearest16(Color(r: 250, g: 5, b: 5)) == 9)
        #expect(Palette.nearest16(Color(r: 0, g: 0, b: 0)) == 0)
        #expect(Palette.nearest256(Color(r: 255, g: 0, b: 0)) == 196)
        #expect(Palette.nearest256(Color(r: 95, g: 135, b: 175)) == 67)
        #expect(Palette.nearest256(Color(r: 128, g: 128, b: 128)) == 244)
        #expect(Palette.nearest256(Color(r: 255, g: 255, b: 255)) == 231)
    }

    @Test("parameters choose the right range of codes")
    func parameters() {
        let red = Color(r: 255, g: 0, b: 0)
        #expect(ColorDepth.ansi16.parameters(red, isBackground: false) == "91")
        #expect(ColorDepth.ansi16.parameters(red, isBackground: true) == "101")
        #expect(ColorDepth.ansi256.parameters(red, isBackground: true) == "48;5;196")
        #expect(ColorDepth.trueColor.parameters(red, isBackground: false) == "38;2;255;0;0")
        #expect(ColorDepth.none.parameters(red, isBackground: true) == "49")
        #expect(ColorDepth.trueColor.parameters(nil, isBackground: false) == "39")
    }
}

@Suite("The characters of a terminal")
struct TextEncodingTests {
    @Test(
        "the locale tells whether there is more than ASCII",
        arguments: [
            (["LANG": "C.UTF-8"], true, TextEncoding.utf8), (["LANG": "de_DE.utf8"], true, .utf8),
            (["LANG": "de_DE.UTF-8@euro"], true, .utf8), (["LANG": "C"], true, .ascii),
            (["LANG": "C.UTF-8", "LC_ALL": "POSIX"], true, .ascii),
            (["LANG": "C.UTF-8", "LC_CTYPE": "de_DE.ISO-8859-15"], false, .ascii),
            (["LANG": "C", "LC_CTYPE": "C.UTF-8"], false, .utf8),
            (["LANG": "C.UTF-8", "LC_ALL": ""], true, .utf8),
            // Nobody says: POSIX has it that this is the locale C, but a pipe may lead to anything.
            ([:], true, .ascii), ([:], false, .utf8),
        ])
    func detection(environment: [String: String], isTerminal: Bool, expected: TextEncoding) {
        let found = TextEncoding.detect(environment: environment, isTerminal: isTerminal)
        #expect(found == expected)
    }

    @Test("in ASCII borders are plus, minus and bar, and every text keeps its columns")
    func ascii() throws {
        #expect(TextEncoding.ascii.encode("╭─┐ ●━━ 日本 é ok …") == "+-+ *-- ???? ? ok .")
        #expect(TextEncoding.utf8.encode("╭─┐ 日本") == "╭─┐ 日本")
        var scene = SceneBuilder(width: 64, height: 48)
        scene.add("box", in: "root", 0, 0, 64, 48) { $0.border = .rounded }
        scene.label("é日", in: "box", 16, 16, 40)
        let mirror = try scene.mirror()
        let metrics = try standardMetrics()
        #expect(
            TextPicture.render(mirror, metrics: metrics, encoding: .ascii)
                == "+------+\n| ???  |\n+------+\n")
        let ansi = ANSIPicture.render(mirror, metrics: metrics, colors: .none, encoding: .ascii)
        #expect(ansi == "+------+\n| ???  |\n+------+\n")
    }
}
