/// How much memory a room may take, in bytes, by its own account.
public struct MemoryBudget: Sendable, Equatable {
    /// All of the room.
    public var room: Int
    /// What is kept for one member alone: its requests that wait, and the past that it watches.
    public var member: Int

    /// Makes a budget.
    public init(room: Int, member: Int) {
        self.room = room
        self.member = member
    }

    /// Room for the largest scene that there may be, on several devices.
    public static let standard = MemoryBudget(room: 512 << 20, member: 128 << 20)
}
