import ConstraintLanguage
import JSON
import SceneDocument
import SceneWire
import Testing

@testable import TerminalViewer

/// A sidebar of 10 by 6 cells beside a main view, and what the server says of them, written by
/// hand.
struct EditingScene {
    static func scene(sidebar width: Int = 80) -> SceneBuilder {
        var scene = SceneBuilder(width: 320, height: 96)
        scene.add("sidebar", in: "root", 0, 0, width, 96) { $0.border = .single }
        scene.add("main", in: "root", width, 0, 320 - width, 96) { $0.border = .single }
        scene.label("Files", in: "sidebar", 8, 16, 40)
        return scene
    }

    /// - Parameter constants: Of constraints that somebody has changed.
    static func document(_ constants: [String: Int] = [:]) -> String {
        let width = constants["sidebar-width"] ?? 80
        return """
            "document": {"scene": 1, "viewport": {"width": 320, "height": 96},
              "views": [{"id": "sidebar"}, {"id": "main"}, {"id": "label3", "parent": "sidebar", "kind": "label", "text": "Files"}],
              "constraints": [
                {"id": "left", "rule": "sidebar.leading == root.leading"},
                {"id": "sidebar-width", "rule": "sidebar.width == \(width) @750"},
                {"id": "joint", "rule": "main.leading == sidebar.trailing"},
                {"id": "loose", "rule": "main.width >= 10"},
                {"id": "off", "rule": "main.height == 4", "active": false}],
              "sets": {"compact": {"when": "root.width < 100", "constraints": [{"id": "narrow", "rule": "sidebar.width == 40"}]}}}
            """
    }

    static func inspection(_ constants: [String: Int] = [:]) throws -> SceneInspection {
        let text = """
            {"tick": 3, \(document(constants)),
             "sets": [{"id": "compact", "active": false, "overridden": true}],
             "views": [{"id": "sidebar", "ambiguous": true, "needsUpdateConstraints": false, "needsLayout": true,
               "needsDisplay": false, "constraints": ["left", "sidebar-width", "joint"],
               "horizontal": [{"id": "left", "kind": "constraint", "rule": "sidebar.leading == root.leading"},
                              {"id": "sidebar-width", "kind": "constraint", "rule": "sidebar.width == 80 @750"}],
               "vertical": [{"kind": "contentSize", "rule": "sidebar.height == 96 @251"}]}],
             "broken": [{"id": "loose", "conflicts": ["left", "joint"]}]}
            """
        return try SceneInspection.parse(Array(text.utf8))
    }

    /// A viewer that has the scene, its document, and the sidebar selected.
    static func viewer(_ size: GridSize = GridSize(columns: 40, rows: 8)) throws -> TestViewer {
        var viewer = try TestViewer(scene(), size, fits: false)
        viewer.mouse(.press, 5, 4)
        viewer.mouse(.release, 5, 4)
        try viewer.answer()
        viewer.forget()
        return viewer
    }
}

@Suite("Selecting and changing")
struct EditingTests {
    @Test("a click selects the frontmost view, Tab the next one, brackets go up and down the tree")
    func selecting() throws {
        var viewer = try EditingScene.viewer()
        #expect(viewer.state.selection == "sidebar")
        viewer.mouse(.press, 2, 1)
        #expect(viewer.state.selection == "label3")
        viewer.press(.character("["))
        #expect(viewer.state.selection == "sidebar")
        viewer.press(.character("}"))
        #expect(viewer.state.selection == "main")
        viewer.press(.character("{"), .character("]"))
        #expect(viewer.state.selection == "label3")
        viewer.press(.tab)
        #expect(viewer.state.selection == "main")
        viewer.press(.tab, .backTab, .backTab, .backTab)
        #expect(viewer.state.selection == "sidebar")
        viewer.press(.escape)
        #expect(viewer.state.selection == nil)
    }

    @Test(
        "dragging an edge changes the constant of the constraint that holds it, as one undo group")
    func dragging() throws {
        var viewer = try EditingScene.viewer()
        // The right edge of the sidebar is column 9; three cells of 8 points to the right.
        viewer.mouse(.press, 9, 3)
        viewer.mouse(.drag, 11, 3)
        try viewer.answer()
        #expect(
            viewer.ops == [#"[{"op":"setConstraint","id":"sidebar-width","constant":96}]"#])
        #expect(viewer.screen.contains("sidebar-width: 80 → 96 (+16)"))
        // While the answer is missing nothing is sent; then the latest.
        viewer.mouse(.drag, 12, 3)
        viewer.mouse(.drag, 13, 3)
        #expect(viewer.ops.count == 1)
        viewer.commit()
        #expect(viewer.ops.last == #"[{"op":"setConstraint","id":"sidebar-width","constant":112}]"#)
        viewer.mouse(.drag, 12, 3)
        viewer.mouse(.release, 12, 3)
        #expect(viewer.ops.last == #"[{"op":"setConstraint","id":"sidebar-width","constant":104}]"#)
        let groups = viewer.commands.compactMap { command in
            if case .ops(_, let group) = command { return group }
            return nil
        }
        #expect(groups.count == 3 && Set(groups).count == 1 && groups[0] != 0)
        #expect(viewer.state.drag == nil)
        // What was sent is shown as the op.
        #expect(viewer.screen.contains(#"… {"op":"setConstraint","id":"#))
    }

    @Test("a drag begins with the constant that the server has, not with the one that was known")
    func draggingFromWhatIsNew() throws {
        var viewer = try EditingScene.viewer()
        viewer.mouse(.press, 9, 3)
        viewer.mouse(.drag, 11, 3)
        // Nothing is sent before the answer, not even when the button is let go.
        viewer.mouse(.release, 11, 3)
        #expect(viewer.ops.isEmpty && viewer.state.drag != nil)
        // Somebody has made it 120 meanwhile: the drag adds its two cells to that.
        try viewer.answer(["sidebar-width": 120])
        #expect(
            viewer.ops == [#"[{"op":"setConstraint","id":"sidebar-width","constant":136}]"#])
        #expect(viewer.state.drag == nil)
    }

    @Test(
        "what somebody changes while an edge is dragged is kept, and no old answer counts as that")
    func draggingTogether() throws {
        var viewer = try EditingScene.viewer()
        viewer.mouse(.press, 9, 3)
        viewer.mouse(.drag, 11, 3)
        try viewer.answer()
        #expect(viewer.ops.last == #"[{"op":"setConstraint","id":"sidebar-width","constant":96}]"#)
        // A question that was asked while the change was under way tells nothing.
        viewer.state.askForDocument()
        viewer.wait(0)
        viewer.commit()
        try viewer.answer()
        #expect(viewer.ops.count == 1)
        // One that was asked afterwards does: 96 have become 100.
        viewer.state.askForDocument()
        viewer.wait(0)
        try viewer.answer(["sidebar-width": 100])
        #expect(viewer.ops.count == 1, "that is where the pointer is")
        viewer.mouse(.drag, 12, 3)
        #expect(viewer.ops.last == #"[{"op":"setConstraint","id":"sidebar-width","constant":108}]"#)
        #expect(viewer.screen.contains("sidebar-width: 84 → 108 (+24)"))
    }

    @Test("a question that is refused ends the drag that waits for it")
    func draggingRefused() throws {
        var viewer = try EditingScene.viewer()
        viewer.mouse(.press, 9, 3)
        var problem = ErrorMessage()
        problem.text = "too many questions"
        viewer.state.take(.problem(problem), now: viewer.now)
        viewer.mouse(.drag, 11, 3)
        try viewer.answer()
        #expect(viewer.ops.isEmpty)
        #expect(viewer.screen.contains("too many questions"))
    }

    @Test("a left edge that is held by itself moves by its own constraint")
    func leftEdge() throws {
        var viewer = try EditingScene.viewer()
        viewer.mouse(.press, 0, 3)
        viewer.mouse(.drag, 1, 3)
        try viewer.answer()
        #expect(viewer.ops == [#"[{"op":"setConstraint","id":"left","constant":8}]"#])
    }

    @Test("an edge that nothing with a constant holds says so")
    func unheldEdge() throws {
        var viewer = try EditingScene.viewer()
        viewer.mouse(.press, 5, 5)
        #expect(viewer.ops.isEmpty)
        #expect(viewer.screen.contains("no constraint with a constant"))
    }

    @Test("a viewer changes nothing, and is told how to")
    func viewers() throws {
        var viewer = try TestViewer(
            EditingScene.scene(), GridSize(columns: 80, rows: 8), fits: false, role: .viewer)
        viewer.mouse(.press, 5, 4)
        for key in "cawxmeHu:" { viewer.press(.character(key)) }
        #expect(viewer.ops.isEmpty)
        #expect(!viewer.commands.contains(.undo))
        #expect(viewer.screen.contains("--edit") || viewer.screen.contains("taken back"))
    }

    @Test("views are added, moved, hidden, given a text and removed")
    func views() throws {
        var viewer = try EditingScene.viewer(GridSize(columns: 80, rows: 12))
        viewer.press(.character("a"))
        viewer.type("note label Hello there")
        viewer.press(.enter)
        viewer.press(.character("m"))
        viewer.type("mai")
        viewer.press(.tab, .enter)
        viewer.press(.character("H"))
        viewer.press(.character("e"))
        viewer.press(.control("u"))
        viewer.type("New")
        viewer.press(.enter)
        viewer.press(.character("x"))
        #expect(
            viewer.ops == [
                #"[{"op":"addView","id":"note","parent":"sidebar","kind":"label","text":"Hello there"}]"#,
                #"[{"op":"moveView","id":"sidebar","parent":"main"}]"#,
                #"[{"op":"setView","id":"sidebar","hidden":true}]"#,
                #"[{"op":"setView","id":"sidebar","text":"New"}]"#,
                #"[{"op":"removeView","id":"sidebar"}]"#,
            ])
        for text in viewer.ops {
            let list = try JSONReader.read(Array(text.utf8))
            #expect(throws: Never.self) { try parse(list) }
        }
    }

    private func parse(_ list: JSONValue) throws {
        for case .failure(let error) in try Op.parseEach(list) { throw error }
    }

    @Test(
        "a rule is edited as text: a constant alone is set, anything else makes another constraint")
    func rules() throws {
        var viewer = try EditingScene.viewer(GridSize(columns: 100, rows: 30))
        viewer.press(.character("i"))
        while viewer.state.panel?.item(in: viewer.state.panelContent!)
            != .constraint("sidebar-width")
        {
            viewer.press(.down)
        }
        viewer.press(.enter)
        #expect(viewer.screen.contains("sidebar-width: sidebar.width == 80 @750"))
        viewer.press(.control("u"))
        viewer.type("sidebar.width == 96 @700")
        viewer.press(.enter)
        #expect(
            viewer.ops.last
                == #"[{"op":"setConstraint","id":"sidebar-width","constant":96,"priority":700}]"#)
        viewer.press(.enter, .control("u"))
        viewer.type("sidebar.width >= 0.5 * main.width")
        viewer.press(.enter)
        #expect(
            viewer.ops.last
                == #"[{"op":"removeConstraint","id":"sidebar-width"},{"op":"addConstraint","id":"sidebar-width","rule":"sidebar.width >= 0.5 * main.width"}]"#
        )
        viewer.press(.character(" "))
        #expect(
            viewer.ops.last == #"[{"op":"setConstraint","id":"sidebar-width","active":false}]"#)
        viewer.press(.character("p"), .control("u"))
        viewer.type("1001")
        viewer.press(.enter)
        #expect(viewer.screen.contains("a priority is a number from 1 to 1000"))
        viewer.press(.backspace, .backspace, .enter)
        // From 750 to 10, both not required: the priority alone.
        #expect(viewer.ops.last == #"[{"op":"setConstraint","id":"sidebar-width","priority":10}]"#)
        viewer.press(.character("+"))
        #expect(viewer.ops.last == #"[{"op":"setConstraint","id":"sidebar-width","constant":88}]"#)
        viewer.press(.character("x"))
        #expect(viewer.ops.last == #"[{"op":"removeConstraint","id":"sidebar-width"}]"#)
    }

    @Test("adding a rule: completion, and the error under the place where it is")
    func completion() throws {
        var viewer = try EditingScene.viewer(GridSize(columns: 100, rows: 12))
        viewer.press(.character("c"))
        // The selected view is there already; attributes are offered.
        #expect(viewer.lines.contains { $0.contains("add rule: sidebar.") })
        viewer.type("wi")
        #expect(viewer.lines.contains { $0.hasPrefix(" width") })
        viewer.press(.tab)
        viewer.type(" = 5")
        let lines = viewer.lines
        let input = try #require(lines.firstIndex { $0.contains("add rule:") })
        // "unexpected" at the "=": under it.
        let column = try #require(lines[input].firstRange(of: " = 5")).lowerBound
        let place = lines[input].distance(from: lines[input].startIndex, to: column) + 1
        #expect(Array(lines[input + 1])[place] == "^")
        #expect(lines[input + 1].contains("expected \"==\""))
        viewer.press(.enter)
        #expect(viewer.ops.isEmpty)
        viewer.press(.backspace, .backspace, .backspace)
        viewer.type("== nobody.width")
        #expect(viewer.screen.contains("there is no view \"nobody\""))
        viewer.press(.control("w"))
        viewer.type("mai")
        viewer.press(.tab)
        viewer.type("width")
        viewer.press(.enter)
        #expect(viewer.ops.last?.contains(#""rule":"sidebar.width == main.width""#) == true)
    }

    @Test("sets are switched, and left to their conditions again")
    func sets() throws {
        var viewer = try EditingScene.viewer(GridSize(columns: 150, rows: 12))
        viewer.press(.character("g"))
        #expect(viewer.screen.contains("○ compact  1 constraint  by hand  when root.width < "))
        viewer.press(.enter, .character("x"), .character("A"))
        #expect(
            viewer.ops == [
                #"[{"op":"activateSet","id":"compact"}]"#,
                #"[{"op":"deactivateSet","id":"compact"}]"#,
                #"[{"op":"activateSet","id":"compact","auto":true}]"#,
            ])
    }

    @Test("the viewport, raw ops, undo and redo")
    func others() throws {
        var viewer = try EditingScene.viewer(GridSize(columns: 100, rows: 12))
        viewer.press(.character("w"))
        #expect(viewer.screen.contains("viewport (WIDTHxHEIGHT points): 320x96"))
        viewer.press(.control("u"))
        viewer.type("640x200")
        viewer.press(.enter, .character(":"), .control("u"))
        viewer.type(#"[{"op":"setNeedsLayout","id":"root"}]"#)
        viewer.press(.enter, .character("u"), .character("U"))
        #expect(
            viewer.ops == [
                #"[{"op":"setViewport","width":640,"height":200}]"#,
                #"[{"op":"setNeedsLayout","id":"root"}]"#,
            ])
        #expect(viewer.commands.contains(.undo) && viewer.commands.contains(.redo))
        viewer.press(.character(":"), .control("u"))
        viewer.type("{nonsense")
        viewer.press(.enter)
        #expect(viewer.ops.count == 2)
        #expect(viewer.state.prompt?.fault != nil)
    }

    @Test("a refusal says why and against what, and the log leads to what stands against it")
    func refusals() throws {
        var viewer = try EditingScene.viewer(GridSize(columns: 120, rows: 12))
        viewer.press(.character("H"))
        viewer.refuse(.unsatisfiable, "required constraints contradict", conflicting: ["left"])
        #expect(viewer.screen.contains("unsatisfiable: required constraints contradict (left)"))
        viewer.press(.character("L"))
        #expect(viewer.screen.contains("against left"))
        viewer.wait(20)
        #expect(!viewer.lines[11].contains("required"))
    }

    @Test("the wheel over a scroll view scrolls it for all, one undo group as long as it goes on")
    func wheel() throws {
        var scene = SceneBuilder(width: 160, height: 96)
        scene.add("list", in: "root", 0, 0, 160, 96) { $0.kind = .scroll }
        scene.add("long", in: "list", 0, 0, 160, 192)
        var viewer = try TestViewer(scene, GridSize(columns: 20, rows: 7), fits: false)
        viewer.mouse(.wheelDown, 3, 3)
        #expect(viewer.ops == [#"[{"op":"setContentOffset","id":"list","offset":[0,48]}]"#])
        viewer.mouse(.wheelUp, 3, 3)
        #expect(viewer.ops.count == 1)
    }
}

@Suite("The constraint that holds an edge")
struct EdgeHolderTests {
    private func book(_ rules: String..., direction: LayoutDirection = .leftToRight) throws
        -> ConstraintBook
    {
        var document = SceneDocument(viewport: Viewport(width: 100, height: 100))
        document.viewport.direction = direction
        document.constraints = try rules.map { ConstraintSpec(body: .rule(try Rule.parse($0))) }
        return ConstraintBook(document, states: [])
    }

    private func holder(_ edge: Edge, _ book: ConstraintBook) -> String? {
        EdgeHolder.of(edge, view: "a", facts: nil, document: book).map { "\($0.id) \($0.factor)" }
    }

    @Test("the edge comes before the extent, the extent before the centre")
    func ranks() throws {
        let all = try book("a.centerX == b.left", "a.width == 5", "a.right == b.right - 3")
        #expect(holder(.right, all) == "#2 1.0")
        #expect(holder(.left, all) == "#1 -1.0")
        #expect(holder(.left, try book("a.centerX == b.left")) == "#0 1.0")
        #expect(holder(.top, all) == nil)
        #expect(holder(.bottom, try book("a.height == b.height")) == "#0 1.0")
    }

    @Test("where the view stands on the right side of a rule, the constant goes the other way")
    func secondSide() throws {
        // b.left = 2 a.right + c: for a.right to grow by 1 while b stays, c shrinks by 2.
        #expect(holder(.right, try book("b.left == 2 * a.right + 7")) == "#0 -2.0")
        #expect(holder(.right, try book("b.left == 0 * a.right + 7")) == nil)
    }

    @Test("leading is right where text runs from the right; guides are not the view itself")
    func direction() throws {
        let rule = "a.leading == root.leading"
        #expect(holder(.left, try book(rule)) == "#0 1.0")
        #expect(holder(.left, try book(rule, direction: .rightToLeft)) == nil)
        #expect(holder(.right, try book(rule, direction: .rightToLeft)) == "#0 1.0")
        #expect(holder(.left, try book("b.left == a.margins.left")) == nil)
    }

    @Test("what the layout says holds the view comes first, and an inequality counts only then")
    func influences() throws {
        let book = try book("a.right == b.right", "a.width <= 50")
        var facts = SceneInspection.ViewState(id: "a")
        #expect(holder(.right, book) == "#0 1.0")
        facts.horizontal = [.init(id: "#1", kind: "constraint", rule: "")]
        let found = EdgeHolder.of(.right, view: "a", facts: facts, document: book)
        #expect(found?.id == "#1")
    }
}

@Suite("Completion")
struct CompletionTests {
    private func offered(_ text: String) -> [String] {
        RuleCompletion.choices(after: text, items: ["sidebar", "main", "side-note"]).texts
    }

    @Test("what the grammar allows next is offered")
    func rules() {
        #expect(offered("") == ["sidebar.", "main.", "side-note."])
        #expect(offered("sid") == ["sidebar.", "side-note."])
        #expect(offered("sidebar.le") == ["left", "leading", "readable"])
        #expect(offered("sidebar.width ") == ["== ", "<= ", ">= "])
        #expect(offered("sidebar.width == mai") == ["main."])
        #expect(offered("sidebar.width == main.hei") == ["height"])
        #expect(offered("sidebar.margins.tra") == ["trailing"])
        #expect(offered("sidebar.width == 5 @hi") == ["high"])
        #expect(offered("sidebar width").isEmpty)
    }
}
