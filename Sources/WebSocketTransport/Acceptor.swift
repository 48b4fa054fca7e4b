import CTransportShims
import Foundation
import Synchronization

/// A thread that accepts sockets and hands them to the loops in turn.
///
/// Accepting is ours rather than the library's, so that several loops can share a port, sockets are counted before
/// they cost anything, and a process that has run out of descriptors says so instead of spinning.
///
/// `@unchecked Sendable`: the descriptors are set before the thread starts and closed by it at its end; `reserve` is
/// touched by the thread alone.
final class Acceptor: @unchecked Sendable {
    /// What is done with what the thread finds; called on it.
    struct Outlets: Sendable {
        /// Takes a socket over.
        var adopt: @Sendable (_ descriptor: Int32, ConnectionID, _ address: String) -> Void
        /// Told about once a second.
        var sweep: @Sendable (_ seconds: UInt32) -> Void
    }

    /// The port that is listened on.
    let port: Int

    private let listener: Int32
    private let wake: Int32
    private let admissions: Admissions
    /// Whether what is refused can be told in plain text.
    private let isPlain: Bool
    private let ended = DispatchSemaphore(value: 0)
    /// A descriptor that is given up to be able to accept, and refuse, one socket when there are no more.
    private var reserve: Int32
    private var nextID: UInt64 = 1

    /// Binds and listens.
    ///
    /// - Throws: `TransportError.cannotBind`.
    init(
        host: String, port: Int, isPlain: Bool, admissions: Admissions
    ) throws(TransportError) {
        func failure(_ reason: String) -> TransportError {
            .cannotBind(host: host, port: port, reason: reason)
        }
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { throw failure(String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(list) }
        var found: Int32?
        var reason = "there is no such address"
        var next = list
        while let info = next?.pointee, found == nil {
            next = info.ai_next
            do {
                found = try Self.listen(info)
            } catch {
                reason = String(cString: strerror(error.code))
            }
        }
        guard let listener = found else { throw failure(reason) }
        self.listener = listener
        self.port = Self.boundPort(listener)
        self.admissions = admissions
        self.isPlain = isPlain
        wake = ss_eventfd()
        reserve = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    }

    private struct SystemError: Error {
        var code: Int32
    }

    private static func listen(_ info: addrinfo) throws(SystemError) -> Int32 {
        let descriptor = socket(
            info.ai_family,
            info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue),
            info.ai_protocol)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        var (yes, no): (Int32, Int32) = (1, 0)
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        if info.ai_family == AF_INET6 {
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &no, size)
        }
        guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0,
            Glibc.listen(descriptor, 4096) == 0
        else {
            let error = SystemError(code: errno)
            Glibc.close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func boundPort(_ descriptor: Int32) -> Int {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = getsockname(descriptor, $0, &length)
            }
            // The port stands at the same place for both families.
            return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                Int(in_port_t(bigEndian: $0.pointee.sin_port))
            }
        }
    }

    func start(_ outlets: Outlets) {
        let thread = Thread { [self] in
            run(outlets)
            for descriptor in [listener, wake, reserve] where descriptor >= 0 {
                Glibc.close(descriptor)
            }
            ended.signal()
        }
        thread.name = "accept"
        thread.stackSize = 256 << 10
        thread.start()
    }

    /// Gives back what a thread that never started would have.
    func discard() {
        for descriptor in [listener, wake, reserve] where descriptor >= 0 {
            Glibc.close(descriptor)
        }
    }

    /// Ends the thread and closes the port; returns once that is done.
    func stop() {
        var one: UInt64 = 1
        _ = Glibc.write(wake, &one, MemoryLayout<UInt64>.size)
        ended.wait()
        ended.signal()
    }

    private func run(_ outlets: Outlets) {
        var polled = [
            pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        ]
        var lastSweep = secondsNow()
        while true {
            let count = poll(&polled, nfds_t(polled.count), 1000)
            if count > 0, polled[1].revents != 0 { return }
            if count > 0, polled[0].revents != 0 { acceptAll(outlets) }
            let now = secondsNow()
            if now != lastSweep {
                lastSweep = now
                outlets.sweep(now)
            }
        }
    }

    /// Accepts what waits, at most so many that sweeps are not held up.
    private func acceptAll(_ outlets: Outlets) {
        for _ in 0..<256 {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = withUnsafeMutablePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    ss_accept(listener, $0, &length)
                }
            }
            guard descriptor >= 0 else {
                switch errno {
                case EMFILE, ENFILE:
                    guard makeRoom() else { return }
                    continue
                case EINTR, ECONNABORTED: continue
                default: return
                }
            }
            guard admissions.addSocket() else {
                refuse(descriptor)
                continue
            }
            var yes: Int32 = 1
            setsockopt(
                descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes,
                socklen_t(MemoryLayout<Int32>.size))
            let id = ConnectionID(rawValue: nextID)
            nextID += 1
            outlets.adopt(descriptor, id, Self.address(&storage, length))
        }
    }

    /// Refuses one socket with the descriptor that was kept for it, so that the queue of those who wait does not stay
    /// full. Returns whether that worked.
    private func makeRoom() -> Bool {
        admissions.noteOutOfDescriptors()
        if reserve >= 0 { Glibc.close(reserve) }
        let descriptor = ss_accept(listener, nil, nil)
        if descriptor >= 0 { refuse(descriptor) }
        reserve = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
        // Without a reserve there is nothing to do but wait; the listener stays readable.
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

    private func refuse(_ descriptor: Int32) {
        if isPlain {
            _ = Glibc.send(
                descriptor, Self.refusal, Self.refusal.count,
                Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            Glibc.shutdown(descriptor, Int32(SHUT_WR))
            // What has come already is taken, since a socket that is closed over it would be reset.
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

/// Seconds of a clock that only goes forward.
func secondsNow() -> UInt32 {
    UInt32(truncatingIfNeeded: DispatchTime.now().uptimeNanoseconds / 1_000_000_000)
}
