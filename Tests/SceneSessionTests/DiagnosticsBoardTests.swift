import SceneWire
import Testing

@testable import SceneSession

@Suite("What a room knows of its diagnostics")
struct DiagnosticsBoardTests {
    private func diagnostics(_ tick: UInt64, broken: [String] = []) -> Diagnostics {
        var diagnostics = Diagnostics()
        diagnostics.tick = tick
        diagnostics.broken = broken
        return diagnostics
    }

    @Test(
        "what was computed is known at its tick until the scene changes, also where it is no news")
    func known() {
        var board = DiagnosticsBoard()
        #expect(board.known(at: 0) == nil)
        // In a room that has shown nothing yet, and has nothing to tell.
        var isNews = board.isNews(diagnostics(0))
        #expect(!isNews)
        #expect(board.known(at: 0) == diagnostics(0))
        isNews = board.isNews(diagnostics(4, broken: ["c"]))
        #expect(isNews)
        #expect(board.known(at: 4)?.broken == ["c"])
        #expect(board.known(at: 0) == nil)
        // Computed again after a tick that moved a view: once more would cost as much.
        isNews = board.isNews(diagnostics(9, broken: ["c"]))
        #expect(!isNews)
        #expect(board.known(at: 9)?.broken == ["c"])
        board.sceneDidChange()
        #expect(board.known(at: 9) == nil)
    }
}
