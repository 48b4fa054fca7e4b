internal import CNATS

/// Owns a connection of the library's. It belongs to one thread; what the library tells comes on
/// threads of its own, to listeners.
///
/// The library keeps the connection up: it looks for another server of the list when one is lost.
final class NATSConnection {
    private let handle: OpaquePointer
    private let listener: UInt?
    private let inboxPrefix: String
    private var subscriptions: [UInt: OpaquePointer] = [:]
    /// The number of the subscription for answers; 0 without one.
    private var answers: UInt = 0

    /// The most messages and bytes of a subscription that the library queues for delivery.
    private static let pendingMessagesMaximum: Int32 = 1 << 16
    private static let pendingBytesMaximum: Int32 = 128 << 20
    /// The status of a server for a request without a responder.
    static let noResponders = 503

    /// Connects to the first server that answers; waits for it.
    ///
    /// - Parameter listener: Receives changes of the connection, and the answers to messages sent
    ///   with a token.
    /// - Throws: `NATSError`.
    init(
        _ configuration: NATSConfiguration, listener: ConnectionListeners.Listener? = nil
    ) throws(NATSError) {
        let number = listener.map { ConnectionListeners.add($0) }
        do {
            let options = try NATSOptions(configuration, listener: number)
            handle = try Self.connect(options, configuration)
        } catch {
            if let number { ConnectionListeners.remove(number) }
            throw error
        }
        self.listener = number
        var inbox: UnsafeMutablePointer<natsInbox>?
        if natsInbox_Create(&inbox) == NATS_OK, let inbox {
            inboxPrefix = String(cString: inbox) + "."
            natsInbox_Destroy(inbox)
        } else {
            inboxPrefix = ""
        }
        guard let listener else { return }
        guard !inboxPrefix.isEmpty else {
            throw .libraryFailed(call: "natsInbox_Create", reason: "no memory")
        }
        answers = try subscribe(inboxPrefix + "*", readsHeaders: true, listener)
    }

    deinit {
        natsConnection_Close(handle)
        for (number, subscription) in subscriptions {
            natsSubscription_Destroy(subscription)
            ConnectionListeners.remove(number)
        }
        natsConnection_Destroy(handle)
        if let listener { ConnectionListeners.remove(listener) }
    }

    private static func connect(
        _ options: NATSOptions, _ configuration: NATSConfiguration
    ) throws(NATSError) -> OpaquePointer {
        var made: OpaquePointer?
        let status = natsConnection_Connect(&made, options.handle)
        if status == NATS_OK, let made { return made }
        let addresses = configuration.addresses.map(\.description)
        let reason = NATSStatus.lastError ?? NATSStatus.text(status)
        switch status {
        case NATS_SSL_ERROR, NATS_SECURE_CONNECTION_WANTED, NATS_SECURE_CONNECTION_REQUIRED:
            throw .tlsFailed(addresses: addresses, reason: reason)
        case NATS_CONNECTION_AUTH_FAILED, NATS_NOT_PERMITTED:
            throw .notAuthorised(addresses: addresses, reason: reason)
        default:
            throw .cannotConnect(addresses: addresses, reason: reason)
        }
    }

    /// The server that the connection has, as HOST:PORT.
    var address: String { ConnectionListeners.address(handle) }

    /// The largest message that the server takes, headers included, in bytes.
    var payloadMaximum: Int { Int(natsConnection_GetMaxPayload(handle)) }

    /// Subscribes to a subject.
    ///
    /// - Returns: The number of the subscription, which messages come with.
    func subscribe(
        _ subject: String, readsHeaders: Bool = false,
        _ listener: @escaping ConnectionListeners.Listener
    ) throws(NATSError) -> UInt {
        let number = ConnectionListeners.add(readsHeaders: readsHeaders, listener)
        var made: OpaquePointer?
        let status = natsConnection_Subscribe(
            &made, handle, subject, { ConnectionListeners.message($0, $1, $2, $3) },
            UnsafeMutableRawPointer(bitPattern: number))
        guard status == NATS_OK, let made else {
            ConnectionListeners.remove(number)
            throw .libraryFailed(
                call: "natsConnection_Subscribe(\(subject))", reason: NATSStatus.text(status))
        }
        subscriptions[number] = made
        try NATSStatus.check(
            natsSubscription_SetPendingLimits(
                made, Self.pendingMessagesMaximum, Self.pendingBytesMaximum),
            "natsSubscription_SetPendingLimits")
        return number
    }

    /// Ends all subscriptions except the one for answers.
    func unsubscribe() {
        for (number, subscription) in subscriptions where number != answers {
            natsSubscription_Destroy(subscription)
            ConnectionListeners.remove(number)
            subscriptions[number] = nil
        }
    }

    /// Whether the connection to a server is up.
    var isConnected: Bool { natsConnection_Status(handle) == NATS_CONN_STATUS_CONNECTED }

    /// Makes a message that this connection receives as an answer with a token, whichever
    /// connection sends it.
    func message(to token: UInt64) -> NATSOutgoing {
        NATSOutgoing(subject: inbox(of: token), bytes: [])
    }

    /// The token of an answer, by the subject that it came on.
    func token(of subject: String) -> UInt64? {
        guard subject.hasPrefix(inboxPrefix) else { return nil }
        return UInt64(subject.dropFirst(inboxPrefix.count), radix: 16)
    }

    /// Sends a message.
    ///
    /// - Throws: `NATSError.libraryFailed`; nothing was sent then, or part of it before the
    ///   connection was lost.
    func send(_ message: NATSOutgoing) throws(NATSError) {
        let made = try Self.make(message, reply: message.token.map(inbox(of:)))
        defer { natsMsg_Destroy(made) }
        try NATSStatus.check(
            natsConnection_PublishMsg(handle, made), "natsConnection_PublishMsg")
    }

    private func inbox(of token: UInt64) -> String { inboxPrefix + String(token, radix: 16) }

    private static func make(
        _ message: NATSOutgoing, reply: String?
    ) throws(NATSError) -> OpaquePointer {
        guard let count = Int32(exactly: message.bytes.count) else {
            throw .libraryFailed(call: "natsMsg_Create", reason: "the message is too long")
        }
        var made: OpaquePointer?
        let status = message.bytes.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                natsMsg_Create(&made, message.subject, reply, characters.baseAddress, count)
            }
        }
        try NATSStatus.check(status, "natsMsg_Create")
        guard let made else { throw .libraryFailed(call: "natsMsg_Create", reason: "no memory") }
        if let expectedLast = message.expectedLast {
            let status = natsMsgHeader_Set(
                made, "Nats-Expected-Last-Subject-Sequence", String(expectedLast))
            if status != NATS_OK {
                natsMsg_Destroy(made)
                throw .libraryFailed(call: "natsMsgHeader_Set", reason: NATSStatus.text(status))
            }
        }
        return made
    }

    /// Sends a question and waits for its answer.
    ///
    /// - Throws: `NATSError.timedOut` where none comes in time, `libraryFailed` otherwise.
    func request(_ message: NATSOutgoing, timeout: Duration) throws(NATSError) -> NATSMessage {
        let made = try Self.make(message, reply: nil)
        defer { natsMsg_Destroy(made) }
        var answer: OpaquePointer?
        let status = natsConnection_RequestMsg(&answer, handle, made, timeout.milliseconds)
        switch status {
        case NATS_OK: break
        case NATS_TIMEOUT:
            throw .timedOut(subject: message.subject, milliseconds: Int(timeout.milliseconds))
        case NATS_NO_RESPONDERS:
            throw .refused(
                subject: message.subject, code: Self.noResponders,
                description: "no server takes messages on this subject")
        default:
            throw .libraryFailed(
                call: "natsConnection_RequestMsg(\(message.subject))",
                reason: NATSStatus.text(status))
        }
        guard let answer else {
            throw .malformedAnswer(subject: message.subject, reason: "it is empty")
        }
        defer { natsMsg_Destroy(answer) }
        return NATSMessage(answer, readsHeaders: true)
    }

    /// The time that a ping takes.
    func roundTrip() throws(NATSError) -> Duration {
        var nanoseconds: Int64 = 0
        try NATSStatus.check(
            natsConnection_GetRTT(handle, &nanoseconds), "natsConnection_GetRTT")
        return .nanoseconds(nanoseconds)
    }

    /// Frees what the library keeps for the thread; the last call of a thread that used the
    /// library.
    static func leaveThread() { nats_ReleaseThreadMemory() }
}
