/// About how many bytes of memory a room takes, and what for.
public struct MemoryUse: Sendable, Equatable {
    /// The scene: views, constraints, texts, the solver.
    public var scene = 0
    /// The same scene on other devices than the main one.
    public var devices = 0
    /// The past, for members that watch it.
    public var seekers = 0
    /// What members have, and how it was before.
    public var streams = 0
    /// What people can take back.
    public var undo = 0
    /// The records from which the scene can be made again, which are few bytes while the room is at rest.
    public var journal = 0
    /// The clients that the room remembers, and their results.
    public var clients = 0
    /// Requests that wait.
    public var inbox = 0

    /// Makes a use of nothing.
    public init() {}

    /// All of it.
    public var total: Int {
        scene + devices + seekers + streams + undo + journal + clients + inbox
    }

    /// Each part with its name for people and programs.
    public var parts: [(name: String, bytes: Int)] {
        [
            ("scene", scene), ("devices", devices), ("seekers", seekers), ("streams", streams),
            ("undo", undo), ("journal", journal), ("clients", clients), ("inbox", inbox),
        ]
    }
}
