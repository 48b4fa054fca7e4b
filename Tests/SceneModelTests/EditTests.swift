import SceneDocument
import SceneModel
import SceneTestSupport
import SceneWire
import Testing

@Suite("What takes ops back")
struct EditTests {
    private static let text = ##"""
        {"scene": 1, "viewport": {"width": 400, "height": 200},
         "views": [{"id": "bar"}, {"id": "note", "parent": "bar", "kind": "label", "text": "Hello", "lines": 2},
                   {"id": "row", "kind": "stack", "distribution": "fillEqually", "frame": [10, 90, 200, 40]},
                   {"id": "tag", "kind": "label", "text": "tag", "frame": [300, 150, 90, 30]},
                   {"id": "one", "parent": "row", "kind": "label", "text": "1"},
                   {"id": "two", "parent": "row", "kind": "label", "text": "2"}],
         "guides": [{"id": "line", "parent": "bar"}],
         "constraints": [
           "bar.leading == root.leading", "bar.top == root.top", "bar.height == 40",
           {"id": "w", "rule": "bar.width == 100"}, "line.left == bar.left + 30", "line.width == 0",
           "note.leading == line.leading", "note.top == bar.top + 8"],
         "sets": {"wide": {"constraints": [{"id": "s", "rule": "note.width == 90"}]}}}
        """##

    @Test("a frame by hand that goes before the next layout leaves the view where it was")
    func passingFrame() throws {
        let model = try scene(Self.text)
        settle(model)
        let hash = model.stateHash
        let outcome = model.apply(
            try ops(
                #"[{"op":"setView","id":"note","frame":[1,2,3,4]},{"op":"resetView","id":"note","keys":["frame"]}]"#
            ))
        #expect(outcome.refusals.isEmpty)
        settle(model)
        #expect(model.stateHash == hash)
    }

    @Test(
        "an op and its inverse leave the scene and its document as they were",
        arguments: [
            #"{"op":"setConstraint","id":"w","constant":150,"priority":900}"#,
            #"{"op":"setConstraint","id":"w","active":false}"#,
            ##"{"op":"setView","id":"note","text":"Bye","background":"#102030","hugging":[1,2]}"##,
            #"{"op":"setView","id":"row","arranged":["two","one"],"customSpacing":{"two":9}}"#,
            #"{"op":"resetView","id":"note","keys":["text","lines"]}"#,
            #"{"op":"resetView","id":"row","keys":["frame"]}"#,
            #"{"op":"addView","id":"more","parent":"row","kind":"label","text":"x"}"#,
            #"{"op":"removeView","id":"bar"}"#,
            #"{"op":"removeView","id":"one"}"#,
            #"{"op":"moveView","id":"one","index":1}"#,
            #"{"op":"moveView","id":"two","parent":"root"}"#,
            #"{"op":"removeConstraint","id":"w"}"#,
            #"{"op":"removeConstraint","id":"s"}"#,
            #"{"op":"addConstraint","id":"more","rule":"note.width == 50 @10"}"#,
            #"{"op":"addConstraint","id":"more","set":"wide","rule":"note.height == 50"}"#,
            #"{"op":"addConstraint","vfl":"H:[note(>=3)]"}"#,
            #"{"op":"activateSet","id":"wide"}"#,
            #"{"op":"setViewport","width":500,"direction":"rtl"}"#,
            #"{"op":"sizeToFit","id":"tag"}"#,
            #"{"op":"animate","duration":0.1,"ops":[{"op":"setConstraint","id":"w","constant":7},{"op":"layoutIfNeeded"}]}"#,
        ])
    func inverse(_ text: String) throws {
        let model = try scene(Self.text)
        settle(model)
        model.recordsEdits = true
        let (hash, document) = (model.stateHash, model.document())
        let outcome = model.apply(try ops(text))
        try #require(outcome.refusals.isEmpty, "\(outcome.refusals)")
        settle(model)
        #expect(model.document() != document || !model.snapshot().overrides.isEmpty)
        let back = model.apply(outcome.edits.reversed().flatMap(\.inverse), atomic: true)
        #expect(back.refusals.isEmpty, "\(back.refusals)")
        settle(model)
        #expect(model.stateHash == hash)
        // Constraints that were taken out come back at the end of their list.
        let now = model.document()
        #expect(now.views == document.views)
        #expect(now.guides == document.guides)
        func ids(_ constraints: [ConstraintSpec]) -> [String] {
            constraints.compactMap(\.id).sorted()
        }
        #expect(ids(now.constraints) == ids(document.constraints))
        #expect(ids(now.sets[0].constraints) == ids(document.sets[0].constraints))
        #expect(model.snapshot().overrides.isEmpty)
    }

    @Test(
        "new ops are refused like the others",
        arguments: [
            (#"{"op":"resetView","id":"none","keys":["text"]}"#, RefusalCode.unknownView),
            (#"{"op":"resetView","id":"root","keys":["text"]}"#, .notEditable),
            (#"{"op":"addGuide","id":"line"}"#, .duplicateID),
            (#"{"op":"addGuide","id":"g","parent":"none"}"#, .unknownView),
            (#"{"op":"addConstraint","set":"none","rule":"bar.width == 1"}"#, .unknownSet),
        ])
    func refusals(_ text: String, _ code: RefusalCode) throws {
        let model = try scene(Self.text)
        #expect(model.apply(try ops(text)).refusals.map(\.code) == [code])
    }

    @Test("a kind cannot be put back, and a key that no view has neither")
    func badKeys() {
        for key in ["kind", "nonsense"] {
            #expect(throws: DocumentError.self) {
                _ = try ops(#"{"op":"resetView","id":"bar","keys":["\#(key)"]}"#)
            }
        }
    }
}

@Suite("What takes random ops back")
struct EditPropertyTests {
    @Test("a batch and its inverse leave what is shown as it was", arguments: 0..<60 * Soak.factor)
    func inverse(seed: Int) throws {
        let model = try scene(ScenePropertyTests.empty)
        var source = RandomScene(seed: UInt64(5000 + seed))
        var undone = 0
        for turn in 0..<40 {
            settle(model)
            let hash = model.stateHash
            // Where the constraints leave a place open it may stay elsewhere, and what is flexible
            // and shrank to nothing does not grow back to what it was, as in UIKit.
            let isDetermined =
                model.ambiguousViewIDs().isEmpty
                && model.document().views.allSatisfy {
                    $0.properties.autoresizing?.isEmpty ?? true
                }
            let batch = try source.turn(model, movesViews: false)
            model.recordsEdits = true
            let outcome = model.apply(batch)
            model.recordsEdits = false
            settle(model)
            let back = model.apply(outcome.edits.reversed().flatMap(\.inverse), atomic: true)
            #expect(back.refusals.isEmpty, "seed \(seed), turn \(turn): \(back.refusals)")
            settle(model)
            #expect(
                model.stateHash == hash || !isDetermined, "seed \(seed), turn \(turn): \(batch)")
            if !outcome.edits.isEmpty { undone += 1 }
            // Go on from the batch.
            _ = model.apply(batch)
        }
        #expect(undone > 10)
    }
}
