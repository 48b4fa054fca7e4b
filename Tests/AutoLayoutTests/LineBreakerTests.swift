import CharacterWidth
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

    /// Lines as the rules say them, character by character, without regard to cost.
    private func linesBySentence(_ text: String, columns: Int) -> [LineBreaker.Line] {
        var result: [LineBreaker.Line] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            var words: [String] = []
            for character in paragraph {
                if let last = words.last?.last, (last == " ") == (character == " ") {
                    words[words.count - 1].append(character)
                } else {
                    words.append(String(character))
                }
            }
            var line = ""
            func finish() {
                while line.last == " " { line.removeLast() }
                result.append(.init(text: line, columns: displayWidth(of: line)))
                line = ""
            }
            for word in words {
                let used = displayWidth(of: line)
                if used + displayWidth(of: word) <= columns {
                    line += word
                } else if word.first == " " {
                    finish()
                } else {
                    if used > 0 { finish() }
                    for character in word {
                        let used = displayWidth(of: line)
                        if used > 0, used + displayWidth(of: character) > columns { finish() }
                        line.append(character)
                    }
                }
            }
            finish()
        }
        return result
    }

    @Test("of any characters are those of the rules", arguments: 0..<300)
    func anyCharacters(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let letters: [Character] = ["a", "é", "日", "👩‍👩‍👧", " ", " ", "\n", "🇩🇪", "e\u{301}", "\r\n"]
        let length = Int.random(in: 0...40, using: &random)
        let text = String((0..<length).map { _ in letters.randomElement(using: &random) ?? "x" })
        let columns = Int.random(in: 1...12, using: &random)
        #expect(
            LineBreaker.anyLines(of: text, columns: columns)
                == linesBySentence(text, columns: columns),
            "\(text.debugDescription) in \(columns) columns")
    }
}
