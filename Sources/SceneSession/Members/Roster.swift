import SceneWire

/// The members of a session, in the order in which they joined; the order of a dictionary is not
/// deterministic.
struct Roster {
    private var byID: [MemberID: Member] = [:]
    /// All members, the earliest first.
    private(set) var inOrder: [Member] = []
    /// Those that get fewer frames than every tick's, the earliest first. Mostly there are none,
    /// and each event asks.
    private(set) var slow: [Member] = []
    /// What members wait for that asked for a device. The same holds.
    private var wantedDevices: [MemberID: DeviceRequest] = [:]
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
        slow.removeAll { $0 === member }
        wantedDevices[id] = nil
        return member
    }

    /// Changes how many ticks are between two frames of a member.
    ///
    /// - Complexity: O(members) where it gets every tick's frames and did not before, or the other
    ///   way round.
    mutating func setInterval(_ interval: UInt64, of member: Member) {
        let wasSlow = member.interval > 1
        member.interval = interval
        if wasSlow != (interval > 1) { slow = inOrder.filter { $0.interval > 1 } }
    }

    // MARK: Devices

    /// Whether any member waits for a device.
    var isAnyWaitingForDevice: Bool { !wantedDevices.isEmpty }

    /// Those that wait for a device, the earliest first, and what they asked for.
    var waitingForDevice: [(member: Member, request: DeviceRequest)] {
        guard isAnyWaitingForDevice else { return [] }
        return inOrder.compactMap { member in wantedDevices[member.id].map { (member, $0) } }
    }

    /// Has a member wait for a device, in place of one that it waits for.
    mutating func want(_ device: DeviceRequest, _ member: Member) {
        wantedDevices[member.id] = device
    }

    /// Has a member wait for the device that it asked for last, unless it waits for one.
    mutating func wantAgain(_ member: Member) {
        wantedDevices[member.id] = wantedDevices[member.id] ?? member.deviceRequest
    }

    /// Notes that a member has what it asked for.
    mutating func didServe(_ request: DeviceRequest, _ member: Member) {
        wantedDevices[member.id] = nil
        member.deviceRequest = request
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
