import SceneProtocol

/// The members of a session, in the order in which they joined; the order of a dictionary is not deterministic.
struct Roster {
    private var byID: [MemberID: Member] = [:]
    /// All members, the earliest first.
    private(set) var inOrder: [Member] = []
    private var nextClient: UInt32 = 1

    /// The number of members.
    var count: Int { inOrder.count }

    /// The member with that id.
    subscript(id: MemberID) -> Member? { byID[id] }

    /// Adds a member and assigns its number in presence.
    mutating func add(
        _ id: MemberID, _ admission: Admission, capabilities: UInt64, stream: StreamKey
    ) -> Member {
        let member = Member(
            id: id, admission: admission, client: nextClient, capabilities: capabilities,
            stream: stream)
        nextClient &+= 1
        byID[id] = member
        inOrder.append(member)
        return member
    }

    /// Removes a member; `nil` for an unknown id.
    mutating func remove(_ id: MemberID) -> Member? {
        guard let member = byID.removeValue(forKey: id) else { return nil }
        inOrder.removeAll { $0 === member }
        return member
    }

    /// The latest connection of a client.
    func latest(of session: String) -> Member? {
        inOrder.last { $0.admission.session == session }
    }

    /// The members of a stream that are in step.
    func inStep(_ stream: StreamKey) -> [Member] {
        inOrder.filter { $0.stream == stream && $0.phase == .inStep }
    }
}
