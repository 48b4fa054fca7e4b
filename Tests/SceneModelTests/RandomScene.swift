import JSON
import SceneDocument
import SceneModel
import SeededRandom

/// Makes random scenes and ops whose answers are unique: every view has its place from its
/// superview alone.
struct RandomScene {
    var random: SplitMix64
    private var next = 0
    private var views: [(id: String, kind: ViewKind)] = [("root", .view)]
    /// Constraints that contradict those that place a view, whatever else happens.
    private var clashes: [String: String] = [:]

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    private mutating func length() -> Double { Double(random.below(4000)) / 8 }

    private func op(_ text: String) throws -> Op { try Op.parse(JSONReader.read(Array(text.utf8))) }

    /// Ops that add a view and the constraints that place it.
    private mutating func addition() throws -> [Op] {
        next += 1
        let id = "v\(next)"
        let holders = views.filter { [.view, .stack, .flow].contains($0.kind) }
        let (parent, parentKind) = random.pick(Array(holders.suffix(6)))
        let kind = random.pick([ViewKind.view, .view, .label, .label, .stack, .flow, .image])
        var properties = "\"kind\": \"\(kind.rawValue)\", \"parent\": \"\(parent)\""
        if kind == .label {
            properties += ", \"text\": \"\(sentence())\", \"lines\": \(random.pick([0, 1, 2]))"
        }
        if kind == .stack {
            properties += ", \"axis\": \"\(random.pick(["horizontal", "vertical"]))\""
            properties += ", \"alignment\": \"\(random.pick(["leading", "center", "trailing"]))\""
        }
        if kind == .image { properties += ", \"intrinsic\": [\(length()), \(length())]" }
        // A frame set by hand; in a stack or a flow it would contradict the arrangement.
        let isFramed = kind == .view && parentKind == .view && random.below(4) == 0
        if isFramed {
            let flags = [
                "flexibleWidth", "flexibleLeftMargin", "flexibleHeight", "flexibleBottomMargin",
            ]
            .filter { _ in random.below(2) == 0 }.map { "\"\($0)\"" }.joined(separator: ",")
            properties += ", \"frame\": [\(length()), \(length()), \(length()), \(length())]"
            properties += ", \"autoresizing\": [\(flags)]"
        }
        if kind == .view, random.below(3) == 0 { properties += ", \"collapses\": true" }
        views.append((id, kind))
        var result = [try op("{\"op\": \"addView\", \"id\": \"\(id)\", \(properties)}")]
        func add(_ name: String, _ rule: String) throws {
            result.append(
                try op(
                    "{\"op\": \"addConstraint\", \"id\": \"\(id)-\(name)\", \"rule\": \"\(rule)\"}")
            )
        }
        guard !isFramed else { return result }
        if parentKind != .stack, parentKind != .flow {
            try add(
                "x",
                "\(id).\(random.pick(["left", "leading"])) == \(parent).leading + \(length())"
                    .replacingLeft(id, parent))
            try add("y", "\(id).top == \(parent).top + \(length())")
        }
        if kind == .view {
            try add(
                "w",
                random.below(2) == 0
                    ? "\(id).width == \(length())"
                    : "\(id).width == 0.375 * root.width + \(length())")
            try add("h", "\(id).height == \(length())")
        } else if kind == .label, random.below(2) == 0 {
            try add("w", "\(id).width == \(length() / 2 + 8)")
        }
        return result
    }

    private mutating func sentence() -> String {
        (0...random.below(9)).map { _ in random.pick(["a", "tick", "frames", "日本", "constraint"]) }
            .joined(separator: " ")
    }

    /// The ops of one turn; some of them are wrong on purpose and will be refused.
    mutating func turn(_ model: SceneModel, movesViews: Bool) throws -> [Op] {
        views.removeAll { view in view.id != "root" && model.frame(of: view.id) == nil }
        var result: [Op] = []
        for _ in 0...random.below(4) {
            let (id, kind) = random.pick(views)
            switch random.below(views.count > 40 ? 14 : 20) {
            case 0:
                result.append(
                    try op(
                        "{\"op\": \"setConstraint\", \"id\": \"\(id)-w\", \"constant\": \(length())}"
                    ))
            case 1:
                result.append(
                    try op(
                        "{\"op\": \"setConstraint\", \"id\": \"\(id)-x\", \"constant\": \(length())}"
                    ))
            case 2:
                result.append(
                    try op(
                        "{\"op\": \"setConstraint\", \"id\": \"\(id)-h\", \"constant\": \(length())}"
                    ))
            case 3:
                result.append(
                    try op(
                        "{\"op\": \"setConstraint\", \"id\": \"\(id)-w\", \"multiplier\": \(random.pick([0.25, 0.5, 1]))}"
                    ))
            case 4:
                guard let clash = clashes[id] else { continue }
                result.append(
                    try op(
                        "{\"op\": \"addConstraint\", \"id\": \"\(id)-clash\", \"rule\": \"\(clash)\"}"
                    ))
            case 5 where id != "root" && random.below(2) == 0:
                result.append(try op("{\"op\": \"removeView\", \"id\": \"\(id)\"}"))
            case 6:
                result.append(
                    try op(
                        "{\"op\": \"setView\", \"id\": \"\(id)\", \"hidden\": \(random.pick([true, false]))}"
                    ))
            case 7 where kind == .label:
                result.append(
                    try op("{\"op\": \"setView\", \"id\": \"\(id)\", \"text\": \"\(sentence())\"}"))
            case 8:
                result.append(
                    try op("{\"op\": \"setViewport\", \"width\": \(random.pick([320, 480, 640]))}"))
            case 9 where movesViews:
                result.append(
                    try op(
                        "{\"op\": \"moveView\", \"id\": \"\(id)\", \"parent\": \"\(random.pick(views).id)\", \"index\": \(random.below(3))}"
                    ))
            case 9:
                result.append(
                    try op(
                        "{\"op\": \"moveView\", \"id\": \"\(id)\", \"index\": \(random.below(3))}"))
            case 10: result.append(try op("{\"op\": \"layoutIfNeeded\", \"id\": \"\(id)\"}"))
            case 11:
                result.append(
                    try op(
                        "{\"op\": \"setView\", \"id\": \"\(id)\", \"background\": \"#0\(random.below(9))2233\", \"spacing\": \(random.below(9))}"
                    ))
            case 12:
                result.append(
                    try op(
                        "{\"op\": \"animate\", \"duration\": 0.05, \"ops\": [{\"op\": \"setConstraint\", \"id\": \"\(id)-w\", \"constant\": \(length())}, {\"op\": \"layoutIfNeeded\"}]}"
                    ))
            case 13 where movesViews:
                result.append(
                    try op("{\"op\": \"setViewport\", \"scale\": \(random.pick([1, 1.5, 2]))}"))
            default: result += try addition()
            }
        }
        return result
    }
}

extension String {
    /// Compares left with left, as leading and left do not go together where text runs from the
    /// right.
    fileprivate func replacingLeft(_ id: String, _ parent: String) -> String {
        hasPrefix("\(id).left")
            ? "\(id).left == \(parent).left" + dropFirst("\(id).left == \(parent).leading".count)
            : self
    }
}
