import SceneSession
import SceneWire
import WebSocketTransport

/// Sends to members over their connections. Safe from any thread.
protocol MemberConnections: Sendable {
    /// Sends messages to members with the same format, in one write each.
    func send(_ payloads: [[UInt8]], _ format: Subprotocol, to members: [MemberID])
    /// The same for messages that members can do without: those whose connections lag do not
    /// receive them.
    func offer(_ payloads: [[UInt8]], _ format: Subprotocol, to members: [MemberID])
    /// Closes a member's connection after the messages sent before have left.
    func close(_ member: MemberID, _ code: CloseCode, reason: String)
}

extension MemberConnections {
    func offer(_ payloads: [[UInt8]], _ format: Subprotocol, to members: [MemberID]) {
        send(payloads, format, to: members)
    }
}

/// Members' connections over the transport: a member's number is that of its connection.
struct TransportConnections: MemberConnections {
    let transport: WebSocketServer
    let metrics: ServerMetrics

    func send(_ payloads: [[UInt8]], _ format: Subprotocol, to members: [MemberID]) {
        send(payloads, format, to: members, isDroppable: false)
    }

    func offer(_ payloads: [[UInt8]], _ format: Subprotocol, to members: [MemberID]) {
        send(payloads, format, to: members, isDroppable: true)
    }

    private func send(
        _ payloads: [[UInt8]], _ format: Subprotocol, to members: [MemberID], isDroppable: Bool
    ) {
        // Framed and joined once for all members.
        let message = FramedMessage(
            format.messageKind, payloads: payloads, isDroppable: isDroppable)
        metrics.messagesSent.add(payloads.count * members.count)
        metrics.bytesSent.add(message.byteCount * members.count)
        transport.send(message, to: members.map { ConnectionID(rawValue: $0.rawValue) })
    }

    func close(_ member: MemberID, _ code: CloseCode, reason: String) {
        transport.close(
            ConnectionID(rawValue: member.rawValue), code: code.rawValue, reason: reason)
    }
}

extension Subprotocol {
    /// The kind of WebSocket message for the format.
    var messageKind: MessageKind {
        switch self {
        case .binary: .binary
        case .json: .text
        }
    }
}
