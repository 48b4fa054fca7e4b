import Synchronization

/// Counts rooms: those with members, or with members being admitted, and those in a thread's memory. Both kinds count,
/// since an empty room costs as much until it is unloaded. Safe from any thread.
final class RoomCensus: Sendable {
    /// The outcome of a member's entry.
    enum Entry: Equatable {
        /// - opens: Whether the room must be created or loaded first.
        case entered(opens: Bool)
        case tooManyMembers
        case tooManyRooms
    }

    private struct Room {
        var members = 0
        var isLoaded = false
    }

    private struct Rooms {
        var byName: [String: Room] = [:]
        var members = 0
        var loaded = 0

        mutating func change(_ name: String, _ body: (inout Room) -> Void) {
            var room = byName[name] ?? Room()
            members -= room.members
            loaded -= room.isLoaded ? 1 : 0
            body(&room)
            members += room.members
            loaded += room.isLoaded ? 1 : 0
            byName[name] = room.members > 0 || room.isLoaded ? room : nil
        }
    }

    private let rooms = Mutex(Rooms())

    /// Counts a member, unless the room or the server is full. Complexity: O(1).
    func enter(_ name: String, membersMaximum: Int, roomsMaximum: Int) -> Entry {
        rooms.withLock { rooms in
            let room = rooms.byName[name]
            guard room?.members ?? 0 < membersMaximum else { return .tooManyMembers }
            guard room != nil || rooms.byName.count < roomsMaximum else { return .tooManyRooms }
            rooms.change(name) { $0.members += 1 }
            return .entered(opens: room == nil)
        }
    }

    /// Removes a counted member.
    func leave(_ name: String) { rooms.withLock { $0.change(name) { $0.members -= 1 } } }

    /// Registers that a thread has a room in memory.
    func open(_ name: String) { rooms.withLock { $0.change(name) { $0.isLoaded = true } } }

    /// Registers that a room was unloaded.
    func close(_ name: String) { rooms.withLock { $0.change(name) { $0.isLoaded = false } } }

    /// The number of members of a room.
    func members(of name: String) -> Int { rooms.withLock { $0.byName[name]?.members ?? 0 } }

    /// By name, the members of the rooms that have some. Complexity: O(rooms).
    var members: [String: Int] {
        rooms.withLock { $0.byName.mapValues(\.members).filter { $0.value > 0 } }
    }

    /// The number of all members, and of rooms in memory.
    var summary: (members: Int, loaded: Int) { rooms.withLock { ($0.members, $0.loaded) } }
}
