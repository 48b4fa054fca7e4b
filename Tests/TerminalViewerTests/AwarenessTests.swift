import SceneDocument
import SceneWire
import Testing

@testable import TerminalViewer

@Suite("What members attend to")
struct ViewerAwarenessTests {
    private static func numbered() -> SceneBuilder {
        var scene = SceneBuilder(width: 80, height: 96)
        for row in 0..<6 { scene.label("\(row)bcdefghij", 0, row * 16, 80) }
        return scene
    }

    /// A presence of the member 7, ada, whose pointer is in the cell 9, 5.
    private static func ada(
        _ clock: UInt32, _ change: (inout PresenceAwareness) -> Void = { _ in }
    ) -> ViewerEvent {
        var presence = Presence()
        presence.client = 7
        presence.clock = clock
        presence.name = "ada"
        presence.cursor = Point(x: 76, y: 88)
        var awareness = PresenceAwareness()
        change(&awareness)
        presence.awareness = awareness
        return .presence(presence)
    }

    private static func told(_ viewer: TestViewer) -> Presence? {
        viewer.commands.compactMap {
            if case .presence(let presence) = $0 { presence } else { nil }
        }.last
    }

    @Test("a spotlight is followed, Esc stops that, and it stays stopped until a new one")
    func followsSpotlight() throws {
        var viewer = try TestViewer(
            Self.numbered(), GridSize(columns: 6, rows: 4), fits: false)
        viewer.state.take(Self.ada(1), now: viewer.now)
        #expect(viewer.state.followed == nil)
        viewer.state.take(Self.ada(2) { $0.isSpotlight = true }, now: viewer.now)
        #expect(viewer.state.followed == 7)
        #expect(
            viewer.state.notice?.text == "ada asks everybody to follow: following; Esc stops")
        viewer.wait(20)
        viewer.state.take(Self.ada(3) { $0.isSpotlight = true }, now: viewer.now)
        #expect(viewer.lines[0] == "efghij")
        viewer.press(.escape)
        #expect(viewer.state.followed == nil)
        viewer.state.take(Self.ada(4) { $0.isSpotlight = true }, now: viewer.now)
        #expect(viewer.state.followed == nil)
        viewer.state.take(Self.ada(5), now: viewer.now)
        viewer.state.take(Self.ada(6) { $0.isSpotlight = true }, now: viewer.now)
        #expect(viewer.state.followed == 7)
        viewer.state.take(Self.ada(7), now: viewer.now)
        #expect(viewer.state.followed == nil)
    }

    @Test("who follows a member stays with it")
    func keepsFollowing() throws {
        var viewer = try TestViewer(
            Self.numbered(), GridSize(columns: 6, rows: 4), fits: false)
        var bob = Presence()
        bob.client = 3
        bob.name = "bob"
        viewer.state.take(.presence(bob), now: viewer.now)
        viewer.press(.character("F"))
        #expect(viewer.state.followed == 3)
        viewer.state.take(Self.ada(1) { $0.isSpotlight = true }, now: viewer.now)
        #expect(viewer.state.followed == 3)
        viewer.state.take(Self.ada(2), now: viewer.now)
        #expect(viewer.state.followed == 3)
    }

    @Test("hand, spotlight and idleness are told, and no awareness while all is as by default")
    func tellsOwn() throws {
        var viewer = try TestViewer(
            Self.numbered(), GridSize(columns: 40, rows: 7), fits: false)
        viewer.wait(1)
        #expect(Self.told(viewer)?.awareness == nil)
        viewer.press(.character("R"))
        viewer.wait(1)
        #expect(Self.told(viewer)?.awareness?.isHandRaised == true)
        #expect(Self.told(viewer)?.awareness?.isIdle == false)
        viewer.press(.character("R"))
        viewer.press(.character("B"))
        viewer.wait(1)
        #expect(Self.told(viewer)?.awareness?.isHandRaised == false)
        #expect(Self.told(viewer)?.awareness?.isSpotlight == true)
        viewer.press(.character("B"))
        viewer.wait(59)
        #expect(Self.told(viewer)?.awareness == nil)
        viewer.wait(1)
        #expect(Self.told(viewer)?.awareness?.isIdle == true)
        viewer.mouse(.move, 5, 3)
        viewer.wait(1)
        #expect(Self.told(viewer)?.awareness == nil)
    }

    @Test("a viewer cannot ask everybody to follow")
    func viewersDoNotAsk() throws {
        var viewer = try TestViewer(
            Self.numbered(), GridSize(columns: 40, rows: 7), fits: false, role: .viewer)
        viewer.press(.character("B"))
        viewer.wait(1)
        #expect(Self.told(viewer)?.awareness == nil)
        #expect(
            viewer.state.notice?.text
                == "only editors ask everybody to follow: start with --edit")
    }

    @Test("the panel lists members with device, hand and idleness; Enter follows one")
    func panel() throws {
        var viewer = try TestViewer(
            Self.numbered(), GridSize(columns: 100, rows: 12), fits: false)
        viewer.state.take(
            Self.ada(1) {
                $0.device = "phone"
                $0.isIdle = true
                $0.isHandRaised = true
            }, now: viewer.now)
        viewer.press(.character("M"))
        #expect(viewer.screen.contains("Members"))
        #expect(viewer.screen.contains("ada  hand raised  on phone  idle"))
        viewer.press(.down)
        viewer.press(.enter)
        #expect(viewer.state.followed == 7)
    }

    @Test("a raised hand stands behind the name at the pointer")
    func handAtPointer() throws {
        var viewer = try TestViewer(
            Self.numbered(), GridSize(columns: 40, rows: 7), fits: false)
        var presence = Presence()
        presence.client = 7
        presence.name = "ada"
        presence.cursor = Point(x: 16, y: 16)
        var awareness = PresenceAwareness()
        awareness.isHandRaised = true
        presence.awareness = awareness
        viewer.state.take(.presence(presence), now: viewer.now)
        #expect(viewer.lines[1] == "1b▲ada !ij")
    }
}
