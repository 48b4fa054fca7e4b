import SceneComparison
import SceneDocument
import Testing

@Suite struct SceneComparisonTests {
    private func document(_ views: String, _ constraints: String) throws -> SceneDocument {
        let text = """
            {"scene":1,"viewport":{"width":200,"height":100},"devices":{"tall":{"height":300}},
             "views":[\(views)],"constraints":[\(constraints)]}
            """
        return try SceneDocument.parse(Array(text.utf8))
    }

    private let pins = #""a.leading == root.leading","a.width == 50","a.height == 20""#

    private func compare(_ old: SceneDocument, _ new: SceneDocument) -> SceneComparison {
        SceneComparison(title: "Login", from: old, to: new, names: ["a": "Title"])
    }

    @Test("two equal documents have no differences")
    func same() throws {
        let one = try document(#"{"id":"a"}"#, pins)
        #expect(compare(one, one).isEmpty)
    }

    @Test("a changed constant is told with both values, and what moves by it")
    func constant() throws {
        let old = try document(
            #"{"id":"a"}"#, pins + #",{"id":"t","rule":"a.top == root.top + 20"}"#)
        let new = try document(
            #"{"id":"a"}"#, pins + #",{"id":"t","rule":"a.top == root.top + 32"}"#)
        #expect(
            compare(old, new).changes.map(\.text)
                == ["Title.top to root.top: 20 → 32", "Title moved 12 down"])
        let stronger = try document(
            #"{"id":"a"}"#, pins + #",{"id":"t","rule":"a.top == root.top + 20 @750"}"#)
        #expect(
            compare(old, stronger).changes.map(\.text)
                == ["Title.top to root.top @750: priority 1000 → 750"])
    }

    @Test("a content size that follows a text is not said besides the text")
    func contentSize() throws {
        let place = pins + #","a.top == root.top""#
        let old = try document(
            #"{"id":"a","kind":"button","text":"Go","intrinsic":[30,30]}"#, place)
        let other = try document(
            #"{"id":"a","kind":"button","text":"Start","intrinsic":[50,30]}"#, place)
        #expect(compare(old, other).changes.map(\.text) == ["Title: text \"Go\" → \"Start\""])
        let larger = try document(
            #"{"id":"a","kind":"button","text":"Go","intrinsic":[50,30]}"#, place)
        #expect(
            compare(old, larger).changes.map(\.text) == ["Title: intrinsic [30,30] → [50,30]"])
    }

    @Test("added and removed views and constraints are told by name")
    func structure() throws {
        let old = try document(
            #"{"id":"a","kind":"label","text":"x"},{"id":"skip","kind":"button"}"#,
            pins
                + #",{"id":"t","rule":"a.top == root.top"},{"id":"s","rule":"skip.top == a.bottom + 8"}"#
        )
        let new = try document(
            #"{"id":"a","kind":"label","text":"y"}"#,
            pins + #",{"id":"t","rule":"a.top == root.top"},{"id":"n","rule":"a.width <= 80"}"#)
        #expect(
            compare(old, new).changes.map(\.text) == [
                "Title: text \"x\" → \"y\"", "removed button skip", "new constraint a.width <= 80",
                "removed constraint skip.top == Title.bottom + 8",
            ])
    }

    @Test("a constraint without a name is the same one in another place of the list")
    func order() throws {
        let old = try document(#"{"id":"a"}"#, #""a.top == root.top","# + pins)
        let new = try document(#"{"id":"a"}"#, pins + #","a.top == root.top""#)
        #expect(compare(old, new).isEmpty)
    }

    @Test("the page has a picture of each device where something moves, and nothing from elsewhere")
    func page() throws {
        let old = try document(#"{"id":"a"}"#, pins + #","a.bottom == root.bottom""#)
        let new = try document(#"{"id":"a"}"#, pins + #","a.bottom == root.bottom - 5""#)
        let html = ComparisonPage.html([compare(old, new)], title: "<old> & new")
        #expect(html.contains("<h3>tall</h3>"))
        #expect(html.components(separatedBy: "<svg ") == 7)
        #expect(html.contains("&lt;old&gt; &amp; new"))
        #expect(!html.contains("http:") || !html.contains("src="))
    }
}

extension String {
    /// The number of parts between occurrences of a text.
    fileprivate func components(separatedBy text: String) -> Int { split(separator: text).count }
}
