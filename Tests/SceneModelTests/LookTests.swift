import AutoLayout
import SceneDocument
import SceneWire
import Testing

@testable import SceneModel

@Suite("Looks of views")
struct LookTests {
    private func content(_ id: String, _ model: SceneModel) throws -> ViewContent {
        try #require(model.records().first { $0.id == id }).content
    }

    private func apply(_ text: String, to model: SceneModel) throws {
        #expect(model.apply(try ops(text)).refusals.isEmpty)
        model.runCycle()
    }

    private func model(_ views: String, viewport: String = "", on screen: ViewportPatch? = nil)
        throws -> SceneModel
    {
        let text = """
            {"scene": 1, "viewport": {"width": 300, "height": 200\(viewport)}, "views": [\(views)]}
            """
        return try SceneModel(SceneDocument.parse(Array(text.utf8)), on: screen)
    }

    @Test("system colours have the values of the view's own traits")
    func systemColors() throws {
        let view = #"{"id": "a", "background": "systemBackground", "foreground": "systemRed"}"#
        let nested =
            #"{"id": "b", "parent": "a", "background": "label", "traits": {"userInterfaceStyle": "dark"}}"#
        let light = try model("\(view), \(nested)")
        #expect(try content("a", light).background == Color("#ffffff"))
        #expect(try content("a", light).foreground == Color("#ff3b30"))
        #expect(try content("b", light).background == Color("#ffffff"))
        let clear = try model(
            view, viewport: #", "userInterfaceStyle": "dark", "accessibilityContrast": "high""#)
        #expect(try content("a", clear).background == Color("#000000"))
        #expect(try content("a", clear).foreground == Color("#ff6961"))
        var device = ViewportPatch()
        device.userInterfaceStyle = .dark
        #expect(try content("a", try model(view, on: device)).foreground == Color("#ff453a"))
    }

    @Test("a change of traits tells the views whose colours follow, and no others")
    func following() throws {
        let model = try model(
            """
            {"id": "a", "background": "label"}, {"id": "b", "background": "#ff0000"},
            {"id": "c", "gradient": {"colors": ["#000000", "tint"]}}, {"id": "d", "shadow": {"color": "label"}}
            """)
        _ = model.takeMarks()
        try apply(#"[{"op": "setViewport", "userInterfaceStyle": "dark"}]"#, to: model)
        #expect(Set(model.takeMarks().contents.map(\.id)) == ["a", "c", "d"])
        #expect(try content("a", model).background == Color("#ffffff"))
        #expect(try content("c", model).look?.gradient?.stops.last?.color == Color("#0a84ff"))
        // A colour that is literal from now on follows no more.
        try apply(##"[{"op": "setView", "id": "a", "background": "#000000"}]"##, to: model)
        try apply(#"[{"op": "resetView", "id": "c", "keys": ["gradient"]}]"#, to: model)
        _ = model.takeMarks()
        try apply(#"[{"op": "setViewport", "userInterfaceStyle": "light"}]"#, to: model)
        #expect(model.takeMarks().contents.map(\.id) == ["d"])
    }

    @Test("the tint is that of the nearest view that has one")
    func tint() throws {
        let model = try model(
            """
            {"id": "a"}, {"id": "b", "parent": "a", "tint": "tint"},
            {"id": "c", "parent": "b", "background": "tint"},
            {"id": "d", "parent": "b", "kind": "button", "text": "OK"}, {"id": "e", "kind": "switch"}
            """)
        #expect(try content("c", model).background == Color("#007aff"))
        #expect(try content("d", model).look == nil)
        _ = model.takeMarks()
        try apply(##"[{"op": "setView", "id": "a", "tint": "#112233"}]"##, to: model)
        #expect(Set(model.takeMarks().contents.map(\.id)) == ["a", "b", "c", "d"])
        #expect(try content("c", model).background == Color("#112233"))
        #expect(try content("d", model).look?.tint == Color("#112233"))
        #expect(try content("e", model).look == nil)
        // Its value is by the traits of the view that has it.
        try apply(
            #"[{"op": "setView", "id": "a", "tint": "systemRed"}, {"op": "setView", "id": "c", "traits": {"userInterfaceStyle": "dark"}}]"#,
            to: model)
        #expect(try content("c", model).background == Color("#ff3b30"))
        try apply(#"[{"op": "moveView", "id": "b", "parent": "root"}]"#, to: model)
        #expect(try content("d", model).look == nil)
        #expect(try content("c", model).background == Color("#0a84ff"))
    }

    @Test("what renderers are told of corners, lines, shadows, gradients and transforms")
    func told() throws {
        let model = try model(
            """
            {"id": "a", "cornerRadius": 8, "maskedCorners": ["topLeft", "bottomRight"], "borderWidth": 0.5,
             "borderColor": "#00ff00", "shadow": {"color": "#00000080", "offset": [1, 2], "radius": 3, "opacity": 0.5},
             "gradient": {"colors": ["#ff0000", "#00ff00", "#0000ff"], "startPoint": [0, 0], "endPoint": [1, 0]},
             "transform": {"rotation": 90, "scale": 2, "translation": [3, 4]}},
            {"id": "b", "borderWidth": 1}, {"id": "c", "cornerRadius": 0, "shadow": {"opacity": 0}, "transform": {}}
            """)
        let look = try #require(try content("a", model).look)
        #expect(look.cornerRadius == 8)
        #expect(look.maskedCorners == [.topLeft, .bottomRight])
        #expect(look.borderWidth == 0.5 && look.borderColor == Color("#00ff00"))
        // Half of 128.
        #expect(look.shadow?.color == Color("#00000040"))
        #expect(look.shadow?.offset == Point(x: 1, y: 2) && look.shadow?.radius == 3)
        #expect(look.gradient?.stops.map(\.location) == [0, 0.5, 1])
        #expect(look.gradient?.end == Point(x: 1, y: 0))
        #expect(look.transform?.scale == Point(x: 2, y: 2) && look.transform?.rotation == 90)
        #expect(try content("b", model).look?.borderColor == Color("#000000"))
        #expect(try content("c", model).look == nil)
    }

    @Test("a chart is told in shares of its height, in its own colour or the tint")
    func charts() throws {
        let model = try model(
            """
            {"id": "own", "chart": {"values": [-1, 0, 1.5, 4], "color": "systemRed", "lineWidth": 3, "gridLines": 5}},
            {"id": "within", "tint": "#123456", "chart": {"values": [0, 50, 200], "style": "bars", "minimum": -100, "maximum": 100}},
            {"id": "level", "chart": {"values": [7, 7], "style": "area"}},
            {"id": "turned", "chart": {"values": [1, 2], "minimum": 2, "maximum": 1}},
            {"id": "empty", "chart": {"values": []}}
            """)
        func chart(_ id: String) throws -> LookChart? { try content(id, model).look?.chart }
        let own = try #require(try chart("own"))
        #expect(own.heights == [0, 2000, 5000, 10_000])
        #expect(own.style == .line && own.lineWidth == 3 && own.gridLines == 5)
        #expect(own.color == Color("#ff3b30"))
        // What is beyond the ends stands at them.
        #expect(try chart("within")?.heights == [5000, 7500, 10_000])
        #expect(try chart("within")?.color == Color("#123456"))
        #expect(try chart("level")?.heights == [5000, 5000])
        #expect(try chart("turned")?.heights == [5000, 5000])
        #expect(try chart("empty")?.heights.isEmpty == true)
        #expect(try chart("level")?.color == Color("#007aff"))
        try apply(
            #"[{"op": "setViewport", "userInterfaceStyle": "dark"}, {"op": "resetView", "id": "empty", "keys": ["chart"]}]"#,
            to: model)
        #expect(try chart("own")?.color == Color("#ff453a"))
        #expect(try chart("level")?.color == Color("#0a84ff"))
        #expect(try content("empty", model).look == nil)
    }

    @Test("a symbol has its size, its place and the tint of the nearest view that has one")
    func symbols() throws {
        let model = try model(
            """
            {"id": "a"},
            {"id": "b", "parent": "a", "kind": "image", "symbol": "gear", "contentMode": "center"},
            {"id": "c", "parent": "a", "kind": "button", "symbol": "trash"},
            {"id": "d", "parent": "a", "kind": "button", "symbol": "trash", "text": "Bin"},
            {"id": "e", "parent": "a", "symbol": "gear"}
            """)
        let symbol = try #require(try content("b", model).look?.symbol)
        #expect(symbol.name == "gear" && symbol.side == 16 && symbol.mode == .center)
        #expect(try content("b", model).look?.tint == Color("#007aff"))
        #expect(try content("c", model).look?.symbol?.name == "trash")
        #expect(try content("c", model).look?.symbol?.mode == .center)
        #expect(try content("d", model).look == nil)
        #expect(try content("e", model).look == nil)
        _ = model.takeMarks()
        try apply(#"[{"op": "setViewport", "userInterfaceStyle": "dark"}]"#, to: model)
        #expect(Set(model.takeMarks().contents.map(\.id)).isSuperset(of: ["b", "c"]))
        #expect(try content("b", model).look?.tint == Color("#0a84ff"))
        try apply(##"[{"op": "setView", "id": "a", "tint": "#112233"}]"##, to: model)
        #expect(try content("b", model).look?.tint == Color("#112233"))
        try apply(#"[{"op": "setViewport", "contentSizeCategory": "extraExtraLarge"}]"#, to: model)
        // The cell of 8 × 16 grows by 21 / 17, to 10 × 20.
        #expect(try content("b", model).look?.symbol?.side == 20)
        let again = try SceneModel(SceneDocument.parse(Array(model.document().json().utf8)))
        #expect(again.records() == model.records())
        try apply(#"[{"op": "resetView", "id": "b", "keys": ["symbol"]}]"#, to: model)
        #expect(try content("b", model).look == nil)
    }

    @Test("a button in faces has room for its symbol, and a picture stands before a symbol")
    func symbolSizes() throws {
        let hash = String(repeating: "a", count: 64)
        let model = try model(
            """
            {"id": "a", "kind": "image", "symbol": "gear",
             "image": {"hash": "\(hash)", "width": 30, "height": 10}},
            {"id": "b", "kind": "image", "symbol": "gear", "image": "\(hash)"}
            """)
        let look = try #require(try content("a", model).look)
        #expect(look.image != nil && look.symbol == nil)
        // A picture of unknown size is none.
        #expect(try content("b", model).look?.symbol?.name == "gear")
    }

    @Test("an export has the looks that were given, and gives the same contents again")
    func export() throws {
        let model = try model(
            """
            {"id": "a", "background": "systemGray6", "cornerRadius": 8, "maskedCorners": [], "tint": "systemPink",
             "shadow": {}, "gradient": {"colors": ["tint", "label"], "locations": [0.25, 0.75]},
             "transform": {"scale": [1, -2]},
             "chart": {"values": [1, 2.5], "minimum": 0},
             "variations": [{"when": "userInterfaceStyle == dark", "cornerRadius": 2}]}
            """, viewport: #", "accessibilityContrast": "high""#)
        let exported = model.document()
        let again = try SceneModel(SceneDocument.parse(Array(exported.json().utf8)))
        #expect(again.records() == model.records())
        #expect(again.viewport == model.viewport)
        try apply(#"[{"op": "setViewport", "userInterfaceStyle": "dark"}]"#, to: model)
        #expect(try content("a", model).look?.cornerRadius == 2)
    }

    @Test("a view that was turned is found where it is shown, and laid out where it was")
    func transform() throws {
        let model = try model(
            #"{"id": "a", "frame": [100, 100, 100, 20], "transform": {"rotation": 90}}"#)
        #expect(model.frame(of: "a") == Rect(x: 100, y: 100, width: 100, height: 20))
        #expect(model.window.hitTest(Point(x: 150, y: 155))?.identifier == "a")
        #expect(model.window.hitTest(Point(x: 195, y: 110))?.identifier == "root")
        try apply(#"[{"op": "resetView", "id": "a", "keys": ["transform"]}]"#, to: model)
        #expect(model.window.hitTest(Point(x: 195, y: 110))?.identifier == "a")
    }
}
