/// A record and the room that it belongs to.
public struct RoomRecord: Sendable, Equatable {
    /// The room's name.
    public var room: String
    /// The record.
    public var record: JournalRecord

    /// Makes a pair.
    public init(room: String, record: JournalRecord) {
        self.room = room
        self.record = record
    }
}
