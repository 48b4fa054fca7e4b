import Synchronization

/// The counts of a server since its start, and its present state; for a program that embeds it.
public struct ServerFigures: Sendable, Equatable {
    /// The number of ticks of all rooms.
    public var ticks: UInt64 = 0
    /// Their total duration in nanoseconds.
    public var tickNanoseconds: UInt64 = 0
    /// Bytes of messages sent.
    public var bytesSent: UInt64 = 0
    /// Bytes of the process's resident memory.
    public var residentBytes = 0
    /// Rooms in memory.
    public var rooms = 0
    /// Connections that are open.
    public var connections = 0
}

extension SceneServer {
    /// The present figures.
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

    /// The number of members of a room. Complexity: O(1).
    public func memberCount(of room: String) -> Int { rooms.census.members(of: room) }
}
