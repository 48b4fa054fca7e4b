import ConstraintLanguage
import SeededRandom
import Testing

@Suite("Random texts")
struct LanguagePropertyTests {
    private func anchor(
        _ generator: inout SplitMix64, like attribute: LayoutAttribute? = nil
    ) -> AnchorReference {
        let ids = ["a", "root", "b-1", "_x", "e5", "and"]
        let attributes = LayoutAttribute.allCases.filter {
            guard let attribute else { return true }
            return $0.isSize == attribute.isSize
                && (attribute.isSize || $0.isHorizontal == attribute.isHorizontal)
        }
        let guide =
            Bool.random(using: &generator)
            ? BuiltInGuide.allCases.randomElement(using: &generator) : nil
        return AnchorReference(
            item: ItemReference(id: ids.randomElement(using: &generator) ?? "a", guide: guide),
            attribute: attributes.randomElement(using: &generator) ?? .left)
    }

    private func number(_ generator: inout SplitMix64) -> Double {
        while true {
            let value = Double(bitPattern: generator.next())
            if Bool.random(using: &generator) {
                return Double(Int.random(in: -1000...1000, using: &generator)) / 4
            }
            if value.isFinite { return value }
        }
    }

    @Test("every rule reads back from its text", arguments: 1...20)
    func roundTrip(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let first = anchor(&generator)
            var rule = Rule(
                first: first,
                relation: LayoutRelation.allCases.randomElement(using: &generator) ?? .equal,
                constant: number(&generator),
                priority: Double.random(in: 1...1000, using: &generator))
            if Bool.random(using: &generator) {
                rule.second = anchor(&generator, like: first.attribute)
                rule.multiplier = number(&generator)
            }
            #expect(try Rule.parse(rule.description) == rule, "seed \(seed)")
        }
    }

    @Test("no text is a trap, and every error lies inside the text", arguments: 1...20)
    func garbage(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let pieces = [
            "a", ".", "left", "width", "==", "<=", "2", "*", "+", "-", "@", "750", " ", "H:", "V:",
            "|", "[", "]", "(", ")", ",", "and", "<", "é", "\u{301}", "e", "1e400", "margins",
        ]
        for _ in 0..<500 {
            let count = Int.random(in: 0...12, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }
                .joined()
            let length = text.unicodeScalars.count
            let attempts: [() throws -> Void] = [
                { _ = try Rule.parse(text) }, { _ = try Condition.parse(text) },
                { _ = try VisualFormat.parse(text) },
            ]
            for attempt in attempts {
                do { try attempt() } catch let error as LanguageError {
                    #expect((0...length).contains(error.offset), "seed \(seed), \(text)")
                } catch {
                    Issue.record("an untyped error: \(error)")
                }
            }
        }
    }
}
