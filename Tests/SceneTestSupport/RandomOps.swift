import SceneDocument
import SeededRandom

/// Writes random documents and ops, right and wrong ones, with a taste for what documents find hard
/// to say: names that are gone, numbers at the ends of their ranges, names of the greatest length,
/// what only means something beside others.
package struct RandomOps {
    /// The views that there are, which most ops are to name.
    package var known: [String] = []
    private var random: SplitMix64
    /// What draws the keys of interaction and the controls: apart, so that the cases of before stay
    /// what they were.
    private var people: SplitMix64
    private static let longName = "w" + String(repeating: "x", count: 63)
    private static let views = ["v0", "v1", "v2", "v3", "v4", "v5", longName]
    private static let guides = ["g0", "g1"]
    private static let sets = ["s0", "s1"]

    /// Starts a row of cases; equal seeds give equal ones.
    package init(seed: Int) {
        random = SplitMix64(seed: UInt64(seed) &* 0xD134_2543_DE82_EF95)
        people = SplitMix64(seed: ~UInt64(seed))
    }

    /// A number from 0 to `bound` − 1.
    package mutating func below(_ bound: Int) -> Int { random.below(bound) }
    private mutating func pick(_ list: [String]) -> String { random.pick(list) }
    private mutating func chance(_ of: Int) -> Bool { random.below(of) == 0 }

    // MARK: Parts

    private mutating func view() -> String {
        known.isEmpty || chance(6) ? pick(Self.views) : pick(known)
    }

    private mutating func anyItem() -> String {
        switch below(12) {
        case 0: "root"
        case 1: pick(Self.guides)
        case 2: "gone"
        default: view()
        }
    }

    private mutating func number() -> String {
        switch below(10) {
        case 0: "1e6"
        case 1: "-1e6"
        case 2: "0"
        case 3: "-0.0"
        case 4: "1e-9"
        case 5: "\(Double(below(1_000_000)) / 7)"
        case 6: "-\(below(500))"
        default: "\(below(500))"
        }
    }

    private mutating func length() -> String { chance(8) ? "1e6" : "\(Double(below(4000)) / 8)" }

    private mutating func numbers(_ count: Int) -> String {
        "[" + (0..<count).map { _ in number() }.joined(separator: ",") + "]"
    }

    private mutating func names(_ list: [String]) -> String {
        "[" + list.filter { _ in chance(2) }.map { "\"\($0)\"" }.joined(separator: ",") + "]"
    }

    private mutating func text() -> String {
        (0..<below(6)).map { _ in
            pick(["a", "frames", "日本", "\\u0007", "\\\"", "e\\u0301", "constraint"])
        }.joined(separator: " ")
    }

    private mutating func priority() -> String {
        chance(2) ? "" : " @\(chance(3) ? "333.3333333333333" : "\(1 + below(1000))")"
    }

    private mutating func anchor() -> String {
        let guide =
            chance(6)
            ? pick([".margins", ".safeArea", ".content", ".viewport", ".readable", ".keyboard"])
            : ""
        return anyItem() + guide + "."
    }

    private mutating func rule() -> String {
        let relation = pick(["==", "<=", ">="])
        let kind = below(3)
        let attributes =
            [
                ["left", "right", "leading", "trailing", "centerX"],
                ["top", "bottom", "centerY", "firstBaseline", "lastBaseline"], ["width", "height"],
            ][kind]
        let first = anchor() + pick(attributes)
        guard chance(2) else { return "\(first) \(relation) \(scaled(number()))\(priority())" }
        let factor = chance(3) ? "\(number()) * " : ""
        let constant = chance(2) ? " \(pick(["+", "-"])) \(scaled(length()))" : ""
        let second = "\(factor)\(anchor())\(pick(attributes))\(constant)"
        return "\(first) \(relation) \(second)\(priority())"
    }

    private mutating func scaled(_ number: String) -> String {
        chance(6) ? "scaled(\(number))" : number
    }

    private mutating func format() -> String {
        let list = (0...below(2)).map { _ -> String in
            let demand = chance(2) ? "(\(pick(["==", ">="]))\(length()))" : ""
            return "[\(view())\(demand)]"
        }
        let gap = pick(["-", "", "-4-", "-(>=2@300)-"])
        return pick(["", "H:", "V:"]) + pick(["|-", "|", ""]) + list.joined(separator: gap)
    }

    private mutating func constraintID() -> String {
        switch below(14) {
        case 0: String(repeating: "c", count: 192)
        case 1: "c\(below(4)).\(below(3))"
        case 2: "#\(below(5))"
        case 3: "s0#\(below(3))"
        default: "c\(below(5))"
        }
    }

    private mutating func constraint() -> String {
        let id = chance(5) ? "" : "\"id\":\"\(constraintID())\","
        let active = chance(6) ? ",\"active\":false" : ""
        return chance(4)
            ? "\(id)\"vfl\":\"\(format())\"\(active)"
            : "\(id)\"rule\":\"\(rule())\"\(active)\(varied())"
    }

    /// Drawn apart, so that what is drawn before and after is what it was.
    private mutating func varied() -> String {
        let when = ["idiom == phone", "horizontalSizeClass == compact", "layoutDirection == rtl"]
        return switch people.below(12) {
        case 0: ",\"placeholder\":true"
        case 1:
            ",\"variations\":[{\"when\":\"\(people.pick(when))\",\"constant\":\(people.below(90))},"
                + "{\"when\":\"\(people.pick(when))\",\"active\":\(people.below(2) == 0)}]"
        case 2:
            ",\"variations\":[{\"when\":\"\(people.pick(when))\",\"priority\":\(1 + people.below(1000))}]"
        default: ""
        }
    }

    private mutating func condition() -> String {
        (0...below(2)).map { _ in
            chance(3)
                ? "\(chance(2) ? "" : "\(anyItem()).")\(traitTest())"
                : "\(anchor())\(pick(["width", "height"])) \(pick(["<", ">="])) \(below(600))"
        }.joined(separator: " and ")
    }

    private mutating func traitTest() -> String {
        pick([
            "horizontalSizeClass == compact", "horizontalSizeClass != regular",
            "verticalSizeClass == regular", "idiom == phone", "layoutDirection == rtl",
            "displayScale>=1.5", "contentSizeCategory > large", "userInterfaceStyle == dark",
            "preferredContentSizeCategory <= small", "direction != unspecified",
        ])
    }

    /// Traits, by the keys that devices and overrides of views share.
    private mutating func traits() -> [String] {
        [
            "\"horizontalSizeClass\":\"compact\"", "\"verticalSizeClass\":\"compact\"",
            "\"scale\":2", "\"direction\":\"rtl\"",
            "\"contentSizeCategory\":\"accessibilityMedium\"",
            "\"userInterfaceStyle\":\"dark\"", "\"idiom\":\"phone\"",
        ].filter { _ in chance(3) }
    }

    private mutating func variation() -> String {
        var keys = ViewKey.allCases.filter {
            Variation.varies($0) && !$0.isOfLook && chance(9)
        }
        keys += ViewKey.allCases.filter {
            Variation.varies($0) && $0.isOfLook && people.below(20) == 0
        }
        let when = (0...below(2)).map { _ in traitTest() }.joined(separator: " and ")
        return "{\"when\":\"\(when)\""
            + keys.map { ",\"\($0.rawValue)\":\(property($0))" }.joined() + "}"
    }

    private mutating func devices() -> String {
        guard chance(3) else { return "" }
        let list = (0...below(2)).map { index in
            let area =
                chance(2) ? "\"safeArea\":{\"top\":3}" : "\"width\":\(1 + below(900))"
            let strict = chance(4) ? ["\"strict\":true"] : []
            return "\"d\(index)\":{\((traits() + [area] + strict).joined(separator: ","))}"
        }
        return ",\"devices\":{\(list.joined(separator: ","))}"
    }

    // MARK: Properties

    private mutating func property(_ key: ViewKey) -> String {
        switch key {
        case .kind: "\"\(kind())\""
        case .text: "\"\(text())\""
        case .lines: "\(below(3))"
        case .align: "\"\(pick(["left", "center", "natural"]))\""
        case .preferredWidth: length()
        case .background, .foreground: "\"#0\(below(9))22\(below(9))3\(chance(2) ? "80" : "")\""
        case .border: "\"\(pick(["single", "none", "double"]))\""
        case .opacity: pick(["0", "1", "0.3333333333333333"])
        case .hidden, .clips: pick(["true", "false"])
        case .contentMode: "\"\(pick(["redraw", "scaleToFill", "left"]))\""
        case .collapses: pick(["true", "false", "\"width\"", "\"height\""])
        case .intrinsic: "[\(pick(["-1", length()])),\(length())]"
        case .hugging, .compression: pick(["[250,750]", "[1,999.5]", "[1000,1000]"])
        case .baseline: numbers(2)
        case .margins, .safeArea, .alignmentInsets, .contentInset: numbers(4)
        case .contentInsetAdjustmentBehavior:
            "\"\(pick(["automatic", "scrollableAxes", "never", "always"]))\""
        case .frame: "[\(number()),\(number()),\(length()),\(length())]"
        case .frameIn: "[\(length()),\(length())]"
        case .autoresizing:
            names([
                "flexibleWidth", "flexibleHeight", "flexibleLeftMargin", "flexibleRightMargin",
                "flexibleTopMargin", "flexibleBottomMargin",
            ])
        case .axis: "\"\(pick(["horizontal", "vertical"]))\""
        case .distribution: "\"\(pick(["fill", "fillEqually", "equalSpacing"]))\""
        case .alignment: "\"\(pick(["fill", "leading", "center", "firstBaseline"]))\""
        case .spacing: number()
        case .customSpacing:
            "{"
                + (Self.views + Self.guides + ["root", "gone"]).filter { _ in chance(4) }
                .map { "\"\($0)\":\(number())" }.joined(separator: ",") + "}"
        case .arranged: names(Array(Self.views.prefix(1 + below(4))))
        case .contentOffset: numbers(2)
        case .layoutMarginsRelativeArrangement, .dynamicType, .insetsLayoutMarginsFromSafeArea,
            .preservesSuperviewLayoutMargins, .keyboardUsesBottomSafeArea, .installed,
            .layoutMarginsFollowReadableWidth, .baselineRelativeArrangement:
            pick(["true", "false"])
        case .textStyle: "\"\(pick(["body", "title1", "headline", "caption2"]))\""
        case .fontSize: pick(["1", "11.5", "17", "512"])
        case .fontWeight: "\"\(pick(["regular", "semibold", "black"]))\""
        case .lineBreakMode: "\"\(pick(["byClipping", "byTruncatingMiddle", "byWordWrapping"]))\""
        case .minimumScaleFactor: pick(["0", "0.5", "1"])
        case .cornerRadius, .maskedCorners, .borderWidth, .borderColor, .shadow, .gradient, .tint,
            .transform, .image, .symbol, .chart:
            look(key)
        case .minimumContentSizeCategory, .maximumContentSizeCategory:
            "\"\(pick(["unspecified", "small", "extraLarge", "accessibilityLarge"]))\""
        case .events, .enabled, .focusable, .selected, .continuous, .scrolls, .label, .role, .hint,
            .value, .minimum, .maximum, .step, .placeholder, .segments:
            interaction(key)
        case .traits: "{\(traits().joined(separator: ","))}"
        case .variations: "[\((0..<below(3)).map { _ in variation() }.joined(separator: ","))]"
        }
    }

    private mutating func kind() -> String {
        let kind = pick(["view", "label", "stack", "scroll", "flow", "image"])
        let controls = ViewKind.allCases.filter { $0.control != .none }.map(\.rawValue)
        return people.below(3) == 0 ? people.pick(controls) : kind
    }

    private mutating func look(_ key: ViewKey) -> String {
        let color = people.pick(["#102030", "#aabbcc80", "systemRed", "tint", "label"])
        switch key {
        case .cornerRadius, .borderWidth: return people.pick(["0", "0.5", "12", "1e6"])
        case .maskedCorners:
            return people.pick(["[]", #"["topLeft"]"#, #"["bottomRight","topRight"]"#])
        case .borderColor, .tint: return "\"\(color)\""
        case .shadow:
            let rest = #""offset":[1,-2],"radius":4,"opacity":0.5"#
            return people.pick(["{}", "{\"color\":\"\(color)\",\(rest)}"])
        case .gradient:
            let rest = #""locations":[0.5,0.5],"endPoint":[1,0]"#
            return people.pick([
                "{\"colors\":[\"\(color)\",\"#00000000\"]}",
                "{\"colors\":[\"systemRed\",\"\(color)\"],\(rest)}",
            ])
        case .image:
            let hash = String(repeating: people.pick(["0", "a"]), count: 64)
            let rest = #""scale":2,"width":30,"height":8192,"type":"image/png""#
            return people.pick(["\"\(hash)\"", "{\"hash\":\"\(hash)\",\(rest)}"])
        case .symbol: return people.pick([#""gear""#, #""square.and.arrow.up""#])
        case .chart:
            let rest = #""style":"bars","minimum":-1,"maximum":1e6,"lineWidth":0.5,"gridLines":16"#
            return people.pick([
                #"{"values":[]}"#, #"{"values":[3,-1.5,1e6]}"#,
                "{\"values\":[7],\"color\":\"\(color)\",\(rest)}",
            ])
        case .transform:
            return people.pick([
                "{}", #"{"rotation":45}"#,
                #"{"rotation":-30.5,"scale":[2,0],"translation":[1,-1e6]}"#,
            ])
        default: preconditionFailure("\(key) is none of the look")
        }
    }

    private mutating func interaction(_ key: ViewKey) -> String {
        func text() -> String {
            (0..<people.below(4)).map { _ in
                people.pick(["a", "日本", "\\u0007", "\\\"", "e\\u0301"])
            }
            .joined(separator: " ")
        }
        func number() -> String {
            people.pick(["1e6", "-1e6", "0", "-0.0", "1e-9", "0.3333333333333333", "7", "-3"])
        }
        switch key {
        case .events:
            let kinds = EventKind.asked.filter { _ in people.below(2) == 0 }
            return "[\(kinds.map { "\"\($0.rawValue)\"" }.joined(separator: ","))]"
        case .enabled, .focusable, .selected, .continuous: return people.pick(["true", "false"])
        case .scrolls: return people.pick(["\"together\"", "\"each\""])
        case .label, .hint, .placeholder: return "\"\(text())\""
        case .role: return "\"\(people.pick(AccessibilityRole.allCases.map(\.rawValue)))\""
        case .value:
            return people.pick(["true", "false", number(), "\"\(text())\"", "1"])
        case .minimum, .maximum: return number()
        case .step: return people.pick(["0", "1e6", "0.1"])
        case .segments:
            return "[\((0..<people.below(4)).map { _ in "\"\(text())\"" }.joined(separator: ","))]"
        default: preconditionFailure("\(key) is none of interaction")
        }
    }

    private mutating func properties(kind: Bool) -> String {
        var keys = ViewKey.allCases.filter {
            $0 != .kind && $0 != .frameIn && !$0.isOfInteraction && !$0.isOfLook && chance(9)
        }
        keys += ViewKey.allCases.filter { $0.isOfInteraction && people.below(9) == 0 }
        keys += ViewKey.allCases.filter { $0.isOfLook && people.below(20) == 0 }
        if keys.contains(.frame), chance(2) { keys.append(.frameIn) }
        if kind || chance(12) { keys.append(.kind) }
        return keys.map { ",\"\($0.rawValue)\":\(property($0))" }.joined()
    }

    // MARK: Documents and ops

    /// A document that the reader accepts, if perhaps not the engine.
    package mutating func document() -> String {
        var parts: [String] = []
        var known: [String] = []
        for name in Self.views where chance(2) {
            let parent = known.isEmpty || chance(2) ? "root" : pick(known)
            parts.append("{\"id\":\"\(name)\",\"parent\":\"\(parent)\"\(properties(kind: true))}")
            known.append(name)
        }
        let sets = Self.sets.map { name in
            let when = chance(3) ? "" : "\"when\":\"\(condition())\","
            return "\"\(name)\":{\(when)\"constraints\":[\"root.width >= 0\"]}"
        }
        let refuse = chance(2) ? "" : ",\"unsatisfiable\":\"break\""
        return
            "{\"scene\":1,\"viewport\":{\"width\":480,\"height\":320\(refuse)}\(devices()),\"views\":[\(parts.joined(separator: ","))],\"sets\":{\(sets.joined(separator: ","))}}"
    }

    /// The viewport alone, in case a document is refused.
    package static let empty = "{\"scene\":1,\"viewport\":{\"width\":480,\"height\":320}}"

    /// An op that adds a view.
    package mutating func addition() -> String {
        let parent = chance(2) ? "" : ",\"parent\":\"\(anyItem())\""
        let index = chance(3) ? ",\"index\":\(below(4))" : ""
        return
            "{\"op\":\"addView\",\"id\":\"\(pick(Self.views))\"\(parent)\(index)\(properties(kind: true))}"
    }

    /// One op, as JSON.
    package mutating func op(depth: Int = 0) -> String {
        switch below(depth < 3 ? 26 : 24) {
        case 0, 1, 2, 3:
            return addition()
        case 4, 5: return "{\"op\":\"removeView\",\"id\":\"\(view())\"}"
        case 6, 7:
            let index = chance(2) ? ",\"index\":\(below(4))" : ""
            return
                "{\"op\":\"moveView\",\"id\":\"\(view())\",\"parent\":\"\(anyItem())\"\(index)}"
        case 8, 9, 10:
            return "{\"op\":\"setView\",\"id\":\"\(view())\"\(properties(kind: false))}"
        case 11:
            let keys = ViewKey.allCases.filter {
                $0 != .kind && !$0.isOfInteraction && !$0.isOfLook
            }.map(\.rawValue)
            let own = ViewKey.allCases.filter { $0.isOfInteraction || $0.isOfLook }.map(\.rawValue)
            if people.below(3) == 0 {
                return
                    "{\"op\":\"resetView\",\"id\":\"\(view())\",\"keys\":[\"\(people.pick(own))\",\"\(people.pick(own))\"]}"
            }
            return
                "{\"op\":\"resetView\",\"id\":\"\(view())\",\"keys\":[\"\(pick(keys))\",\"\(pick(keys))\"]}"
        case 12:
            return
                "{\"op\":\"addGuide\",\"id\":\"\(pick(Self.guides))\",\"parent\":\"\(anyItem())\"}"
        case 13, 14: return "{\"op\":\"addConstraint\",\(constraint())}"
        case 15:
            return "{\"op\":\"addConstraint\",\"set\":\"\(pick(Self.sets))\",\(constraint())}"
        case 16: return "{\"op\":\"removeConstraint\",\"id\":\"\(constraintID())\"}"
        case 17:
            return
                "{\"op\":\"setConstraint\",\"id\":\"\(constraintID())\",\"constant\":\(number())}"
        case 18:
            return
                "{\"op\":\"setConstraint\",\"id\":\"\(constraintID())\",\"multiplier\":\(number()),\"priority\":\(1 + below(1000))}"
        case 19:
            return
                "{\"op\":\"setConstraint\",\"id\":\"\(constraintID())\",\"active\":\(chance(2))}"
        case 20:
            let name = pick(["activateSet", "deactivateSet"])
            let auto = name == "activateSet" && chance(2) ? ",\"auto\":true" : ""
            return "{\"op\":\"\(name)\",\"id\":\"\(pick(Self.sets))\"\(auto)}"
        case 21:
            let value = pick([
                "\"width\":100000", "\"width\":320", "\"height\":0", "\"cell\":[1000,1000]",
                "\"cell\":[8,16]", "\"scale\":1.5", "\"direction\":\"rtl\"",
                "\"unsatisfiable\":\"break\"", "\"width\":900",
                "\"safeArea\":{\"top\":20,\"leading\":4}",
                "\"safeArea\":{}", "\"idiom\":\"phone\"", "\"horizontalSizeClass\":\"compact\"",
                "\"horizontalSizeClass\":\"unspecified\"", "\"contentSizeCategory\":\"small\"",
                "\"userInterfaceStyle\":\"dark\"", "\"keyboard\":120", "\"keyboard\":0",
                "\"contentSizeCategory\":\"accessibilityLarge\"",
            ])
            return "{\"op\":\"setViewport\",\(value)}"
        case 22: return "{\"op\":\"sizeToFit\",\"id\":\"\(view())\"}"
        case 23:
            return
                chance(2)
                ? "{\"op\":\"setContentOffset\",\"id\":\"\(view())\",\"offset\":\(numbers(2))}"
                : pick([
                    "{\"op\":\"layoutIfNeeded\"}", "{\"op\":\"setNeedsUpdateProperties\"}",
                    "{\"op\":\"updatePropertiesIfNeeded\"}",
                ])
        default:
            let ops = (0...below(2)).map { _ in op(depth: depth + 1) }
            let flushes = chance(2) ? ",\"flushUpdates\":true" : ""
            return
                "{\"op\":\"animate\",\"duration\":\(pick(["0", "0.05"]))\(flushes),\"ops\":[\(ops.joined(separator: ","))]}"
        }
    }
}
