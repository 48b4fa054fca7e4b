import Testing

@testable import CharacterWidth

@Suite("Columns of characters")
struct CharacterWidthTests {
    @Test(
        "a cluster takes the columns that Unicode gives it",
        arguments: [
            ("a", 1), ("é", 1), ("e\u{301}", 1), ("ß", 1), ("│", 1), ("…", 1), ("漢", 2), ("ﾊ", 1),
            ("Ａ", 2), ("한", 2), ("🙂", 2), ("👨‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("❤", 1), ("❤\u{FE0F}", 2),
            ("\u{7}", 0),
            ("\u{200B}", 0),
        ])
    func clusters(_ text: String, _ columns: Int) {
        #expect(text.count == 1)
        #expect(displayWidth(of: text) == columns)
    }

    @Test("a text takes the sum of its clusters")
    func texts() {
        #expect(displayWidth(of: "") == 0)
        #expect(displayWidth(of: "ab漢字 e\u{301}") == 8)
    }

    @Test("the tables are ascending and do not overlap, as the search needs")
    func tables() {
        for table in [WidthTables.wide, WidthTables.zero] {
            #expect(!table.isEmpty)
            for (left, right) in zip(table, table.dropFirst()) {
                #expect(left.upperBound < right.lowerBound)
            }
        }
    }
}
