private import Essentials
private import Glibc

/// A TCP connection for one short question, with a time for each step. It belongs to one thread.
final class PlainSocket {
    /// Why a step fails, in words.
    struct Failure: Error, Equatable {
        var reason: String
    }

    private let descriptor: Int32
    private let milliseconds: Int32

    /// Connects to the first address of a name that answers.
    ///
    /// - Parameter timeout: For each step.
    init(host: String, port: Int, timeout: Duration) throws(Failure) {
        milliseconds = Int32(clamping: timeout.milliseconds)
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { throw Failure(reason: String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(list) }
        var reason = "the name has no address"
        var next = list
        while let entry = next?.pointee {
            switch Self.connect(entry, milliseconds) {
            case .success(let connected):
                descriptor = connected
                return
            case .failure(let failure): reason = failure.reason
            }
            next = entry.ai_next
        }
        throw Failure(reason: reason)
    }

    deinit { close(descriptor) }

    private static func connect(_ entry: addrinfo, _ milliseconds: Int32) -> Result<Int32, Failure>
    {
        let kind = entry.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let made = socket(entry.ai_family, kind, entry.ai_protocol)
        guard made >= 0 else { return .failure(Failure(reason: FileFailure.reason(number: errno))) }
        var number: Int32 = 0
        if Glibc.connect(made, entry.ai_addr, entry.ai_addrlen) != 0 {
            number = errno
            if number == EINPROGRESS {
                number = wait(made, for: Int16(POLLOUT), milliseconds) ? 0 : ETIMEDOUT
                var size = socklen_t(MemoryLayout<Int32>.size)
                if number == 0 { getsockopt(made, SOL_SOCKET, SO_ERROR, &number, &size) }
            }
        }
        guard number == 0 else {
            close(made)
            return .failure(Failure(reason: FileFailure.reason(number: number)))
        }
        return .success(made)
    }

    private static func wait(_ descriptor: Int32, for event: Int16, _ milliseconds: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: event, revents: 0)
        var count = poll(&wanted, 1, milliseconds)
        while count < 0, errno == EINTR { count = poll(&wanted, 1, milliseconds) }
        return count > 0
    }

    /// Sends bytes.
    func write(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                guard Self.wait(descriptor, for: Int16(POLLOUT), milliseconds) else {
                    throw Failure(reason: "it takes nothing within \(milliseconds) ms")
                }
            } else if errno != EINTR {
                throw Failure(reason: FileFailure.reason(number: errno))
            }
        }
    }

    /// Reads until the other side ends, or until `isWhole` says that it is enough.
    ///
    /// - Parameter maximum: The most bytes; more are a failure.
    func read(
        maximum: Int, until isWhole: ([UInt8]) -> Bool = { _ in false }
    ) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            var count = 0
            let part = [UInt8](unsafeUninitializedCapacity: 1 << 14) { buffer, filled in
                count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                filled = max(0, count)
            }
            if count == 0 { return bytes }
            if count < 0, errno == EAGAIN {
                guard Self.wait(descriptor, for: Int16(POLLIN), milliseconds) else {
                    throw Failure(reason: "it says nothing within \(milliseconds) ms")
                }
            } else if count < 0, errno != EINTR {
                throw Failure(reason: FileFailure.reason(number: errno))
            }
            bytes += part
            guard bytes.count <= maximum else {
                throw Failure(reason: "it says more than \(maximum) bytes")
            }
            if isWhole(bytes) { return bytes }
        }
    }
}
