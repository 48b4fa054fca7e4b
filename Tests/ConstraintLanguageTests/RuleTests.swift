import ConstraintLanguage
import Testing

@Suite("Rules")
struct RuleTests {
    @Test(
        "a rule reads back from its canonical text",
        arguments: [
            ("a.left == b.right", "a.left == b.right"),
            ("a.left==b.right+8", "a.left == b.right + 8"),
            ("a.left==b.right-8", "a.left == b.right - 8"),
            ("  a.left >= b.right - 8 ", "a.left >= b.right - 8"),
            ("a.left == b.right + -8", "a.left == b.right - 8"),
            ("a.left == b.right - -8.5", "a.left == b.right + 8.5"),
            ("a-b.left <= c.leading", "a-b.left <= c.leading"),
            ("a.width == 240@750", "a.width == 240 @750"),
            ("a.width == 240 @ high", "a.width == 240 @750"),
            ("a.width == 240 @low", "a.width == 240 @250"),
            ("a.width == 240 @required", "a.width == 240"),
            ("a.width == -2.5e1", "a.width == -25"),
            ("a.width == 2*b.height+1 @999.5", "a.width == 2 * b.height + 1 @999.5"),
            ("a.width == 1 * b.width + 0", "a.width == b.width"),
            ("a.width == 0.1 * b.width", "a.width == 0.1 * b.width"),
            ("root.margins.leading == a.leading", "root.margins.leading == a.leading"),
            ("a.top == s.content.bottom", "a.top == s.content.bottom"),
            ("a.top == 5", "a.top == 5"),
            ("_x9.firstBaseline == y.lastBaseline", "_x9.firstBaseline == y.lastBaseline"),
            ("a.centerX == b.left", "a.centerX == b.left"),
            ("a.width == 1e300", "a.width == 1e+300"),
        ])
    func canonical(text: String, expected: String) throws {
        let rule = try Rule.parse(text)
        #expect(rule.description == expected)
        #expect(try Rule.parse(rule.description) == rule)
    }

    @Test("a rule has the parts that its text names")
    func parts() throws {
        let rule = try Rule.parse("side.margins.left >= -2 * b-1.right - 8 @400")
        #expect(rule.first.item == ItemReference(id: "side", guide: .margins))
        #expect(rule.first.attribute == .left)
        #expect(rule.relation == .greaterThanOrEqual)
        #expect(rule.second == AnchorReference(item: ItemReference(id: "b-1"), attribute: .right))
        #expect(rule.multiplier == -2)
        #expect(rule.constant == -8)
        #expect(rule.priority == 400)
    }

    @Test(
        "an error points at the first scalar that cannot be right",
        arguments: [
            ("", 0, "the text ends too early"),
            ("9.left == 3", 0, "unexpected \"9\""),
            ("a", 1, "the text ends too early"),
            ("a.lefft == 3", 2, "unknown attribute \"lefft\""),
            ("a.margins == 3", 10, "unexpected \"=\""),
            ("a. == 3", 3, "an attribute is missing"),
            ("a.left = 3", 7, "unexpected \"=\""),
            ("a.left == ", 10, "the text ends too early"),
            ("a.left == nan", 13, "the text ends too early"),
            ("a.left == 1e999", 10, "the number is too large"),
            ("a.left == 1.", 12, "the text ends too early"),
            ("a.left == 1e+", 13, "the text ends too early"),
            ("a.left == 3 x", 12, "unexpected \"x\""),
            ("a.left == b.left * 2", 17, "unexpected \"*\""),
            ("a.left == b.left + c.left", 19, "unexpected \"c\""),
            ("a.left == b.top", 10, "\"left\" cannot be compared with \"top\""),
            ("a.width == b.left", 11, "\"width\" cannot be compared with \"left\""),
            ("a.left == 2 * b.width", 10, "\"left\" cannot be compared with \"width\""),
            ("a.left == 3 @0", 13, "priority 0 is out of range"),
            ("a.left == 3 @1001", 13, "priority 1001 is out of range"),
            ("a.left == 3 @soon", 13, "unknown priority \"soon\""),
            ("a.left == 3 @", 13, "a priority is missing"),
            ("ä.left == 3", 0, "unexpected \"ä\""),
        ])
    func errors(text: String, offset: Int, message: String) {
        let error = #expect(throws: LanguageError.self) { try Rule.parse(text) }
        #expect(error?.offset == offset)
        #expect(error?.message == message)
    }

    @Test("an error lists what could have stood there")
    func expectations() {
        let error = #expect(throws: LanguageError.self) { try Rule.parse("a.left = 3") }
        #expect(
            error?.description
                == "unexpected \"=\" at character 8, expected \"==\", \"<=\" or \">=\"")
    }

    @Test("a name may have 64 bytes and no more")
    func longNames() throws {
        let longest = String(repeating: "a", count: 64)
        #expect(try Rule.parse("\(longest).left == 1").first.item.id == longest)
        let error = #expect(throws: LanguageError.self) { try Rule.parse("\(longest)a.left == 1") }
        #expect(error?.offset == 0)
        #expect(Identifier.isValid(longest))
        for text in ["", "a" + longest, "1a", "-a", "a.b", "a b", "é"] {
            #expect(!Identifier.isValid(text))
        }
    }

    @Test("an attribute is along x or along y, and an extent or a place")
    func attributes() {
        let horizontal: Set<LayoutAttribute> = [
            .left, .right, .leading, .trailing, .width, .centerX,
        ]
        for attribute in LayoutAttribute.allCases {
            #expect(attribute.isHorizontal == horizontal.contains(attribute))
            #expect(attribute.isVertical != attribute.isHorizontal)
            #expect(attribute.isSize == [.width, .height].contains(attribute))
        }
    }
}
