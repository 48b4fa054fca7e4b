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
        ("\u{1B}[Z\u{1B}[3~", [.backTab, .delete]),
        ("\u{1B}[<0;5;3M", [.mouse(MouseEvent(.press, at: GridPoint(column: 4, row: 2)))]),
        ("\u{1B}[<32;300;1M", [.mouse(MouseEvent(.drag, at: GridPoint(column: 299, row: 0)))]),
        ("\u{1B}[<35;7;2M", [.mouse(MouseEvent(.move, at: GridPoint(column: 6, row: 1)))]),
        ("\u{1B}[<4;1;1m", [.mouse(MouseEvent(.release, at: .zero))]),
        ("\u{1B}[<65;1;1M", [.mouse(MouseEvent(.wheelDown, at: .zero))]),
        ("\u{1B}[<64;1;1M", [.mouse(MouseEvent(.wheelUp, at: .zero))]),
        ("\u{1B}[<2;1;1M\u{1B}[<0;0;1M", [.mouse(MouseEvent(.other, at: .zero)), .unknown]),
        ("\u{1B}[200~a\rb\u{1B}[A\u{1B}[201~x", [.paste("ab[A"), .character("x")]),
        ("\u{1B}[?2026;2$y", [.reply(.mode(2026, isKnown: true))]),
        ("\u{1B}[?2026;0$y", [.reply(.mode(2026, isKnown: false))]),
        ("\u{1B}[?64;1;2c\u{1B}[0n", [.reply(.attributes([64, 1, 2])), .reply(.status)]),
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
        // Noise may have begun a paste, which has an end of its own.
        _ = decoder.decode("\u{1B}[201~".utf8)
        #expect(decoder.decode([UInt8(ascii: "q")]) == [.character("q")])
    }

    @Test("a paste without end keeps no more than its bound, and ends all the same")
    func endlessPaste() {
        var decoder = KeyDecoder()
        #expect(decoder.decode("\u{1B}[200~".utf8) == [])
        for _ in 0..<3 {
            #expect(decoder.decode([UInt8](repeating: 0x61, count: 60_000)) == [])
        }
        #expect(!decoder.isWaiting)
        guard case .paste(let text)? = decoder.decode("\u{1B}[201~".utf8).first else {
            Issue.record("the paste did not end")
            return
        }
        #expect(text.utf8.count <= 65_536)
    }

    @Test("a sequence without end is given up, not collected")
    func endless() {
        var decoder = KeyDecoder()
        let keys = decoder.decode([0x1B, 0x5B] + [UInt8](repeating: 0x30, count: 129))
        #expect(keys == [.unknown])
        #expect(!decoder.isWaiting)
    }
}
