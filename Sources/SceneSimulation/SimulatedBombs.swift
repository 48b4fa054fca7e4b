import SeededRandom

/// Whether a run has an editor who means to cost the room much, and what it sends: small messages
/// that are dear to lay out, to refuse, to go back from, or to explain.
///
/// Its numbers are its own, so a run without such an editor is what it would be without this type.
struct SimulatedBombs {
    private var random: SplitMix64
    /// The client that sends them; nil in three runs of four.
    let client: Int?

    init(seed: UInt64) {
        random = SplitMix64(seed: seed ^ 0xB0_B5)
        // The first client is an editor, the second may be one; the first is left to be an honest
        // one in half of the runs.
        client = random.chance(1, of: 4) ? random.below(2) : nil
    }

    private static let viewCount = 14

    private func views(_ extra: String = "") -> String {
        (0..<Self.viewCount).map { #"{"op":"addView","id":"b\#($0)"\#(extra)}"# }
            .joined(separator: ",")
    }

    /// The next message.
    mutating func message() -> String {
        let list =
            switch random.below(9) {
            case 0: dense()
            case 1: chain()
            case 2: text()
            case 3: deep()
            case 4: repeated()
            case 5: "\(views()),\(dense()),\(contradiction())"
            case 6: animated()
            case 7: scene()
            default: (0..<40).map { _ in #"{"op":"layoutIfNeeded"}"# }.joined(separator: ",")
            }
        return "[\(list)]"
    }

    /// Equations between any two views, each of another priority.
    private mutating func dense() -> String {
        (0..<30).map { index in
            let (first, second) = (random.below(Self.viewCount), random.below(Self.viewCount))
            let side = random.pick(["left", "width"])
            let relation = random.pick(["==", "<=", ">="])
            return
                #"{"op":"addConstraint","id":"d\#(index)","rule":"b\#(first).\#(side) \#(relation) 0.5 * b\#(second).\#(side) + \#(random.below(99)) @\#(1 + random.below(999))"}"#
        }.joined(separator: ",")
    }

    /// Widths that all follow from the first, and then another width of the last.
    private mutating func chain() -> String {
        let equations = (1..<Self.viewCount).map {
            #"{"op":"addConstraint","id":"e\#($0)","rule":"b\#($0).width == b\#($0 - 1).width + 1"}"#
        }
        return "\(views()),\(equations.joined(separator: ",")),\(contradiction())"
    }

    private mutating func contradiction() -> String {
        (0..<8).map {
            #"{"op":"addConstraint","id":"x\#($0)","rule":"b\#(random.below(Self.viewCount)).width == \#(random.below(300))"}"#
        }.joined(separator: ",")
    }

    /// Texts that are measured again and again.
    private mutating func text() -> String {
        let word = random.pick(["word ", "日本", "👨‍👩‍👧 ", "unbreakable"])
        let text = String(repeating: word, count: 200)
        let label = #"{"op":"addView","id":"t","kind":"label","lines":0}"#
        return label + ","
            + (0..<20).map {
                #"{"op":"setView","id":"t","text":"\#(text)\#($0)"},{"op":"sizeToFit","id":"t"}"#
            }.joined(separator: ",")
    }

    /// A chain of subviews that is moved from one place to another.
    private mutating func deep() -> String {
        let chain = (1..<Self.viewCount).map {
            #"{"op":"moveView","id":"b\#($0)","parent":"b\#($0 - 1)"}"#
        }
        let moves = (0..<20).map {
            #"{"op":"moveView","id":"b1","parent":"\#($0 % 2 == 0 ? "root" : "b0")"}"#
        }
        return "\(views()),\((chain + moves).joined(separator: ","))"
    }

    /// A stack that arranges the same views again and again.
    private mutating func repeated() -> String {
        let names = (0..<60).map { _ in "\"b\(random.below(Self.viewCount))\"" }
        return
            #"\#(views(#","kind":"label","text":"x""#)),{"op":"addView","id":"s","kind":"stack"},{"op":"setView","id":"s","distribution":"fillEqually","arranged":[\#(names.joined(separator: ","))]}"#
    }

    /// An animation whose last op is refused, so that all before it is taken back.
    private mutating func animated() -> String {
        #"{"op":"animate","duration":0.2,"ops":[\#(dense()),{"op":"layoutIfNeeded"},{"op":"removeView","id":"nobody"}]}"#
    }

    /// Another document in place of the present one.
    private mutating func scene() -> String {
        let list = (0..<Self.viewCount).map { #"{"id":"b\#($0)"}"# }.joined(separator: ",")
        let rules = (1..<Self.viewCount).map { #""b\#($0).left == b\#($0 - 1).right + \#($0)""# }
        return
            #"{"op":"setScene","scene":1,"viewport":{"width":300,"height":200},"views":[{"id":"bar"},\#(list)],"constraints":[\#(rules.joined(separator: ","))]}"#
    }
}
