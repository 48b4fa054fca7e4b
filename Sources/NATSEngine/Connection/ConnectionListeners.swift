internal import CNATS
import Synchronization

/// A report of the library about a connection, on threads of its own.
enum ConnectionNotice: Sendable {
    /// A message of a subscription, by its number.
    case message(subscription: UInt, NATSMessage)
    /// The connection is lost; the library looks for another server.
    case disconnected(reason: String)
    /// Another server has taken the connection.
    case reconnected(address: String)
    /// The library has given up, or `close` was called.
    case closed(reason: String)
    /// The library has dropped messages of a subscription, whose queue was full.
    case overrun
}

/// The listeners of connections, by number. The library calls back with a number instead of a
/// pointer, so a late callback finds `nil`, not freed memory. Callbacks copy their arguments, post
/// them, and return.
enum ConnectionListeners {
    typealias Listener = @Sendable (ConnectionNotice) -> Void

    private struct Registry {
        var listeners: [UInt: (tell: Listener, readsHeaders: Bool)] = [:]
        var last: UInt = 0
    }

    private static let registry = Mutex(Registry())

    /// Takes a listener.
    ///
    /// - Parameter readsHeaders: Whether messages come with their headers, which cost a search
    ///   each.
    /// - Returns: Its number, from 1.
    static func add(readsHeaders: Bool = false, _ listener: @escaping Listener) -> UInt {
        registry.withLock { registry in
            registry.last += 1
            registry.listeners[registry.last] = (listener, readsHeaders)
            return registry.last
        }
    }

    /// Lets a listener go. A call that runs at the time comes to its end.
    static func remove(_ number: UInt) {
        registry.withLock { $0.listeners[number] = nil }
    }

    private static func listener(
        _ closure: UnsafeMutableRawPointer?
    ) -> (number: UInt, tell: Listener, readsHeaders: Bool)? {
        let number = UInt(bitPattern: closure)
        guard let found = registry.withLock({ $0.listeners[number] }) else { return nil }
        return (number, found.tell, found.readsHeaders)
    }

    // MARK: The library's callbacks

    static func message(
        _ connection: OpaquePointer?, _ subscription: OpaquePointer?, _ message: OpaquePointer?,
        _ closure: UnsafeMutableRawPointer?
    ) {
        guard let message else { return }
        defer { natsMsg_Destroy(message) }
        guard let listener = listener(closure) else { return }
        listener.tell(
            .message(
                subscription: listener.number,
                NATSMessage(message, readsHeaders: listener.readsHeaders)))
    }

    static func disconnected(_ connection: OpaquePointer?, _ closure: UnsafeMutableRawPointer?) {
        listener(closure)?.tell(.disconnected(reason: reason(connection)))
    }

    static func reconnected(_ connection: OpaquePointer?, _ closure: UnsafeMutableRawPointer?) {
        listener(closure)?.tell(.reconnected(address: address(connection)))
    }

    static func closed(_ connection: OpaquePointer?, _ closure: UnsafeMutableRawPointer?) {
        listener(closure)?.tell(.closed(reason: reason(connection)))
    }

    static func failed(
        _ connection: OpaquePointer?, _ subscription: OpaquePointer?, _ status: natsStatus,
        _ closure: UnsafeMutableRawPointer?
    ) {
        guard status == NATS_SLOW_CONSUMER else { return }
        listener(closure)?.tell(.overrun)
    }

    /// The server that a connection has, as HOST:PORT.
    static func address(_ connection: OpaquePointer?) -> String {
        let text = [UInt8](unsafeUninitializedCapacity: 1024) { buffer, written in
            written = buffer.withMemoryRebound(to: CChar.self) { characters in
                let status = natsConnection_GetConnectedUrl(
                    connection, characters.baseAddress, characters.count)
                guard status == NATS_OK, let start = characters.baseAddress else { return 0 }
                return String(cString: start).utf8.count
            }
        }
        let url = String(decoding: text, as: UTF8.self)
        for scheme in ["nats://", "tls://"] where url.hasPrefix(scheme) {
            return String(url.dropFirst(scheme.count))
        }
        return url
    }

    private static func reason(_ connection: OpaquePointer?) -> String {
        var text: UnsafePointer<CChar>?
        let status = natsConnection_GetLastError(connection, &text)
        let words = text.map { String(cString: $0) } ?? ""
        if !words.isEmpty { return words }
        return status == NATS_OK ? "the server has ended the connection" : NATSStatus.text(status)
    }
}

extension NATSMessage {
    /// Copies a message of the library's, which keeps it.
    init(_ message: OpaquePointer, readsHeaders: Bool) {
        subject = natsMsg_GetSubject(message).map { String(cString: $0) } ?? ""
        let count = Int(max(0, natsMsg_GetDataLength(message)))
        bytes =
            natsMsg_GetData(message).map { data in
                [UInt8](UnsafeRawBufferPointer(start: data, count: count))
            } ?? []
        guard readsHeaders else { return }
        headers.status = Self.header("Status", of: message).flatMap { Int($0) }
        headers.description = Self.header("Description", of: message)
        headers.storedSubject = Self.header("Nats-Subject", of: message)
        headers.sequence = Self.header("Nats-Sequence", of: message).flatMap { UInt64($0) }
        headers.pending = Self.header("Nats-Num-Pending", of: message).flatMap { UInt64($0) }
        headers.lastSequence = Self.header("Nats-Last-Sequence", of: message)
            .flatMap { UInt64($0) }
    }

    private static func header(_ name: String, of message: OpaquePointer) -> String? {
        var value: UnsafePointer<CChar>?
        guard natsMsgHeader_Get(message, name, &value) == NATS_OK else { return nil }
        return value.map { String(cString: $0) }
    }
}
