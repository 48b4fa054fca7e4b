import JSON
import SceneDocument
import SceneModel
import SceneWire
import SeededRandom
import Testing
import Typefaces

/// Random labels as wide as their text: rounding up to pixels, and where the label stands, must
/// leave room for the whole line.
@Suite("Labels at their own width", .serialized, .shippedFaces)
struct LabelWidthPropertyTests {
    private static let labelsPerScene = 100
    private static let scenesPerScale = 20

    /// A word of one script or of several; with marks, digits and signs that lines can break at.
    private func word(_ random: inout SplitMix64) -> String {
        let alphabets: [[String]] = [
            ["a", "b", "e", "f", "i", "l", "m", "W", "A", "V", "T", "o", "y"],
            ["α", "β", "γ", "Ω", "ά"], ["ж", "д", "Я", "ё"], ["0", "1", "7", ",", ".", "%"],
            ["e\u{301}", "n\u{303}", "o\u{308}\u{323}"], ["日", "本", "語"], ["👍", "👩‍👧", "🇫🇷"],
            ["-", "–", "/", "(", ")", "“", "”", "\u{AD}", "\u{A0}"], ["ש", "ל", "ם", "א"],
        ]
        let mixed = random.below(4) == 0
        let alphabet = random.pick(alphabets)
        return (0...random.below(9)).map { _ in
            random.pick(mixed ? random.pick(alphabets) : alphabet)
        }.joined()
    }

    private func label(_ number: Int, _ random: inout SplitMix64) -> (text: String, JSONValue) {
        let words = (0...random.below(5)).map { _ in word(&random) }
        let text = words.joined(separator: random.pick([" ", "  ", " "]))
        let styles = [
            "largeTitle", "title1", "title2", "title3", "headline", "subheadline", "body",
            "callout", "footnote", "caption1", "caption2",
        ]
        let font: JSONMember =
            random.below(2) == 0
            ? JSONMember("textStyle", .string(random.pick(styles)))
            : JSONMember("fontSize", .number(Double(8 + random.below(600) % 60) + 0.25))
        return (
            text,
            .object([
                JSONMember("id", .string("l\(number)")), JSONMember("kind", .string("label")),
                JSONMember("text", .string(text)),
                JSONMember("lines", .number(Double(random.below(2)))), font,
            ])
        )
    }

    @Test("ten thousand of them neither wrap nor lose a letter", arguments: [1, 1.5, 2, 2.75, 3])
    func lines(scale: Double) throws {
        var random = SplitMix64(seed: UInt64(scale * 100))
        for _ in 0..<Self.scenesPerScale {
            let labels = (0..<Self.labelsPerScene).map { label($0, &random) }
            let rules = labels.indices.flatMap { number in
                let x = Double(random.below(100_000)) / 977
                return [
                    "l\(number).left == root.left + \(x)",
                    "l\(number).top == root.top + \(Double(number) * 70.3)",
                ].map { JSONValue.string($0) }
            }
            let document = JSONValue.object([
                JSONMember("scene", .number(1)),
                JSONMember(
                    "viewport",
                    .object([
                        JSONMember("width", .number(9_000)), JSONMember("height", .number(9_000)),
                        JSONMember("scale", .number(scale)),
                        JSONMember("typography", .string("faces")),
                    ])),
                JSONMember("views", .array(labels.map(\.1))),
                JSONMember("constraints", .array(rules)),
            ])
            let model = try SceneModel(SceneDocument.parse(Array(document.text().utf8)))
            let records = Dictionary(
                uniqueKeysWithValues: model.records().map { ($0.id, $0.content.lines.map(\.text)) })
            for (number, label) in labels.enumerated() {
                let lines = records["l\(number)"] ?? []
                #expect(lines == [label.text], "scale \(scale), \(label.text): \(lines)")
            }
        }
    }
}
