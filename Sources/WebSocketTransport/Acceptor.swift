import CTransportShims
import Glibc
import Threads

/// A thread that accepts sockets and hands them to the loops in turn, and that tells them of the
/// time.
///
/// Accepting is ours rather than the library's, so that several loops can share a port, sockets are
/// counted before they cost anything, and a process without free descriptors reports it instead of
/// spinning.
final class Acceptor: Sendable {
    private let listeners: [ListeningSocket]
    /// An event counter: from 1 on nothing is accepted, at 2 the thread ends.
    private let wake: Int32
    private let admissions: Admissions
    /// Whether there is no TLS.
    private let isPlain: Bool
    private let thread = OwnedThread(name: "accept", stackBytes: 256 << 10)
    private let accepts = Monitor(true)

    /// Binds and listens: to all addresses, or to none.
    ///
    /// - Throws: `TransportError.cannotBind` or `.cannotListen`.
    init(
        _ addresses: [ListenAddress], isPlain: Bool, admissions: Admissions
    ) throws(TransportError) {
        var made: [ListeningSocket] = []
        for address in addresses {
            do throws(TransportError) {
                made.append(try ListeningSocket(address))
            } catch {
                for socket in made { socket.close() }
                throw error
            }
        }
        listeners = made
        self.admissions = admissions
        self.isPlain = isPlain
        wake = ss_eventfd()
    }

    /// Where it listens.
    var addresses: [BoundAddress] { listeners.map(\.address) }

    /// Starts the thread, on which both closures are called.
    ///
    /// - Parameters:
    ///   - adopt: Takes over a socket that was accepted.
    ///   - sweep: Called about once a second with the seconds of `MonotonicClock`.
    func start(
        adopt: @escaping @Sendable (_ descriptor: Int32, ConnectionID, _ address: String) -> Void,
        sweep: @escaping @Sendable (_ seconds: UInt32) -> Void
    ) {
        thread.start { [listeners, wake, admissions, isPlain, accepts] in
            var loop = AcceptLoop(listeners, wake, admissions, isPlain: isPlain)
            loop.run(adopt, sweep)
            for listener in listeners { listener.close() }
            accepts.withLock { $0 = false }
            accepts.wakeAll()
            loop.sweepUntilStopped(sweep)
            loop.close()
            Glibc.close(wake)
        }
    }

    /// Gives the port back, where the thread was never started.
    func discard() {
        Glibc.close(wake)
        for listener in listeners { listener.close() }
    }

    /// Closes the port; returns once that is done, after which no socket is handed to the loops.
    /// They are still told of the time, without which those that stop would wait for silent peers
    /// without end.
    func endAccepting() {
        signal()
        accepts.wait { accepts, _ in accepts ? .wait : .finish(()) }
    }

    /// Ends the thread; returns once that is done. To be called once, after `endAccepting`.
    func stop() {
        signal()
        thread.join()
    }

    private func signal() {
        var one: UInt64 = 1
        _ = Glibc.write(wake, &one, MemoryLayout<UInt64>.size)
    }
}

/// What the accepting thread knows. Made and used on that thread alone.
private struct AcceptLoop {
    private let listeners: [ListeningSocket]
    private let wake: Int32
    private let admissions: Admissions
    private let isPlain: Bool
    /// A descriptor that is given up to be able to accept, and refuse, one socket when there are no
    /// more.
    private var reserve = Self.openReserve()
    private var nextID: UInt64 = 1
    /// What was read of `wake`.
    private var signals: UInt64 = 0

    init(
        _ listeners: [ListeningSocket], _ wake: Int32, _ admissions: Admissions, isPlain: Bool
    ) {
        self.listeners = listeners
        self.wake = wake
        self.admissions = admissions
        self.isPlain = isPlain
    }

    private static func openReserve() -> Int32 { Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) }

    func close() {
        if reserve >= 0 { Glibc.close(reserve) }
    }

    private mutating func readSignals() {
        var count: UInt64 = 0
        if Glibc.read(wake, &count, MemoryLayout<UInt64>.size) > 0 { signals += count }
    }

    /// Accepts until `wake` says otherwise.
    mutating func run(
        _ adopt: (Int32, ConnectionID, String) -> Void, _ sweep: (UInt32) -> Void
    ) {
        var polled = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
        polled += listeners.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        var lastSweep = MonotonicClock.seconds
        while true {
            let count = poll(&polled, nfds_t(polled.count), 1000)
            if count > 0, polled[0].revents != 0 { return readSignals() }
            for (listener, place) in zip(listeners, polled.dropFirst())
            where count > 0 && place.revents != 0 {
                acceptAll(of: listener, adopt)
            }
            let now = MonotonicClock.seconds
            if now != lastSweep {
                lastSweep = now
                sweep(now)
            }
        }
    }

    /// The milliseconds between sweeps once nothing is accepted, when somebody waits for the loops
    /// to end.
    private static let lastSweepsMilliseconds: Int32 = 100

    /// Goes on with the sweeps until `wake` says that the loops have ended.
    mutating func sweepUntilStopped(_ sweep: (UInt32) -> Void) {
        var polled = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
        while signals < 2 {
            if poll(&polled, 1, Self.lastSweepsMilliseconds) > 0 { readSignals() }
            sweep(MonotonicClock.seconds)
        }
    }

    /// Accepts the sockets that wait, at most so many that sweeps are not held up.
    private mutating func acceptAll(
        of listener: ListeningSocket, _ adopt: (Int32, ConnectionID, String) -> Void
    ) {
        let isPlain = isPlain || listener.isUnix
        for _ in 0..<256 {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = withUnsafeMutablePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    ss_accept(listener.descriptor, $0, &length)
                }
            }
            guard descriptor >= 0 else {
                switch errno {
                case EMFILE, ENFILE:
                    guard makeRoom(for: listener, isPlain) else { return }
                    continue
                case EINTR, ECONNABORTED: continue
                default: return
                }
            }
            let address =
                listener.isUnix ? ListenAddress.unixPeer : Self.address(&storage, length)
            guard admissions.addSocket(address) else {
                refuse(descriptor, isPlain)
                continue
            }
            var yes: Int32 = 1
            setsockopt(
                descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes,
                socklen_t(MemoryLayout<Int32>.size))
            let id = ConnectionID(rawValue: nextID)
            nextID += 1
            adopt(descriptor, id, address)
        }
    }

    /// Refuses one socket with the descriptor that was kept for it, so that the queue of waiting
    /// sockets does not stay full.
    ///
    /// - Returns: Whether a socket was refused.
    private mutating func makeRoom(for listener: ListeningSocket, _ isPlain: Bool) -> Bool {
        admissions.noteOutOfDescriptors()
        if reserve >= 0 { Glibc.close(reserve) }
        let descriptor = ss_accept(listener.descriptor, nil, nil)
        if descriptor >= 0 { refuse(descriptor, isPlain) }
        reserve = Self.openReserve()
        // Without a reserve nothing but waiting helps; the listener stays readable.
        if descriptor < 0 || reserve < 0 { usleep(10_000) }
        return descriptor >= 0
    }

    private static let refusal = Array(
        """
        HTTP/1.1 503 Service Unavailable\r
        retry-after: 1\r
        content-length: 21\r
        connection: close\r
        \r
        too many connections

        """.utf8)

    /// - Parameter isPlain: Whether a refusal can be sent in plain text.
    private func refuse(_ descriptor: Int32, _ isPlain: Bool) {
        if isPlain {
            _ = Glibc.send(
                descriptor, Self.refusal, Self.refusal.count,
                Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            Glibc.shutdown(descriptor, Int32(SHUT_WR))
            // Bytes that have come already are read, since a socket that is closed over them would
            // be reset.
            var sink = [UInt8](repeating: 0, count: 4096)
            _ = recv(descriptor, &sink, sink.count, Int32(MSG_DONTWAIT))
        }
        Glibc.close(descriptor)
    }

    private static func address(_ storage: inout sockaddr_storage, _ length: socklen_t) -> String {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = withUnsafePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getnameinfo($0, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            }
        }
        guard code == 0 else { return "" }
        let address = String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // An IPv4 peer of an IPv6 socket.
        return address.hasPrefix("::ffff:") && address.contains(".")
            ? String(address.dropFirst(7)) : address
    }
}
