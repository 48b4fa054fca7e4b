import JSON
import Testing

@testable import SceneDocument

@Suite("Names of symbols")
struct SymbolNameTests {
    @Test("every name of the set is found, and nothing else")
    func lookup() {
        for name in SymbolName.all { #expect(SymbolName(name)?.text == name) }
        for name in ["", "gea", "gearr", "Gear", "a", "zzz", "square.and.arrow.up.", "\u{E9}"] {
            #expect(SymbolName(name) == nil, "\(name)")
        }
    }

    @Test("the nearest names are suggested, the nearest first")
    func closest() {
        // One letter; then two: `bell` and `gear` differ in more.
        #expect(SymbolName.closest(to: "geer").first == "gear")
        #expect(SymbolName.closest(to: "magnifying.glass").first == "magnifyingglass")
        #expect(SymbolName.closest(to: "heart.full").first == "heart.fill")
        #expect(SymbolName.closest(to: "trash-fill").first == "trash.fill")
        #expect(SymbolName.closest(to: "geer").count <= 3)
        #expect(SymbolName.closest(to: "").isEmpty)
        #expect(SymbolName.closest(to: "qqqqqqqqqqqq").isEmpty)
        #expect(SymbolName.closest(to: String(repeating: "gear", count: 17)).isEmpty)
    }

    @Test("an unknown name is refused, and the nearest are said")
    func refusal() throws {
        let text = #"{"op":"setView","id":"a","symbol":"geer"}"#
        do {
            _ = try Op.parseList(utf8(text))
            Issue.record("taken")
        } catch {
            #expect("\(error)".contains("unknown symbol"))
            #expect("\(error)".contains("such as gear"))
        }
        #expect(throws: DocumentError.self) {
            try Op.parseList(utf8(#"{"op":"setView","id":"a","symbol":"Gear"}"#))
        }
    }
}
