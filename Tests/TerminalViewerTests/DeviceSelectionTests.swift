import SceneProtocol
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
}
