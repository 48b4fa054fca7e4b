import SceneCluster
public import SceneSession
public import SceneWire

/// A member whose connection is at another node, as that node admitted it.
public struct RelayedApplicant: Sendable {
    /// Its rights.
    public var role: Role
    /// Whether it may create rooms.
    public var makesRooms: Bool
    /// The format of its messages.
    public var format: Subprotocol
    /// The subject of its token; empty without one.
    public var subject: String
    /// Its rights beyond the role.
    public var rights: MemberRights
    /// Its hello, without its token.
    public var hello: Hello

    /// Makes an applicant.
    public init(
        role: Role, makesRooms: Bool, format: Subprotocol, subject: String, hello: Hello,
        rights: MemberRights = MemberRights()
    ) {
        self.rights = rights
        self.role = role
        self.makesRooms = makesRooms
        self.format = format
        self.subject = subject
        self.hello = hello
    }

    /// Reads one of a link; `nil` for a role that this version does not know, or a hello that it
    /// cannot read.
    init?(_ applicant: RelayApplicant) {
        guard Int(applicant.role) < Role.allCases.count,
            let rights = MemberRights(text: applicant.rights),
            case .hello(let hello)? = try? ClientMessage.decode(applicant.hello, as: .binary)
        else { return nil }
        self.init(
            role: Role.allCases[Int(applicant.role)], makesRooms: applicant.makesRooms,
            format: applicant.isJSON ? .json : .binary, subject: applicant.subject, hello: hello,
            rights: rights)
    }

    /// As a link carries it.
    var encoded: RelayApplicant {
        RelayApplicant(
            role: UInt8(Role.allCases.firstIndex(of: role) ?? 0), makesRooms: makesRooms,
            isJSON: format == .json, subject: subject,
            hello: ClientMessage.hello(hello).encoded(as: .binary), rights: rights.text)
    }
}
