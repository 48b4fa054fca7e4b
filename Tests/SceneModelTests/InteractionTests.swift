import JSON
import SceneDocument
import SceneWire
import Testing

@testable import SceneModel

@Suite("What people can do with views")
struct InteractionTests {
    private static let form = """
        {"scene": 1, "viewport": {"width": 640, "height": 384}, "views": [
        {"id": "form", "enabled": false, "role": "group", "label": "Settings"},
        {"id": "save", "parent": "form", "kind": "button", "text": "Save", "events": ["input", "tap"], "hint": "Keeps it"},
        {"id": "on", "parent": "form", "kind": "switch", "value": true, "continuous": true},
        {"id": "level", "kind": "slider", "minimum": 2, "maximum": 4, "step": 0.5, "value": 9},
        {"id": "name", "kind": "textField", "placeholder": "Name", "focusable": false},
        {"id": "span", "kind": "segmented", "segments": ["Day", "Week"], "value": 1},
        {"id": "bar", "kind": "progress", "selected": true},
        {"id": "list", "kind": "scroll", "scrolls": "each", "value": "Row 3", "minimum": 7, "placeholder": "x"},
        {"id": "plain", "kind": "label", "text": "plain"},
        {"id": "flat", "scrolls": "each", "segments": ["a"], "step": 3, "enabled": true}]}
        """

    @Test("of each view it is told what its keys and its kind say")
    func told() throws {
        let model = try scene(Self.form)
        func interaction(_ change: (inout Interaction) -> Void) -> Interaction {
            var value = Interaction()
            change(&value)
            return value
        }
        let expected: [(String, Interaction?)] = [
            ("root", nil),
            (
                "form",
                interaction {
                    $0.isEnabled = false
                    $0.role = "group"
                    $0.label = "Settings"
                }
            ),
            (
                "save",
                interaction {
                    $0.control = .button
                    $0.events = [.tap, .input]
                    $0.isFocusable = true
                    $0.hint = "Keeps it"
                }
            ),
            (
                "on",
                interaction {
                    $0.control = .switch
                    $0.isFocusable = true
                    $0.isContinuous = true
                    $0.value = .bool(true)
                }
            ),
            (
                "level",
                interaction {
                    $0.control = .slider
                    $0.isFocusable = true
                    $0.minimum = 2
                    $0.maximum = 4
                    $0.step = 0.5
                    $0.value = .number(4)
                }
            ),
            (
                "name",
                interaction {
                    $0.control = .textField
                    $0.placeholder = "Name"
                    $0.value = .string("")
                }
            ),
            (
                "span",
                interaction {
                    $0.control = .segmented
                    $0.isFocusable = true
                    $0.segments = ["Day", "Week"]
                    $0.value = .number(1)
                }
            ),
            (
                "bar",
                interaction {
                    $0.control = .progress
                    $0.isSelected = true
                    $0.value = .number(0)
                }
            ),
            (
                "list",
                interaction {
                    $0.scrollsEach = true
                    $0.value = .string("Row 3")
                }
            ),
            // Nothing of what it was given means anything for a plain view.
            ("plain", nil), ("flat", nil), ("gone", nil),
        ]
        for (id, interaction) in expected {
            #expect(model.interaction(of: id) == interaction, "\(id)")
        }
        let told = expected.filter { $0.1 != nil }
        #expect(model.interactions.map(\.id) == told.map(\.0))
        #expect(model.interactions.map(\.interaction) == told.map(\.1))
    }

    @Test("a view is enabled if it and all its superviews are")
    func enabled() throws {
        let model = try scene(Self.form)
        #expect(!model.isEnabled("form"))
        #expect(!model.isEnabled("save"))
        #expect(model.isEnabled("level"))
        #expect(model.isEnabled("root"))
        #expect(!model.isEnabled("gone"))
        _ = model.apply(try ops(#"[{"op": "resetView", "id": "form", "keys": ["enabled"]}]"#))
        #expect(model.isEnabled("save"))
        _ = model.apply(
            try ops(
                #"[{"op": "moveView", "id": "level", "parent": "form"}, {"op": "setView", "id": "form", "enabled": false}]"#
            ))
        #expect(!model.isEnabled("level"))
    }

    private func marks(_ model: SceneModel, after text: String, atomic: Bool = false) throws
        -> InteractionMarks
    {
        _ = model.apply(try ops(text), atomic: atomic)
        model.runCycle()
        return model.takeInteractionChanges()
    }

    @Test("changes are told once, and only those of interaction")
    func marked() throws {
        let model = try scene(Self.form)
        #expect(model.takeInteractionChanges() == .everything)
        #expect(model.takeInteractionChanges().isEmpty)
        #expect(
            try marks(
                model,
                after:
                    ##"[{"op": "setView", "id": "save", "text": "Keep", "background": "#102030"}]"##
            )
            .isEmpty)
        #expect(
            try marks(
                model,
                after: """
                    [{"op": "setView", "id": "on", "value": false}, {"op": "setView", "id": "plain", "events": ["tap"]},
                    {"op": "setView", "id": "on", "enabled": false}]
                    """) == .views(["on", "plain"]))
        #expect(model.takeInteractionChanges().isEmpty)
        #expect(
            try marks(
                model, after: #"[{"op": "resetView", "id": "plain", "keys": ["events", "text"]}]"#)
                == .views(["plain"]))
        #expect(model.interaction(of: "plain") == nil)
        #expect(
            try marks(model, after: #"[{"op": "resetView", "id": "plain", "keys": ["hidden"]}]"#)
                .isEmpty)
        #expect(
            try marks(
                model,
                after:
                    #"[{"op": "addView", "id": "a", "kind": "switch"}, {"op": "addView", "id": "b"}, {"op": "addView", "id": "c", "label": "x"}]"#
            )
                == .views(["a", "c"]))
        // With all below it, of which there is something to tell.
        #expect(
            try marks(
                model,
                after: #"[{"op": "removeView", "id": "form"}, {"op": "removeView", "id": "b"}]"#)
                == .views(["form", "save", "on"]))
        #expect(model.interaction(of: "save") == nil)
    }

    @Test("a new scene is told whole; one that was put back or written down anew is not")
    func everything() throws {
        let model = try scene(Self.form)
        _ = model.takeInteractionChanges()
        _ = model.rebuildCanonically()
        #expect(model.takeInteractionChanges().isEmpty)
        let before = model.interactions
        // Refused whole: what it had marked is looked at for nothing, and all is as it was.
        #expect(
            try marks(
                model,
                after:
                    #"[{"op": "setView", "id": "on", "value": false}, {"op": "removeView", "id": "root"}]"#,
                atomic: true) == .views(["on"]))
        #expect(model.interactions == before)
        try model.replaceScene(try SceneDocument.parse(Array(Self.form.utf8)))
        #expect(model.takeInteractionChanges() == .everything)
        let again = try SceneModel(model.snapshot())
        #expect(again.takeInteractionChanges() == .everything)
        #expect(again.interactions == before)
    }

    @Test("marks that nobody takes do not grow without end")
    func bounded() {
        var log = InteractionLog()
        _ = log.take()
        for number in 0...10_000 { log.mark("v\(number)") }
        #expect(log.take() == .everything)
        #expect(log.take().isEmpty)
    }

    @Test("undo puts back what was given and what was not")
    func undone() throws {
        let model = try scene(Self.form)
        model.recordsEdits = true
        let before = model.document()
        let outcome = model.apply(
            try ops(
                """
                [{"op": "setView", "id": "on", "value": false, "hint": "x"}, {"op": "resetView", "id": "level", "keys": ["minimum"]},
                {"op": "removeView", "id": "save"}]
                """))
        #expect(outcome.refusals.isEmpty)
        #expect(model.document() != before)
        _ = model.takeInteractionChanges()
        for edit in outcome.edits.reversed() { #expect(model.apply(edit.inverse).refusals.isEmpty) }
        #expect(model.takeInteractionChanges() == .views(["save", "level", "on"]))
        #expect(model.interactions == (try scene(Self.form)).interactions)
    }

    @Test("what was accepted of the keys comes back from an export")
    func exported() throws {
        let model = try scene(Self.form)
        let again = try SceneDocument.parse(Array(model.document().json.text().utf8))
        #expect(again == model.document())
        #expect(try SceneModel(again).interactions == model.interactions)
    }

    @Test("segments and long values have their price")
    func priced() throws {
        let model = try scene(Self.form)
        func work(_ text: String) throws -> UInt64 {
            let before = model.work
            _ = model.apply(try ops(text))
            return model.work - before
        }
        let short = try work(#"[{"op": "setView", "id": "span", "segments": ["a"]}]"#)
        let titles = (0..<64).map { _ in "\"\(String(repeating: "x", count: 1_024))\"" }
        let long = try work(
            #"[{"op": "setView", "id": "span", "segments": [\#(titles.joined(separator: ","))]}]"#)
        // Read, measured and drawn.
        #expect(long - short > 64 * 1_024 * 14)
        let plain = try work(#"[{"op": "setView", "id": "plain", "label": "a"}]"#)
        let label = try work(
            #"[{"op": "setView", "id": "plain", "label": "\#(String(repeating: "x", count: 4_096))"}]"#
        )
        // Two units for each byte that members are told.
        #expect(label - plain == 2 * 4_095)
    }
}
