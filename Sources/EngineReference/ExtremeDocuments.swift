import SeededRandom

/// Documents and ops whose numbers lie at the ends of what may be said, and beyond what an integer
/// of 32 bits holds.
struct ExtremeDocuments {
    private static let budget: UInt64 = 50_000_000
    private static let numbers = [
        "0", "-0.0", "1", "1e6", "-1e6", "999999.999", "1e-9", "-1e-9", "65535.5", "32767.999",
        "0.1", "16777217", "2147483647", "2147483648", "-2147483649", "4294967296", "1e15",
        "9007199254740993", "1e300", "5e-324", "1e400",
    ]
    private static let views = ["a", "b", "c", "d", "e"]
    private var random: SplitMix64

    init(seed: Int) { random = SplitMix64(seed: UInt64(seed)) }

    /// Whether the document has numbers that are refused; most have not, so that layouts get as far
    /// as their numbers do.
    private var goesBeyond = false

    private mutating func number() -> String {
        random.pick(goesBeyond ? Self.numbers : Array(Self.numbers.prefix(11)))
    }

    private mutating func beyond(_ list: [String], or others: [String]) -> String {
        random.pick(goesBeyond ? others : list)
    }

    private mutating func length() -> String {
        random.pick(["0", "1", "1e5", "1e6", "1e-9", "99999.99", "65536"])
    }

    private mutating func rule() -> String {
        let attributes = random.pick([
            ["width", "height"], ["left", "right", "centerX", "leading"],
            ["top", "bottom", "centerY", "firstBaseline"],
        ])
        let first = "\(random.pick(Self.views)).\(random.pick(attributes))"
        let relation = random.pick(["==", "<=", ">="])
        let priority = random.chance(1, of: 2) ? " @\(1 + random.below(999))" : ""
        guard random.chance(2, of: 3) else { return "\(first) \(relation) \(number())\(priority)" }
        let second = "\(random.pick(Self.views + ["root"])).\(random.pick(attributes))"
        return "\(first) \(relation) \(number()) * \(second) + \(length())\(priority)"
    }

    private mutating func view(_ id: String, _ above: [String]) -> String {
        var members = [
            "\"id\":\"\(id)\"", "\"parent\":\"\(random.pick(["root"] + above))\"",
            "\"kind\":\"\(random.pick(["view", "label", "stack", "scroll", "flow", "slider", "textField", "segmented", "progress", "image", "button"]))\"",
        ]
        let properties: [(String, String)] = [
            (
                "text",
                "\""
                    + String(
                        repeating: random.pick(["x", "日本", "ab cd "]), count: 1 + random.below(300))
                    + "\""
            ),
            ("lines", beyond(["0", "1", "1000"], or: ["2147483647", "2147483648", "1e15"])),
            ("preferredWidth", length()), ("spacing", number()),
            ("margins", "[\(number()),\(number()),\(number()),\(number())]"),
            ("intrinsic", "[\(length()),\(length())]"),
            ("frame", "[\(number()),\(number()),\(length()),\(length())]"),
            ("contentOffset", "[\(number()),\(number())]"),
            ("contentInset", "[\(number()),\(number()),\(number()),\(number())]"),
            ("baseline", "[\(number()),\(number())]"),
            ("fontSize", beyond(["1", "512"], or: ["0.5", "1e9"])),
            ("value", number()), ("minimum", number()), ("maximum", number()), ("step", length()),
            ("segments", "[\"a\",\"日本\",\"│\"]"),
            ("hugging", "[\(1 + random.below(1000)),999.999]"),
        ]
        for (key, value) in properties where random.chance(1, of: 5) {
            members.append("\"\(key)\":\(value)")
        }
        return "{\(members.joined(separator: ","))}"
    }

    private mutating func viewport() -> String {
        let members: [(String, String)] = [
            ("scale", beyond(["0.1", "16", "1"], or: ["1e9", "1e-9"])),
            (
                "cell",
                "[\(beyond(["1000", "1", "8"], or: ["0.001"])),\(beyond(["1000", "1", "16"], or: ["0"]))]"
            ),
            ("rounding", random.pick(["\"none\"", "\"pixel\""])),
            ("keyboard", beyond(["0", "1e5", "1e-9"], or: ["1e6"])),
            (
                "safeArea",
                "{\"top\":\(beyond(["0", "1e5"], or: ["1e6"])),\"leading\":\(beyond(["1e-9", "99999"], or: ["-1"]))}"
            ),
            ("direction", "\"rtl\""), ("unsatisfiable", "\"break\""),
            ("contentSizeCategory", "\"accessibilityExtraExtraExtraLarge\""),
        ]
        let more = members.filter { _ in random.chance(1, of: 4) }
            .map { ",\"\($0.0)\":\($0.1)" }.joined()
        let sides = ["0", "1", "1e5", "320", "99999.5", "1e5"]
        return "{\"width\":\(random.pick(sides)),\"height\":\(random.pick(sides))\(more)}"
    }

    private mutating func op() -> String {
        switch random.below(9) {
        case 0: return "{\"op\":\"setConstraint\",\"id\":\"#0\",\"constant\":\(number())}"
        case 1: return "{\"op\":\"setConstraint\",\"id\":\"#1\",\"multiplier\":\(number())}"
        case 2: return "{\"op\":\"addConstraint\",\"rule\":\"\(rule())\"}"
        case 3: return "{\"op\":\"setView\",\"id\":\"a\",\"value\":\(number())}"
        case 4:
            return
                "{\"op\":\"setContentOffset\",\"id\":\"\(random.pick(Self.views))\",\"offset\":[\(number()),\(number())]}"
        case 5:
            return
                "{\"op\":\"setNeedsDisplay\",\"id\":\"b\",\"rect\":[\(number()),\(number()),\(length()),\(length())]}"
        case 6:
            return
                "{\"op\":\"moveView\",\"id\":\"b\",\"parent\":\"root\",\"index\":\(random.pick(["0", "2147483648", "4294967296", "9007199254740992", "-1"]))}"
        case 7:
            let seconds = ["0", "0.001", "3600", "1e9", "35791395"]
            return
                "{\"op\":\"animate\",\"duration\":\(random.pick(seconds)),\"delay\":\(random.pick(seconds)),\"ops\":[{\"op\":\"setConstraint\",\"id\":\"#0\",\"constant\":\(number())},{\"op\":\"layoutIfNeeded\"}]}"
        default: return "{\"op\":\"sizeToFit\",\"id\":\"\(random.pick(Self.views))\"}"
        }
    }

    /// Lays one document out, and edits it.
    mutating func run(_ transcript: inout Transcript) {
        goesBeyond = random.chance(1, of: 5)
        var views: [String] = []
        for (index, id) in Self.views.enumerated() {
            views.append(view(id, Array(Self.views.prefix(index))))
        }
        let rules = (0..<2 + random.below(8)).map { _ in "\"\(rule())\"" }
        let document =
            "{\"scene\":1,\"viewport\":\(viewport()),\"views\":[\(views.joined(separator: ","))],\"constraints\":[\(rules.joined(separator: ","))]}"
        guard transcript.open(document, budget: Self.budget) else { return }
        transcript.frames(budget: Self.budget)
        transcript.hash()
        for _ in 0..<3 {
            transcript.apply(
                "[\(op()),\(op())]", isAtomic: random.chance(1, of: 2), budget: Self.budget)
            transcript.tick(random.pick([1, 2, 500]), budget: Self.budget)
            transcript.changed()
            transcript.hash()
        }
        transcript.frames(budget: Self.budget)
        transcript.explain(random.pick(Self.views), budget: Self.budget)
        transcript.picture()
        transcript.document()
    }
}
