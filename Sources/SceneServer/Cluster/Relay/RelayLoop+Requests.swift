import ClusterJournal
import SceneCluster
import SceneRelay

/// Administrators' requests to other nodes, and theirs to this one.
extension RelayLoop {
    /// Requests and replies on their way may take this part of the memory of the process.
    private static let memoryShare = 16

    func ask(
        _ request: NodeRequest, of node: NodeLife, in room: String, at now: MonotonicInstant,
        _ tell: @escaping @Sendable (NodeOutcome) -> Void
    ) {
        // The node may have gone since it was found.
        guard parts.view.present.nodes.contains(node) else {
            return tell(.ended(.reply(.notOwner)))
        }
        carryOut(
            desk.ask(
                request, of: node, room: room,
                bytesMaximum: parts.memory.maximum / Self.memoryShare, at: now, tell))
    }

    func receive(requestPacket packet: LinkPacket, at now: MonotonicInstant) {
        carryOut(
            desk.receive(
                packet,
                bodyMaximum: max(
                    parts.settings.current.limits.messageBytes, Self.exportedRoomBytes), at: now))
    }

    /// Bytes of an exported room that another node may hand in: as many as an answer may have that
    /// exports one.
    private static let exportedRoomBytes = RequestHost.replyBytesMaximum

    func carryOut(_ effects: [RequestDesk.Effect]) {
        for effect in effects {
            switch effect {
            case .packet(let packet): send(packet)
            case .trouble(let text): tellOnce(text)
            case .tell(let tell, let outcome): tell(outcome)
            case .perform(let request, let room, let key):
                guard let handler else {
                    desk.reply(.notUnderstood, to: key)
                    break
                }
                let mailbox = mailbox
                handler.perform(request, in: room, for: key.asker.node) { reply in
                    mailbox.post(.reply(reply, to: key))
                }
            }
        }
    }
}
