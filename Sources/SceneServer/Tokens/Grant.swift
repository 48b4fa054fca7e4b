import RoomNames
public import SceneSession
public import SceneWire

/// The rights of a token.
public struct Grant: Sendable, Equatable {
    /// The subject of the token, for logs and lists.
    public var subject = ""
    /// The highest role of its holder.
    public var role = Role.viewer
    /// Whether its holder may use the administrator's API.
    public var isAdministrator: Bool {
        get { rights.isAdministrator }
        set { rights.isAdministrator = newValue }
    }
    /// What its holder may do in which parts of scenes.
    public var rights = MemberRights()
    /// Whether its holder makes rooms by joining them, as an editor; `nil` as the server's rule has
    /// it.
    public var makesRooms: Bool?
    /// Whether its holder may watch the past.
    public var seeks = true
    /// Whether its holder may inspect views, and follow the scene.
    public var inspects = true
    /// Patterns of room names, where `*` stands for any characters.
    public var rooms: [String] = []
    /// The end of its validity, in seconds since 1970.
    public var expires: Double?

    /// Makes a grant without rights.
    public init() {}

    /// Whether the grant covers a room.
    public func covers(room: String) -> Bool {
        let name = Array(RoomName.main(of: room).utf8)
        return rooms.contains { Self.matches(Array($0.utf8)[...], name[...]) }
    }

    /// Whether a pattern matches a whole name. Complexity: O(pattern × name).
    private static func matches(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
        var (place, at) = (pattern.startIndex, name.startIndex)
        // The last star, and the position in the name at which it was tried.
        var star: (after: Int, from: Int)?
        while at < name.endIndex {
            if place < pattern.endIndex, pattern[place] == UInt8(ascii: "*") {
                star = (place + 1, at)
                place += 1
            } else if place < pattern.endIndex, pattern[place] == name[at] {
                place += 1
                at += 1
            } else if let last = star {
                star = (last.after, last.from + 1)
                (place, at) = (last.after, last.from + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
