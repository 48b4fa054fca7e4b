import SceneCluster
import Testing
import WebSocketTransport

@testable import SceneServer

@Suite("The numbers of members")
struct MemberNumberTests {
    @Test("outside of a cluster a member has the number of its connection")
    func alone() {
        #expect(MemberNumber.number(of: ConnectionID(rawValue: 7), at: nil) == 7)
    }

    @Test("in a cluster the number has the node, and is exact in JSON")
    func inACluster() throws {
        for node in [0, 1, UInt16.max] {
            for connection in [1, (1 << 37) - 1] as [UInt64] {
                let number = MemberNumber.number(
                    of: ConnectionID(rawValue: connection), at: NodeID(node))
                #expect(number < 1 << 53)
                let parts = try #require(MemberNumber.parts(of: number))
                #expect(parts.node == NodeID(node) && parts.connection.rawValue == connection)
            }
        }
    }

    @Test("a number of more bits is nobody's")
    func tooLarge() {
        #expect(MemberNumber.parts(of: 1 << 53) == nil)
        #expect(MemberNumber.parts(of: .max) == nil)
    }
}
