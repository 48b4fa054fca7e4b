/// The size and the duration of a load.
public struct LoadPlan: Sendable {
    /// The servers of the same rooms, each `ws://HOST:PORT`, to which members come in turn; TLS is
    /// not spoken, since it would be this end's work that is measured.
    public var urls: [String]
    /// Members that only watch, over all rooms.
    public var viewers = 100
    /// Members that change scenes, over all rooms; at least one a room.
    public var editors = 1
    /// Rooms, which are named `load-1` and so on, and whose scenes are replaced.
    public var rooms = 1
    /// Seconds of measuring, after all members have joined.
    public var seconds = 10.0
    /// Messages with ops that each editor sends in a second.
    public var rate = 60.0
    /// Views of each scene.
    public var views = 50
    /// Different devices on which the viewers watch, in turn: the main one and others of other
    /// widths.
    public var devices = 1
    /// Connections that come in a second; 0 lets all come at once.
    public var joinsPerSecond = 0.0
    /// Members that leave and join again in a second, over all rooms, during the measuring.
    public var churnPerSecond = 0.0
    /// The token that proves their identity.
    public var token = ""
    /// The server's process, if it is on this machine, whose time and memory are reported.
    public var serverProcess: Int?

    /// Makes a plan with defaults.
    public init(urls: [String]) { self.urls = urls }

    /// Makes a plan for one server.
    public init(url: String) { self.init(urls: [url]) }
}

/// The results of a load.
public struct LoadReport: Sendable {
    /// Seconds that were measured.
    public var seconds = 0.0
    /// Connections that were admitted.
    public var joined = 0
    /// Connections that ended without being asked to.
    public var dropped = 0
    /// Codes that these were closed with, and how often; 1006 for those without.
    public var closeCodes: [UInt32: Int] = [:]
    /// Connections that could not be made.
    public var failed = 0
    /// Seconds until all had come, and until the last had its snapshot.
    public var joinSeconds = 0.0
    /// Frames that came, over all members.
    public var frames = 0
    /// Ticks with a frame, over all rooms.
    public var ticks = 0
    /// Frames that a member did not get though others of its room did.
    public var missed = 0
    /// Bytes that came.
    public var bytes = 0
    /// Ops messages that were sent, committed and refused.
    public var sent = 0
    /// Messages that are on the server's disk.
    public var committed = 0
    /// Messages that were refused.
    public var refused = 0
    /// From an editor's sending to a frame's arrival at each other member, in microseconds, by
    /// percentile.
    public var latency = Percentiles()
    /// The same for those other members who are editors.
    public var editorLatency = Percentiles()
    /// From an editor's sending to its result, in microseconds.
    public var resultLatency = Percentiles()
    /// Processor seconds that the server spent while it was measured, and the most memory that it
    /// held.
    public var serverSeconds: Double?
    /// The most memory that the server held, in bytes.
    public var serverBytes: Int?
    /// The least memory that it held at any time in the second fifth of the measuring, and in the
    /// last.
    public var serverBytesEarly: Int?
    /// See `serverBytesEarly`.
    public var serverBytesLate: Int?

    /// Values of a distribution, in microseconds.
    public struct Percentiles: Sendable {
        /// How many there were.
        public var count = 0
        /// Half are at most this.
        public var p50: UInt64 = 0
        /// 90 of 100.
        public var p90: UInt64 = 0
        /// 99 of 100.
        public var p99: UInt64 = 0
        /// 999 of 1000.
        public var p999: UInt64 = 0
        /// All.
        public var maximum: UInt64 = 0
    }
}

/// Why a load cannot be.
public struct LoadError: Error, Sendable, CustomStringConvertible {
    /// The complaint.
    public var description: String
}
