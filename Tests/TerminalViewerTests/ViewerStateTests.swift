import JSON
import SceneDocument
import SceneWire
import Testing

@testable import TerminalViewer

/// A viewer's state with a scene, and the time that a test makes pass.
struct TestViewer: TestScreen {
    var state: ViewerState
    var now = 100.0
    private(set) var commands: [ViewerCommand] = []
    private var sequence: UInt64 = 0

    static let everything: UInt64 = 0x1FF

    init(
        _ scene: SceneBuilder?, _ size: GridSize, fits: Bool = true, role: Role = .editor,
        capabilities: UInt64 = everything
    ) throws {
        state = ViewerState(
            url: "ws://host:1/demo?x", name: "me", fitsAtFirst: fits, size: size)
        state.take(.connection(.catchingUp), now: now)
        if let scene { try take(scene, role: role, capabilities: capabilities) }
        state.take(.connection(.live), now: now)
    }

    static func welcome(_ role: Role, _ capabilities: UInt64 = everything) -> Welcome {
        var welcome = Welcome()
        welcome.role = role
        welcome.capabilities = capabilities
        return welcome
    }

    mutating func take(
        _ scene: SceneBuilder, tick: UInt64 = 0, role: Role = .editor,
        capabilities: UInt64 = everything
    ) throws {
        state.take(
            .mirror(try scene.mirror(tick: tick), Self.welcome(role, capabilities)), now: now)
    }

    mutating func wait(_ seconds: Double) {
        now += seconds
        _ = state.pass(now: now)
        collect()
    }

    mutating func collect() {
        for command in state.takeCommands() {
            commands.append(command)
            switch command {
            case .ops, .undo, .redo:
                sequence += 1
                state.note(sequence: sequence)
            default: break
            }
        }
    }

    /// What was sent as ops, one text a message.
    var ops: [String] {
        commands.compactMap { command in
            if case .ops(let ops, _) = command { return ops.text() }
            return nil
        }
    }

    /// The server's answer to what was sent last.
    mutating func commit(tick: UInt64 = 5) {
        var result = OpsResult()
        result.clientSequence = sequence
        result.tick = tick
        state.take(.result(result), now: now)
        collect()
    }

    mutating func refuse(_ code: RefusalCode, _ message: String, conflicting: [String] = []) {
        var result = OpsResult()
        result.clientSequence = sequence
        var refusal = Refusal(code: code, message: message)
        refusal.conflicting = conflicting
        result.outcome = .refused(refusal)
        state.take(.result(result), now: now)
        collect()
    }

    /// Answers the last question for the document, with what `EditingScene` says.
    mutating func answer(_ constants: [String: Int] = [:]) throws {
        let request = inspections.last { $0.wantsDocument }?.request ?? 0
        state.take(
            .inspection(try EditingScene.inspection(constants), request: request), now: now)
        collect()
    }

    /// The questions that were asked.
    var inspections: [Inspect] {
        commands.compactMap { command in
            if case .inspect(let inspect) = command { return inspect }
            return nil
        }
    }

    /// Whether somebody asked after a view and for the document.
    func asked(_ view: String) -> Bool {
        inspections.contains { $0.views == [view] && $0.wantsDocument }
    }

    mutating func forget() { commands.removeAll() }

    var screen: String { lines.joined(separator: "\n") }
}

@Suite("The screen")
struct ViewerStateTests {
    private func numbered() -> SceneBuilder {
        var scene = SceneBuilder(width: 80, height: 96)
        for row in 0..<6 { scene.label("\(row)bcdefghij", 0, row * 16, 80) }
        return scene
    }

    @Test("before the first picture it says what is going on")
    func waiting() throws {
        let viewer = try TestViewer(nil, GridSize(columns: 40, rows: 3))
        #expect(viewer.lines[1] == "        live ws://host:1/demo?x")
        #expect(viewer.lines[2] == " demo  live                      ? help")
    }

    @Test("a scene is shown above the status line")
    func scene() throws {
        let viewer = try TestViewer(numbered(), GridSize(columns: 10, rows: 7))
        #expect(
            viewer.lines.prefix(6)
                == numbered().records.dropFirst().map { $0.content.lines[0].text }[...])
        #expect(viewer.grid[0, 6].attributes.contains(.reverse))
    }

    @Test("arrows pan no further than the scene")
    func panning() throws {
        var viewer = try TestViewer(numbered(), GridSize(columns: 5, rows: 4), fits: false)
        #expect(viewer.lines[0] == "0bcde")
        #expect(viewer.press(.down) == .redraw)
        #expect(viewer.press(.right) == .redraw)
        #expect(viewer.lines[0] == "cdefg")
        for _ in 0..<9 { viewer.press(.down) }
        #expect(viewer.press(.end) == .redraw)
        #expect(viewer.lines.prefix(3) == ["fghij", "fghij", "fghij"])
        #expect(viewer.press(.home) == .redraw)
        #expect(viewer.lines[2] == "2bcde")
    }

    @Test("zooming goes by steps, from fit to the next one")
    func zooming() {
        let scene = GridSize(columns: 80, rows: 24)
        let area = GridSize(columns: 100, rows: 30)
        var navigation = Navigation()
        #expect(navigation.text == "fit")
        #expect(navigation.handle(.character("+"), scene: scene, in: area) == true)
        #expect(navigation.text == "150%")
        #expect(navigation.handle(.character("-"), scene: scene, in: area) == true)
        #expect(navigation.text == "100%")
        for _ in 0..<20 { _ = navigation.handle(.character("-"), scene: scene, in: area) }
        #expect(navigation.text == "25%")
        for _ in 0..<20 { _ = navigation.handle(.character("+"), scene: scene, in: area) }
        #expect(navigation.text == "800%")
        #expect(navigation.handle(.character("0"), scene: scene, in: area) == true)
        #expect(navigation.fit(in: area) == .zoom(1))
        #expect(navigation.handle(.character("f"), scene: scene, in: area) == true)
        #expect(navigation.fit(in: area) == .fit(area))
        #expect(navigation.handle(.tab, scene: scene, in: area) == false)
    }

    @Test("zooming keeps the middle of what is seen")
    func zoomKeepsMiddle() {
        let scene = GridSize(columns: 80, rows: 40)
        let area = GridSize(columns: 40, rows: 20)
        var navigation = Navigation(zoom: 1)
        _ = navigation.handle(.end, scene: scene, in: area)
        #expect(navigation.offset(scene: scene, in: area) == GridPoint(column: 40, row: 20))
        _ = navigation.handle(.character("+"), scene: scene, in: area)
        _ = navigation.handle(.character("+"), scene: scene, in: area)
        // The middle was at column 60 of 80 and is at 120 of 160 now.
        #expect(navigation.offset(scene: scene, in: area) == GridPoint(column: 100, row: 50))
    }

    @Test("help lists the keys, and goes away")
    func help() throws {
        var viewer = try TestViewer(numbered(), GridSize(columns: 120, rows: 44))
        let before = viewer.screen
        #expect(viewer.press(.character("?")) == .redraw)
        let text = viewer.screen
        for group in HelpOverlay.groups {
            #expect(text.contains(group.title))
            for entry in group.entries {
                #expect(text.contains(entry.keys) && text.contains(entry.meaning))
            }
        }
        #expect(viewer.press(.escape) == .redraw)
        #expect(viewer.screen == before)
    }

    @Test("every key that does something in the scene, in a panel or in the past is in the help")
    func helpIsWhole() throws {
        var listed: Set<String> = []
        for entry in HelpOverlay.groups.flatMap(\.entries) {
            // Those of the time line and the trace are named in what follows a colon or semicolon.
            let text: String = entry.keys + " " + entry.meaning
            let words = text.split { $0 == " " || $0 == ";" || $0 == ":" }
            listed.formUnion(words.map(String.init))
            // A key may be what separates words.
            listed.formUnion(entry.keys.split(separator: " ").map(String.init))
        }
        for scalar in UInt8(0x21)..<0x7F {
            let key = Character(Unicode.Scalar(scalar))
            for opens in ["", "i", "t", "o", "g", "L", "h"] {
                var viewer = try EditingScene.viewer()
                viewer.type(opens)
                let action = viewer.press(.character(key))
                let isKnown =
                    action == .none || listed.contains(String(key))
                    // In panels, as in other programs.
                    || key == "j" || key == "k"
                #expect(isKnown, "\(key) after \(opens)")
            }
        }
    }

    @Test("a member that is followed stays in sight, until one moves oneself")
    func following() throws {
        var viewer = try TestViewer(numbered(), GridSize(columns: 6, rows: 4), fits: false)
        var presence = Presence()
        presence.client = 7
        presence.clock = 1
        presence.name = "bob"
        viewer.state.take(.presence(presence), now: viewer.now)
        viewer.press(.character("F"))
        #expect(viewer.state.notice?.text == "following bob")
        // Cell 9, 5 of a scene of 10 by 6 cells.
        presence.clock = 2
        presence.cursor = Point(x: 76, y: 88)
        viewer.state.take(.presence(presence), now: viewer.now)
        viewer.wait(4)
        #expect(viewer.lines[0] == "efghij")
        // The pointer is the last cell of the area, its name has no room.
        #expect(viewer.lines[2].hasSuffix("▲"))
        viewer.press(.home)
        presence.clock = 3
        presence.cursor = Point(x: 44, y: 88)
        viewer.state.take(.presence(presence), now: viewer.now)
        #expect(viewer.lines[0].hasPrefix("0bcd"))
        viewer.press(.character("F"))
        viewer.press(.character("F"))
        #expect(viewer.state.notice?.text == "following nobody")
    }

    @Test("what is wrong with a file that is previewed stays in sight until it is right")
    func documentProblem() throws {
        var viewer = try TestViewer(nil, GridSize(columns: 60, rows: 12))
        try viewer.take(EditingScene.scene(), tick: 600)
        let problem = "a.json: line 3: found a number"
        viewer.state.take(.document(problem: problem), now: viewer.now)
        #expect(viewer.screen.contains(problem))
        // Neither keys nor time take it away, as they do with a notice.
        viewer.press(.character("+"), .escape)
        viewer.wait(60)
        #expect(viewer.screen.contains(problem))
        viewer.state.take(.document(problem: nil), now: viewer.now)
        #expect(!viewer.screen.contains("line 3"))
    }

    @Test("keys end, suspend and draw anew")
    func actions() throws {
        var viewer = try TestViewer(nil, GridSize(columns: 10, rows: 3))
        #expect(viewer.press(.character("q")) == .quit)
        #expect(viewer.press(.control("c")) == .quit)
        #expect(viewer.press(.control("z")) == .suspend)
        #expect(viewer.press(.control("l")) == .redrawEverything)
        #expect(viewer.press(.unknown) == .none)
    }

    @Test("any size can be painted, whatever is open")
    func tinySizes() throws {
        var viewer = try TestViewer(numbered(), GridSize(columns: 1, rows: 1))
        let openings: [[Key]] = [
            [], [.character("?")], [.escape, .character("i")], [.escape, .character("t")],
            [.character("o")], [.character("h")], [.character("L")], [.character("g")],
            [.character("/"), .character("x")], [.escape, .tab, .character("c")],
        ]
        for keys in openings {
            for key in keys { viewer.press(key) }
            for columns in [0, 1, 2, 3, 5, 21, 31, 200] {
                for rows in [0, 1, 2, 3, 4, 7, 100] {
                    viewer.state.size = GridSize(columns: columns, rows: rows)
                    viewer.state.clampPanel()
                    #expect(viewer.grid.size == viewer.state.size)
                }
            }
        }
    }

    @Test("a server's unusable unit is told, not drawn")
    func badUnit() throws {
        var viewer = try TestViewer(nil, GridSize(columns: 60, rows: 3))
        var welcome = Welcome()
        welcome.unitsPerPoint = 0
        viewer.state.take(.mirror(try numbered().mirror(), welcome), now: viewer.now)
        #expect(viewer.screen.contains("ended: the server's unit"))
    }

    @Test("the room is the last part of the URL")
    func rooms() {
        #expect(RoomAddress("ws://127.0.0.1:7070/demo").room == "demo")
        #expect(RoomAddress("wss://host/a?token=b").room == "a")
        #expect(RoomAddress("ws://host").room == "")
    }

    @Test("a cut leaves the picture, counts the seconds down, and heals")
    func reconnecting() throws {
        var viewer = try TestViewer(numbered(), GridSize(columns: 60, rows: 7))
        viewer.state.take(.connection(.reconnecting(inSeconds: 4)), now: viewer.now)
        #expect(viewer.lines[0].hasPrefix("0bcdefghij"))
        #expect(viewer.lines[6].contains("reconnecting in 4 s"))
        viewer.wait(1.5)
        #expect(viewer.lines[6].contains("reconnecting in 3 s"))
        viewer.state.take(.connection(.catchingUp), now: viewer.now)
        #expect(viewer.lines[6].contains("catching up"))
        #expect(viewer.lines[0].hasPrefix("0bcdefghij"))
        try viewer.take(numbered(), tick: 9)
        #expect(viewer.lines[6].contains("live"))
    }

    @Test("where several addresses are known, the line names the one that is tried")
    func reconnectingElsewhere() throws {
        var viewer = try TestViewer(numbered(), GridSize(columns: 60, rows: 7))
        let url = "wss://n2.example.org:7070/demo?token=x"
        viewer.state.take(.connection(.reconnecting(inSeconds: 0, to: url)), now: viewer.now)
        #expect(viewer.lines[6].contains("reconnecting to n2.example.org:7070"))
        #expect(!viewer.lines[6].contains(" in "))
        #expect(!viewer.lines[6].contains("token"))
        #expect(viewer.lines[0].hasPrefix("0bcdefghij"))
        viewer.state.take(.connection(.reconnecting(inSeconds: 4, to: url)), now: viewer.now)
        viewer.wait(1.5)
        #expect(viewer.lines[6].contains("reconnecting to n2.example.org:7070 in 3 s"))
    }

    @Test("a server that does not answer pings is noticed")
    func silence() throws {
        var viewer = try TestViewer(numbered(), GridSize(columns: 90, rows: 7))
        viewer.wait(0)
        guard
            case .ping(let ping)? = viewer.commands.first(where: { command in
                if case .ping = command { return true }
                return false
            })
        else {
            Issue.record("no ping was sent")
            return
        }
        viewer.wait(0.02)
        var pong = Pong()
        pong.t0 = ping.t0
        viewer.state.take(.pong(pong), now: viewer.now)
        #expect(viewer.lines[6].contains("20 ms"))
        viewer.wait(1)
        viewer.wait(3)
        #expect(viewer.lines[6].contains("no answer for 4 s"))
    }

    @Test("animations are interpolated between the server's messages")
    func animation() throws {
        var scene = SceneBuilder(width: 160, height: 16)
        scene.label("x", 0, 0, 8)
        var mirror = try scene.mirror()
        var anim = Anim()
        var start = AnimationStart()
        start.id = 1
        start.durationTicks = 60
        start.body.rows = [FrameBody.Row(number: 1, mask: .x, deltas: [80])]
        anim.changes = [.start(start)]
        try mirror.apply(anim)
        try mirror.apply(FrameDiff(tick: 1, baseTick: 0, durableTick: 0))
        var viewer = try TestViewer(nil, GridSize(columns: 20, rows: 2), fits: false)
        viewer.state.take(.mirror(mirror, TestViewer.welcome(.viewer)), now: viewer.now)
        #expect(viewer.state.isAnimating(now: viewer.now))
        // Linear, a second long: 80 points are 10 cells.
        #expect(viewer.lines[0] == "x")
        viewer.now += 0.5
        #expect(viewer.lines[0] == "     x")
        viewer.now += 0.5
        #expect(viewer.lines[0] == "          x")
        viewer.now += 0.1
        #expect(!viewer.state.isAnimating(now: viewer.now))
    }

    @Test("a pointer in a view is shown in that view, and not where that is not on show")
    func pointerInView() throws {
        // A row of 80 by 16 points at 0, 48 is the fourth, the view label4.
        var viewer = try TestViewer(numbered(), GridSize(columns: 40, rows: 7), fits: false)
        var presence = Presence()
        presence.client = 7
        presence.clock = 1
        presence.name = "ada"
        presence.cursor = Point(x: 0, y: 0)
        presence.place = PresencePlace(view: "label4", fraction: Point(x: 0.55, y: 0.5))
        viewer.state.take(.presence(presence), now: viewer.now)
        // 44 of 80 points: the sixth cell.
        #expect(viewer.lines[3] == "3bcde▲adaj")
        #expect(viewer.lines[0] == "0bcdefghij")
        presence.clock = 2
        presence.place?.fraction = Point(x: .infinity, y: -3)
        viewer.state.take(.presence(presence), now: viewer.now)
        #expect(viewer.lines[3] == "▲adaefghij")
        presence.clock = 3
        presence.place?.view = "gone"
        viewer.state.take(.presence(presence), now: viewer.now)
        #expect(viewer.lines.allSatisfy { !$0.contains("▲") })
    }

    @Test("a press tells the view under the pointer and the place in it")
    func tellsPlace() throws {
        var viewer = try TestViewer(numbered(), GridSize(columns: 40, rows: 7), fits: false)
        viewer.mouse(.press, 5, 3)
        viewer.wait(1)
        let told = viewer.commands.compactMap {
            if case .presence(let presence) = $0 { presence } else { nil }
        }.last
        // The middle of the cell: 44 of 80 points, 8 of 16.
        #expect(told?.place == PresencePlace(view: "label4", fraction: Point(x: 0.55, y: 0.5)))
        #expect(told?.cursor == Point(x: 44, y: 56))
    }

    @Test("others' names, pointers and selections are shown; one's own are not")
    func presence() throws {
        var viewer = try TestViewer(numbered(), GridSize(columns: 40, rows: 7), fits: false)
        var presence = Presence()
        presence.client = 7
        presence.clock = 3
        presence.name = "ada"
        presence.color = Color("#ff0000")
        presence.cursor = Point(x: 160, y: 16)
        viewer.state.take(.presence(presence), now: viewer.now)
        #expect(viewer.lines[1] == "1bcdefghij")
        presence.cursor = Point(x: 16, y: 16)
        presence.clock = 4
        viewer.state.take(.presence(presence), now: viewer.now)
        #expect(viewer.lines[1] == "1b▲adaghij")
        #expect(viewer.grid[3, 1].foreground == Color("#ff0000"))
        // An older word is ignored; a farewell is not.
        presence.clock = 2
        presence.cursor = Point(x: 0, y: 0)
        viewer.state.take(.presence(presence), now: viewer.now)
        #expect(viewer.lines[1] == "1b▲adaghij")
        presence.clock = 5
        presence.isGone = true
        viewer.state.take(.presence(presence), now: viewer.now)
        #expect(viewer.lines[1] == "1bcdefghij")
        // What one said oneself comes back.
        viewer.press(.tab)
        viewer.wait(0.2)
        guard
            case .presence(var own)? = viewer.commands.last(where: { command in
                if case .presence = command { return true }
                return false
            })
        else {
            Issue.record("no presence was sent")
            return
        }
        #expect(own.selection == ["root"])
        own.client = 9
        viewer.state.take(.presence(own), now: viewer.now)
        #expect(viewer.state.members.all.isEmpty)
    }
}
