import SceneCluster
import SceneSession
import SceneWire

/// Applicants on a link to the room's owner: their connections are at another node.
extension Applicant {
    /// Reads one of a link, without the limits and addresses that the owner grants; `nil` for a
    /// role that this version does not know, or a hello that it cannot read.
    init?(_ applicant: RelayApplicant) {
        guard Int(applicant.role) < Role.allCases.count,
            let rights = MemberRights(text: applicant.rights),
            case .hello(let hello)? = try? ClientMessage.decode(applicant.hello, as: .binary)
        else { return nil }
        self.init(
            role: Role.allCases[Int(applicant.role)], makesRooms: applicant.makesRooms,
            format: applicant.isJSON ? .json : .binary, hello: hello, subject: applicant.subject,
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
