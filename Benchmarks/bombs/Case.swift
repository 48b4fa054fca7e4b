import Foundation
import SceneWire

/// What a hostile member sends: a document, and then a message of ops, both as JSON text, or a
/// question.
struct Case {
    /// The document of the scene.
    let document: String
    /// The ops of the message that is measured.
    let ops: String
    /// The question that is measured in place of ops, if it is one.
    let question: ClientMessage?
    /// Ticks that are measured with the message, for what it leaves to be done in them.
    let ticks: Int
    /// What kind of views and ops it has, so that findings can be told apart.
    let kind: String

    /// How many things there are that a case can have much of.
    static let specialCount = CaseWriter.specials.count

    /// Writes the case that follows from some choices, with at most so many views.
    init(_ choices: Choices, views: Int) {
        var writer = CaseWriter(choices: choices, maximum: views)
        writer.writeDocument()
        let asked = writer.question()
        let usual = asked == nil ? writer.ops() : ""
        // Drawn last, so that cases that were found before it was there stay what they were.
        let special = writer.special()
        document = writer.document
        question = special == nil ? asked : nil
        ops = special?.ops ?? usual
        ticks = special?.ticks ?? 0
        kind = writer.names.sorted().joined(separator: "+")
    }
}

/// Writes scenes and ops whose shapes are few and whose sizes are any: what costs much is seldom a
/// mixture of everything.
private struct CaseWriter {
    var choices: Choices
    let maximum: Int
    private var count = 0
    private var constraintCount = 0
    private var setCount = 0
    /// The names of its ops.
    private(set) var names: Set<String> = []

    init(choices: Choices, maximum: Int) {
        self.choices = choices
        self.maximum = maximum
    }

    // MARK: The scene

    private var views: [String] = []
    private var guides: [String] = []
    private var constraints: [String] = []
    private var sets: [String] = []
    /// The viewport's member for text in faces, if it has that.
    private var typography = ""

    /// The scene as a document.
    var document: String {
        "{\"scene\":1,\"viewport\":{\"width\":640,\"height\":384\(typography)},\"views\":["
            + views.joined(separator: ",") + "],\"guides\":[" + guides.joined(separator: ",")
            + "],\"constraints\":[" + constraints.joined(separator: ",") + "],\"sets\":{"
            + sets.joined(separator: ",") + "}}"
    }

    mutating func writeDocument() {
        count = 1 + choices.count(to: maximum)
        let shape = choices.below(5)
        let kinds = (0...choices.below(3)).map { _ in choices.pick(Self.kinds) }
        let text = text()
        let properties = (0...choices.below(3)).map { _ in property(text) }
        views = (0..<count).map { index in
            let kind = kinds[index % kinds.count]
            var view = "{\"id\":\"v\(index)\",\"parent\":\"\(parent(of: index, shape))\""
            view += ",\"kind\":\"\(kind)\""
            if kind == "label" { view += ",\"text\":\"\(text)\",\"lines\":0" }
            return view + properties[index % properties.count] + "}"
        }
        var rules: [String] = []
        for _ in 0..<choices.below(4) { rules += self.rules() }
        constraintCount = rules.count
        setCount = choices.count(to: 16)
        sets = (0..<setCount).map { index in
            "\"s\(index)\":{\"when\":\"root.width < \(100 * choices.below(9))\",\"constraints\":[\"\(rule(index))\"]}"
        }
        constraints = rules.enumerated().map { index, rule in
            "{\"id\":\"c\(index)\",\"rule\":\"\(rule)\"}"
        }
    }

    private static let kinds = ["view", "label", "stack", "flow", "scroll", "image"]

    private func parent(of index: Int, _ shape: Int) -> String {
        guard index > 0 else { return "root" }
        switch shape {
        case 0: return "root"
        // As deep as scenes may be.
        case 1: return "v\(index % 400 == 0 ? 0 : index - 1)"
        case 2: return "v\((index - 1) / 2)"
        case 3: return "v0"
        default: return "v\((index * 7 + 3) % index)"
        }
    }

    private mutating func text() -> String {
        let piece = choices.pick([
            "word ", "unbreakable", "日本語", "e\u{301}", "👨‍👩‍👧", "\\n", "a-b ", "    ",
        ])
        return String(repeating: piece, count: choices.count(to: 1000))
    }

    private mutating func property(_ text: String) -> String {
        switch choices.below(14) {
        case 0: ",\"collapses\":true"
        case 1: ",\"hidden\":true"
        case 2: ",\"axis\":\"\(choices.pick(["horizontal", "vertical"]))\""
        case 3:
            ",\"distribution\":\"\(choices.pick(["fill", "fillEqually", "fillProportionally", "equalSpacing", "equalCentering"]))\""
        case 4:
            ",\"alignment\":\"\(choices.pick(["leading", "center", "trailing", "firstBaseline"]))\""
        case 5: ",\"spacing\":\(choices.below(20))"
        case 6: ",\"intrinsic\":[\(choices.below(200)),\(choices.below(200))]"
        case 7: ",\"hugging\":[\(1 + choices.below(999)),250]"
        case 8: ",\"preferredWidth\":\(choices.below(200))"
        case 9: ",\"draws\":true"
        default: ""
        }
    }

    // MARK: Rules

    private mutating func rules() -> [String] {
        let shape = choices.below(8)
        let amount = shape == 7 ? choices.count(to: 4 * count) : count
        let priority = choices.pick(["", "", "@250", "@750", "@999"])
        let offset = choices.below(200)
        return (0..<amount).map { index in
            let before = max(index - 1, 0)
            switch shape {
            case 0: return "v\(index).width == root.width + \(index)\(priority)"
            case 1: return "v\(index).left == v\(before).left + 1\(priority)"
            case 2: return "v\(index).width == v\(before).width + 1\(priority)"
            case 3: return "v\(index).top >= v\(before).bottom + \(offset)\(priority)"
            case 4: return "v\(index).centerX == root.centerX * \(1 + index % 3)\(priority)"
            case 5: return "v\(index).height == \(index % 50)\(priority)"
            case 6: return "v\(index).bottom <= v\(index / 2).top - \(offset)\(priority)"
            default: return rule(index)
            }
        }
    }

    /// A rule between any two views.
    private mutating func rule(_ index: Int) -> String {
        let first = (index * 31 + choices.below(256)) % count
        let second = (index * 17 + choices.below(256)) % count
        let names = choices.pick([
            ["left", "right"], ["top", "bottom"], ["width", "height"], ["width", "width"],
        ])
        let relation = choices.pick(["==", "<=", ">="])
        let factor = choices.pick(["1", "0.5", "2", "3", "0.1"])
        let priority =
            choices.below(8) == 0 ? "" : "@\(1 + (index * 13 + choices.below(256)) % 999)"
        return
            "v\(first).\(names[0]) \(relation) \(factor) * v\(second).\(names[1]) + \(index % 97)\(priority)"
    }

    // MARK: Questions

    /// A question in one case of six.
    mutating func question() -> ClientMessage? {
        guard choices.below(6) == 0 else { return nil }
        let seed = choices.below(256)
        func views(_ amount: Int) -> [String] { (0..<amount).map { "v\((seed + $0) % count)" } }
        switch choices.below(4) {
        case 0:
            names = ["?views"]
            var inspect = Inspect()
            inspect.views = views(1 + choices.below(Inspect.viewMaximum))
            return .inspect(inspect)
        case 1:
            names = ["?document"]
            var inspect = Inspect()
            inspect.wantsDocument = true
            return .inspect(inspect)
        case 2:
            names = ["?subtrees"]
            var subscribe = Subscribe()
            subscribe.roots = views(1 + choices.below(8))
            return .subscribe(subscribe)
        default:
            names = ["?device"]
            var device = DeviceRequest()
            device.columns = UInt32(10 + choices.below(200))
            device.rows = UInt32(10 + choices.below(200))
            return .device(device)
        }
    }

    // MARK: Ops

    mutating func ops() -> String {
        let shapes = (0...choices.below(3)).map { _ in (choices.below(24), choices.below(256)) }
        let times = 1 + choices.count(to: 512)
        let text = text()
        let isInner = choices.below(8) == 0
        var ops: [String] = []
        for round in 0..<times {
            for (shape, seed) in shapes { ops.append(op(shape, round, seed, text)) }
        }
        let list = ops.joined(separator: ",")
        if isInner { names.insert("animate") }
        return isInner ? "[{\"op\":\"animate\",\"duration\":0.1,\"ops\":[\(list)]}]" : "[\(list)]"
    }

    private static let opNames = [
        "constant", "priority", "active", "removeConstraint", "addConstraint", "addWidth",
        "setViewport", "layoutIfNeeded", "moveView", "moveIndex", "removeView", "addView",
        "setText",
        "setHidden", "setAxis", "sizeToFit", "setNeedsLayout", "setNeedsDisplay",
        "updateConstraintsIfNeeded", "activateSet", "deactivateSet", "setFrame", "setContentOffset",
        "resetView",
    ]

    private mutating func op(_ shape: Int, _ round: Int, _ seed: Int, _ text: String) -> String {
        names.insert(Self.opNames[shape])
        // Either the same thing again and again, or one after the other.
        let index = seed % 2 == 0 ? seed / 2 : seed / 2 + round
        let view = "v\(index % count)"
        let other = "v\((index * 7 + 1) % count)"
        let constraint = "c\(index % max(constraintCount, 1))"
        switch shape {
        case 0: return "{\"op\":\"setConstraint\",\"id\":\"\(constraint)\",\"constant\":\(round)}"
        case 1:
            return
                "{\"op\":\"setConstraint\",\"id\":\"\(constraint)\",\"priority\":\(1 + round % 999)}"
        case 2:
            return
                "{\"op\":\"setConstraint\",\"id\":\"\(constraint)\",\"active\":\(round % 2 == 0 ? "false" : "true")}"
        case 3: return "{\"op\":\"removeConstraint\",\"id\":\"\(constraint)\"}"
        case 4: return "{\"op\":\"addConstraint\",\"rule\":\"\(rule(round))\"}"
        case 5:
            return
                "{\"op\":\"addConstraint\",\"rule\":\"\(view).width == \(other).width + \(1 + round)\"}"
        case 6: return "{\"op\":\"setViewport\",\"width\":\(600 + round % 2)}"
        case 7: return "{\"op\":\"layoutIfNeeded\",\"id\":\"\(round % 2 == 0 ? "root" : view)\"}"
        case 8: return "{\"op\":\"moveView\",\"id\":\"\(view)\",\"parent\":\"\(other)\"}"
        case 9: return "{\"op\":\"moveView\",\"id\":\"\(view)\",\"index\":\(round % 7)}"
        case 10: return "{\"op\":\"removeView\",\"id\":\"\(view)\"}"
        case 11: return "{\"op\":\"addView\",\"id\":\"n\(round)\",\"parent\":\"\(view)\"}"
        case 12: return "{\"op\":\"setView\",\"id\":\"\(view)\",\"text\":\"\(text)\"}"
        case 13:
            return
                "{\"op\":\"setView\",\"id\":\"\(view)\",\"hidden\":\(round % 2 == 0 ? "true" : "false")}"
        case 14:
            return
                "{\"op\":\"setView\",\"id\":\"\(view)\",\"spacing\":\(round % 9),\"axis\":\"\(round % 2 == 0 ? "vertical" : "horizontal")\"}"
        case 15: return "{\"op\":\"sizeToFit\",\"id\":\"\(view)\"}"
        case 16: return "{\"op\":\"setNeedsLayout\",\"id\":\"\(view)\"}"
        case 17: return "{\"op\":\"setNeedsDisplay\",\"id\":\"\(view)\"}"
        case 18: return "{\"op\":\"updateConstraintsIfNeeded\",\"id\":\"\(view)\"}"
        case 19: return "{\"op\":\"activateSet\",\"id\":\"s\(index % max(setCount, 1))\"}"
        case 20: return "{\"op\":\"deactivateSet\",\"id\":\"s\(index % max(setCount, 1))\"}"
        case 21:
            return
                "{\"op\":\"setView\",\"id\":\"\(view)\",\"frame\":[\(round),1,\(round % 50),20]}"
        case 22: return "{\"op\":\"setContentOffset\",\"id\":\"\(view)\",\"offset\":[\(round),0]}"
        default: return "{\"op\":\"resetView\",\"id\":\"\(view)\",\"keys\":[\"hidden\",\"text\"]}"
        }
    }

    // MARK: Much of one thing

    /// What one case in two has besides: much of something that ordinary scenes have little of, and
    /// the message that is measured then.
    ///
    /// Prices were wrong by twenty and a hundred times in these, and the search above had not found
    /// them: it made no guides and no controls, few sets with one clause each, moves to the first
    /// places only, no multipliers and no other scale, measured documents without judging them, and
    /// ended at the tick of the message, before an animation's.
    mutating func special() -> (ops: String, ticks: Int)? {
        let drawn = choices.below(2 * Self.drawnCount) - Self.drawnCount
        let shape = choices.special ?? (drawn < 0 ? -1 : drawn)
        guard Self.specials.indices.contains(shape) else { return nil }
        let name = Self.specials[shape]
        names = [name]
        let amount = 1 + choices.count(to: 4 * maximum)
        let length = 1 + choices.count(to: 64)
        let seed = choices.below(256)
        func list(_ op: (Int) -> String) -> String {
            "[" + (0..<amount).map(op).joined(separator: ",") + "]"
        }
        switch name {
        case "sceneGuides":
            guides = (0..<amount).map { "{\"id\":\"g\($0)\"}" }
            return ("[\(document)]", 0)
        case "addGuide": return (list { "{\"op\":\"addGuide\",\"id\":\"g\($0)\"}" }, 0)
        case "sceneSets":
            addSets(amount, length, seed)
            return ("[\(document)]", 0)
        case "conditions":
            addSets(amount, length, seed)
            return ("[{\"op\":\"setViewport\",\"width\":\(500 + seed)}]", 0)
        case "scale": return ("[{\"op\":\"setViewport\",\"scale\":\(1 + seed % 3)}]", 0)
        case "multiplier":
            return (
                list {
                    "{\"op\":\"setConstraint\",\"id\":\"c\($0 % max(constraintCount, 1))\",\"multiplier\":\(1 + Double($0 % 7) / 8)}"
                }, 0
            )
        case "moveFar":
            return (
                list {
                    "{\"op\":\"moveView\",\"id\":\"v\($0 * 7 % count)\",\"index\":\(($0 * 37 + seed) % count)}"
                }, 0
            )
        case "switchSet":
            return (
                list {
                    "{\"op\":\"\($0 % 2 == 0 ? "activateSet" : "deactivateSet")\",\"id\":\"s\($0 / 2 % max(setCount, 1))\"}"
                }, 0
            )
        case "controls":
            let kind = choices.pick([
                "slider", "progress", "switch", "textField", "segmented", "button",
            ])
            let width = choices.pick([100, 1000, 10_000, 100_000])
            views += (0..<amount).map {
                "{\"id\":\"k\($0)\",\"kind\":\"\(kind)\",\"frame\":[0,0,\(width),16]}"
            }
            let value = kind == "textField" ? "\"word\"" : kind == "switch" ? "true" : "0.\(seed)"
            return (
                list { "{\"op\":\"setView\",\"id\":\"k\($0)\",\"value\":\(value)}" }, 0
            )
        case "rules":
            let rule = choices.pick([
                "[v0(" + Array(repeating: "1@1", count: length * 16).joined(separator: ",") + ")]",
                "v0.width" + String(repeating: " ", count: length * 16) + "<= 100000",
                "x" + String(repeating: "y", count: length),
            ])
            return (list { "{\"op\":\"addConstraint\",\"id\":\"n\($0)\",\"rule\":\"\(rule)\"}" }, 0)
        case "variations":
            let when = Array(repeating: "idiom == phone", count: length).joined(separator: " and ")
            return (
                list {
                    "{\"op\":\"addView\",\"id\":\"n\($0)\",\"variations\":[{\"when\":\"\(when)\",\"opacity\":0.5}]}"
                }, 0
            )
        case "looks":
            let colors = (0..<2 + seed % 15).map { _ in "\"systemBlue\"" }.joined(separator: ",")
            return (
                list {
                    "{\"op\":\"setView\",\"id\":\"v\($0 % count)\",\"cornerRadius\":\($0 % 9),\"borderWidth\":2,\"borderColor\":\"label\",\"tint\":\"systemRed\",\"shadow\":{\"color\":\"#102030\",\"radius\":\($0 % 5)},\"gradient\":{\"colors\":[\(colors)]}}"
                }, 0
            )
        case "charts":
            let values = (0..<min(256, length * 4)).map { "\($0 * seed % 1000)" }
            return (
                list {
                    "{\"op\":\"setView\",\"id\":\"v\($0 % count)\",\"chart\":{\"values\":[\(values.joined(separator: ","))],\"style\":\"area\"}}"
                }, 0
            )
        case "transforms":
            return (
                list {
                    "{\"op\":\"setView\",\"id\":\"v\($0 % count)\",\"transform\":{\"rotation\":\($0 * 7 % 360),\"scale\":0.5}}"
                }, 0
            )
        case "images":
            let hash = String(repeating: "0f", count: 32)
            return (
                list {
                    "{\"op\":\"setView\",\"id\":\"v\($0 % count)\",\"image\":\"\(hash)\",\"contentMode\":\"\($0 % 2 == 0 ? "scaleAspectFit" : "top")\"}"
                }, 0
            )
        case "comments":
            let text = String(repeating: "word ", count: length * 16)
            let comments = (0..<min(amount, 100)).map {
                "{\"op\":\"addComment\",\"id\":\"n\($0)\",\"view\":\"v\($0 % count)\",\"text\":\"\(text)\"}"
            }
            return ("[\(comments.joined(separator: ","))]", 0)
        case "locks":
            let locks = (0..<min(amount, 100)).map {
                "{\"op\":\"\($0 % 3 == 2 ? "unlock" : "lock")\",\"view\":\"v\($0 / 3 % count)\"}"
            }
            return ("[\(locks.joined(separator: ","))]", 0)
        case "versions":
            let versions = (0..<min(length, 16)).map {
                "{\"op\":\"addVersion\",\"name\":\"r\($0)\"}"
            }
            return ("[\(versions.joined(separator: ","))]", 0)
        case "faceScene", "faceTexts", "typography":
            let piece = choices.pick(Self.facePieces)
            // Words that were measured before would cost nothing.
            func text(_ index: Int) -> String {
                "\(index)"
                    + (0..<(length * 16)).map {
                        piece.replacingOccurrences(of: "#", with: "\(index * 4096 + $0)")
                    }.joined()
            }
            let style = choices.pick(["body", "largeTitle", "caption2"])
            let views = min(amount, 1 + maximum)
            let shape = choices.pick([
                "\"lines\":0,\"preferredWidth\":\(20 + seed)", "\"lines\":1",
                "\"lines\":1,\"minimumScaleFactor\":0.1,\"frame\":[0,0,\(seed),20]",
                "\"lines\":2,\"lineBreakMode\":\"byTruncatingMiddle\",\"frame\":[0,0,\(seed),40]",
            ])
            func label(_ index: Int, _ text: String) -> String {
                "{\"id\":\"f\(index)\",\"kind\":\"label\",\"textStyle\":\"\(style)\",\(shape),\"text\":\"\(text)\"}"
            }
            self.views += (0..<views).map { label($0, name == "faceTexts" ? "a" : text($0)) }
            guard name != "typography" else {
                return ("[{\"op\":\"setViewport\",\"typography\":\"faces\"}]", 0)
            }
            typography = ",\"typography\":\"faces\""
            guard name != "faceScene" else { return ("[\(document)]", 0) }
            return (
                list { "{\"op\":\"setView\",\"id\":\"f\($0 % views)\",\"text\":\"\(text($0))\"}" },
                0
            )
        default:
            let width = 700 + seed
            return (
                "[{\"op\":\"animate\",\"duration\":10,\"curve\":\"easeInOut\",\"ops\":[{\"op\":\"setViewport\",\"width\":\(width)},{\"op\":\"layoutIfNeeded\"}]}]",
                // A member that acknowledges nothing is sent 32 frames.
                min(1 + length, 24)
            )
        }
    }

    static let specials = [
        "sceneGuides", "addGuide", "sceneSets", "conditions", "scale", "multiplier", "moveFar",
        "switchSet", "controls", "rules", "variations", "ticks", "looks", "charts", "transforms",
        "images",
        "comments", "locks", "versions", "faceScene", "faceTexts", "typography",
    ]

    /// What texts in faces repeat: words, one word, marks, joiners, scripts that the shipped faces
    /// have and such that they lack, places to break at. `#` stands for another number each time.
    private static let facePieces = [
        "w#rd ", "unbreakable", "\u{323}\u{301}", "e\u{301}", "👨‍👩‍👧", "🇫🇷", "日本語", "שלום# ",
        "नमस्ते# ", "# ", "1,# ", "AVAToTe", "a\u{AD}", "Ж\u{301}Ω# ", "(-/",
    ]

    /// The specials that a case may have by its own numbers: with more of them, cases that were
    /// found before would be others.
    private static let drawnCount = 12

    private mutating func addSets(_ amount: Int, _ length: Int, _ seed: Int) {
        let clauses = (0..<length).map { "root.width < \(100 + ($0 * 31 + seed) % 900)" }
        let when = seed % 3 == 0 ? "" : "\"when\":\"\(clauses.joined(separator: " and "))\","
        let rule = seed % 2 == 0 ? "" : "\"v0.width == 3 @1\""
        sets += (0..<amount).map { "\"t\($0)\":{\(when)\"constraints\":[\(rule)]}" }
    }
}
