import ConstraintLanguage

/// The names of rooms: one as views have, or that of a suggestion's branch, `ROOM~SUGGESTION`.
///
/// Names of both parts have no `~`, so a branch's name says which room it belongs to.
public enum RoomName {
    /// The character between a room's name and a suggestion's.
    public static let separator: Character = "~"

    /// Whether a room may have the name: `[A-Za-z_][A-Za-z0-9_-]*`, at most 64 bytes, or two of
    /// those with a `~` between them.
    public static func isValid(_ name: String) -> Bool {
        guard let id = suggestion(of: name) else { return Identifier.isValid(name) }
        return Identifier.isValid(main(of: name)) && Identifier.isValid(id)
    }

    /// The room that a branch belongs to; for another room, itself.
    ///
    /// - Complexity: O(bytes of the name).
    public static func main(of name: String) -> String {
        name.firstIndex(of: separator).map { String(name[..<$0]) } ?? name
    }

    /// The name of a branch's suggestion; `nil` for another room.
    public static func suggestion(of name: String) -> String? {
        name.firstIndex(of: separator).map { String(name[name.index(after: $0)...]) }
    }

    /// The name of a suggestion's branch.
    public static func branch(of main: String, suggestion id: String) -> String {
        "\(main)\(separator)\(id)"
    }
}
