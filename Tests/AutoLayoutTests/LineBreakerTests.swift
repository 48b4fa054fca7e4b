import SeededRandom
import Testing

@testable import AutoLayout

@Suite("Lines of plain text")
struct LineBreakerTests {
    @Test("are those that are found character by character", arguments: 0..<300)
    func sameLines(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let letters = Array("aab c  d-e\n~ ")
        let length = Int.random(in: 0...60, using: &random)
        let text = String((0..<length).map { _ in letters.randomElement(using: &random) ?? "x" })
        let columns = Bool.random(using: &random) ? Int.random(in: 1...12, using: &random) : nil
        #expect(
            try #require(LineBreaker.asciiLines(of: text, columns: columns))
                == LineBreaker.anyLines(of: text, columns: columns),
            "\(text.debugDescription) in \(columns ?? 0) columns")
    }

    @Test(
        "text with any other byte is not taken for plain",
        arguments: ["a\tb", "a\r\nb", "é", "\u{7F}", "日"])
    func otherText(text: String) {
        #expect(LineBreaker.asciiLines(of: text, columns: 4) == nil)
    }
}
