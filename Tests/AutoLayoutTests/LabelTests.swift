import AutoLayout
import Testing

@Suite("Labels and their lines")
struct LabelTests {
    /// The lines of a text in a label of so many columns and lines.
    private func lines(
        _ text: String, columns: Int, rows: Int = 20, numberOfLines: Int = 0
    ) throws -> [String] {
        let window = Window(size: Size(width: 800, height: 600))
        let label = Label(text, identifier: "label")
        label.numberOfLines = numberOfLines
        try window.addSubview(label)
        _ = try place(label, width: Double(columns) * 8, height: Double(rows) * 16)
        try window.runCycle()
        return label.lines.map(\.text)
    }

    @Test("lines break at spaces, which vanish there, and always at a line break")
    func breaking() throws {
        #expect(try lines("aa bb cc", columns: 5) == ["aa bb", "cc"])
        #expect(try lines("aa   bb", columns: 3) == ["aa", "bb"])
        #expect(try lines("aa\n\nbb cc", columns: 20) == ["aa", "", "bb cc"])
        #expect(try lines("", columns: 5) == [""])
    }

    @Test("a word longer than a line is broken inside; wide characters take two columns")
    func longWords() throws {
        #expect(try lines("abcdefgh ij", columns: 3) == ["abc", "def", "gh", "ij"])
        #expect(try lines("日本語", columns: 5) == ["日本", "語"])
        #expect(try lines("日", columns: 1) == ["日"])
    }

    @Test("what does not fit is cut with an ellipsis")
    func truncation() throws {
        #expect(try lines("abcdef", columns: 4, numberOfLines: 1) == ["abc…"])
        #expect(try lines("abcd", columns: 4, numberOfLines: 1) == ["abcd"])
        #expect(try lines("aa bb cc dd", columns: 5, numberOfLines: 1) == ["aa b…"])
        #expect(try lines("aa bb cc", columns: 2, numberOfLines: 2) == ["aa", "b…"])
        #expect(try lines("aa bb cc", columns: 2, rows: 1) == ["a…"])
        #expect(try lines("日本語", columns: 4, numberOfLines: 1) == ["日…"])
    }

    @Test("lines stand where the alignment says, in the middle of a taller label")
    func placement() throws {
        let window = Window(size: Size(width: 400, height: 100))
        let label = Label("abc", identifier: "label")
        try window.addSubview(label)
        _ = try place(label, width: 80, height: 48)
        try window.runCycle()
        #expect(
            label.lines == [TextLine(text: "abc", origin: Point(x: 0, y: 16), width: 24)])
        label.textAlignment = .right
        #expect(label.lines.first?.origin == Point(x: 56, y: 16))
        label.textAlignment = .center
        #expect(label.lines.first?.origin == Point(x: 28, y: 16))
        label.textAlignment = .natural
        label.layoutDirection = .rightToLeft
        #expect(label.lines.first?.origin == Point(x: 56, y: 16))
    }

    @Test(
        "a label is as large as its content unless it is asked for more lines or a preferred width")
    func contentSize() {
        let label = Label("aaa bbb ccc")
        #expect(label.intrinsicContentSize == Size(width: 88, height: 16))
        label.numberOfLines = 0
        label.preferredMaxLayoutWidth = 56
        #expect(label.intrinsicContentSize == Size(width: 56, height: 32))
        label.numberOfLines = 1
        #expect(label.intrinsicContentSize == Size(width: 88, height: 16))
    }
}
