import SceneCluster

/// The room that is to have a snapshot, if one is, and from when on that is tried.
struct SnapshotWish {
    private var room: String?
    private var start: MonotonicInstant?

    /// Has a room have a snapshot at once, in the place of another one.
    mutating func want(_ room: String) { (self.room, start) = (room, nil) }

    /// The room to snapshot now; nil if there is none, or the next attempt is later.
    func room(at now: MonotonicInstant) -> String? {
        start.map { now >= $0 } ?? true ? room : nil
    }

    /// It could not be published: it is tried again later.
    mutating func postpone(until time: MonotonicInstant) { start = time }

    /// The room has one, or can have none.
    ///
    /// - Parameter room: Only for this one, if given.
    mutating func drop(_ room: String? = nil) {
        if room == nil || room == self.room { self.room = nil }
    }
}
