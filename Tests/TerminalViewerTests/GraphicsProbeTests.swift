import Testing

@testable import TerminalViewer

@Suite("What a terminal can show, by its answers")
struct GraphicsProbeTests {
    private let size = GridSize(columns: 80, rows: 24)

    /// Answers as a terminal does, and as one with a name to the second question as well.
    private func graphics(
        _ choice: PictureChoice = .auto, _ replies: [TerminalReply],
        named: [TerminalReply]? = nil, environment: [String: String] = [:],
        pixels: (width: Int, height: Int) = (0, 0)
    ) -> TerminalGraphics? {
        var probe = GraphicsProbe(choice, environment: environment)
        for reply in replies { #expect(probe.take(reply) == nil) }
        let further = probe.take(.attributes(attributes))
        #expect((further != nil) == (named != nil))
        guard let named else { return probe.graphics(size: size, pixels: pixels) }
        #expect(probe.graphics(size: size, pixels: pixels) == nil)
        for reply in named { #expect(probe.take(reply) == nil) }
        #expect(probe.take(.attributes(attributes)) == nil)
        return probe.graphics(size: size, pixels: pixels)
    }

    private let attributes = [62, 22]
    private let cell = TerminalReply.cellPixels(width: 9, height: 18)

    @Test("kitty by its answer to the query; not where it answers with an error")
    func kitty() {
        let number = GraphicsProbe.kittyNumber
        let found = graphics(
            .auto, [.name("kitty(0.26.5)"), .kind(1), cell],
            named: [.kitty(number, isDone: true)])
        #expect(found?.method == .kitty)
        #expect(found?.cell == CellPixels(width: 9, height: 18))
        #expect(
            graphics(.auto, [.name("Konsole 22")], named: [.kitty(number, isDone: false)]) == nil)
        #expect(
            graphics(.auto, [.name("Konsole 22")], named: [.kitty(number + 1, isDone: true)])
                == nil)
    }

    @Test("iTerm2 by its name, its cell size or the environment, and its cells where unknown")
    func iterm2() {
        #expect(graphics(.auto, [.name("iTerm2 3.5.0")], named: [])?.method == .iterm2)
        #expect(graphics(.auto, [.name("Other")], named: [.cellSize])?.method == .iterm2)
        #expect(graphics(.auto, [.name("Other")], named: []) == nil)
        let old = ["TERM_PROGRAM": "iTerm.app"]
        #expect(
            graphics(.auto, [], named: [.cellSize], environment: old)
                == TerminalGraphics(method: .iterm2, cell: .usual))
        // The environment alone proves nothing: it is inherited.
        #expect(graphics(.auto, [], named: [], environment: old) == nil)
    }

    @Test("sixel by attribute 4, with the size of cells; without one there are blocks")
    func sixel() {
        func sixel(
            _ replies: [TerminalReply], pixels: (width: Int, height: Int) = (0, 0)
        ) -> TerminalGraphics? {
            var probe = GraphicsProbe(.auto, environment: [:])
            for reply in replies { _ = probe.take(reply) }
            _ = probe.take(.attributes([63, 1, 2, 4, 6]))
            return probe.graphics(size: size, pixels: pixels)
        }
        #expect(sixel([cell, .colorRegisters(16)])?.colorMaximum == 16)
        #expect(sixel([cell, .colorRegisters(65_536)])?.colorMaximum == 256)
        #expect(sixel([]) == nil)
        let area = TerminalReply.textAreaPixels(width: 800, height: 480)
        #expect(sixel([area])?.cell == CellPixels(width: 10, height: 20))
        #expect(sixel([], pixels: (640, 384))?.cell == CellPixels(width: 8, height: 16))
        #expect(sixel([.cellPixels(width: 0, height: 99_999)]) == nil)
    }

    @Test("after a change of size cells are as before until the terminal has answered again")
    func resized() {
        var probe = GraphicsProbe(.auto, environment: [:])
        _ = probe.take(.textAreaPixels(width: 800, height: 456))
        _ = probe.take(.attributes([62, 4]))
        #expect(
            probe.graphics(size: size, pixels: (0, 0))?.cell == CellPixels(width: 10, height: 19))
        let asks = probe.resized(from: size, cell: nil)
        #expect(asks)
        // The window has 420 pixels for 21 rows, the text area 399.
        let smaller = GridSize(columns: 70, rows: 21)
        #expect(
            probe.graphics(size: smaller, pixels: (710, 420))?.cell
                == CellPixels(width: 10, height: 19))
        _ = probe.take(.textAreaPixels(width: 630, height: 378))
        #expect(
            probe.graphics(size: smaller, pixels: (710, 420))?.cell
                == CellPixels(width: 9, height: 18))
        var silent = GraphicsProbe(.auto, environment: [:])
        _ = silent.take(.attributes([62, 4]))
        let asksInVain = silent.resized(from: size, cell: CellPixels(width: 9, height: 19))
        #expect(!asksInVain)
        let kept = silent.graphics(size: smaller, pixels: (640, 420))
        #expect(kept?.cell == CellPixels(width: 9, height: 19))
        // Another font.
        let other = silent.graphics(size: smaller, pixels: (840, 630))
        #expect(other?.cell == CellPixels(width: 12, height: 30))
    }

    @Test("a multiplexer is not asked for what the terminal behind it can do")
    func multiplexers() {
        #expect(graphics(.auto, [.name("tmux 3.4")]) == nil)
        #expect(graphics(.auto, [.name("Other"), .kind(84)]) == nil)
        #expect(graphics(.auto, [.name("Other"), .kind(83)]) == nil)
        for name in ["TMUX", "STY", "ZELLIJ"] {
            #expect(
                graphics(
                    .auto, [.name("iTerm2 3.5")],
                    environment: [name: "x", "TERM_PROGRAM": "iTerm.app"]) == nil)
        }
    }

    @Test("what the user chooses is shown whatever the terminal says, once it has answered")
    func chosen() {
        #expect(graphics(.pixels(.kitty), [])?.method == .kitty)
        #expect(graphics(.pixels(.sixel), [.name("tmux 3.4"), cell])?.method == .sixel)
        #expect(graphics(.pixels(.sixel), []) == nil)
        for choice in [PictureChoice.blocks, .none] {
            #expect(!GraphicsProbe(choice, environment: [:]).isNeeded)
        }
    }

    @Test("a terminal that answers nothing is one of blocks")
    func silent() {
        let probe = GraphicsProbe(.auto, environment: [:])
        #expect(probe.graphics(size: size, pixels: (640, 384)) == nil)
    }

    @Test("answers are told from keys, in pieces and whole")
    func answers() {
        let text =
            "\u{1B}P>|kitty(0.26.5)\u{1B}\\\u{1B}[>84;0;0c\u{1B}[6;18;9t\u{1B}[4;480;800t"
            + "\u{1B}[?1;0;256S\u{1B}_Gi=31;OK\u{1B}\\\u{1B}_Gi=7,p=2;ENOENT:none\u{1B}\\"
            + "\u{1B}]1337;ReportCellSize=18.0;9.0;2.0\u{1B}\\\u{1B}]1337;ReportCellSize=18;9\u{7}"
            + "\u{1B}[?63;1;2;4;6;9;15;16;17;18;21;22;28;29;42;46;314cq"
        let expected: [Key] =
            [
                .name("kitty(0.26.5)"), .kind(84), .cellPixels(width: 9, height: 18),
                .textAreaPixels(width: 800, height: 480), .colorRegisters(256),
                .kitty(31, isDone: true), .kitty(7, isDone: false), .cellSize, .cellSize,
                .attributes([63, 1, 2, 4, 6, 9, 15, 16, 17, 18, 21, 22, 28, 29, 42, 46, 314]),
            ].map { .reply($0) } + [.character("q")]
        var decoder = KeyDecoder()
        #expect(decoder.decode(text.utf8) == expected)
        var keys: [Key] = []
        for byte in text.utf8 { keys += decoder.decode([byte]) }
        #expect(keys == expected)
    }

    @Test("Alt with a key that begins strings is the key; a string that is none is not waited for")
    func alt() {
        var decoder = KeyDecoder()
        #expect(decoder.decode("\u{1B}P".utf8).isEmpty)
        #expect(decoder.isWaiting)
        #expect(decoder.flush() == [.character("P")])
        #expect(decoder.decode("\u{1B}]q".utf8) == [.character("]"), .character("q")])
        #expect(decoder.decode("\u{1B}_Gx".utf8).isEmpty)
        // An answer that has begun is not ended by time, but by what no answer has.
        #expect(!decoder.isWaiting)
        #expect(decoder.decode([0x03]) == [.unknown, .control("c")])
        let long = "\u{1B}P>" + String(repeating: "x", count: 200)
        #expect(decoder.decode(long.utf8).contains(.unknown))
    }
}
