import Foundation
import LineBreaking
import Testing

@Suite("The line breaking algorithm of Unicode")
struct LineBreakingTests {
    /// The texts between the places where a line may or has to end.
    private func pieces(
        _ text: String, _ strictness: LineBreakStrictness = .normal
    ) -> [String] {
        var result: [String] = []
        var current = String.UnicodeScalarView()
        let scalars = Array(text.unicodeScalars)
        let found = lineBreakOpportunities(in: scalars, strictness: strictness)
        for (scalar, after) in zip(scalars, found.dropFirst()) {
            current.append(scalar)
            guard after != .prohibited else { continue }
            result.append(String(current))
            current = String.UnicodeScalarView()
        }
        return result
    }

    @Test("pairs of all classes and random texts break where ICU breaks them")
    func vectors() throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Vectors/icu.txt")
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }
        #expect(lines.count > 6000)
        for line in lines {
            var scalars: [Unicode.Scalar] = []
            var expected: [Bool] = []
            for item in line.split(whereSeparator: { $0 == " " || $0 == "|" }) {
                let value = try #require(UInt32(item, radix: 16))
                scalars.append(try #require(Unicode.Scalar(value)))
                expected.append(item.endIndex < line.endIndex && line[item.endIndex] == "|")
            }
            let found = lineBreakOpportunities(in: scalars, strictness: .strict)
            #expect(found.dropFirst().map { $0 != .prohibited } == expected, "\(line)")
        }
    }

    @Test(
        "examples of the annex",
        arguments: [
            ("Hello, world", ["Hello, ", "world"]),
            ("e-mail 3-4", ["e-", "mail ", "3-4"]),
            ("(a) [b]", ["(a) ", "[b]"]),
            ("$12.50 99%", ["$12.50 ", "99%"]),
            ("a\u{A0}b c", ["a\u{A0}b ", "c"]),
            ("Donau\u{AD}dampf", ["Donau\u{AD}", "dampf"]),
            ("a\u{200B}b", ["a\u{200B}", "b"]),
            ("a\u{2060}b", ["a\u{2060}b"]),
            ("日本語。", ["日", "本", "語。"]),
            ("« mot »", ["« mot »"]),
            ("🇩🇪🇫🇷", ["🇩🇪", "🇫🇷"]),
            ("👩‍👩‍👧👍🏽", ["👩‍👩‍👧", "👍🏽"]),
            ("각하", ["각", "하"]),
            ("ผมรัก", ["ผมรัก"]),
        ])
    func annex(text: String, expected: [String]) {
        #expect(pieces(text) == expected)
    }

    @Test("a line feed ends a line, a carriage return before it does not")
    func hard() {
        #expect(
            lineBreakOpportunities(in: "a\r\nb".unicodeScalars, strictness: .normal)
                == [.prohibited, .prohibited, .prohibited, .mandatory, .mandatory])
        #expect(lineBreakOpportunities(in: [], strictness: .normal) == [.mandatory])
    }

    @Test("small kana begin a line, but for the strict")
    func kana() {
        #expect(pieces("シャー") == ["シ", "ャ", "ー"])
        #expect(pieces("シャー", .strict) == ["シャー"])
    }

    @Test("a mark with a hundred thousand marks after it takes no quadratic time")
    func marks() {
        let text = "a" + String(repeating: "\u{323}\u{301}", count: 100_000) + " b"
        let found = lineBreakOpportunities(in: text.unicodeScalars, strictness: .normal)
        #expect(found.count { $0 == .allowed } == 1)
    }

    @Test("the tables are those of the pinned version of Unicode")
    func version() {
        #expect(lineBreakingUnicodeVersion == "17.0.0")
    }
}
