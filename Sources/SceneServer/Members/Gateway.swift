import Dispatch
import FoundationEssentials
import Glibc
import Logging
import RoomNames
import SceneDocument
import SceneSession
import SceneStore
import SceneWire
import Synchronization
import WebSocketTransport

/// Connects clients with their rooms: parses messages, admits connections, enforces the limits, and
/// forwards the rest to the room's thread.
///
/// Handler calls come on the transport's threads; a separate thread checks deadlines and tasks
/// verify tokens, so the table is behind a mutex. `Peer` decides under the lock how to treat a
/// message, and the gateway acts after the lock is released.
final class Gateway: TransportHandler {
    struct Table {
        var peers: [ConnectionID: Peer] = [:]
        /// The recent room openings of each address.
        var openings = AddressRates()
        var bans = Bans()
    }

    let options: ServerOptions
    let settings: ServerSettings
    let status: ServerStatus
    let transport: WebSocketServer
    let rooms: RoomDirectory
    /// The rooms that cannot be joined.
    let quarantine: Quarantine
    let memory: MemoryLedger
    let metrics: ServerMetrics
    let logger: Logger
    /// Where rooms are, and the way to those of other nodes; `nil` outside of a cluster.
    let cluster: ClusterPart?
    let page: WebPage
    /// The pictures of rooms.
    let blobs: BlobStore
    /// Where pictures are read and written, since that waits for the disk.
    let blobQueue = DispatchQueue(label: "blobs")
    /// Where files of other programs are converted.
    let conversions = ConversionQueue()
    let table = Mutex(Table())

    init(
        options: ServerOptions, settings: ServerSettings, status: ServerStatus,
        transport: WebSocketServer, rooms: RoomDirectory, quarantine: Quarantine,
        memory: MemoryLedger,
        metrics: ServerMetrics, logger: Logger, blobs: BlobStore, cluster: ClusterPart? = nil
    ) {
        self.options = options
        self.blobs = blobs
        page = WebPage(faces: options.faces)
        self.settings = settings
        self.status = status
        self.transport = transport
        self.rooms = rooms
        self.quarantine = quarantine
        self.memory = memory
        self.metrics = metrics
        self.logger = logger
        self.cluster = cluster
    }

    var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    // MARK: Connections

    func connectionOpened(_ info: ConnectionInfo) {
        metrics.connections.wrappingAdd(1, ordering: .relaxed)
        let peer = Peer(info: info, limits: settings.current.limits, now: now)
        table.withLock { $0.peers[info.id] = peer }
        if RoomName.suggestion(of: RoomName.suggestion(of: peer.room) ?? "") != nil {
            refuse(info.id, .noSuchSession, "a branch has no branches; suggest in its room")
        } else if !RoomName.isValid(peer.room) {
            refuse(
                info.id, .noSuchSession,
                "a room's address is \(info.isSecure ? "wss" : "ws")://HOST:PORT/ROOM")
        } else if settings.current.authenticator == nil, !isOpen(to: info) {
            refuse(
                info.id, .forbidden,
                options.tls?.clientAuthoritiesPath == nil
                    ? "no keys here, so only this machine is admitted; serve with --auth-secret-file, or --insecure-bind for all"
                    : "no keys here, so only clients with a certificate that names somebody are admitted"
            )
        }
    }

    func connectionClosed(_ id: ConnectionID, code: UInt16?, reason: String) {
        metrics.connections.wrappingSubtract(1, ordering: .relaxed)
        guard let peer = table.withLock({ $0.peers.removeValue(forKey: id) }) else { return }
        if peer.wasMember {
            rooms.census.leave(peer.room)
            post(.left(MemberID(id.rawValue)), to: peer.room, peer.isRelayed)
        }
    }

    /// The delay before a retry, for clients refused because memory is short.
    static let shortageMilliseconds: UInt32 = 5_000
    /// The same for clients refused because all rooms that there may be have members.
    static let fullnessMilliseconds: UInt32 = 15_000

    // MARK: Messages

    /// The parts of a message's sender that forwarding needs.
    private struct Sender {
        let id: ConnectionID
        let room: String
        let format: Subprotocol
        let isRelayed: Bool
    }

    /// Posts a member's mail to its room: to the room's thread, or to the relay if another node
    /// owned it when the member joined.
    func post(_ mail: MemberMail, to room: String, _ isRelayed: Bool) {
        if isRelayed, let cluster {
            cluster.relay.post(.edge(room: room, mail))
        } else {
            rooms.post(.member(mail), to: room)
        }
    }

    func messageReceived(_ id: ConnectionID, _ kind: MessageKind, _ bytes: [UInt8]) {
        metrics.messagesReceived.add()
        // Bytes are charged before they are parsed, since parsing costs time for any content.
        let charged = table.withLock { table -> (Peer.Verdict, Sender)? in
            guard let verdict = table.peers[id]?.charge(bytes: bytes.count, now: now),
                let peer = table.peers[id]
            else { return nil }
            return (
                verdict,
                Sender(
                    id: id, room: peer.room, format: peer.format, isRelayed: peer.isRelayed)
            )
        }
        guard let (verdict, sender) = charged else { return }
        guard case .pass = verdict else { return carryOut(verdict, of: sender) }
        var message: ClientMessage?
        do {
            message = try decode(bytes, kind, sender.format)
        } catch  where error.isIgnorable {
            message = nil
        } catch {
            metrics.badMessages.add()
            refuse(id, .badFrame, "\(error)")
            return
        }
        if case .ack(let ack) = message { metrics.lag.add(milliseconds: ack.lagMilliseconds) }
        let settings = settings.current
        let taken = table.withLock { table -> Peer.Verdict? in
            guard let message else { return table.peers[id]?.takeUnknown(now: now) }
            return table.peers[id]?.take(
                message, limits: settings.limits, needsToken: settings.authenticator != nil,
                now: now)
        }
        carryOut(taken ?? .nothing, of: sender, message, byteCount: bytes.count)
    }

    /// Executes the verdict on a message.
    private func carryOut(
        _ verdict: Peer.Verdict, of sender: Sender, _ message: ClientMessage? = nil,
        byteCount: Int = 0
    ) {
        let id = sender.id
        switch verdict {
        case .nothing: break
        case .verify(let hello): admit(id, hello)
        case .refresh(let token): refresh(id, token)
        case .answer(let ping): answer(ping, id, sender.format)
        case .pass:
            guard let message else { break }
            guard let claim = memory.admit(messageOf: byteCount) else {
                return refuse(
                    id, .rateLimited, "too many messages wait for busy rooms",
                    retryAfter: Self.shortageMilliseconds)
            }
            post(
                .message(MemberID(id.rawValue), message, claim), to: sender.room,
                sender.isRelayed)
        case .refuseOps(let ops, let refusal):
            var result = OpsResult()
            result.clientSequence = ops.clientSequence
            result.outcome = .refused(refusal)
            metrics.refused(refusal.code.rawValue)
            send(.result(result), to: id, sender.format)
        case .refuse(let code, let text, let wait): refuse(id, code, text, retryAfter: wait)
        }
    }

    private func decode(
        _ bytes: [UInt8], _ kind: MessageKind, _ format: Subprotocol
    ) throws(GatewayError) -> ClientMessage {
        do throws(DecodeError) {
            switch (format, kind) {
            case (.binary, .binary): return try ClientMessage.decode(bytes)
            case (.json, .text): return try ClientMessage.decode(json: bytes)
            case (.binary, .text), (.json, .binary): break
            }
        } catch {
            throw .undecodable(error)
        }
        throw .wrongKind(
            format == .binary
                ? "scenesync.v1.bin requires binary messages"
                : "scenesync.v1.json requires text messages")
    }

    private func answer(_ ping: Ping, _ id: ConnectionID, _ format: Subprotocol) {
        var pong = Pong()
        pong.t0 = ping.t0
        pong.t1 = now / 1000
        pong.t2 = pong.t1
        send(.pong(pong), to: id, format)
    }

    func send(_ message: ServerMessage, to id: ConnectionID, _ format: Subprotocol) {
        transport.send(format.messageKind, message.encoded(as: format), to: id)
    }

    /// Sends the reason, then closes the connection; later messages from it are ignored.
    func refuse(
        _ id: ConnectionID, _ code: CloseCode, _ text: String, retryAfter milliseconds: UInt32 = 0
    ) {
        let peer = table.withLock { table -> Peer? in
            guard let peer = table.peers[id], peer.stage != .ended else { return nil }
            table.peers[id]?.stage = .ended
            return peer
        }
        guard let peer else { return }
        metrics.refused(code.rawValue)
        var error = ErrorMessage()
        error.code = UInt32(code.rawValue)
        error.isRetryable = code.isRetryable
        error.retryAfterMilliseconds = milliseconds
        error.text = text
        send(.error(error), to: id, peer.format)
        transport.close(id, code: code.rawValue, reason: text)
        logger.info(
            "connection refused",
            metadata: [
                "connection": "\(id.rawValue)", "address": "\(peer.info.remoteAddress)",
                "room": "\(peer.room)", "code": "\(code.rawValue)", "reason": "\(text)",
            ])
    }
}

/// The reason why a message was refused.
enum GatewayError: Error, CustomStringConvertible {
    case wrongKind(String)
    case undecodable(DecodeError)

    /// Whether the message is of a later version and may be ignored.
    var isIgnorable: Bool {
        if case .undecodable(let error) = self { error.isIgnorable } else { false }
    }

    var description: String {
        switch self {
        case .wrongKind(let what): what
        case .undecodable(let error): "the message cannot be parsed: \(error)"
        }
    }
}
