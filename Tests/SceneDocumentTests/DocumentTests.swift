import JSON
import SceneDocument
import Testing

@Suite("Scene documents")
struct DocumentTests {
    private let full = """
        {"scene": 1,
         "viewport": {"width": 640, "height": 384.5, "scale": 2, "direction": "rtl",
                      "rounding": "none", "unsatisfiable": "break", "cell": [10, 20]},
         "views": [
           {"id": "title", "parent": "sidebar", "kind": "label", "text": "Files \\"x\\"", "lines": 0,
            "align": "justified", "preferredWidth": 80, "hugging": [251, 250],
            "compression": [750, 1], "baseline": [12, 4]},
           {"id": "sidebar", "index": 0, "background": "#1e2030", "foreground": "#01020304",
            "border": "rounded", "opacity": 0.25, "hidden": false, "clips": true,
            "contentMode": "redraw", "collapses": "width", "intrinsic": [-1, 20],
            "margins": [1, 2, 3, 4], "safeArea": [0, 0, 0, 0]},
           {"id": "s", "kind": "stack", "axis": "vertical", "distribution": "equalSpacing",
            "alignment": "lastBaseline", "spacing": -4, "customSpacing": {"q": 3, "p": 4},
            "arranged": ["p", "q"], "collapses": true},
           {"id": "p", "parent": "s", "frame": [0, 1, 2, 3],
            "autoresizing": ["flexibleWidth", "flexibleLeftMargin"]},
           {"id": "q", "parent": "s", "kind": "scroll", "contentOffset": [0, 9], "collapses": false}],
         "guides": [{"id": "g", "parent": "sidebar"}, {"id": "h"}],
         "constraints": [
           "sidebar.leading == root.leading",
           {"id": "w", "rule": "sidebar.width == 240 @750", "active": false, "identifier": "note"},
           "H:|-[p(>=120)]-[q]-|",
           {"id": "row", "vfl": "[p][q]", "options": ["alignAllTop", "directionLeftToRight"]},
           {"rule": "title.top == g.top + 8"}],
         "sets": {"wide": {"constraints": ["p.width == 3"]},
                  "compact": {"when": "root.width < 600", "constraints": []}}}
        """

    @Test("a document reads back from its own text, compact and pretty")
    func lossless() throws {
        let document = try SceneDocument.parse(utf8(full))
        #expect(try SceneDocument.parse(utf8(document.json())) == document)
        #expect(try SceneDocument.parse(utf8(document.json(pretty: true))) == document)
        #expect(document.views.map(\.id) == ["title", "sidebar", "s", "p", "q"])
        #expect(document.sets.map(\.id) == ["wide", "compact"])
        #expect(document.views[2].properties.customSpacing?.map(\.id) == ["q", "p"])
        #expect(document.views[1].properties.collapses == Collapse(width: true, height: false))
        #expect(document.viewport.cell == Size(width: 10, height: 20))
        let original = try JSONReader.read(utf8(full))
        #expect(
            try JSONReader.read(utf8(document.json()))["constraints"] == original["constraints"])
    }

    @Test("constraints without a name are numbered in their list")
    func names() throws {
        let document = try SceneDocument.parse(utf8(full))
        let names = document.constraints.enumerated().map { $1.resolvedID(index: $0) }
        #expect(names == ["#0", "w", "#2", "row", "#4"])
        #expect(document.sets[0].constraints[0].resolvedID(index: 0, set: "wide") == "wide#0")
        #expect(document.constraints.map(\.ruleCount) == [1, 1, 4, 2, 1])
        #expect(document.constraints.map(\.wasBareText) == [true, false, true, false, false])
        #expect(ConstraintSpec.ruleID("row", 1) == "row.1")
    }

    private func error(_ views: String, _ rest: String = "") -> DocumentError? {
        let text = """
            {"scene": 1, "viewport": {"width": 9, "height": 9},
            "views": [\(views)]\(rest)}
            """
        do throws(DocumentError) {
            _ = try SceneDocument.parse(utf8(text))
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "a wrong view is an error with its code and path",
        arguments: [
            ("{}", RefusalCode.badOp, "views[0]"),
            ("3", RefusalCode.badOp, "views[0]"),
            (#"{"id": 3}"#, RefusalCode.badOp, "views[0].id"),
            (#"{"id": "3"}"#, RefusalCode.badValue, "views[0].id"),
            (#"{"id": "root"}"#, RefusalCode.duplicateID, "views[0]"),
            (#"{"id": "a"}, {"id": "a"}"#, RefusalCode.duplicateID, "views[1]"),
            (#"{"id": "a", "parent": "b"}"#, RefusalCode.unknownView, "views[0]"),
            (#"{"id": "a", "parent": "a"}"#, RefusalCode.cycle, "views[0]"),
            (
                #"{"id": "a", "parent": "b"}, {"id": "b", "parent": "a"}"#, RefusalCode.cycle,
                "views[1]"
            ),
            (#"{"id": "a", "txt": "x"}"#, RefusalCode.badOp, "views[0]"),
            (#"{"id": "a", "text": 3}"#, RefusalCode.badOp, "views[0].text"),
            (#"{"id": "a", "text": null}"#, RefusalCode.badOp, "views[0].text"),
            (#"{"id": "a", "kind": "knob"}"#, RefusalCode.badValue, "views[0].kind"),
            (#"{"id": "a", "lines": 1.5}"#, RefusalCode.badValue, "views[0].lines"),
            (#"{"id": "a", "lines": -1}"#, RefusalCode.badValue, "views[0].lines"),
            (#"{"id": "a", "opacity": 1.1}"#, RefusalCode.badValue, "views[0].opacity"),
            (#"{"id": "a", "background": "red"}"#, RefusalCode.badValue, "views[0].background"),
            (
                ##"{"id": "a", "background": "#12345g"}"##, RefusalCode.badValue,
                "views[0].background"
            ),
            (#"{"id": "a", "hugging": [1]}"#, RefusalCode.badValue, "views[0].hugging"),
            (#"{"id": "a", "hugging": [1, "2"]}"#, RefusalCode.badOp, "views[0].hugging[1]"),
            (#"{"id": "a", "hugging": [1, 1001]}"#, RefusalCode.badValue, "views[0].hugging[1]"),
            (#"{"id": "a", "intrinsic": [-0.5, 1]}"#, RefusalCode.badValue, "views[0].intrinsic"),
            (#"{"id": "a", "frame": [0, 0, -1, 1]}"#, RefusalCode.badValue, "views[0].frame"),
            (#"{"id": "a", "frame": [0, 0, 1e7, 1]}"#, RefusalCode.badValue, "views[0].frame[2]"),
            (#"{"id": "a", "collapses": "both"}"#, RefusalCode.badValue, "views[0].collapses"),
            (#"{"id": "a", "collapses": 1}"#, RefusalCode.badOp, "views[0].collapses"),
            (
                #"{"id": "a", "autoresizing": ["wide"]}"#, RefusalCode.badValue,
                "views[0].autoresizing[0]"
            ),
            (#"{"id": "a", "arranged": ["b"]}"#, RefusalCode.unknownView, "views[0].arranged"),
        ])
    func wrongViews(views: String, code: RefusalCode, path: String) {
        let error = error(views)
        #expect(error?.code == code)
        #expect(error?.path == path)
        #expect(error?.line == 2)
    }

    @Test(
        "a wrong constraint is an error with its code and path",
        arguments: [
            (#""constraints": ["a.left = 3"]"#, RefusalCode.badRule, "constraints[0]"),
            (#""constraints": ["b.left == 3"]"#, RefusalCode.unknownView, "constraints[0]"),
            (#""constraints": ["a.left == b.left"]"#, RefusalCode.unknownView, "constraints[0]"),
            (#""constraints": ["a.left == 1e7"]"#, RefusalCode.badValue, "constraints[0]"),
            (#""constraints": ["|[b]"]"#, RefusalCode.unknownView, "constraints[0]"),
            (#""constraints": ["|[a][c]"]"#, RefusalCode.badRule, "constraints[0]"),
            (#""constraints": ["|[root]"]"#, RefusalCode.badRule, "constraints[0]"),
            (#""constraints": ["|[a"]"#, RefusalCode.badRule, "constraints[0]"),
            (#""constraints": [3]"#, RefusalCode.badOp, "constraints[0]"),
            (#""constraints": [{}]"#, RefusalCode.badOp, "constraints[0]"),
            (
                #""constraints": [{"rule": "a.left == 1", "vfl": "[a]"}]"#, RefusalCode.badOp,
                "constraints[0]"
            ),
            (
                #""constraints": [{"rule": "a.left == 1", "options": []}]"#, .badOp,
                "constraints[0].options"
            ),
            (
                #""constraints": [{"vfl": "[a]", "options": ["x"]}]"#, .badValue,
                "constraints[0].options[0]"
            ),
            (
                #""constraints": [{"vfl": "[a]", "options": ["alignAllLeft"]}]"#, .badRule,
                "constraints[0].vfl"
            ),
            (
                #""constraints": [{"id": "x", "rule": "a.left == 1"}, {"id": "x", "rule": "a.top == 1"}]"#,
                RefusalCode.duplicateID, "constraints[1]"
            ),
            (
                #""constraints": [{"id": "x", "rule": "a.left == 1"}], "sets": {"s": {"constraints": [{"id": "x", "rule": "a.top == 1"}]}}"#,
                RefusalCode.duplicateID, "sets.s.constraints[0]"
            ),
            (#""sets": {"1": {"constraints": []}}"#, RefusalCode.badValue, "sets.1"),
            (#""sets": {"s": {}}"#, RefusalCode.badOp, "sets.s"),
            (
                #""sets": {"s": {"when": "a.left < 1", "constraints": []}}"#, RefusalCode.badRule,
                "sets.s.when"
            ),
            (#""guides": [{"id": "a"}]"#, RefusalCode.duplicateID, "guides[0]"),
            (#""guides": [{"id": "g", "parent": "z"}]"#, RefusalCode.unknownView, "guides[0]"),
            (#""more": 1"#, RefusalCode.badOp, ""),
        ])
    func wrongRest(rest: String, code: RefusalCode, path: String) {
        let error = error(#"{"id": "a"}, {"id": "c", "parent": "a"}"#, ", " + rest)
        #expect(error?.code == code, "\(error?.description ?? "")")
        #expect(error?.path == path)
        #expect(error?.line != nil)
    }

    @Test(
        "a wrong top level is an error",
        arguments: [
            (#"{}"#, RefusalCode.badOp), (#"[]"#, RefusalCode.badOp),
            (#"{"scene": 2}"#, RefusalCode.badValue),
            (#"{"scene": 1}"#, RefusalCode.badOp),
            (#"{"scene": 1, "viewport": {"width": 3}}"#, RefusalCode.badOp),
            (#"{"scene": 1, "viewport": {"width": 3, "height": 1e6}}"#, RefusalCode.badValue),
            (
                #"{"scene": 1, "viewport": {"width": 3, "height": 1, "scale": 0}}"#,
                RefusalCode.badValue
            ),
            (
                #"{"scene": 1, "viewport": {"width": 3, "height": 1, "direction": "x"}}"#,
                RefusalCode.badValue
            ),
            (#"{"scene": 1, "#, RefusalCode.badOp),
        ])
    func wrongTop(text: String, code: RefusalCode) {
        let error = #expect(throws: DocumentError.self) { try SceneDocument.parse(utf8(text)) }
        #expect(error?.code == code)
    }

    @Test("an error says line, path, name, message and what was expected")
    func descriptions() {
        #expect(
            error(#"{"id": "title", "hugging": [1]}"#)?.description
                == "line 2, views[0].hugging \"title\": a list of 1, expected [horizontal, vertical]"
        )
        #expect(
            error("", #", "constraints": ["root.left = 3"]"#)?.description
                == "line 2, constraints[0]: unexpected \"=\" at character 11 of \"root.left = 3\", expected \"==\", \"<=\" or \">=\""
        )
    }

    @Test("limits on text, depth and views are kept")
    func limits() {
        let text = String(repeating: "x", count: 65_537)
        #expect(error("{\"id\": \"a\", \"text\": \"\(text)\"}")?.code == .limit)
        let deep = (0..<513).map {
            "{\"id\": \"v\($0)\", \"parent\": \"\($0 == 0 ? "root" : "v\($0 - 1)")\"}"
        }
        #expect(error(deep.dropLast().joined(separator: ",")) == nil)
        #expect(error(deep.joined(separator: ","))?.code == .limit)
        #expect(error(deep.reversed().joined(separator: ","))?.code == .limit)
        let many = (0...10_000).map { "{\"id\": \"v\($0)\"}" }.joined(separator: ",")
        #expect(error(many)?.code == .limit)
    }

    @Test("newer properties win, the others stay")
    func merge() {
        var old = ViewProperties()
        #expect(old.isEmpty)
        old.text = "a"
        old.hidden = true
        var newer = ViewProperties()
        newer.text = "b"
        newer.opacity = 0.5
        old.merge(newer)
        #expect((old.text, old.hidden, old.opacity) == ("b", true, 0.5))
    }

    @Test("colours are read and written")
    func colors() {
        #expect(Color("#1E2030") == Color(r: 0x1E, g: 0x20, b: 0x30))
        #expect(Color("#01020304")?.text == "#01020304")
        #expect(Color("#010203ff")?.text == "#010203")
        for text in ["", "##", "#123", "123456", "#1234567", "##12345é"] {
            #expect(Color(text) == nil)
        }
    }
}
