import SceneWire
import SeededRandom
import Testing

@testable import SceneSession

/// What is kept beside the list of members, so that events need not go through all of them, is what
/// going through them finds.
@Suite("The members of a session")
struct RosterTests {
    private static func join(_ id: MemberID, _ roster: inout Roster) -> Member {
        let admission = Admission(
            session: "s\(id.rawValue)", resumeToken: "", role: .viewer, format: .binary,
            monotonicMilliseconds: 0, hello: Hello())
        return roster.add(id, admission, capabilities: 0, stream: StreamKey())
    }

    private static func device(_ name: String) -> DeviceRequest {
        var request = DeviceRequest()
        request.name = name
        return request
    }

    @Test(
        "slow members, and those that wait for a device, stand in the order of all",
        arguments: 0..<20)
    func followsChanges(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var roster = Roster()
        var members: [Member] = []
        var wanted: [MemberID: String] = [:]
        var had: [MemberID: String] = [:]
        for step in 0..<400 {
            let member = members.randomElement(using: &random)
            switch (Int.random(in: 0..<7, using: &random), member) {
            case (0, _), (1, _), (_, nil):
                members.append(Self.join(MemberID(UInt64(step)), &roster))
            case (2, let member?):
                #expect(roster.remove(member.id) === member)
                #expect(roster.remove(member.id) == nil)
                members.removeAll { $0 === member }
                wanted[member.id] = nil
            case (3, let member?):
                roster.setInterval(UInt64.random(in: 1...3, using: &random), of: member)
            case (4, let member?):
                roster.want(Self.device("d\(step)"), member)
                wanted[member.id] = "d\(step)"
            case (5, let member?):
                roster.wantAgain(member)
                wanted[member.id] = wanted[member.id] ?? had[member.id] ?? ""
            case (_, let member?):
                roster.didServe(Self.device("e\(step)"), member)
                wanted[member.id] = nil
                had[member.id] = "e\(step)"
            }
            #expect(roster.inOrder.map(\.id) == members.map(\.id))
            #expect(roster.slow.map(\.id) == members.filter { $0.interval > 1 }.map(\.id))
            #expect(roster.isAnyWaitingForDevice == !wanted.isEmpty)
            let waiting = roster.waitingForDevice
            #expect(waiting.map(\.member.id) == members.map(\.id).filter { wanted[$0] != nil })
            #expect(waiting.allSatisfy { wanted[$0.member.id] == $0.request.name })
        }
    }
}
