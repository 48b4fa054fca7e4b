/// What the parts of a cluster cost, as measured on loopback with two shared cores: times of one
/// core, unless something else is said. The figures are those of small records and toy scenes;
/// their ratios say more than their sizes.
public struct MeasuredCosts: Sendable {
    /// A frame to one socket, in microseconds: framed once, written for each.
    public var frame = 8.5
    /// A member that joins: handshake, admission and a small snapshot, without TLS, in
    /// microseconds. 3,000 joins of a room of 50 views (`scenesync load --churn 300`).
    public var join = 430.0
    /// A message of the owner's to another node over the engine, out and in, in microseconds of
    /// each end.
    public var relayedFrame = 1.4
    /// An attach at the owner: a snapshot of a stream, for each thousand views, in microseconds.
    public var attachPerThousandViews = 5_000.0
    /// A tick of an active room, in microseconds: 78 cores for 10,000 of them at 60 ticks a second.
    public var activeTick = 130.0
    /// A commit on the three servers of the engine together, in microseconds.
    public var commit = 320.0
    /// Until a commit is acknowledged, in milliseconds: half within the first, 99 of 100 within the
    /// second, of 64 shards.
    public var acknowledgement = (median: 13.0, high: 78.0)
    /// From an acknowledgement until the record is read back, in milliseconds.
    public var readBack = 0.5
    /// Reading 10,000 records of a shard's journal, in milliseconds: at least and at most.
    public var journal = (least: 62.0, most: 115.0)
    /// Records that a standby that reads along has not read yet.
    public var unreadRecords = 500.0
    /// A room that is brought to life from its snapshot, for each thousand views, in milliseconds.
    public var thawPerThousandViews = 51.0
    /// An election of a stream's leader, in milliseconds.
    public var election = (least: 4_000.0, most: 9_000.0)
    /// Memory of a room, in bytes: 84 GiB for 100,000.
    public var roomBytes = 900_000.0

    /// The costs as measured.
    public init() {}
}
