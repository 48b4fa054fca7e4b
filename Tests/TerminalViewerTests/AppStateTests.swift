import JSON
import SceneDocument
import SceneWire
import Testing

@testable import TerminalViewer

/// An application's screen of 30 × 8 cells, and the time that a test makes pass.
private struct TestApp: TestScreen {
    var state = AppState(
        url: "ws://host:1/demo", size: GridSize(columns: 30, rows: 8), device: .own)
    var now = 100.0
    private(set) var events: [UserEvent] = []
    private var sequence: UInt64 = 0

    /// A button, a switch, a slider and a text field, each in a row; below it a list of five rows
    /// in two.
    ///
    /// - Parameter rest: Where the list rests, in units.
    static func scene(rest: Int32 = 0) -> SceneBuilder {
        var scene = SceneBuilder(width: 240, height: 128)
        scene.add("form", in: "root", 0, 0, 240, 80)
        scene.control("save", "[ Save ]", in: "form", row: 0, columns: 8)
        scene.control("on", "○────", in: "form", row: 1, columns: 5)
        scene.control("level", "━━●──────", in: "form", row: 2, columns: 9)
        scene.control("name", "Ada", in: "form", row: 3, columns: 6)
        scene.control("span", " A │[B]│ C ", in: "form", row: 4, columns: 11)
        scene.add("list", in: "root", 0, 80, 240, 32) {
            $0.kind = .scroll
            $0.contentOffsetY = rest
        }
        for row in 0..<5 {
            scene.control("r\(row)", "row \(row)", in: "list", row: row, columns: 10)
        }
        return scene
    }

    static func table(_ change: (inout [String: Interaction]) -> Void = { _ in })
        -> InteractionTable
    {
        func control(_ kind: ControlKind, _ event: EventKind, _ value: JSONValue = .null)
            -> Interaction
        {
            var interaction = Interaction()
            interaction.control = kind
            interaction.events = [event]
            interaction.isFocusable = true
            interaction.value = value
            return interaction
        }
        var all = [
            "save": control(.button, .tap), "on": control(.switch, .input, .bool(false)),
            "level": control(.slider, .input, .number(2)),
            "name": control(.textField, .input, .string("Ada")),
            "span": control(.segmented, .input, .number(1)),
        ]
        all["level"]?.maximum = 8
        all["level"]?.step = 1
        all["span"]?.segments = ["A", "B", "C"]
        var list = Interaction()
        list.scrollsEach = true
        all["list"] = list
        for row in 0..<5 { all["r\(row)"] = control(.none, .tap) }
        change(&all)
        var message = Interactions()
        message.isWhole = true
        message.changes = all.sorted { $0.key < $1.key }.map { id, interaction in
            var change = InteractionChange()
            change.id = id
            change.interaction = interaction
            return change
        }
        var table = InteractionTable()
        table.apply(message)
        return table
    }

    init(_ table: InteractionTable = Self.table(), rest: Int32 = 0) throws {
        state.take(.connection(.catchingUp), now: now)
        state.take(.mirror(try Self.scene(rest: rest).mirror(tick: 7), Welcome()), now: now)
        state.take(.interactions(table), now: now)
    }

    mutating func collect() {
        for case .event(let event) in state.takeCommands() {
            sequence += 1
            events.append(event)
            state.note(sequence: sequence)
        }
    }

    /// What became of the last event.
    mutating func answer(_ outcome: EventOutcome) {
        var result = EventResults.Result()
        result.eventSequence = sequence
        result.outcome = outcome
        state.take(.eventResult(result), now: now)
    }

    var told: [String] {
        events.map { "\($0.kind.rawValue) \($0.view) \($0.value.text())" }
    }

    /// The cells of a row in reverse.
    func reversed(_ row: Int) -> Range<Int>? {
        let grid = grid
        let columns = (0..<grid.width).filter { grid[$0, row].attributes.contains(.reverse) }
        guard let first = columns.first, let last = columns.last else { return nil }
        return first..<last + 1
    }
}

extension SceneBuilder {
    /// A view of one row with a line of text.
    fileprivate mutating func control(
        _ id: String, _ text: String, in parent: String, row: Int, columns: Int
    ) {
        add(id, in: parent, 0, row * 16, columns * 8, 16) { content in
            content.kind = .label
            content.lines = [ContentLine(text: text, x: 0, y: 0, width: Int32(text.count * 8))]
        }
    }
}

@Suite("The terminal as an application's screen")
struct AppStateTests {
    @Test("nothing is around the scene unless something is wrong")
    func bare() throws {
        var app = try TestApp()
        #expect(
            app.grid.lines == [
                "[ Save ]", "○────", "━━●──────", "Ada", " A │[B]│ C",
                "row 0                        ┃", "row 1                        │", "",
            ])
        app.state.take(.connection(.reconnecting(inSeconds: 3)), now: app.now)
        #expect(app.line(7) == " reconnecting in 3 s")
        app.now += 2
        #expect(app.state.deadline(now: app.now) <= app.now + 1)
        #expect(app.line(7) == " reconnecting in 1 s")
        app.state.take(.connection(.live), now: app.now)
        #expect(app.line(7) == "")
    }

    @Test(
        "what waits for the server is said, and what may be lost; q asks before it leaves that"
    )
    func outage() throws {
        var app = try TestApp()
        app.press(.tab, .enter)
        #expect(app.told == ["tap save null"])
        #expect(app.state.complaint(now: app.now) == nil)
        app.now += 1.5
        let mayDiffer = app.state.pass(now: app.now)
        #expect(mayDiffer)
        #expect(app.state.complaint(now: app.now) == "no answer yet: what you did last waits")
        app.state.take(.connection(.reconnecting(inSeconds: 3)), now: app.now)
        #expect(
            app.state.complaint(now: app.now) == "reconnecting in 3 s: what you did last waits")
        app.expect(.character("q"), .redraw)
        #expect(app.state.complaint(now: app.now)?.contains("q again quits without it") == true)
        app.now += 7
        _ = app.state.pass(now: app.now)
        app.state.take(.connection(.live), now: app.now)
        app.answer(.unknown)
        #expect(
            app.state.complaint(now: app.now)
                == "the connection was cut: what you did last may not have arrived")
        app.expect(.character("q"), .quit)
    }

    @Test("Tab and arrows move the focus in the order of the views, around the end")
    func focus() throws {
        var app = try TestApp()
        var order: [String?] = []
        for _ in 0..<12 {
            app.press(.tab)
            order.append(app.state.focus)
        }
        #expect(
            order == [
                "save", "on", "level", "name", "span", "list", "r0", "r1", "r2", "r3", "r4", "save",
            ])
        #expect(app.reversed(0) == 0..<8)
        app.press(.backTab)
        #expect(app.state.focus == "r4")
        app.press(.up)
        #expect(app.state.focus == "r3")
        app.press(.down)
        #expect(app.state.focus == "r4")
        // It was scrolled into the list's two rows.
        #expect(app.line(6).hasPrefix("row 4"))
        #expect(app.reversed(6) == 0..<10)
    }

    @Test(
        "[ROW-1] [ROW-2] arrows stay in a list, Enter taps its row, and a selected one is bold and underlined"
    )
    func rows() throws {
        var app = try TestApp(
            TestApp.table { table in
                table["list"]?.role = "listbox"
                for row in 0..<5 { table["r\(row)"]?.role = "option" }
                table["r1"]?.isEnabled = false
                table["r2"]?.isSelected = true
            })
        app.press(.backTab)
        #expect(app.state.focus == "r4")
        app.press(.down)
        #expect(app.state.focus == "r4")
        app.press(.up, .up)
        #expect(app.state.focus == "r2")
        app.press(.enter)
        #expect(app.told == ["tap r2 null"])
        // One that cannot be used has no focus.
        app.press(.up)
        #expect(app.state.focus == "r0")
        app.press(.up)
        #expect(app.state.focus == "r0")
        app.press(.end)
        #expect(app.state.focus == "r4")
        app.press(.home, .down)
        #expect(app.state.focus == "r2")
        let row = (5...6).first { app.line($0).hasPrefix("row 2") }
        let cell = app.grid[0, try #require(row)]
        #expect(cell.attributes.isSuperset(of: [.bold, .underline, .reverse]))
    }

    @Test("Enter, Space and the mouse tap; where in the view, and at which tick")
    func taps() throws {
        var app = try TestApp()
        app.press(.tab, .enter, .character(" "))
        app.click(3, 0)
        #expect(app.told == ["tap save null", "tap save null", "tap save null"])
        // The middle of the fourth cell.
        #expect(app.events[2].x == 28)
        #expect(app.events[2].y == 8)
        #expect(app.events.allSatisfy { $0.tick == 7 })
        // Let go elsewhere.
        app.mouse(.press, 3, 0)
        app.mouse(.release, 20, 3)
        #expect(app.events.count == 3)
        let action = app.press(.character("q"))
        #expect(action == .quit)
    }

    @Test("a switch shows its new value at once, and the old one if nobody deals with it")
    func switches() throws {
        var app = try TestApp()
        app.click(2, 1)
        #expect(app.told == ["input on true"])
        #expect(app.line(1) == "━━━━●")
        app.answer(.unhandled)
        #expect(app.line(1) == "○────")
        app.press(.enter)
        app.answer(.handled)
        #expect(app.line(1) == "━━━━●")
        // Handled, but the scene does not say so: it is believed for a second.
        app.now += 0.9
        _ = app.state.pass(now: app.now)
        #expect(app.line(1) == "━━━━●")
        #expect(app.state.deadline(now: app.now) <= app.now + 0.11)
        app.now += 0.2
        let mayDiffer = app.state.pass(now: app.now)
        #expect(mayDiffer)
        #expect(app.line(1) == "○────")
    }

    @Test("what the scene says goes before what was chosen")
    func scene() throws {
        var app = try TestApp()
        app.click(2, 1)
        app.state.take(.interactions(TestApp.table { $0["save"]?.hint = "x" }), now: app.now)
        #expect(app.line(1) == "━━━━●")
        app.state.take(.interactions(TestApp.table { $0["on"]?.value = .bool(true) }), now: app.now)
        #expect(app.state.choices.isEmpty)
    }

    @Test("sliders follow arrows and the mouse")
    func sliders() throws {
        var app = try TestApp()
        app.press(.tab, .tab, .tab, .right)
        #expect(app.line(2) == "━━━●─────")
        app.press(.left, .left, .end, .home)
        #expect(
            app.told == [
                "input level 3", "input level 2", "input level 1", "input level 8", "input level 0",
            ])
        app.mouse(.press, 4, 2)
        app.mouse(.drag, 6, 2)
        #expect(app.line(2) == "━━━━━━●──")
        #expect(app.events.count == 5)
        app.mouse(.release, 7, 2)
        #expect(app.told.last == "input level 7")
        #expect(app.events.count == 6)
    }

    @Test("a slider whose program wants each step is told each")
    func continuousSlider() throws {
        var app = try TestApp(TestApp.table { $0["level"]?.isContinuous = true })
        app.mouse(.press, 4, 2)
        app.mouse(.drag, 6, 2)
        app.mouse(.release, 6, 2)
        #expect(app.told == ["input level 4", "input level 6", "input level 6"])
    }

    @Test("segments follow arrows and the mouse")
    func segments() throws {
        var app = try TestApp()
        app.click(9, 4)
        #expect(app.line(4) == " A │ B │[C]")
        app.press(.left, .left)
        #expect(app.told == ["input span 2", "input span 1", "input span 0"])
        #expect(app.line(4) == "[A]│ B │ C")
        // On a line between two: neither.
        app.click(3, 4)
        #expect(app.events.count == 3)
    }

    @Test("a text field is written in with the usual keys, and decided on with Enter or by leaving")
    func writing() throws {
        var app = try TestApp()
        app.press(.tab, .tab, .tab, .tab)
        app.type("m?q")
        #expect(app.events.isEmpty)
        // The cursor is in its last cell: six cells are too few for seven characters.
        #expect(app.line(3) == "dam?q")
        #expect(app.reversed(3) == 5..<6)
        app.press(.backspace, .backspace, .enter)
        #expect(app.told == ["input name \"Adam\""])
        app.answer(.unhandled)
        #expect(app.line(3) == "Ada")
        app.press(.home)
        app.type("x")
        app.press(.tab)
        #expect(app.told.last == "input name \"xAda\"")
        #expect(app.state.focus == "span")
        // What was written stays in view until it is settled.
        #expect(app.line(3) == "xAda")
        app.press(.backTab)
        app.type("y")
        app.press(.escape)
        #expect(app.state.editor?.text == "Ada")
        let action = app.press(.control("c"))
        #expect(action == .quit)
    }

    @Test("what cannot be used is dim, has no focus, and swallows")
    func disabled() throws {
        var app = try TestApp(
            TestApp.table { all in
                var form = Interaction()
                form.isEnabled = false
                form.events = [.tap]
                all["form"] = form
            })
        app.click(3, 0)
        app.click(2, 1)
        app.mouse(.press, 4, 2)
        app.mouse(.release, 4, 2)
        #expect(app.events.isEmpty)
        let grid = app.grid
        #expect(grid[2, 0].attributes.contains(.dim))
        #expect(!grid[2, 5].attributes.contains(.dim))
        app.press(.tab)
        #expect(app.state.focus == "list")
    }

    @Test("a list scrolls on this screen, by wheel and by page")
    func scrolling() throws {
        var app = try TestApp()
        app.mouse(.wheelDown, 2, 5)
        #expect(app.line(5).hasPrefix("row 3"))
        #expect(app.line(6).hasPrefix("row 4"))
        app.click(1, 5)
        #expect(app.told == ["tap r3 null"])
        app.press(.pageUp)
        #expect(app.line(5).hasPrefix("row 2"))
        app.mouse(.wheelUp, 2, 5)
        #expect(app.line(5).hasPrefix("row 0"))
        // Elsewhere, what asks for it is told.
        app.state.take(
            .interactions(TestApp.table { $0["save"]?.events = [.scroll] }), now: app.now)
        app.mouse(.wheelDown, 2, 0)
        #expect(app.told.last == "scroll save [0,48]")
    }

    @Test("[AREA-13] a list that rests inside its insets scrolls back to where it rested")
    func restingList() throws {
        var app = try TestApp(rest: -16)
        #expect(app.line(6).hasPrefix("row 0"))
        app.mouse(.wheelDown, 2, 5)
        #expect(app.line(5).hasPrefix("row 2"))
        app.mouse(.wheelUp, 2, 5)
        app.mouse(.wheelUp, 2, 5)
        #expect(app.line(6).hasPrefix("row 0"))
    }

    @Test("[AREA-20] a list scrolls beyond its content by its insets, at both ends")
    func insetList() throws {
        var app = try TestApp()
        var insets = Insets()
        insets.changes = [
            InsetChange(
                id: "list", inset: ContentInset(top: 16, left: 0, bottom: 16, right: 0))
        ]
        var mirror = try TestApp.scene().mirror(tick: 7)
        try mirror.apply(.insets(insets))
        app.state.take(.mirror(mirror, Welcome()), now: app.now)
        for _ in 0..<9 { app.mouse(.wheelDown, 2, 5) }
        // The last of five rows, and an empty one below.
        #expect(app.line(5).hasPrefix("row 4"))
        for _ in 0..<9 { app.mouse(.wheelUp, 2, 5) }
        #expect(app.line(6).hasPrefix("row 0"))
    }

    @Test("keys go to what asks for them, and q does not quit then")
    func keys() throws {
        var app = try TestApp(TestApp.table { $0["save"]?.events = [.key, .press] })
        app.press(.tab)
        let action = app.press(.character("q"))
        #expect(action == .redraw)
        app.press(.up)
        #expect(app.told == ["key save \"q\"", "key save \"ArrowUp\""])
        app.click(1, 0)
        #expect(app.told.suffix(2) == ["press save \"began\"", "press save \"ended\""])
    }

    @Test("a press that ends over another view that hears of presses is told to that one first")
    func dropped() throws {
        var app = try TestApp(
            TestApp.table { table in
                for id in ["save", "on", "name"] { table[id]?.events = [.press] }
                table["name"]?.isEnabled = false
            })
        app.mouse(.press, 3, 0)
        app.mouse(.drag, 4, 1)
        app.mouse(.release, 4, 1)
        #expect(
            app.told == [
                "press save \"began\"", "press on \"dropped\"", "press save \"ended\"",
            ])
        // The middle of the fifth cell of the first row below: 4.5 · 8 and 0.5 · 16 points into the
        // switch.
        #expect(app.events[1].x == 36 && app.events[1].y == 8)
        // Over what cannot be used, what hears nothing, and beside everything it only ends.
        for (column, row) in [(2, 3), (2, 2), (25, 1)] {
            app.mouse(.press, 3, 0)
            app.mouse(.release, column, row)
        }
        #expect(
            app.told.dropFirst(3)
                == ["began", "ended", "began", "ended", "began", "ended"].map {
                    "press save \"\($0)\""
                }[...])
    }

    @Test("hovering is told where it is asked for: when the pointer comes, and when it goes")
    func hovering() throws {
        var app = try TestApp()
        #expect(!app.state.wantsMotion)
        app.mouse(.move, 3, 0)
        #expect(app.events.isEmpty)
        app = try TestApp(
            TestApp.table { table in
                for id in ["save", "on", "name"] { table[id]?.events = [.hover] }
                table["name"]?.isEnabled = false
            })
        #expect(app.state.wantsMotion)
        app.mouse(.move, 3, 0)
        #expect(app.events[0].x == 28 && app.events[0].y == 8)
        // Within it, nothing is new; nor is a view told that cannot be used.
        app.mouse(.move, 4, 0)
        app.mouse(.move, 2, 1)
        app.mouse(.drag, 2, 3)
        app.mouse(.move, 25, 2)
        #expect(
            app.told == [
                "hover save true", "hover save false", "hover on true", "hover on false",
            ])
    }

    @Test("a view that is gone, or asks no more, is not told that the pointer went")
    func hoverForgotten() throws {
        let table = TestApp.table { $0["save"]?.events = [.hover] }
        var app = try TestApp(table)
        app.mouse(.move, 3, 0)
        app.state.take(.interactions(TestApp.table()), now: app.now)
        #expect(!app.state.wantsMotion)
        app.mouse(.move, 3, 4)
        #expect(app.told == ["hover save true"])
        app = try TestApp(table)
        app.mouse(.move, 3, 0)
        app.state.take(
            .mirror(try SceneBuilder(width: 240, height: 128).mirror(tick: 8), Welcome()),
            now: app.now)
        app.mouse(.move, 3, 4)
        #expect(app.told == ["hover save true"])
    }

    @Test("lines of controls with other values, from either side")
    func lines() {
        func text(_ kind: ControlKind, _ text: String, _ now: JSONValue, _ next: JSONValue)
            -> String?
        {
            var interaction = Interaction()
            interaction.control = kind
            interaction.value = now
            interaction.segments = ["Day", "Week", "Month"]
            return ControlLines(interaction, text).text(with: next)
        }
        #expect(text(.switch, "────○", .bool(false), .bool(true)) == "●━━━━")
        #expect(text(.switch, "●", .bool(true), .bool(false)) == "○")
        #expect(text(.slider, "────────●", .number(0), .number(1)) == "●━━━━━━━━")
        #expect(text(.slider, "●────────", .number(0), .number(0.25)) == "━━●──────")
        #expect(
            text(.segmented, " Month │[Week]│ Day ", .number(1), .number(0))
                == " Month │ Week │[Day]")
        #expect(text(.segmented, " D… │ W… │ M… ", .null, .number(0)) == "[D…]│ W… │ M… ")
        #expect(text(.segmented, "■│··", .number(0), .number(1)) == "·│■■")
        #expect(text(.textField, "a", .string("a"), .string("b")) == nil)
    }
}
