import ConstraintLanguage
import Testing

@Suite("Conditions")
struct ConditionTests {
    @Test(
        "a condition reads back from its canonical text",
        arguments: [
            ("root.width<600", "root.width < 600"),
            ("root.width <= 600 and side.height>-2.5", "root.width <= 600 and side.height > -2.5"),
            ("root.safeArea.height >= 1e3", "root.safeArea.height >= 1000"),
        ])
    func canonical(text: String, expected: String) throws {
        let condition = try Condition.parse(text)
        #expect(condition.description == expected)
        #expect(try Condition.parse(condition.description) == condition)
    }

    @Test(
        "an error points at its place",
        arguments: [
            ("", 0), ("root.left < 3", 0), ("root.width == 3", 11), ("root.width < 3 or", 15),
            ("root.width < 3 and", 18), ("root.width < b.width", 13),
        ])
    func errors(text: String, offset: Int) {
        let error = #expect(throws: LanguageError.self) { try Condition.parse(text) }
        #expect(error?.offset == offset)
    }

    @Test("comparisons hold as their signs say")
    func comparisons() {
        let table: [(Condition.Comparison, [Bool])] = [
            (.lessThan, [true, false, false]), (.lessThanOrEqual, [true, true, false]),
            (.greaterThan, [false, false, true]), (.greaterThanOrEqual, [false, true, true]),
        ]
        for (comparison, expected) in table {
            #expect([1, 2, 3].map { comparison.holds($0, 2) } == expected)
        }
    }
}
