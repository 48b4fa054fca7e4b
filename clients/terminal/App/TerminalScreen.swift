/// The state behind a terminal's screen: events, keys and the time are its input, a picture and
/// commands its output.
protocol TerminalScreen {
    /// The terminal's size.
    var size: GridSize { get set }

    /// Handles an event of the connection.
    mutating func take(_ event: ViewerEvent, now: Double)
    /// Handles a key or the mouse.
    mutating func press(_ key: Key, now: Double) -> ViewerState.Action
    /// Whether it needs the mouse's motion without a button.
    var wantsMotion: Bool { get }
    /// Does the due work; returns whether the picture may differ.
    mutating func pass(now: Double) -> Bool
    /// The time of the next `pass` if no event comes before.
    func deadline(now: Double) -> Double
    /// Whether an animation is running, so that each picture differs from the one before.
    func isAnimating(now: Double) -> Bool
    /// Removes and returns the commands for the connection.
    mutating func takeCommands() -> [ViewerCommand]
    /// Receives the client's number for the oldest command with a result that has none.
    mutating func note(sequence: UInt64)
    /// Adapts the state to the size.
    mutating func clampPanel()
    /// The picture, in the memory of an obsolete one.
    mutating func paint(now: Double, on grid: inout CellGrid)
}

extension ViewerState: TerminalScreen {
    var wantsMotion: Bool { false }
}
