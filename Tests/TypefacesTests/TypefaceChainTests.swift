import EmbeddedFiles
import Testing

@testable import Typefaces

@Suite("A chain of faces")
struct TypefaceChainTests {
    private let regular: Typeface
    private let chain: TypefaceChain

    init() throws {
        regular = try shippedFace("Inter-Regular")
        chain = TypefaceChain([regular])
    }

    private static let em = TypefaceChain.unitsPerEm

    private func units(_ face: Int) -> Int { (face << 20 + 1408) / 2816 }

    @Test("an advance is the face's own, in units of 2⁻²⁰ em")
    func units() {
        // 10,988 units of 2,816, by HarfBuzz's command hb-shape.
        #expect(chain.advance(of: "Settings") == .init(units: units(10988), isFitted: false))
        #expect(chain.advance(of: "") == .init(units: 0, isFitted: false))
    }

    @Test("characters that no face has are an em each, emoji an em and a quarter")
    func missing() {
        #expect(chain.advance(of: "日本") == .init(units: 2 * Self.em, isFitted: true))
        #expect(chain.advance(of: "😀") == .init(units: Self.em / 4 * 5, isFitted: true))
        #expect(chain.advance(of: "👩‍👩‍👧").units == Self.em / 4 * 5)
        #expect(chain.advance(of: "🇩🇪").units == Self.em / 4 * 5)
        let mixed = chain.advance(of: "Settings日")
        #expect(mixed == .init(units: units(10988) + Self.em, isFitted: true))
    }

    @Test("characters that are never drawn take no room")
    func invisible() {
        #expect(chain.advance(of: "\u{200B}\u{AD}\u{2060}").units == 0)
        #expect(chain.advance(of: "\u{0}\u{1}\u{7F}").units == 0)
        #expect(!chain.advance(of: "a\u{200D}b").isFitted)
    }

    @Test("the second face draws what the first lacks")
    func fallback() throws {
        let semibold = try shippedFace("Inter-SemiBold")
        let both = TypefaceChain([regular, semibold])
        #expect(both.advance(of: "Settings") == chain.advance(of: "Settings"))
        #expect(
            TypefaceChain([semibold]).advance(of: "Settings") != chain.advance(of: "Settings"))
    }

    @Test("a line's outlines stand where its words are measured")
    func outlines() {
        // At 2,816 points a unit is a point. The outline of I as fontTools reads it from the file:
        // 744 wide, and a space 792.
        let line = chain.outline(of: "I I", size: 2816)
        #expect(line?.hasPrefix("M496 -2048L248 -2048L248 0L496 0") == true)
        #expect(line?.contains("ZM2032 -2048L1784 -2048L1784 0L2032 0") == true)
        // The dot of the i has curves.
        #expect(
            chain.outline(of: "i", size: 2816)?.contains("C428 -1792 504 -1864 504 -1952") == true)
        #expect(chain.outline(of: "I", size: 28.16)?.hasPrefix("M4.96 -20.48L2.48 -20.48") == true)
        #expect(chain.outline(of: "", size: 12) == "")
        #expect(chain.outline(of: "I日", size: 12) == nil)
        #expect(Typeface.Script(of: "א").isRightToLeft && !Typeface.Script(of: "I").isRightToLeft)
    }

    @Test("a long word is measured in pieces of 64 scalars")
    func longWords() {
        let piece = String(repeating: "AV", count: 32)
        #expect(
            chain.advance(of: String(repeating: piece, count: 3)).units
                == 3 * chain.advance(of: piece).units)
    }

    @Test("sixty-four kilobytes of marks, joiners or emoji take a bounded time each")
    func hostile() {
        for unit in ["\u{323}\u{301}", "👩\u{200D}", "\u{202E}", "ﷺ", "क्"] {
            let count = 65_536 / unit.utf8.count
            let word = "a" + String(repeating: unit, count: count)
            #expect(chain.advance(of: word).units >= 0)
        }
    }
}
