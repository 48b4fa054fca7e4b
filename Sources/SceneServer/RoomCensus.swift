import Synchronization

/// Which rooms there are, whoever holds them: members that came or are on their way, or a thread that has the room in
/// memory. Both count, since a room costs as much after its last member has left. Safe from any thread.
final class RoomCensus: Sendable {
    /// The outcome of a member's entry.
    enum Entry: Equatable {
        /// - opens: Whether the room has to be made or read first.
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

    /// Counts a member in, unless the room or the server has too many. Complexity: O(1).
    func enter(_ name: String, membersMaximum: Int, roomsMaximum: Int) -> Entry {
        rooms.withLock { rooms in
            let room = rooms.byName[name]
            guard room?.members ?? 0 < membersMaximum else { return .tooManyMembers }
            guard room != nil || rooms.byName.count < roomsMaximum else { return .tooManyRooms }
            rooms.change(name) { $0.members += 1 }
            return .entered(opens: room == nil)
        }
    }

    /// Counts a member out that was counted in.
    func leave(_ name: String) { rooms.withLock { $0.change(name) { $0.members -= 1 } } }

    /// Notes that a thread has a room in memory.
    func open(_ name: String) { rooms.withLock { $0.change(name) { $0.isLoaded = true } } }

    /// Notes that it has the room no more.
    func close(_ name: String) { rooms.withLock { $0.change(name) { $0.isLoaded = false } } }

    /// The members of a room.
    func members(of name: String) -> Int { rooms.withLock { $0.byName[name]?.members ?? 0 } }

    /// All members, and all rooms in memory.
    var summary: (members: Int, loaded: Int) { rooms.withLock { ($0.members, $0.loaded) } }
}
