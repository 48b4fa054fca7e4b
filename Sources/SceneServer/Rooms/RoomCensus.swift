import Synchronization
import WebSocketTransport

/// Counts rooms: those with members, or with members being admitted, and those in a thread's
/// memory. Both kinds count, since an empty room costs as much until it is unloaded. Safe from any
/// thread.
///
/// At the maximum, the memberless room that has rested longest makes room for a new one, so that
/// rooms which somebody has joined and left keep nobody out.
final class RoomCensus: Sendable {
    /// The outcome of a member's entry.
    enum Entry: Equatable {
        /// - opens: Whether the room must be created or loaded first.
        /// - evicts: A memberless room that must be unloaded for it.
        case entered(opens: Bool, evicts: String? = nil)
        case tooManyMembers
        case tooManyRooms
        /// The opener has as many rooms as one may have, and all of them have members.
        case tooManyOfOpener
    }

    /// The person who had a room created or loaded, as far as it is known.
    enum Opener: Hashable {
        case subject(Subject)
        case address(AddressGroup)
    }

    /// The maxima of rooms and their members.
    struct Maxima {
        var members = Int.max
        var rooms = Int.max
        /// Rooms of one opener; 0 for no limit.
        var roomsOfOpener = 0
    }

    private struct Room {
        var members = 0
        var isLoaded = false
        var opener: Opener?
        /// The place in the order in which rooms began to rest; `nil` for a room that does not.
        var rest: UInt64?
        /// Whether its thread was asked to unload it.
        var isLeaving = false
    }

    private let rooms = Mutex(Rooms())

    /// Counts a member, unless the room or the server is full.
    ///
    /// - Parameter opener: The person to whom the room is counted if it must be opened.
    /// - Complexity: O(1) amortised; O(rooms of the opener) at its maximum.
    func enter(_ name: String, by opener: Opener? = nil, _ maxima: Maxima) -> Entry {
        rooms.withLock { $0.enter(name, by: opener, maxima) }
    }

    /// Removes a counted member.
    func leave(_ name: String) { rooms.withLock { $0.change(name) { $0.members -= 1 } } }

    /// Registers that a thread has a room in memory.
    func open(_ name: String) { rooms.withLock { $0.change(name) { $0.isLoaded = true } } }

    /// Registers that a room was unloaded.
    func close(_ name: String) { rooms.withLock { $0.change(name) { $0.isLoaded = false } } }

    /// The number of members of a room.
    func members(of name: String) -> Int { rooms.withLock { $0.members(of: name) } }

    /// By name, the members of the rooms that have some. Complexity: O(rooms).
    var members: [String: Int] { rooms.withLock { $0.all } }

    /// The number of all members, and of rooms in memory.
    var summary: (members: Int, loaded: Int) { rooms.withLock { ($0.members, $0.loaded) } }

    private struct Rooms {
        private var byName: [String: Room] = [:]
        private var ofOpener: [Opener: Set<String>] = [:]
        private(set) var members = 0
        private(set) var loaded = 0
        /// The number of rooms that are leaving, which count no more.
        private var leaving = 0
        /// The rooms in the order in which they began to rest; those that do not rest any more are
        /// skipped.
        private var resting: [(name: String, rest: UInt64)] = []
        private var nextRest: UInt64 = 0

        /// Rooms that may be on their way out at one time, as a part of the maximum: one that
        /// cannot be written stays.
        private static let leavingDivisor = 8

        var all: [String: Int] { byName.mapValues(\.members).filter { $0.value > 0 } }

        func members(of name: String) -> Int { byName[name]?.members ?? 0 }

        mutating func enter(_ name: String, by opener: Opener?, _ maxima: Maxima) -> Entry {
            let room = byName[name]
            guard room?.members ?? 0 < maxima.members else { return .tooManyMembers }
            guard room == nil else {
                change(name) { $0.members += 1 }
                return .entered(opens: false)
            }
            var evicted: String?
            if let opener, maxima.roomsOfOpener > 0,
                let own = ofOpener[opener], own.count >= maxima.roomsOfOpener
            {
                evicted = longestResting(of: own)
                guard evicted != nil || own.contains(where: isLeaving) else {
                    return .tooManyOfOpener
                }
            }
            if evicted == nil, byName.count - leaving >= maxima.rooms {
                guard leaving < max(1, maxima.rooms / Self.leavingDivisor) else {
                    return .tooManyRooms
                }
                evicted = takeLongestResting()
                guard evicted != nil else { return .tooManyRooms }
            }
            if let evicted { change(evicted) { $0.isLeaving = true } }
            change(name) {
                $0.members += 1
                $0.opener = opener
            }
            return .entered(opens: true, evicts: evicted)
        }

        private func isLeaving(_ name: String) -> Bool { byName[name]?.isLeaving ?? false }

        private func longestResting(of names: Set<String>) -> String? {
            names.compactMap { name -> (name: String, rest: UInt64)? in
                guard let room = byName[name], !room.isLeaving else { return nil }
                return room.rest.map { (name, $0) }
            }.min { $0.rest < $1.rest }?.name
        }

        private mutating func takeLongestResting() -> String? {
            let index = resting.firstIndex { entry in
                guard let room = byName[entry.name] else { return false }
                return room.rest == entry.rest && !room.isLeaving
            }
            guard let index else {
                resting = []
                return nil
            }
            let name = resting[index].name
            resting.removeSubrange(...index)
            return name
        }

        mutating func change(_ name: String, _ body: (inout Room) -> Void) {
            var room = byName[name] ?? Room()
            let before = room
            body(&room)
            if room.members > 0 || !room.isLoaded { room.isLeaving = false }
            if room.members > 0 || !room.isLoaded {
                room.rest = nil
            } else if before.rest == nil {
                room.rest = beginRest(name)
            }
            members += room.members - before.members
            loaded += (room.isLoaded ? 1 : 0) - (before.isLoaded ? 1 : 0)
            leaving += (room.isLeaving ? 1 : 0) - (before.isLeaving ? 1 : 0)
            let stays = room.members > 0 || room.isLoaded
            byName[name] = stays ? room : nil
            guard let opener = room.opener else { return }
            if stays {
                ofOpener[opener, default: []].insert(name)
            } else if ofOpener[opener]?.count == 1 {
                ofOpener[opener] = nil
            } else {
                ofOpener[opener]?.remove(name)
            }
        }

        private mutating func beginRest(_ name: String) -> UInt64 {
            nextRest += 1
            // Rooms that are joined and left again and again leave entries behind.
            if resting.count > 2 * byName.count + 64 {
                resting.removeAll { byName[$0.name]?.rest != $0.rest }
            }
            resting.append((name, nextRest))
            return nextRest
        }
    }
}
