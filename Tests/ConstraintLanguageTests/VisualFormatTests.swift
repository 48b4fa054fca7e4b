import ConstraintLanguage
import Testing

@Suite("Visual Format Language")
struct VisualFormatTests {
    private func rules(
        _ text: String, _ options: VisualFormat.Options = []
    ) throws -> [String] {
        let format = try VisualFormat.parse(text)
        let rules = try format.rules(superview: "root", options: options)
        #expect(format.ruleCount(options: options) == rules.count)
        return rules.map(\.description)
    }

    @Test(
        "a format stands for its rules, left to right",
        arguments: [
            (
                "H:|-[a(>=120)]-[b]-|",
                [
                    "a.leading == root.leading + 8", "a.width >= 120",
                    "b.leading == a.trailing + 8", "root.trailing == b.trailing + 8",
                ]
            ),
            ("[a][b]", ["b.leading == a.trailing"]),
            ("|[a]|", ["a.leading == root.leading", "root.trailing == a.trailing"]),
            (
                "V:|-20-[a(==b)]-0-[b]",
                ["a.top == root.top + 20", "a.height == b.height", "b.top == a.bottom"]
            ),
            (
                "[a]-(>=20@750,<=100)-[b]",
                ["b.leading >= a.trailing + 20 @750", "b.leading <= a.trailing + 100"]
            ),
            ("[a(100@750,>=50)]", ["a.width == 100 @750", "a.width >= 50"]),
            ("[a(other)]", ["a.width == other.width"]),
            ("[a(<=other@low)]", ["a.width <= other.width @250"]),
            ("H: | - 4.5 - [ a ( 10 ) ]", ["a.leading == root.leading + 4.5", "a.width == 10"]),
            ("[a]-(-8)-[b]", ["b.leading == a.trailing - 8"]),
        ])
    func rulesOfFormats(text: String, expected: [String]) throws {
        #expect(try rules(text) == expected)
    }

    @Test("directions choose the edges")
    func directions() throws {
        #expect(
            try rules("|-[a]-5-[b]-|", .directionLeftToRight) == [
                "a.left == root.left + 8", "b.left == a.right + 5", "root.right == b.right + 8",
            ])
        #expect(
            try rules("|-[a]-5-[b]-|", .directionRightToLeft) == [
                "root.right == a.right + 8", "a.left == b.right + 5", "b.left == root.left + 8",
            ])
        #expect(try rules("V:[a]-[b]", .directionRightToLeft) == ["b.top == a.bottom + 8"])
    }

    @Test("alignments come last, for each pair of neighbours")
    func alignments() throws {
        #expect(
            try rules("[a][b][c]", [.alignAllTop, .alignAllCenterY]) == [
                "b.leading == a.trailing", "c.leading == b.trailing", "a.top == b.top",
                "a.centerY == b.centerY", "b.top == c.top", "b.centerY == c.centerY",
            ])
    }

    @Test("options that align along the axis, or give two directions, are errors")
    func wrongOptions() throws {
        let format = try VisualFormat.parse("[a][b]")
        let wrong: [VisualFormat.Options] = [
            .alignAllLeft, .alignAllCenterX, [.directionLeftToRight, .directionRightToLeft],
        ]
        for options in wrong {
            #expect(throws: LanguageError.self) {
                try format.rules(superview: "root", options: options)
            }
        }
    }

    @Test("options have names")
    func optionNames() {
        for name in VisualFormat.Options.allNames {
            let option = VisualFormat.Options(name: name)
            #expect(option?.names == (name == "directionLeadingToTrailing" ? [] : [name]))
        }
        #expect(VisualFormat.Options(name: "alignAll") == nil)
    }

    @Test("a format knows the views it names")
    func names() throws {
        let format = try VisualFormat.parse("H:[a(c)]-[b]-[a]|")
        #expect(format.viewNames == ["a", "c", "b"])
        #expect(format.elementNames == ["a", "b"])
        #expect(format.usesSuperview)
        #expect(try !VisualFormat.parse("[a]").usesSuperview)
        #expect(VisualFormat.isVisualFormat("V:[a]"))
        #expect(VisualFormat.isVisualFormat(" |[a]"))
        #expect(VisualFormat.isVisualFormat("[a]-[b]"))
        #expect(!VisualFormat.isVisualFormat("Have.width == 3"))
    }

    @Test(
        "an error points at its place",
        arguments: [
            ("H:", 2), ("|", 1), ("|-|", 2), ("[a", 2), ("[a(]", 3), ("[a(1]", 4), ("[]", 1),
            ("[a]-metric-[b]", 4), ("[a]-(m)-[b]", 5), ("[a]-5[b]", 5), ("[a]-", 4),
            ("[a]--5-[b]", 4), ("|[a]|[b]", 5), ("[a]x", 3), ("[a(1@2000)]", 5), ("W:[a]", 0),
            ("[a]-(5,)-[b]", 7), ("[a]-(5)[b]", 7),
        ])
    func errors(text: String, offset: Int) {
        let error = #expect(throws: LanguageError.self) { try VisualFormat.parse(text) }
        #expect(error?.offset == offset)
    }
}
