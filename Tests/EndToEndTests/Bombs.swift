import Testing

/// What a hostile editor sends: messages that are small beside what they ask for. Each kind has
/// once held up or ended a server.
struct Bomb: Sendable, CustomTestStringConvertible {
    let name: String
    /// The ops of each message, as JSON text.
    let messages: [String]
    /// Messages of which all ops are to be taken, or none.
    var isAtomic = false

    var testDescription: String { name }

    /// All kinds.
    static let all = [
        layouts, refusedAnimations, refusedMessages, moves, fits, texts, longConflict,
        widthConflict, dense,
    ]

    private static let count = 1_500

    private static func scene(_ views: [String], _ rules: [String] = []) -> String {
        """
        [{"op": "setScene", "scene": 1, "viewport": {"width": 640, "height": 384},
          "views": [\(views.joined(separator: ","))],
          "constraints": [\(rules.map { #""\#($0)""# }.joined(separator: ","))]}]
        """
    }

    private static func list(_ op: String, times: Int) -> String {
        "[" + Array(repeating: op, count: times).joined(separator: ",") + "]"
    }

    private static let views = (0..<count).map { #"{"id": "v\#($0)"}"# }

    private static let wide = scene(views, (0..<count).map { "v\($0).width == root.width + \($0)" })

    private static let layouts = Bomb(
        name: "a layout of everything after each of many ops",
        messages: [
            wide,
            list(
                #"{"op": "setViewport", "width": 600}, {"op": "layoutIfNeeded"}, {"op": "setViewport", "width": 601}, {"op": "layoutIfNeeded"}"#,
                times: 1_000),
        ])

    private static let refusedAnimations = Bomb(
        name: "animations of which each is refused",
        messages: [
            wide,
            list(
                #"{"op": "animate", "duration": 1, "ops": [{"op": "removeView", "id": "nobody"}]}"#,
                times: 2_000),
        ])

    private static let refusedMessages = Bomb(
        name: "atomic messages of which each is refused",
        messages: [wide]
            + Array(
                repeating: #"[{"op": "setNeedsLayout"}, {"op": "removeView", "id": "nobody"}]"#,
                count: 100),
        isAtomic: true)

    private static let moves = Bomb(
        name: "a large tree that goes back and forth",
        messages: [
            scene(
                [#"{"id": "a"}"#, #"{"id": "b"}"#, #"{"id": "v0", "parent": "a"}"#]
                    + (1..<400).map { #"{"id": "v\#($0)", "parent": "v\#($0 - 1)"}"# }
                    + (400..<count).map { #"{"id": "v\#($0)", "parent": "v399"}"# }),
            list(
                #"{"op": "moveView", "id": "v0", "parent": "b"}, {"op": "moveView", "id": "v0", "parent": "a"}"#,
                times: 2_000),
        ])

    private static let fits = Bomb(
        name: "a fitting size that depends on every view",
        messages: [
            scene(
                [#"{"id": "a"}"#] + (0..<count).map { #"{"id": "v\#($0)", "parent": "a"}"# },
                (0..<count).map { "v\($0).width == a.width + \($0)" }),
            list(#"{"op": "sizeToFit", "id": "a"}"#, times: 5_000),
        ])

    private static let texts = Bomb(
        name: "a long text that is measured again and again",
        messages: [
            #"[{"op": "addView", "id": "l", "kind": "label", "lines": 0, "text": "\#(String(repeating: "lorem ipsum dolor ", count: 3_600))"}]"#,
            list(#"{"op": "sizeToFit", "id": "l"}"#, times: 5_000),
        ])

    private static let longConflict = Bomb(
        name: "a contradiction of all constraints",
        messages: [
            scene(
                views,
                (0..<count).map { $0 == 0 ? "v0.left == 0" : "v\($0).left == v\($0 - 1).left + 1" }),
            list(#"{"op": "addConstraint", "rule": "v\#(count - 1).left == 5"}"#, times: 2_000),
        ])

    private static let widthConflict = Bomb(
        name: "a contradiction of widths, which are not negative",
        messages: [
            scene(
                views,
                (0..<count).map {
                    $0 == 0 ? "v0.width == 0" : "v\($0).width == v\($0 - 1).width + 1"
                }),
            list(#"{"op": "addConstraint", "rule": "v\#(count - 1).width == 5"}"#, times: 500),
        ])

    private static let dense: Bomb = {
        var seed: UInt64 = 1
        func pick(_ count: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % count
        }
        let sides = [["left", "right"], ["top", "bottom"], ["width", "height"]]
        let rules = (0..<6_000).map { _ in
            let axis = sides[pick(3)]
            let (one, other) = (pick(300), pick(300))
            let relation = [">=", "<=", "=="][pick(3)]
            let factor = ["0.5", "2", "1", "3", "-1"][pick(5)]
            return
                "v\(one).\(axis[pick(2)]) \(relation) \(factor) * v\(other == one ? (one + 1) % 300 : other).\(axis[pick(2)]) + \(pick(100)) @\(1 + pick(999))"
        }
        return Bomb(
            name: "siblings that all want something of one another",
            messages: [
                scene(Array(views.prefix(300)), rules),
                // What was refused whole is tried rule by rule.
                list(#"{"op": "addView", "id": "x"}"#, times: 1),
                "["
                    + (views.prefix(300).map { #"{"op": "addView", \#($0.dropFirst())"# }
                    + rules.map { #"{"op": "addConstraint", "rule": "\#($0)"}"# })
                    .joined(separator: ",") + "]",
            ])
    }()
}
