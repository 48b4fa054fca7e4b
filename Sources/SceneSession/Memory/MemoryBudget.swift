/// The memory that a room may take, in bytes, by its own estimate.
public struct MemoryBudget: Sendable, Equatable {
    /// The budget of the whole room.
    public var room: Int
    /// The budget of one member: its waiting requests, and the past that it watches.
    public var member: Int

    /// Makes a budget.
    public init(room: Int, member: Int) {
        self.room = room
        self.member = member
    }

    /// Sufficient for the largest allowed scene on several devices.
    public static let standard = MemoryBudget(room: 512 << 20, member: 128 << 20)
}
