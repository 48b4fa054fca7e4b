import SceneCluster
import WebSocketTransport

/// The number by which administrators name a member: that of its connection, and in a cluster also
/// the node that the connection is at, so that no two members of a cluster have one number.
///
/// It has at most 53 bits, which every JSON parser represents exactly: 16 of the node, and 37 of
/// the connection.
enum MemberNumber {
    private static let connectionBits: UInt64 = 37

    /// The number of a connection at a node; outside of a cluster, that of the connection alone.
    static func number(of connection: ConnectionID, at node: NodeID?) -> UInt64 {
        UInt64(node?.rawValue ?? 0) << connectionBits | connection.rawValue
    }

    /// The node and the connection of a number; `nil` for one that no connection has.
    static func parts(of number: UInt64) -> (node: NodeID, connection: ConnectionID)? {
        guard let node = UInt16(exactly: number >> connectionBits) else { return nil }
        return (
            NodeID(node), ConnectionID(rawValue: number & ((1 << connectionBits) - 1))
        )
    }
}
