import SceneDocument
import SceneModel
import Testing

/// A room whose export its own reader refuses does not open again.
@Suite("What ops leave behind is read back")
struct ReadBackTests {
    private static let text = #"""
        {"scene": 1, "viewport": {"width": 400, "height": 200},
         "views": [{"id": "row", "kind": "stack"}, {"id": "one", "parent": "row"},
                   {"id": "two", "parent": "row"}, {"id": "box"}, {"id": "tile"},
                   {"id": "tag", "kind": "label", "text": "a text", "frame": [0, 0, 90, 30]}],
         "guides": [{"id": "line", "parent": "box"}],
         "sets": {"wide": {"when": "box.width > 5 and line.width >= 0",
                           "constraints": ["row.width == 7"]}}}
        """#

    private static let longName = String(repeating: "c", count: 192)

    @Test(
        "[DOC-8] an export after accepted ops is read, loads, and is the same again",
        arguments: [
            #"[{"op":"removeView","id":"box"}]"#,
            #"[{"op":"addView","id":"s","kind":"stack","customSpacing":{"gone":3}}]"#,
            #"[{"op":"setView","id":"row","customSpacing":{"root":3}}]"#,
            #"[{"op":"setView","id":"row","customSpacing":{"gone":3,"two":4}}]"#,
            #"[{"op":"setView","id":"row","customSpacing":{"tile":3}},{"op":"removeView","id":"tile"}]"#,
            #"[{"op":"setView","id":"row","customSpacing":{"one":3}},{"op":"moveView","id":"one","parent":"box"},{"op":"removeView","id":"one"}]"#,
            #"[{"op":"setViewport","cell":[1000,1000]},{"op":"setView","id":"tag","text":"\#(String(repeating: "w", count: 2000))"},{"op":"sizeToFit","id":"tag"}]"#,
            #"[{"op":"setView","id":"tag","frame":[0,0,9,9],"frameIn":[50,50]},{"op":"resetView","id":"tag","keys":["frame"]}]"#,
            #"[{"op":"addConstraint","id":"\#(longName)","vfl":"H:|-[row]-|"}]"#,
            #"[{"op":"addConstraint","id":"a","set":"wide","rule":"box.width == 9"},{"op":"addConstraint","id":"a.0","rule":"box.height == 9"}]"#,
        ])
    func readBack(_ text: String) throws {
        let model = try scene(Self.text)
        let outcome = model.apply(try ops(text))
        #expect(outcome.refusals.isEmpty, "\(outcome.refusals)")
        settle(model)
        let export = model.document().json()
        let again = try scene(export)
        #expect(again.document().json() == export)
        let snapshot = model.snapshot()
        #expect(try SceneSnapshot.parse(snapshot.json) == snapshot)
        let twin = try SceneModel(snapshot)
        #expect(twin.rebuildCanonically() == model.rebuildCanonically())
        #expect(twin.stateHash == model.stateHash)
    }

    @Test(
        "what takes an op back is read",
        arguments: [
            #"[{"op":"setView","id":"box","kind":"view"}]"#,
            #"[{"op":"setView","id":"tag","frame":[0,0,8,8],"frameIn":[40,40]},{"op":"setView","id":"tag","frame":[0,0,9,9],"frameIn":[50,50]}]"#,
            #"[{"op":"setViewport","cell":[1000,1000]},{"op":"setView","id":"tag","text":"\#(String(repeating: "w", count: 2000))"},{"op":"sizeToFit","id":"tag"},{"op":"sizeToFit","id":"tag"},{"op":"removeView","id":"tag"}]"#,
        ])
    func inversesAreRead(_ text: String) throws {
        let model = try scene(Self.text)
        model.recordsEdits = true
        let outcome = model.apply(try ops(text))
        #expect(outcome.refusals.isEmpty, "\(outcome.refusals)")
        for op in outcome.edits.flatMap(\.inverse) { #expect(try Op.parse(op.json) == op) }
    }

    @Test("[DOC-7] gaps that follow no child are left out, by ops and by documents; others act")
    func strayGaps() throws {
        let model = try scene(Self.text)
        let gaps = #""customSpacing":{"gone":1,"root":2,"box":3,"one":4}"#
        #expect(
            model.apply(try ops(#"{"op":"setView","id":"row",\#(gaps)}"#)).refusals.isEmpty)
        let row = model.document().views.first { $0.id == "row" }
        #expect(row?.properties.customSpacing == [CustomSpacing(id: "one", value: 4)])
        let loaded = try scene(
            Self.text.replacing(#""kind": "stack""#, with: #""kind": "stack", \#(gaps)"#))
        #expect(loaded.document().views.first { $0.id == "row" } == row)
    }

    @Test("[DOC-7] a set whose condition names what is gone is off, and on again when it is back")
    func danglingCondition() throws {
        let model = try scene(Self.text)
        func apply(_ text: String) throws {
            #expect(model.apply(try ops(text)).refusals.isEmpty)
            settle(model)
        }
        let size = #"{"op":"addConstraint","rule":"box.width == 9"}"#
        try apply(size)
        #expect(model.frame(of: "row")?.width == 7)
        try apply(#"{"op":"removeView","id":"box"}"#)
        try apply(#"{"op":"addConstraint","id":"r","rule":"row.width == 30 @900"}"#)
        #expect(model.frame(of: "row")?.width == 30)
        let again = try scene(model.document().json())
        settle(again)
        #expect(again.frame(of: "row")?.width == 30)
        try apply(
            #"[{"op":"addView","id":"box"},{"op":"addGuide","id":"line","parent":"box"},\#(size)]"#)
        #expect(model.frame(of: "row")?.width == 7)
    }

    @Test("a visual format that an active set refuses leaves none of its rules in force")
    func refusedFormat() throws {
        let model = try scene(Self.text)
        func apply(_ text: String) throws -> [RefusalCode] {
            defer { settle(model) }
            return model.apply(try ops(text)).refusals.map(\.code)
        }
        #expect(try apply(#"{"op":"activateSet","id":"wide"}"#).isEmpty)
        // The first rule can be had, the second contradicts it.
        let format = #"{"op":"addConstraint","set":"wide","vfl":"H:[box(==50)][box(==60)]"}"#
        #expect(try apply(format) == [.unsatisfiable])
        #expect(try apply(#"{"op":"addConstraint","rule":"box.width == 70"}"#).isEmpty)
        #expect(model.frame(of: "box")?.width == 70)
    }

    @Test("a document may name in a condition what does not exist, as exports do")
    func documentsWithDanglingConditions() throws {
        let model = try scene(
            #"""
            {"scene": 1, "viewport": {"width": 9, "height": 9}, "views": [{"id": "a"}],
             "sets": {"s": {"when": "z.width < 1", "constraints": ["a.width == 5"]}}}
            """#)
        settle(model)
        #expect(model.frame(of: "a")?.width == 0)
    }

    @Test("[DOC-5] views and guides are counted together, by ops as by documents")
    func sharedCount() throws {
        var document = SceneDocument(viewport: Viewport(width: 9, height: 9))
        document.views = (0..<5000).map { ViewSpec(id: "v\($0)") }
        document.guides = (0..<4998).map { GuideSpec(id: "g\($0)") }
        let model = try SceneModel(document, settles: false)
        #expect(model.apply([.addView(ViewSpec(id: "a"))]).refusals.isEmpty)
        #expect(model.apply([.addGuide(GuideSpec(id: "b"))]).refusals.isEmpty)
        #expect(
            model.apply([.addGuide(GuideSpec(id: "c"))]).refusals.map(\.code) == [.limit])
        #expect(
            model.apply([.addView(ViewSpec(id: "c"))]).refusals.map(\.code) == [.limit])
        #expect(try SceneDocument.parse(model.document().json) == model.document())
    }

    @Test("[DOC-7] a condition whose canonical text would be too long is refused")
    func longCondition() {
        // 64,595 bytes as they stand, 72,195 with the spaces of the canonical text.
        let clauses = Array(repeating: "root.width<1", count: 3800).joined(separator: " and ")
        #expect(throws: DocumentError.self) {
            try scene(
                #"""
                {"scene": 1, "viewport": {"width": 9, "height": 9},
                 "sets": {"s": {"when": "\#(clauses)", "constraints": []}}}
                """#)
        }
    }
}
