import SQLite

/// A part of the index that is written at once.
struct IndexSlice {
    /// The segments, by room, and which of its records each has.
    var segments: [(room: Int64, index: RoomIndex)]
    /// The last group that all segments cover once these are written; `nil` while others are still
    /// to come.
    var indexedThrough: Int64?

    /// Writes it, in a transaction of the caller's.
    ///
    /// A segment that is there already, because a part of the index was written before a crash, has
    /// the same first record and is replaced.
    func write(to database: Connection) throws {
        for (room, index) in segments {
            guard let first = index.entries.first else { continue }
            try database.run(
                "INSERT OR REPLACE INTO segments (room, first, data) VALUES (?, ?, ?)",
                .integer(room), .integer(Int64(clamping: first.first)), last: index.encoded())
        }
        if let indexedThrough {
            try database.run(
                "INSERT OR REPLACE INTO state VALUES ('indexed', ?)", .integer(indexedThrough))
        }
    }
}
