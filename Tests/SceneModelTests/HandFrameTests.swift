import SceneDocument
import SceneModel
import Testing

@Suite("Frames set by hand")
struct HandFrameTests {
    /// `fixed` and `wide` collapse; `wide` follows the viewport, which is 100 points wider than
    /// when its frame was set.
    private func hidden() throws -> SceneModel {
        let model = try scene(
            ##"""
            {"scene": 1, "viewport": {"width": 200, "height": 100}, "views": [
              {"id": "fixed", "frame": [10, 0, 100, 10], "collapses": true},
              {"id": "wide", "frame": [10, 20, 100, 10], "autoresizing": ["flexibleWidth"], "collapses": true},
              {"id": "small", "frame": [0, 40, 100, 10], "autoresizing": ["flexibleWidth"]}]}
            """##)
        _ = model.apply(try ops(#"{"op": "setViewport", "width": 300}"#))
        model.runCycle()
        _ = model.apply(
            try ops(
                #"""
                [{"op": "setView", "id": "fixed", "hidden": true}, {"op": "setView", "id": "wide", "hidden": true},
                 {"op": "setViewport", "width": 60}]
                """#))
        model.runCycle()
        return model
    }

    private func show(_ model: SceneModel) throws {
        _ = model.apply(
            try ops(
                #"""
                [{"op": "setView", "id": "fixed", "hidden": false}, {"op": "setView", "id": "wide", "hidden": false},
                 {"op": "setViewport", "width": 240}]
                """#))
        model.runCycle()
    }

    private func expectShown(_ model: SceneModel) {
        #expect(model.frame(of: "fixed") == Rect(x: 10, y: 0, width: 100, height: 10))
        #expect(model.frame(of: "wide") == Rect(x: 10, y: 20, width: 140, height: 10))
        #expect(model.frame(of: "small") == Rect(x: 0, y: 40, width: 140, height: 10))
    }

    @Test("what was collapsed, or had no room left, is back at its length when there is room again")
    func comesBack() throws {
        let model = try hidden()
        #expect(model.frame(of: "fixed") == Rect(x: 10, y: 0, width: 0, height: 0))
        #expect(model.frame(of: "wide") == Rect(x: 10, y: 20, width: 0, height: 0))
        #expect(model.frame(of: "small") == Rect(x: 0, y: 40, width: 0, height: 10))
        try show(model)
        expectShown(model)
    }

    @Test("[DOC-6] a document and a snapshot keep the lengths that are not shown")
    func exported() throws {
        let model = try hidden()
        let read = try SceneModel(model.document())
        #expect(read.frames() == model.frames())
        try show(read)
        expectShown(read)
        _ = model.rebuildCanonically()
        try show(model)
        expectShown(model)
    }

    @Test("undoing a frame gives back the one that was set, and what it belonged to")
    func undone() throws {
        let model = try hidden()
        model.recordsEdits = true
        let outcome = model.apply(
            try ops(#"{"op": "setView", "id": "wide", "frame": [0, 0, 5, 5]}"#))
        #expect(outcome.edits.count == 1)
        _ = model.apply(outcome.edits.flatMap(\.inverse))
        try show(model)
        expectShown(model)
    }

    @Test("a changed mask, and a new superview, start from the frame as it is then")
    func rebased() throws {
        let model = try scene(
            ##"""
            {"scene": 1, "viewport": {"width": 200, "height": 100}, "views": [
              {"id": "a", "frame": [0, 0, 100, 10], "autoresizing": ["flexibleWidth"]},
              {"id": "b", "frame": [0, 0, 100, 10], "autoresizing": ["flexibleWidth"]},
              {"id": "box", "frame": [0, 0, 50, 50]}]}
            """##)
        _ = model.apply(try ops(#"{"op": "setViewport", "width": 300}"#))
        model.runCycle()
        _ = model.apply(
            try ops(
                #"""
                [{"op": "setView", "id": "a", "autoresizing": ["flexibleLeftMargin"]},
                 {"op": "moveView", "id": "b", "parent": "box"}]
                """#))
        model.runCycle()
        #expect(model.frame(of: "a") == Rect(x: 0, y: 0, width: 200, height: 10))
        #expect(model.frame(of: "b") == Rect(x: 0, y: 0, width: 200, height: 10))
        _ = model.apply(
            try ops(
                #"""
                [{"op": "setViewport", "width": 310}, {"op": "setView", "id": "box", "frame": [0, 0, 70, 50]}]
                """#))
        model.runCycle()
        #expect(model.frame(of: "a") == Rect(x: 10, y: 0, width: 200, height: 10))
        #expect(model.frame(of: "b") == Rect(x: 0, y: 0, width: 220, height: 10))
    }
}
