import SQLite

/// Damage of groups that the rooms' indices do not tell, since a damaged group cannot be indexed.
///
/// Kept in the table `state`: later groups are indexed, so the next opening does not read the
/// damaged one again.
///
///     torn N   group N was damaged while it was the journal's last: the remains of an interrupted
///         write; the value is the number of its records that were readable then
///     lost N   room N may have lost records; the value is the damaged group
struct DamageMarks {
    /// By group, the records that were readable when it was found torn.
    private(set) var torn: [Int64: Int] = [:]
    private(set) var lost: [Int64: Int64] = [:]

    /// Whether a group was damaged while it was the last one, so that its records were never
    /// acknowledged, or its disk lied.
    func isTorn(_ group: Int64) -> Bool { torn[group] != nil }

    /// Whether a group has the damage alone with which it was found torn. What was readable then
    /// was kept, and its loss is damage like any other.
    ///
    /// - Parameter readable: The number of its records that are readable now.
    func isOnlyTorn(_ group: Int64, readable: Int) -> Bool {
        torn[group].map { readable >= $0 } ?? false
    }

    /// The damaged group in which a room may have lost records; `nil` if there is none.
    func loss(of room: Int64) -> Int64? { lost[room] }

    /// The damaged group in which a room may have lost all that it had, if no record of it is left;
    /// `nil` if there is none. It had some: its name is written with its first record.
    func lossOfAll(of room: Int64) -> Int64? { lost[room] ?? torn.keys.max() }

    /// Registers a torn group, unless it is known as such.
    ///
    /// - Parameter readable: The number of its records that can be read.
    mutating func noteTorn(_ group: Int64, readable: Int) {
        if torn[group] == nil { torn[group] = readable }
    }

    /// Registers that rooms may have lost records in a damaged group, unless it is known as torn.
    mutating func noteLoss(of rooms: Set<Int64>, in group: Int64) {
        guard !isTorn(group) else { return }
        for room in rooms { lost[room] = group }
    }

    /// Registers a record in a later group than those before: it names its predecessor, so that a
    /// gap shows.
    mutating func noteRecord(of room: Int64) { lost[room] = nil }

    mutating func forgetLoss(of room: Int64) { lost[room] = nil }

    // MARK: The database

    init() {}

    /// Reads the marks; rows that cannot be read are skipped.
    init(from database: Connection) throws {
        for row in try database.rows("SELECT key, value FROM state") {
            guard let key = row[0].text, let value = row[1].integer else { continue }
            let parts = key.split(separator: " ")
            guard parts.count == 2, let number = Int64(parts[1]) else { continue }
            switch parts[0] {
            case "torn": torn[number] = Int(clamping: value)
            case "lost": lost[number] = value
            default: continue
            }
        }
    }

    func write(to database: Connection) throws {
        for (group, readable) in torn.sorted(by: { $0.key < $1.key }) {
            try Self.put("torn \(group)", Int64(readable), database)
        }
        for (room, group) in lost.sorted(by: { $0.key < $1.key }) {
            try Self.put("lost \(room)", group, database)
        }
    }

    private static func put(_ key: String, _ value: Int64, _ database: Connection) throws {
        try database.run(
            "INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)", .text(key),
            .integer(value))
    }

    static func remove(lossOf room: Int64, from database: Connection) throws {
        try database.run("DELETE FROM state WHERE key = ?", .text("lost \(room)"))
    }
}
