import CLibWebSockets
import CTransportShims
import FoundationEssentials
import Glibc

/// The server's side of the library's callbacks on one thread.
///
/// It is made by `start`, which gives it to the thread of `events`; the callbacks check that they
/// run there.
final class ServerLoop {
    let configuration: ServerConfiguration
    let admissions: Admissions
    let handler: any TransportHandler
    let events: EventLoop<ServerCommand>

    /// All sockets, whatever they are at present.
    var sockets: [ConnectionID: Connection] = [:]
    /// Requests that were read, which numbers them.
    var exchanges: UInt64 = 0
    /// The message that is on its way to most members, while others have their turn.
    var broadcast: Broadcast?
    private(set) var stopping: (code: UInt16, reason: String)?
    /// What may be read, and dropped, of peers whose connections are to end.
    var discards = TokenBucket(
        perSecond: discardedBytesPerSecond, brim: 2 * discardedBytesPerSecond,
        now: MonotonicClock.nanoseconds)
    let host = ServerHost()
    /// Seconds of the last sweep.
    private(set) var now = MonotonicClock.seconds

    private init(
        _ configuration: ServerConfiguration, _ admissions: Admissions,
        _ handler: any TransportHandler, _ events: EventLoop<ServerCommand>
    ) {
        self.configuration = configuration
        self.admissions = admissions
        self.handler = handler
        self.events = events
    }

    /// Makes a context and the loop behind it, and starts the thread of `events` on them.
    ///
    /// - Throws: `TransportError.tls` or `.libraryFailed`; the thread has not started then.
    static func start(
        _ configuration: ServerConfiguration, _ admissions: Admissions,
        _ handler: any TransportHandler, on events: EventLoop<ServerCommand>
    ) throws(TransportError) {
        let server = ServerLoop(configuration, admissions, handler, events)
        events.start(try server.host.makeContext(configuration, for: server))
    }

    // MARK: Peers that hold something up

    /// A connection that may be written to.
    func receiver(_ id: ConnectionID) -> Connection? {
        guard let connection = sockets[id], connection.isOpen, connection.closing == nil else {
            return nil
        }
        return connection
    }

    func kill(_ connection: Connection) {
        if let wsi = connection.wsi { ss_kill(wsi) }
    }

    /// The size in bytes up to which an outbox is tolerated, however much is queued in total.
    private static let smallOutboxBytes = 64 << 10

    /// The size in bytes beyond which an outbox takes no droppable messages: a quarter of what ends
    /// its connection.
    var lagBytes: Int { configuration.outboxBytesMaximum / 4 }

    /// Ends a connection whose outbox has grown too large, so that the memory for one peer is
    /// bounded, and where all outboxes together have, the memory for all of them.
    func checkOutbox(_ connection: Connection) {
        let areTooMany = FramedMessage.liveByteCount > configuration.allOutboxesBytesMaximum
        let maximum =
            areTooMany
            ? min(Self.smallOutboxBytes, configuration.outboxBytesMaximum)
            : configuration.outboxBytesMaximum
        guard connection.closing == nil, connection.outboxBytes > maximum else { return }
        giveUp(connection)
    }

    private func giveUp(_ connection: Connection) {
        connection.dropOutbox()
        connection.closing = (configuration.slowPeerCloseCode, "too slow")
        guard let wsi = connection.wsi else { return }
        lws_callback_on_writable(wsi)
        // A peer that reads nothing will never let the close frame through.
        lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, 2)
    }

    /// Ends the connections of peers that hold something up: those that read nothing of their
    /// outbox, those that do not complete a message, and those that do not complete a request or a
    /// handshake, for which the library would wait as long as a byte comes now and then.
    func sweep(_ seconds: UInt32) {
        now = seconds
        let limits = (
            write: UInt32(clamping: configuration.writeTimeoutSeconds),
            message: UInt32(clamping: configuration.messageTimeoutSeconds),
            request: UInt32(clamping: configuration.handshakeTimeoutSeconds)
        )
        var slow: [Connection] = []
        for connection in sockets.values {
            guard connection.isOpen else {
                if now &- connection.requestSince > limits.request { kill(connection) }
                continue
            }
            if isOverdue(connection) { kill(connection) }
            let isLate =
                connection.isBlocked && now &- connection.blockedSince > limits.write
                || connection.incoming.isLate(now: now, maximum: limits.message)
            if isLate, connection.closing == nil { slow.append(connection) }
        }
        for connection in slow.sorted(by: { $0.id < $1.id }) {
            giveUp(connection)
        }
    }

    func beginStop(_ code: UInt16, _ reason: String) {
        guard stopping == nil else { return }
        stopping = (code, reason)
        for id in sockets.keys.sorted() {
            guard let connection = sockets[id], let wsi = connection.wsi else { continue }
            if connection.isOpen {
                if connection.closing == nil { connection.closing = (code, reason) }
                lws_callback_on_writable(wsi)
                lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, 2)
            } else {
                lws_set_timeout(wsi, PENDING_TIMEOUT_CLOSE_SEND, 1)
            }
        }
    }

    func endIfStopped() {
        if stopping != nil, sockets.isEmpty { events.stop() }
    }

    // MARK: One connection

    func adopt(_ descriptor: Int32, _ id: ConnectionID, _ address: String) {
        guard stopping == nil else {
            Glibc.close(descriptor)
            admissions.removeSocket(address)
            return
        }
        let connection = Connection(id: id, address: address, now: now)
        sockets[id] = connection
        if let wsi = host.adopt(descriptor, for: connection) {
            connection.wsi = wsi
        } else {
            forget(connection)
        }
    }

    /// The connection behind a handle of the library's.
    func connection(_ wsi: OpaquePointer) -> Connection? {
        guard let raw = lws_get_opaque_user_data(wsi) else { return nil }
        return Unmanaged<Connection>.fromOpaque(raw).takeUnretainedValue()
    }

    func opened(_ wsi: OpaquePointer) {
        guard let connection = connection(wsi), let info = connection.handshake else { return }
        connection.wsi = wsi
        connection.isOpen = true
        connection.handshake = nil
        handler.connectionOpened(info)
        if stopping != nil {
            connection.closing = stopping
            lws_callback_on_writable(wsi)
        }
    }

    /// Takes a piece of a message.
    ///
    /// - Returns: Whether the connection goes on.
    func received(_ wsi: OpaquePointer, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let connection = connection(wsi), !connection.hasPeerClosed else { return true }
        guard connection.closing == nil else { return discard(bytes.count, of: connection) }
        connection.heardAt = MonotonicClock.nanoseconds
        let isLast = lws_is_final_fragment(wsi) != 0 && lws_remaining_packet_payload(wsi) == 0
        let kind: MessageKind = lws_frame_is_binary(wsi) != 0 ? .binary : .text
        let maximum =
            connection.isAdmitted
            ? configuration.messageBytesMaximum
            : min(configuration.messageBytesMaximum, configuration.firstMessageBytesMaximum)
        switch connection.incoming.take(bytes, kind, isLast: isLast, maximum: maximum, now: now) {
        case .incomplete: return true
        case .complete(let message):
            handler.messageReceived(connection.id, kind, message)
            return true
        case .invalid(let code, let reason):
            beginClose(connection, code, reason)
            return true
        }
    }

    /// - Returns: Whether the connection goes on.
    func writeable(_ wsi: OpaquePointer) -> Bool {
        guard let connection = connection(wsi) else { return true }
        connection.isBlocked = false
        connection.blockedSince = now
        var joined = JoinedMessages()
        guard connection.flush(&joined, now: now) else { return false }
        guard !connection.isBlocked else { return true }
        return sendCloseIfDue(connection)
    }

    /// The library's handle is about to go.
    func destroyed(_ wsi: OpaquePointer) {
        guard let connection = connection(wsi) else { return }
        lws_set_opaque_user_data(wsi, nil)
        forget(connection)
        endIfStopped()
    }

    private func forget(_ connection: Connection) {
        guard sockets.removeValue(forKey: connection.id) != nil else { return }
        if connection.isCounted { admissions.removeConnection(connection.address) }
        admissions.removeSocket(connection.socketAddress)
        connection.wsi = nil
        tellClosed(connection)
    }
}
