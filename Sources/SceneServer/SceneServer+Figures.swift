import Synchronization

/// What a server did since it was started, and has now; for a program in its process that shows it.
public struct ServerFigures: Sendable, Equatable {
    /// Ticks of all rooms together.
    public var ticks: UInt64 = 0
    /// Nanoseconds that they took.
    public var tickNanoseconds: UInt64 = 0
    /// Bytes of messages sent.
    public var bytesSent: UInt64 = 0
    /// Bytes of memory that the process has.
    public var residentBytes = 0
    /// Rooms in memory.
    public var rooms = 0
    /// Connections that are open.
    public var connections = 0
}

extension SceneServer {
    /// What the server did and has.
    ///
    /// - Complexity: O(1), and one read of a file in `/proc`.
    public var figures: ServerFigures {
        var figures = ServerFigures()
        figures.ticks = metrics.ticks.value
        figures.tickNanoseconds = metrics.tickNanoseconds.value
        figures.bytesSent = metrics.bytesSent.value
        figures.residentBytes = ServerMetrics.residentBytes
        figures.rooms = rooms.census.summary.loaded
        figures.connections = metrics.connections.load(ordering: .relaxed)
        return figures
    }

    /// The members of a room. Complexity: O(1).
    public func memberCount(of room: String) -> Int { rooms.census.members(of: room) }
}
