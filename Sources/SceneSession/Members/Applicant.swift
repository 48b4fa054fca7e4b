public import SceneWire

/// A connection that requests admission to a room, with what its token grants it.
public struct Applicant: Sendable {
    /// Its permissions.
    public var role: Role
    /// Whether it may create rooms.
    public var makesRooms: Bool
    /// The format of its messages.
    public var format: Subprotocol
    /// Its hello, without the token.
    public var hello: Hello
    /// The subject of its token; empty without a token.
    public var subject: String
    /// What it may do in which parts of the scene.
    public var rights: MemberRights
    /// The limits that `welcome` announces.
    public var limits = GrantedLimits()
    /// The room's addresses at other servers; `nil` for none.
    public var alternates: Alternates?
    /// Whether it was proved since it came that the room is this process's.
    public var isProved = false

    /// Makes an applicant.
    public init(
        role: Role, makesRooms: Bool, format: Subprotocol, hello: Hello, subject: String = "",
        rights: MemberRights = MemberRights()
    ) {
        self.role = role
        self.makesRooms = makesRooms
        self.format = format
        self.hello = hello
        self.subject = subject
        self.rights = rights
    }
}
