import SceneWire
import Testing

@testable import TerminalViewer

/// What a person does while the server does not answer is sent later, or refused in words.
///
/// The faults that these guard: a drag that waited for an answer was dropped with its connection,
/// without a word; seeking moved the time line though nothing was sent; and `q` left over changes
/// that nobody had.
@Suite("Using the viewer during an outage")
struct OutageTests {
    @Test("a drag whose answer was lost asks again, and is sent then")
    func drag() throws {
        var viewer = try EditingScene.viewer(GridSize(columns: 80, rows: 8))
        viewer.mouse(.press, 9, 3)
        viewer.mouse(.drag, 11, 3)
        viewer.mouse(.release, 11, 3)
        viewer.state.take(.connection(.reconnecting(inSeconds: 4)), now: viewer.now)
        #expect(viewer.lines[7].contains("reconnecting in 4 s, 1 unsaved"))
        // The drag in waiting swallows nothing else, and takes no second one.
        viewer.mouse(.press, 9, 4)
        #expect(viewer.screen.contains("the last drag still waits for the server"))
        viewer.mouse(.press, 20, 3)
        #expect(viewer.state.selection == "main")
        viewer.forget()
        viewer.state.take(.connection(.catchingUp), now: viewer.now)
        try viewer.take(EditingScene.scene(), tick: 9)
        viewer.collect()
        #expect(viewer.inspections.contains { $0.wantsDocument })
        viewer.mouse(.press, 5, 4)
        try viewer.answer(["sidebar-width": 120])
        #expect(
            viewer.ops == [#"[{"op":"setConstraint","id":"sidebar-width","constant":136}]"#])
        viewer.commit()
        #expect(viewer.state.unsavedCount == 0)
        #expect(viewer.lines[7].contains(" live "))
    }

    @Test("a change without an answer is called unsaved while the line still says live")
    func late() throws {
        var viewer = try EditingScene.viewer(GridSize(columns: 80, rows: 8))
        viewer.press(.character("H"))
        #expect(viewer.lines[7].contains(" live  "))
        viewer.wait(1.2)
        #expect(viewer.lines[7].contains("live, 1 unsaved"))
        viewer.wait(1)
        #expect(viewer.lines[7].contains("no answer, 1 unsaved"))
        viewer.commit()
        #expect(!viewer.lines[7].contains("unsaved"))
    }

    @Test("undo, redo and every key that changes something are kept for the client")
    func keys() throws {
        var viewer = try EditingScene.viewer(GridSize(columns: 80, rows: 12))
        viewer.state.take(.connection(.reconnecting(inSeconds: 4)), now: viewer.now)
        viewer.press(.character("u"), .character("U"), .character("H"), .character("x"))
        #expect(viewer.commands.contains(.undo) && viewer.commands.contains(.redo))
        #expect(viewer.ops.count == 2)
        #expect(viewer.lines[11].contains("4 unsaved"))
        // No connection will come: each is told as refused.
        viewer.state.take(.connection(.ended("closed with 4003")), now: viewer.now)
        #expect(viewer.state.unsavedCount == 0)
        viewer.press(.character("L"))
        #expect(viewer.screen.contains("✗ closed"))
        viewer.expect(.character("q"), .quit)
    }

    @Test("the past is refused in words, and its end is told")
    func past() throws {
        var viewer = try EditingScene.viewer(GridSize(columns: 80, rows: 12))
        try viewer.take(EditingScene.scene(), tick: 600)
        viewer.press(.character("h"), .left)
        #expect(viewer.state.timeline?.isLive == false)
        viewer.state.take(.connection(.catchingUp), now: viewer.now)
        #expect(viewer.screen.contains("the connection was cut: this is the present again"))
        viewer.state.take(.connection(.reconnecting(inSeconds: 4)), now: viewer.now)
        viewer.forget()
        viewer.press(.left)
        #expect(viewer.screen.contains("no connection: the past cannot be shown now"))
        #expect(viewer.state.timeline?.isLive == true)
        #expect(viewer.commands.isEmpty)
    }

    @Test("q asks before it leaves unsaved changes; twice, and Ctrl-C, leave")
    func leaving() throws {
        var viewer = try EditingScene.viewer(GridSize(columns: 80, rows: 8))
        viewer.press(.character("H"))
        viewer.wait(1.2)
        viewer.expect(.character("q"), .redraw)
        #expect(viewer.screen.contains("1 change is not saved: q again quits without it"))
        viewer.wait(10)
        viewer.expect(.character("q"), .redraw)
        viewer.expect(.character("q"), .quit)
        viewer.expect(.control("c"), .quit)
        viewer.commit()
        viewer.wait(10)
        viewer.expect(.character("q"), .quit)
    }
}
