import JSON
import SceneDocument
import SceneModel
import SceneWire
import Testing

@Suite("Ops on a scene")
struct OpTests {
    static let text = """
        {"scene": 1, "viewport": {"width": 300, "height": 100}, "views": [
          {"id": "a"}, {"id": "b", "parent": "a"}, {"id": "t", "kind": "label", "text": "hi"},
          {"id": "s", "kind": "stack", "spacing": 4}, {"id": "m", "parent": "s", "kind": "label", "text": "m"}],
         "constraints": [
          {"id": "ax", "rule": "a.left == root.left + 10"}, {"id": "ay", "rule": "a.top == root.top"},
          {"id": "aw", "rule": "a.width == 60"}, {"id": "ah", "rule": "a.height == 40"},
          {"id": "b", "vfl": "H:|-5-[b(20)]"}, "b.top == a.top", "b.height == 10 @800",
          "t.left == a.right", "t.top == root.top", "s.left == root.left", "s.bottom == root.bottom"],
         "sets": {"tall": {"constraints": ["a.height == 41"]}, "wide": {"constraints": ["b.height == 12 @900"]}}}
        """

    @Test(
        "a refused op leaves frames, hash and document as they were",
        arguments: [
            ("{\"op\": \"addConstraint\", \"rule\": \"a.width == 61\"}", RefusalCode.unsatisfiable),
            (
                "{\"op\": \"setConstraint\", \"id\": \"ax\", \"multiplier\": 1.5, \"active\": true, \"constant\": 2e5}",
                nil
            ),
            (
                "{\"op\": \"addConstraint\", \"id\": \"v\", \"vfl\": \"H:[t]-[b(21)]\"}",
                .unsatisfiable
            ),
            ("{\"op\": \"activateSet\", \"id\": \"tall\"}", .unsatisfiable),
            ("{\"op\": \"setConstraint\", \"id\": \"b\", \"constant\": 9}", .badValue),
            ("{\"op\": \"setConstraint\", \"id\": \"aw\", \"multiplier\": 2}", .badValue),
            (
                "{\"op\": \"setView\", \"id\": \"s\", \"spacing\": 9, \"arranged\": [\"t\"]}",
                .badValue
            ),
            (
                "{\"op\": \"setView\", \"id\": \"a\", \"kind\": \"label\", \"hidden\": true}",
                .notEditable
            ),
            ("{\"op\": \"moveView\", \"id\": \"a\", \"parent\": \"b\"}", .cycle),
            ("{\"op\": \"moveView\", \"id\": \"a\", \"parent\": \"zz\"}", .unknownView),
            ("{\"op\": \"addView\", \"id\": \"a\"}", .duplicateID),
            (
                "{\"op\": \"addView\", \"id\": \"n\", \"arranged\": [\"a\"], \"kind\": \"stack\"}",
                .badValue
            ),
            ("{\"op\": \"removeView\", \"id\": \"root\"}", .notEditable),
            ("{\"op\": \"removeConstraint\", \"id\": \"zz\"}", .unknownConstraint),
            ("{\"op\": \"deactivateSet\", \"id\": \"zz\"}", .unknownSet),
            (
                "{\"op\": \"animate\", \"duration\": 1, \"ops\": [{\"op\": \"setConstraint\", \"id\": \"aw\", "
                    + "\"constant\": 99}, {\"op\": \"layoutIfNeeded\"}, {\"op\": \"removeView\", \"id\": \"zz\"}]}",
                .unknownView
            ),
        ] as [(String, RefusalCode?)])
    func refused(text: String, code: RefusalCode?) throws {
        let model = try scene(Self.text)
        let frames = model.frames()
        let hash = model.stateHash
        let document = model.document()
        let outcome = model.apply(try ops(text))
        guard let code else {
            // Two changes at once that are right: the counterpart, without which all could be
            // refused.
            #expect(outcome.refusals == [])
            model.runCycle()
            #expect(model.frames() != frames)
            return
        }
        #expect(outcome.refusals.map(\.code) == [code])
        #expect(model.frames() == frames)
        #expect(model.stateHash == hash)
        #expect(model.document() == document)
        settle(model)
        #expect(model.frames() == frames)
        #expect(model.stateHash == hash)
        #expect(model.brokenConstraintIDs == [])
    }

    @Test("a contradiction names its members, and an atomic batch is refused whole")
    func conflicts() throws {
        let model = try scene(Self.text)
        let hash = model.stateHash
        let single = model.apply(
            try ops("{\"op\": \"addConstraint\", \"id\": \"n\", \"rule\": \"a.width >= 61\"}"))
        #expect(single.refusals.first?.conflicting == ["aw", "n"])
        let list = """
            [{"op": "setConstraint", "id": "aw", "constant": 80}, {"op": "addView", "id": "new"},
             {"op": "addConstraint", "id": "n", "rule": "a.width >= 81"}]
            """
        let batch = model.apply(try ops(list), atomic: true)
        #expect(batch.refusals.map(\.code) == [.unsatisfiable])
        #expect(batch.refusals.first?.opIndex == 2)
        settle(model)
        #expect(model.stateHash == hash)
        #expect(!model.viewIDs.contains("new"))
        let alone = model.apply(try ops(list))
        #expect(alone.refusals.map(\.opIndex) == [2])
        settle(model)
        #expect(model.frame(of: "a")?.width == 80)
        #expect(model.viewIDs.contains("new"))
    }

    @Test("layoutIfNeeded in a batch reports the frames that it moved, rounded as shown")
    func laidOut() throws {
        let model = try scene(Self.text)
        let outcome = model.apply(
            try ops(
                """
                [{"op": "setConstraint", "id": "b.1", "constant": 30.4}, {"op": "layoutIfNeeded", "id": "a"},
                 {"op": "setConstraint", "id": "ax", "constant": 12}]
                """))
        #expect(
            outcome.laidOut == [NamedRect(id: "b", rect: Rect(x: 5, y: 0, width: 30, height: 10))])
    }

    @Test("a snapshot goes through JSON and gives identical frames, hash and document")
    func snapshots() throws {
        let model = try scene(Self.text)
        let list = try ops(
            """
            [{"op": "activateSet", "id": "wide"}, {"op": "setConstraint", "id": "aw", "constant": 33.3},
             {"op": "addView", "id": "n", "parent": "a", "index": 0, "frame": [1, 2, 3, 4]},
             {"op": "setView", "id": "t", "text": "longer", "background": "#112233"},
             {"op": "removeView", "id": "m"}, {"op": "setViewport", "scale": 1.5, "direction": "rtl"}]
            """)
        #expect(model.apply(list).refusals == [])
        settle(model)
        #expect(model.frame(of: "b")?.height == 12)
        let text = model.snapshot().json.text()
        let value = try JSONReader.read(Array(text.utf8))
        let snapshot = try SceneSnapshot.parse(value)
        #expect(snapshot == model.snapshot())
        let again = try SceneModel(snapshot)
        #expect(again.frames() == model.frames())
        #expect(again.stateHash == model.stateHash)
        #expect(again.document() == model.document())
        #expect(again.records() == model.records())
        #expect(again.snapshot() == model.snapshot())
    }

    @Test("[CON-11] [LAY-9] a moved view keeps its constraints, a removed one takes them along")
    func moveAndRemove() throws {
        let model = try scene(Self.text)
        let moved = model.apply(
            try ops("{\"op\": \"moveView\", \"id\": \"b\", \"parent\": \"root\"}"))
        #expect(moved.refusals == [])
        #expect(moved.removedConstraints == [])
        settle(model)
        #expect(model.frame(of: "b") == Rect(x: 15, y: 0, width: 20, height: 10))
        let removed = model.apply(try ops("{\"op\": \"removeView\", \"id\": \"a\"}"))
        #expect(
            removed.removedConstraints == ["ax", "ay", "aw", "ah", "b.0", "#5", "#7", "tall#0"])
    }

    @Test("diagnostics are handed out once")
    func diagnostics() throws {
        let model = try scene(Self.text)
        #expect(
            model.apply(try ops("{\"op\": \"animate\", \"duration\": 1, \"ops\": []}")).refusals
                == [])
        #expect(model.takeDiagnostics().count == 1)
        #expect(model.takeDiagnostics().isEmpty)
    }

    @Test("views never nest deeper than the limit, however they are moved together")
    func depth() throws {
        var views: [ViewSpec] = []
        for chain in ["a", "b"] {
            for level in 0..<300 {
                views.append(
                    ViewSpec(
                        id: "\(chain)\(level)",
                        parent: level == 0 ? "root" : "\(chain)\(level - 1)"))
            }
        }
        let model = try SceneModel(
            SceneDocument(viewport: Viewport(width: 100, height: 100), views: views))
        let hash = model.stateHash
        let tooDeep = model.apply([.moveView(id: "b0", parent: "a299", index: nil)])
        #expect(tooDeep.refusals.map(\.code) == [.limit])
        model.runCycle()
        #expect(model.stateHash == hash)
        // 512 levels below the root: 212 of one chain and 300 of the other.
        #expect(model.apply([.moveView(id: "b0", parent: "a211", index: nil)]).refusals.isEmpty)
        #expect(
            model.apply([.addView(ViewSpec(id: "c", parent: "b299", properties: .init()))]).refusals
                .map(\.code) == [.limit])
        model.runCycle()
        #expect(model.viewIDs.count == 601)
    }
}
