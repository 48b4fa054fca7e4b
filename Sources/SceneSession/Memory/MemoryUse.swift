/// The approximate memory of a room in bytes, by purpose.
public struct MemoryUse: Sendable, Equatable {
    /// The scene: views, constraints, texts, the solver.
    public var scene = 0
    /// The scenes of other devices.
    public var devices = 0
    /// The past that members watch.
    public var seekers = 0
    /// The members' baselines and their history.
    public var streams = 0
    /// The steps that people can undo.
    public var undo = 0
    /// The records from which the scene can be rebuilt; compressed while the room is at rest.
    public var journal = 0
    /// The clients that the room remembers, with their results.
    public var clients = 0
    /// What people said about the scene.
    public var annotations = 0
    /// Waiting requests.
    public var inbox = 0

    /// Makes an empty use.
    public init() {}

    /// The sum of all parts.
    public var total: Int {
        scene + devices + seekers + streams + undo + journal + clients + annotations + inbox
    }

    /// Each part with its name, for output.
    public var parts: [(name: String, bytes: Int)] {
        [
            ("scene", scene), ("devices", devices), ("seekers", seekers), ("streams", streams),
            ("undo", undo), ("journal", journal), ("clients", clients),
            ("annotations", annotations),
            ("inbox", inbox),
        ]
    }
}
