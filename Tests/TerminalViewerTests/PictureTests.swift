import Foundation
import SceneProtocol
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

    @Test("SVG cuts a text as cells do")
    func cutText() throws {
        var scene = SceneBuilder(width: 80, height: 16)
        scene.label("abcdef", 0, 0, 32)
        let svg = try SVGPicture.render(scene.mirror(), metrics: standardMetrics())
        #expect(svg.contains(">abc…</text>"))
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
