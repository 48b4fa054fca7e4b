import SceneProtocol

/// What a loop shows on a terminal: events, keys and the time go in, a picture and commands come out.
protocol TerminalScreen {
    /// The terminal's size.
    var size: GridSize { get set }

    /// Takes what happened on the connection.
    mutating func take(_ event: ViewerEvent, now: Double)
    /// Follows a key or the mouse.
    mutating func press(_ key: Key, now: Double) -> ViewerState.Action
    /// Whether it is told of the mouse's motion while no button is down, too.
    var wantsMotion: Bool { get }
    /// Does everything that is due; whether the picture may differ.
    mutating func pass(now: Double) -> Bool
    /// When to call `pass` again although nothing happened.
    func deadline(now: Double) -> Double
    /// Whether something moves by itself, so that each picture differs from the one before.
    func isAnimating(now: Double) -> Bool
    /// Takes the commands for the connection.
    mutating func takeCommands() -> [ViewerCommand]
    /// The number that the client gave the oldest command that gets a result and had none yet.
    mutating func note(sequence: UInt64)
    /// Brings what is shown within the size.
    mutating func clampPanel()
    /// The picture, in place of one that is not needed any more.
    mutating func paint(now: Double, on grid: inout CellGrid)
}

extension ViewerState: TerminalScreen {
    var wantsMotion: Bool { false }
}
