import EngineModule
import JSON
import Testing

@Suite("The engine behind bytes and JSON")
struct EngineSceneTests {
    private static let document = """
        {"scene": 1, "viewport": {"width": 400, "height": 300},
         "views": [{"id": "bar"}, {"id": "title", "parent": "bar", "kind": "label", "text": "Hello"}],
         "constraints": [{"id": "height", "rule": "bar.height == 40"}, "bar.left == root.left",
          "bar.right == root.right", "bar.top == root.top", "title.left == bar.left + 8",
          "title.centerY == bar.centerY"]}
        """
    private static let ample: UInt64 = 1_000_000

    private func open(_ text: String = document, budget: UInt64 = ample) throws -> EngineScene {
        try #require(EngineScene.open(Array(text.utf8), budget: budget).scene)
    }

    private func frame(_ id: String, in answer: JSONValue) -> JSONValue? {
        answer["frames"]?[id]
    }

    private func numbers(_ values: Double...) -> JSONValue { .array(values.map { .number($0) }) }

    @Test("frames are those of the document, and of the ops from the next tick on")
    func lays() throws {
        let scene = try open()
        #expect(frame("bar", in: scene.frames(budget: Self.ample)) == numbers(0, 0, 400, 40))
        // Five characters of 8 × 16 points, in the middle of 40.
        #expect(frame("title", in: scene.frames(budget: Self.ample)) == numbers(8, 12, 40, 16))
        let op = #"{"op":"setConstraint","id":"height","constant":60}"#
        let answer = scene.apply(Array(op.utf8), isAtomic: true, budget: Self.ample)
        #expect(answer["error"] == nil)
        #expect(frame("bar", in: scene.frames(budget: Self.ample)) == numbers(0, 0, 400, 40))
        #expect(scene.tick(1, budget: Self.ample)["isPending"] == .bool(false))
        #expect(frame("bar", in: scene.frames(budget: Self.ample)) == numbers(0, 0, 400, 60))
        #expect(frame("title", in: scene.frames(budget: Self.ample)) == numbers(8, 22, 40, 16))
    }

    @Test("changed tells all frames at first, then those that differ and the views that are gone")
    func tellsChanges() throws {
        let scene = try open()
        #expect(frame("title", in: scene.changed()) == numbers(8, 12, 40, 16))
        #expect(scene.changed()["frames"] == .object([]))
        let op = #"{"op":"removeView","id":"title"}"#
        _ = scene.apply(Array(op.utf8), isAtomic: true, budget: Self.ample)
        _ = scene.tick(1, budget: Self.ample)
        let answer = scene.changed()
        #expect(answer["frames"] == .object([]))
        #expect(answer["removed"] == .array([.string("title")]))
    }

    @Test("a document that contradicts itself is refused with the constraints and their lines")
    func refusesConflicts() throws {
        let text = """
            {"scene": 1, "viewport": {"width": 400, "height": 300}, "views": [{"id": "a"}],
             "constraints": [
              "a.width == 40",
              {"id": "wide", "rule": "a.width == 50"}]}
            """
        let (scene, answer) = EngineScene.open(Array(text.utf8), budget: Self.ample)
        #expect(scene == nil)
        let error = try #require(answer["error"])
        #expect(error["code"] == .string("unsatisfiable"))
        #expect(error["conflicting"] == .array([.string("#0"), .string("wide")]))
        #expect(error["lines"]?["#0"] == .number(3))
        #expect(error["lines"]?["wide"] == .number(4))
    }

    @Test("a text that is no document is refused with its line")
    func refusesTexts() throws {
        let (scene, answer) = EngineScene.open(Array("{\n\"scene\": 2".utf8), budget: Self.ample)
        #expect(scene == nil)
        #expect(answer["error"]?["line"] == .number(2))
    }

    @Test("an atomic list is refused whole, another op by op")
    func refusesOps() throws {
        let ops = Array(
            #"[{"op":"setConstraint","id":"height","constant":70},{"op":"removeView","id":"gone"},{"op":"none"}]"#
                .utf8)
        let scene = try open()
        let whole = scene.apply(ops, isAtomic: true, budget: Self.ample)
        #expect(whole["error"]?["op"] == .number(2))
        let each = scene.apply(ops, isAtomic: false, budget: Self.ample)
        guard let refusals = each["refusals"]?.array else {
            Issue.record("no refusals in \(each.text())")
            return
        }
        #expect(refusals.map { $0["op"] } == [.number(1), .number(2)])
        #expect(refusals.map { $0["code"] } == [.string("unknown-view"), .string("bad-op")])
        _ = scene.tick(1, budget: Self.ample)
        #expect(frame("bar", in: scene.frames(budget: Self.ample)) == numbers(0, 0, 400, 70))
    }

    @Test("a call that exceeds its budget is refused, and the scene is no use any more")
    func stopsAtBudget() throws {
        let (none, refused) = EngineScene.open(Array(Self.document.utf8), budget: 10)
        #expect(none == nil)
        #expect(refused["error"]?["code"] == .string("too-expensive"))
        let scene = try open()
        let op = #"{"op":"setConstraint","id":"height","constant":60}"#
        _ = scene.apply(Array(op.utf8), isAtomic: true, budget: Self.ample)
        #expect(scene.tick(1, budget: 1)["error"]?["code"] == .string("too-expensive"))
        #expect(scene.frames(budget: Self.ample)["error"]?["code"] == .string("too-expensive"))
    }

    @Test("an explanation names the constraints that hold a view")
    func explains() throws {
        let scene = try open()
        let answer = scene.explain(["bar"], budget: Self.ample)
        guard let views = answer["views"]?.array,
            let rules = views.first?["vertical"]?.array
        else {
            Issue.record("no views in \(answer.text())")
            return
        }
        #expect(rules.contains { $0["id"] == .string("height") })
    }

    @Test("a table closes scenes, and says so of a handle that is not open")
    func closes() throws {
        var table = EngineTable()
        let handle = table.open(Array(Self.document.utf8), device: "", budget: Self.ample)
        #expect(handle == 1)
        #expect(table.ask(handle) { $0.hash() })
        #expect(try JSONReader.read(table.output)["hash"] != nil)
        table.close(handle)
        #expect(table.count == 0)
        #expect(!table.ask(handle) { $0.hash() })
        #expect(try JSONReader.read(table.output)["error"]?["code"] == .string("closed"))
        #expect(table.open(Array("{}".utf8), device: "", budget: Self.ample) == 0)
    }
}
