import Testing

@testable import TerminalViewer

/// A terminal screen under test, with a clock that only the test advances.
protocol TestScreen {
    associatedtype State: TerminalScreen
    var state: State { get set }
    /// The time, in seconds.
    var now: Double { get set }

    /// Executes the commands of the screen.
    mutating func collect()
}

extension TestScreen {
    /// Presses keys and executes the resulting commands.
    @discardableResult
    mutating func press(_ keys: Key...) -> ViewerState.Action {
        var action = ViewerState.Action.none
        for key in keys { action = state.press(key, now: now) }
        collect()
        return action
    }

    /// Presses a key that has this effect.
    mutating func expect(
        _ key: Key, _ action: ViewerState.Action, location: SourceLocation = #_sourceLocation
    ) {
        let found = press(key)
        #expect(found == action, sourceLocation: location)
    }

    mutating func type(_ text: String) { for character in text { press(.character(character)) } }

    mutating func mouse(_ kind: MouseEvent.Kind, _ column: Int, _ row: Int) {
        press(.mouse(MouseEvent(kind, at: GridPoint(column: column, row: row))))
    }

    mutating func click(_ column: Int, _ row: Int) {
        mouse(.press, column, row)
        mouse(.release, column, row)
    }

    var grid: CellGrid {
        var copy = state
        var grid = CellGrid(size: state.size)
        copy.paint(now: now, on: &grid)
        return grid
    }
    var lines: [String] { grid.lines }
    func line(_ row: Int) -> String { grid.line(row) }
}
