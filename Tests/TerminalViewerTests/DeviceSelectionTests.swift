import JSON
import SceneDocument
import SceneWire
import Testing

@testable import TerminalViewer

@Suite("Devices of the viewer")
struct DeviceSelectionTests {
    private let area = GridSize(columns: 80, rows: 23)

    @Test("the terminal's own size is asked for once, and again when it changes")
    func ownSize() throws {
        var selection = DeviceSelection(.own)
        let first = selection.takeRequest(in: area)
        let request = try #require(first)
        #expect(request.columns == 80)
        #expect(request.rows == 23)
        #expect(request.viewport["idiom"] == .string("terminal"))
        #expect(selection.takeRequest(in: area) == nil)
        let larger = selection.takeRequest(in: GridSize(columns: 130, rows: 41))
        #expect(larger?.columns == 130)
    }

    @Test("nobody asks for the shared device, or for one without a cell")
    func nothingToAsk() {
        var shared = DeviceSelection(.shared)
        #expect(shared.takeRequest(in: area) == nil)
        var own = DeviceSelection(.own)
        #expect(own.takeRequest(in: GridSize(columns: 0, rows: 0)) == nil)
    }

    @Test("v goes from the terminal over the scene's devices to the shared one, and round")
    func cycle() {
        var selection = DeviceSelection(.own)
        var grant = DeviceGrant()
        grant.names = ["phone", "desk"]
        selection.granted(grant)
        var seen: [DeviceChoice] = []
        for _ in 0..<4 {
            selection.cycle()
            seen.append(selection.choice)
        }
        #expect(seen == [.named("phone"), .named("desk"), .shared, .own])
        selection.cycle()
        #expect(selection.takeRequest(in: area)?.name == "phone")
    }

    @Test("beside the device that is watched the others come one after another, and then none")
    func besides() {
        var selection = DeviceSelection(.named("phone"))
        var grant = DeviceGrant()
        grant.names = ["phone", "desk"]
        selection.granted(grant)
        var seen: [DeviceChoice] = []
        var next = selection.beside(after: nil)
        while let choice = next, seen.count < 9 {
            seen.append(choice)
            next = selection.beside(after: choice)
        }
        #expect(seen == [.named("desk"), .shared, .own])
        #expect(selection.beside(after: .named("gone")) == nil)
    }

    @Test("two devices share the screen, with a line between and their names below")
    func halves() {
        func layout(_ columns: Int, _ rows: Int) -> ScreenLayout {
            ScreenLayout(
                size: GridSize(columns: columns, rows: rows), hasPrompt: false, hasMessage: false,
                hasTimeline: false, hasPanel: false, hasBeside: true)
        }
        let even = layout(40, 12)
        #expect(even.scene == CellRect(left: 0, top: 0, right: 20, bottom: 10))
        #expect(even.beside == CellRect(left: 21, top: 0, right: 40, bottom: 10))
        #expect(even.deviceNames == CellRect(left: 0, top: 10, right: 40, bottom: 11))
        #expect(even.status == CellRect(left: 0, top: 11, right: 40, bottom: 12))
        // 16 columns each and the line: one less is too small, and the first device keeps the
        // screen.
        #expect(layout(33, 12).beside?.columns == 16)
        #expect(layout(32, 12).beside == nil)
        #expect(layout(32, 12).scene == CellRect(left: 0, top: 0, right: 32, bottom: 11))
    }

    @Test(
        "b shows a second device at the side, asks for it over a connection of its own, and ends it"
    )
    func beside() throws {
        var scene = SceneBuilder(width: 160, height: 48)
        scene.label("left", 0, 0, 80)
        var viewer = try TestViewer(
            scene, GridSize(columns: 41, rows: 5), capabilities: TestViewer.everything | 0x200)
        var grant = DeviceGrant()
        grant.names = ["phone"]
        viewer.state.take(.device(grant), now: viewer.now)
        viewer.press(.character("b"))
        viewer.wait(1)
        func requests() -> [DeviceRequest?] {
            viewer.commands.compactMap {
                if case .beside(let request) = $0 { request } else { nil }
            }
        }
        #expect(requests().map { $0?.name } == ["phone"])
        #expect(viewer.lines[1].contains("asking"))
        // A scene of 20 by 3 cells, as large as its half.
        var other = SceneBuilder(width: 160, height: 48)
        other.label("right", 0, 16, 80)
        var welcome = TestViewer.welcome(.viewer)
        welcome.viewport = Size(width: 160, height: 48)
        viewer.state.take(.beside(.mirror(try other.mirror(tick: 0), welcome)), now: viewer.now)
        var diagnostics = Diagnostics()
        diagnostics.broken = ["w"]
        viewer.state.take(.beside(.diagnostics(diagnostics)), now: viewer.now)
        #expect(viewer.lines[0] == "left                │")
        #expect(viewer.lines[1] == "                    │right")
        #expect(viewer.lines[3].hasSuffix("│ phone  160 × 48  1…"))
        // Beside the shared device: the phone, the terminal's own, none. What is done at the side
        // is not done on the scene.
        viewer.mouse(.press, 22, 1)
        #expect(viewer.state.selection == nil)
        viewer.press(.character("b"), .character("b"))
        viewer.wait(1)
        #expect(viewer.state.devices.beside == nil)
        #expect(viewer.commands.contains(.beside(nil)))
    }
}
