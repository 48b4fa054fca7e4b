import SceneWire
import Testing

@testable import TerminalViewer

@Suite("Panels")
struct PanelTests {
    @Test("the inspector says where a view is, what holds it, and what is wrong")
    func inspector() throws {
        var viewer = try EditingScene.viewer(GridSize(columns: 140, rows: 32))
        viewer.press(.character("i"))
        let screen = viewer.screen
        for text in [
            "sidebar  view", "frame  0, 0   80 × 96", "in root", "1 subview", "single border",
            "needsLayout", "ambiguous: its constraints leave its place open", "holds it along x",
            "● sidebar.leading == root.leading  left", "● sidebar.width == 80 @750  sidebar-width",
            "contentSize  sidebar.height == 96 @251", "other constraints that name it",
            "● main.leading == sidebar.trailing  joint", "given up, since they contradict others",
            "✗ main.width >= 10  loose", "against left",
        ] {
            #expect(screen.contains(text), "\(text)")
        }
    }

    @Test(
        "a selection asks the server what holds it, for the document once, and again after changes")
    func asking() throws {
        var viewer = try TestViewer(
            EditingScene.scene(), GridSize(columns: 40, rows: 8), fits: false)
        viewer.wait(0)
        let isInspection = { (command: ViewerCommand) in
            if case .inspect = command { return true }
            return false
        }
        #expect(!viewer.commands.contains(where: isInspection))
        viewer.mouse(.press, 5, 4)
        viewer.wait(0.01)
        #expect(viewer.asked("sidebar"))
        viewer.forget()
        viewer.wait(3)
        #expect(!viewer.commands.contains(where: isInspection))
        // Somebody else changes the scene.
        try viewer.take(EditingScene.scene(sidebar: 96), tick: 9)
        viewer.wait(0.01)
        #expect(viewer.asked("sidebar"))
        viewer.forget()
        // At every tick: no more than a few questions a second.
        for tick in 10..<70 {
            try viewer.take(
                EditingScene.scene(sidebar: tick % 2 == 0 ? 80 : 96), tick: UInt64(tick))
            viewer.wait(1.0 / 60)
        }
        #expect(viewer.commands.filter(isInspection).count <= 6)
    }

    @Test("a server without the capability is not asked, and the panels say so")
    func withoutCapability() throws {
        var viewer = try TestViewer(
            EditingScene.scene(), GridSize(columns: 120, rows: 20), fits: false, capabilities: 0)
        viewer.mouse(.press, 5, 4)
        viewer.press(.character("i"))
        viewer.wait(1)
        #expect(viewer.screen.contains("this server does not say what holds a view"))
        viewer.press(.character("t"))
        #expect(viewer.screen.contains("this server does not trace"))
        viewer.press(.character("h"))
        #expect(viewer.screen.contains("this server does not show the past"))
        for command in viewer.commands {
            switch command {
            case .ping, .presence: break
            default: Issue.record("\(command)")
            }
        }
    }

    @Test("the trace counts what each cycle called, stands still, and is gone through tick by tick")
    func trace() throws {
        var viewer = try TestViewer(
            EditingScene.scene(), GridSize(columns: 120, rows: 24), fits: false)
        viewer.press(.character("t"))
        var request = TraceRequest()
        request.isEnabled = true
        #expect(viewer.commands.contains(.trace(request)))
        func cycle(_ tick: UInt64, _ events: [String]) -> ViewerEvent {
            var trace = Trace()
            trace.tick = tick
            trace.events = events
            var durations = CycleDurations()
            durations.layout = 12_500
            trace.durations = durations
            return .trace(trace)
        }
        viewer.state.take(
            cycle(7, ["setNeedsLayout root", "setNeedsLayout main", "layoutSubviews root"]),
            now: viewer.now)
        #expect(viewer.screen.contains("tick 7"))
        #expect(viewer.screen.contains("    2  setNeedsLayout"))
        #expect(viewer.screen.contains("    1  layoutSubviews"))
        #expect(viewer.screen.contains("12.5 µs  layout"))
        viewer.press(.character(" "))
        viewer.state.take(cycle(8, ["draw label3"]), now: viewer.now)
        #expect(viewer.screen.contains("tick 7  frozen"))
        viewer.press(.character("."))
        #expect(viewer.screen.contains("tick 8  frozen"))
        #expect(viewer.screen.contains("draw label3"))
        viewer.press(.character(","), .character(","))
        #expect(viewer.screen.contains("tick 7  frozen"))
        viewer.press(.character(" "))
        #expect(viewer.screen.contains("tick 8  space freezes"))
        viewer.forget()
        viewer.press(.character("t"))
        #expect(viewer.commands == [.trace(TraceRequest())])
    }

    @Test("the outline has every view at its depth; Enter selects")
    func outline() throws {
        var viewer = try TestViewer(
            EditingScene.scene(), GridSize(columns: 120, rows: 20), fits: false)
        viewer.press(.character("o"))
        let lines = viewer.lines.map { $0.split(separator: "│").last.map(String.init) ?? "" }
        #expect(lines[0] == " views (4)")
        #expect(
            Array(lines[1...4]) == [" root", "   sidebar", "     label3  label  Files", "   main"])
        viewer.press(.down, .down, .enter)
        #expect(viewer.state.selection == "label3")
    }

    @Test("views are found by name and by text, one after another")
    func finding() throws {
        var viewer = try TestViewer(
            EditingScene.scene(), GridSize(columns: 60, rows: 12), fits: false)
        viewer.press(.character("/"))
        viewer.type("fil")
        #expect(viewer.state.selection == "label3")
        viewer.press(.enter)
        viewer.press(.character("/"))
        viewer.type("a")
        viewer.press(.enter)
        #expect(viewer.state.selection == "sidebar")
        viewer.press(.character("n"))
        #expect(viewer.state.selection == "label3")
        viewer.press(.character("n"))
        #expect(viewer.state.selection == "main")
        viewer.press(.character("n"))
        #expect(viewer.state.selection == "sidebar")
        viewer.press(.character("N"))
        #expect(viewer.state.selection == "main")
        viewer.press(.character("/"))
        viewer.type("zzz")
        viewer.press(.enter, .character("n"))
        #expect(viewer.screen.contains("nothing found for \"zzz\""))
    }
}

@Suite("The time line")
struct TimelineTests {
    private func seeks(_ viewer: TestViewer) -> [Seek] {
        viewer.commands.compactMap { command in
            if case .seek(let seek) = command { return seek }
            return nil
        }
    }

    private func seek(_ tick: UInt64, _ speed: Double = 0) -> Seek {
        var seek = Seek()
        seek.isLive = false
        seek.tick = tick
        seek.speed = speed
        return seek
    }

    @Test("keys go through the past, play it at any speed, and come back")
    func keys() throws {
        var viewer = try TestViewer(nil, GridSize(columns: 100, rows: 12))
        try viewer.take(EditingScene.scene(), tick: 600)
        viewer.press(.character("h"))
        #expect(viewer.screen.contains("● live  tick 600"))
        viewer.press(.left)
        #expect(seeks(viewer).last == seek(540))
        try viewer.take(EditingScene.scene(sidebar: 40), tick: 540)
        #expect(viewer.screen.contains("tick 540 of 600  1 s ago"))
        #expect(viewer.lines.last?.contains("past") == true)
        viewer.press(.character(","))
        #expect(seeks(viewer).last == seek(539))
        viewer.press(.character(" "))
        #expect(seeks(viewer).last == seek(539, 1))
        viewer.press(.character(">"))
        #expect(seeks(viewer).last == seek(539, 2))
        viewer.press(.character("r"))
        #expect(seeks(viewer).last == seek(539, -2))
        viewer.press(.character("<"), .character("<"))
        #expect(seeks(viewer).last == seek(539, -0.5))
        // Nothing can be changed from there.
        viewer.press(.tab, .character("H"))
        #expect(viewer.ops.isEmpty)
        viewer.press(.end)
        #expect(seeks(viewer).last == Seek())
        try viewer.take(EditingScene.scene(), tick: 700)
        #expect(viewer.screen.contains("● live  tick 700"))
        // Beyond the present there is nothing.
        let count = seeks(viewer).count
        viewer.press(.right)
        #expect(seeks(viewer).count == count)
        // The bar can be clicked: its middle is half of all ticks.
        viewer.mouse(.press, 50, 9)
        #expect(seeks(viewer).last.map { (300...400).contains($0.tick) && !$0.isLive } == true)
    }

    @Test("a tick that is not kept any more leads back to the present, with the reason")
    func forgotten() throws {
        var viewer = try TestViewer(nil, GridSize(columns: 100, rows: 12))
        try viewer.take(EditingScene.scene(), tick: 600)
        viewer.press(.character("h"), .home)
        #expect(seeks(viewer).last == seek(0))
        var problem = ErrorMessage()
        problem.code = UInt32(CloseCode.noSuchTick.rawValue)
        problem.text = "tick 0 is not in the journal any more"
        viewer.state.take(.problem(problem), now: viewer.now)
        #expect(viewer.screen.contains("tick 0 is not in the journal any more"))
        #expect(viewer.screen.contains("● live"))
    }

    @Test("whatever ticks a server names, nothing overflows")
    func extremes() throws {
        for tick in [0, 1, UInt64.max / 2, .max] {
            var viewer = try TestViewer(nil, GridSize(columns: 100, rows: 12))
            try viewer.take(EditingScene.scene(), tick: tick)
            viewer.press(.character("h"), .left, .pageDown, .end, .home, .character(" "))
            viewer.mouse(.press, 98, 9)
            viewer.mouse(.press, 0, 9)
            try viewer.take(EditingScene.scene(sidebar: 40), tick: tick)
            viewer.wait(1e9)
            #expect(viewer.lines.count == 12)
        }
    }

    @Test("closing it in the past goes back to the present")
    func closing() throws {
        var viewer = try TestViewer(nil, GridSize(columns: 100, rows: 12))
        try viewer.take(EditingScene.scene(), tick: 600)
        viewer.press(.character("h"), .left, .character("h"))
        #expect(seeks(viewer).last == Seek())
        #expect(viewer.state.timeline == nil)
    }
}
