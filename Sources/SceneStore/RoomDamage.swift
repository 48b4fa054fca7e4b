import SceneWire

/// The first place at which a room's journal cannot be read, although more was acknowledged.
///
/// Such a room must not be opened from the part before: its first new record would take the place
/// of those behind.
public struct RoomDamage: Equatable, Sendable, CustomStringConvertible {
    /// The room's name.
    public var room: String
    /// The sequence of the first record that cannot be read.
    public var sequence: UInt64
    /// What is wrong with it, as a clause: `is damaged in group 7`.
    public var fault: String

    /// The text for people.
    public var description: String { "room \(room): record \(sequence) \(fault)" }
}

/// The records that a room's journal yields, up to the first fault.
struct RoomReading {
    /// The readable records, each following its predecessor.
    var records: [JournalRecord] = []
    /// The sequence with which they should begin.
    var start: UInt64 = 1
    /// The first fault, if there is one.
    var damage: RoomDamage?
    /// Whether the fault is the end of the journal's last group, which an interrupted write can
    /// leave, and nothing of the room lies behind it.
    var isTorn = false
}
