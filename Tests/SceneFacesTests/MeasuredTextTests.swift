import AutoLayout
import JSON
import LayoutValues
import SceneDocument
import SceneFaces
import SceneModel
import SceneWire
import Testing

/// A library of one face, in which each byte of a word is as long as it says.
private final class EvenFaces: FaceLibrary {
    private final class Measurer: TextMeasurer {
        let units: Int
        init(_ units: Int) { self.units = units }

        func advance(of word: Substring, weight: FontWeight) -> TextAdvance {
            TextAdvance(units: word.utf8.count * units, isFitted: false)
        }

        func lineMetrics(weight: FontWeight) -> LineMetrics {
            LineMetrics(
                ascender: TextAdvance.unitsPerEm, descender: 0, leading: 0, space: units)
        }
    }

    private let units: Int
    let standardFaces: [FaceSpec]
    private let isEmpty: Bool

    /// - Parameter em: The length of a byte.
    init(em: Double, isEmpty: Bool = false) {
        units = Int(em * Double(TextAdvance.unitsPerEm))
        standardFaces = [Self.face]
        self.isEmpty = isEmpty
    }

    static let face = FaceSpec(
        name: "Even", weight: 400, hash: String(repeating: "a", count: 64))

    func has(_ face: FaceSpec) -> Bool { !isEmpty }
    func measurer(for faces: [FaceSpec]) -> any TextMeasurer { Measurer(units) }
}

@Suite("Lengths of text that journals keep")
struct MeasuredTextTests {
    private static let half = EvenFaces(em: 0.5)
    private static let whole = EvenFaces(em: 1)
    private static let none = EvenFaces(em: 1, isEmpty: true)

    /// A label of body text, 17 points, at one pixel in a point.
    private func model(_ text: String, faces: String = "") throws -> SceneModel {
        let document = """
            {"scene": 1, "viewport": {"width": 400, "height": 300, "typography": "faces"}\(faces),
             "views": [{"id": "a", "kind": "label", "lines": 0, "text": "\(text)"}]}
            """
        return try SceneModel(SceneDocument.parse(Array(document.utf8)))
    }

    private func width(_ model: SceneModel) -> Double? { model.frame(of: "a")?.width }

    private func untold(_ model: SceneModel) -> JSONValue? { model.measuredText.takeUntoldJSON() }

    private func rebuilt(_ model: SceneModel) throws -> SceneModel {
        let snapshot = model.snapshot()
        let json = snapshot.json.text(pretty: false)
        return try SceneModel(SceneSnapshot.parse(JSONReader.read(Array(json.utf8))))
    }

    private func set(_ text: String, _ model: SceneModel) throws {
        let ops = try Op.parseList(
            Array(#"[{"op": "setView", "id": "a", "text": "\#(text)"}]"#.utf8))
        #expect(model.apply(ops).refusals.isEmpty)
        model.runCycle()
    }

    @Test("a scene from a snapshot has the lengths it had, whatever faces measure today")
    func snapshot() throws {
        let model = try RegisteredFaces.withLibrary(Self.half) { try self.model("four more") }
        // Eight letters and a space of half an em.
        #expect(width(model) == 77)
        try RegisteredFaces.withLibrary(Self.whole) {
            let again = try rebuilt(model)
            #expect(width(again) == 77)
            #expect(again.stateHash == model.stateHash)
            // A word and a space of before, 34 and 8.5, and a new word of 68.
            try set("four moor", again)
            #expect(width(again) == 111)
            try set("more", again)
            #expect(width(again) == 34)
        }
    }

    @Test("a journal's later record has what is new, once")
    func later() throws {
        let model = try RegisteredFaces.withLibrary(Self.half) { try self.model("one") }
        let first = try #require(untold(model))
        #expect(
            first.text(pretty: false)
                == #"{"regular":{"line":[1048576,0,0,524288],"words":["one",1572864]}}"#)
        #expect(untold(model) == nil)
        let start = try RegisteredFaces.withLibrary(Self.whole) { try rebuilt(model) }
        try RegisteredFaces.withLibrary(Self.half) { try set("one two", model) }
        let second = try #require(untold(model))
        guard let words = second["regular"]?["words"]?.array else {
            Issue.record("\(second)")
            return
        }
        // While it was as narrow as before, it was cut off, too.
        #expect(words.contains(.string("two")))
        #expect(!words.contains(.string("one")))
        #expect(second["regular"]?["line"] == nil)
        try RegisteredFaces.withLibrary(Self.whole) {
            try start.measuredText.add(second)
            try set("one two", start)
            #expect(width(start) == width(model))
        }
    }

    @Test("a face that is gone keeps a scene from nothing, and new text is to be fitted")
    func missing() throws {
        let face = EvenFaces.face
        let named = #", "faces": [{"name": "Even", "weight": 400, "hash": "\#(face.hash)"}]"#
        let model = try RegisteredFaces.withLibrary(Self.half) {
            try self.model("four", faces: named)
        }
        try RegisteredFaces.withLibrary(Self.none) {
            #expect(throws: Refusal.self) { try self.model("four", faces: named) }
            let again = try rebuilt(model)
            #expect(again.stateHash == model.stateHash)
            #expect(again.missingFaces == [face])
            let isFitted = { again.records().first { $0.id == "a" }?.content.face?.fitted }
            #expect(isFitted() == false)
            try set("five", again)
            #expect(isFitted() == true)
            // It is remembered as such, too.
            try RegisteredFaces.withLibrary(Self.half) {
                let third = try rebuilt(again)
                #expect(third.stateHash == again.stateHash)
                #expect(third.missingFaces.isEmpty)
            }
        }
    }

    @Test("words of equal characters and other bytes have lengths of their own")
    func bytes() throws {
        try RegisteredFaces.withLibrary(Self.half) {
            // Two bytes, and three.
            let model = try self.model("\u{E9} e\u{301}")
            #expect(width(model) == ((2 + 1 + 3) * 8.5).rounded(.up))
            #expect(try width(rebuilt(model)) == width(model))
        }
    }

    @Test("a snapshot of a scene on the grid has no lengths")
    func grid() throws {
        let document = """
            {"scene": 1, "viewport": {"width": 40, "height": 30},
             "views": [{"id": "a", "kind": "label", "text": "x"}]}
            """
        let model = try RegisteredFaces.withLibrary(Self.half) {
            try SceneModel(SceneDocument.parse(Array(document.utf8)))
        }
        #expect(model.measuredText.isEmpty)
        #expect(model.snapshot().json["text"] == nil)
    }

    @Test(
        "lengths that no journal has are refused",
        arguments: [
            #"{"heavyish": {}}"#, #"{"regular": {"line": [1, 2, 3]}}"#,
            #"{"regular": {"words": ["a"]}}"#, #"{"regular": {"words": ["a", 3000000000]}}"#,
            #"{"regular": {"words": [1, "a"]}}"#, #"{"regular": {"words": ["a", 0.5]}}"#, "[]",
        ])
    func refused(text: String) throws {
        let value = try JSONReader.read(Array(text.utf8))
        #expect(throws: DocumentError.self) { try MeasuredText(value) }
    }

    @Test("a document's faces replaced by others measure the same words anew")
    func replaced() throws {
        try RegisteredFaces.withLibrary(Self.half) {
            let model = try self.model("four")
            #expect(width(model) == 34)
            try RegisteredFaces.withLibrary(Self.whole) {
                let other = #"{"name": "X", "weight": 400, "hash": "\#(EvenFaces.face.hash)"}"#
                let document = """
                    {"scene": 1, "viewport": {"width": 400, "height": 300, "typography": "faces"},
                     "faces": [\(other)], "views": [{"id": "a", "kind": "label", "text": "four"}]}
                    """
                try model.replaceScene(SceneDocument.parse(Array(document.utf8)))
                model.runCycle()
                #expect(width(model) == 68)
            }
        }
    }
}
