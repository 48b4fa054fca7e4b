import Synchronization

/// A WebSocket and HTTP server on one port, with threads of its own: one that accepts, and one or
/// more that serve.
public final class WebSocketServer: Sendable {
    private let configuration: ServerConfiguration
    private let admissions: Admissions
    /// One for each serving thread; a connection belongs to the loop at its number modulo the
    /// count.
    private let loops: [EventLoop<ServerCommand>]
    private struct Accepting {
        /// `nil` before `start` and after `stop`.
        var acceptor: Acceptor?
        var addresses: [BoundAddress] = []
    }
    private let accepting = Mutex(Accepting())

    /// Makes a server that does not listen yet.
    ///
    /// - Throws: `TransportError.tls` when a certificate or key file cannot be used.
    public init(configuration: ServerConfiguration) throws(TransportError) {
        if let tls = configuration.tls { _ = try TLSMaterial(tls) }
        self.configuration = configuration
        admissions = Admissions(configuration)
        loops = (0..<min(max(configuration.loopThreads, 1), 64)).map { _ in
            EventLoop(name: "websocket-server")
        }
    }

    /// Listens, and reports everything to a handler; returns once connections are accepted. To be
    /// called once.
    ///
    /// - Throws: `TransportError.cannotBind`, `.cannotListen`, `.tls` or `.libraryFailed`; nothing
    ///   runs then.
    public func start(handler: any TransportHandler) throws(TransportError) {
        let addresses =
            configuration.listeners.isEmpty
            ? [.tcp(host: configuration.host, port: configuration.port)] : configuration.listeners
        let made = try Acceptor(
            addresses, isPlain: configuration.tls == nil, admissions: admissions)
        for (index, loop) in loops.enumerated() {
            do {
                try ServerLoop.start(configuration, admissions, handler, on: loop)
            } catch {
                for started in loops[..<index] {
                    started.post(.stop(StandardCloseCode.goingAway, ""))
                    started.join()
                }
                made.discard()
                throw error
            }
        }
        made.start(
            adopt: { [self] in post(.adopt($0, $1, $2), to: $1) },
            sweep: { [loops] now in for loop in loops { loop.post(.sweep(now)) } })
        accepting.withLock { $0 = Accepting(acceptor: made, addresses: made.addresses) }
    }

    /// Finds out whether an address could be listened on; an inherited socket is closed by it.
    ///
    /// - Throws: `TransportError.cannotBind` or `.cannotListen`.
    public static func check(_ address: ListenAddress) throws(TransportError) {
        try ListeningSocket(address).close()
    }

    /// The first TCP port that is listened on; 0 before `start`, and without one.
    public var port: Int {
        for case .tcp(_, let port) in addresses { return port }
        return 0
    }

    /// Where the server listens, in the order of its configuration; empty before `start`.
    public var addresses: [BoundAddress] { accepting.withLock { $0.addresses } }

    private func index(of id: ConnectionID) -> Int {
        Int(id.rawValue % UInt64(loops.count))
    }

    private func post(_ command: ServerCommand, to id: ConnectionID) {
        loops[index(of: id)].post(command)
    }

    /// Sends messages, framed before, to any number of connections in one write each. From any
    /// thread.
    public func send(_ message: FramedMessage, to ids: [ConnectionID]) {
        guard loops.count > 1 else {
            loops[0].post(.send(message, ids))
            return
        }
        var parts = [[ConnectionID]](repeating: [], count: loops.count)
        for id in ids { parts[index(of: id)].append(id) }
        for (loop, part) in zip(loops, parts) where !part.isEmpty {
            loop.post(.send(message, part))
        }
    }

    /// Sends one message to one connection. From any thread.
    public func send(_ kind: MessageKind, _ payload: [UInt8], to id: ConnectionID) {
        post(.send(FramedMessage(kind, payload), [id]), to: id)
    }

    /// Ends a connection after what was sent to it before has left. From any thread.
    ///
    /// - Parameters:
    ///   - code: 1000...1011 or 3000...4999. RFC 6455, section 7.4.
    ///   - reason: At most 123 bytes are sent.
    public func close(_ id: ConnectionID, code: UInt16, reason: String) {
        post(.close(id, code, reason), to: id)
    }

    /// Answers opening handshakes with 503 from now on; plain requests are still served. From any
    /// thread.
    public func drain() { admissions.drain() }

    /// Sockets and WebSocket connections at present, and sockets that were refused because the
    /// process had no descriptors left.
    public var counts: (sockets: Int, connections: Int, outOfDescriptors: Int) {
        admissions.summary
    }

    /// Takes messages of any length that is allowed from a connection from now on. Whatever is sent
    /// to it afterwards, it receives after that. From any thread.
    public func admit(_ id: ConnectionID) { post(.admit(id), to: id) }

    /// Changes the limits for connections that come from now on.
    public func setMaxima(
        connections: Int, eachAddress: AddressLimits, thisMachine: AddressLimits
    ) {
        admissions.setMaxima(
            connections: connections, eachAddress: eachAddress, thisMachine: thisMachine)
    }

    /// Reads a certificate and its key for connections that come from now on; those that exist go
    /// on. From any thread.
    ///
    /// - Throws: `TransportError.tls` when the files cannot be used; the old certificate stays in
    ///   use then. Also when the server was started without TLS.
    public func reload(_ tls: TLSConfiguration) throws(TransportError) {
        guard configuration.tls != nil else { throw .tls("the server was started without TLS") }
        let material = try TLSMaterial(tls)
        for loop in loops { loop.post(.certificate(material)) }
    }

    /// Ends all connections, the port and the threads; returns once that is done. Not from the
    /// server's own threads.
    public func stop(code: UInt16 = StandardCloseCode.goingAway, reason: String = "") {
        let acceptor = accepting.withLock { $0.acceptor.take() }
        acceptor?.endAccepting()
        for loop in loops { loop.post(.stop(code, reason)) }
        for loop in loops { loop.join() }
        acceptor?.stop()
    }
}

/// The commands that other threads post to a server's loop.
enum ServerCommand: Sendable {
    case adopt(Int32, ConnectionID, String)
    case admit(ConnectionID)
    case send(FramedMessage, [ConnectionID])
    case respond(ConnectionID, serial: UInt64, HTTPResponse)
    case decide(ConnectionID, serial: UInt64, refusal: HTTPResponse?)
    case close(ConnectionID, UInt16, String)
    case sweep(UInt32)
    case certificate(TLSMaterial)
    case stop(UInt16, String)
}
