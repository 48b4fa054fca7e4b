import CEpoll
import Glibc

/// The connections of a load: one `epoll`, and the events it reports for each.
final class LoadSockets {
    private(set) var members: [Int32: LoadConnection] = [:]
    private let places: [Place]
    private let poll: Int32
    private var buffer = [UInt8](repeating: 0, count: 256 << 10)
    private var ready = [epoll_event](repeating: epoll_event(), count: 1024)

    /// A server.
    struct Place {
        /// As requests name it.
        let name: String
        fileprivate let address: sockaddr_in

        /// Looks a server up.
        ///
        /// - Throws: `LoadError` for a host that is not known.
        init(host: String, port: Int) throws(LoadError) {
            name = "\(host):\(port)"
            address = try LoadSockets.resolve(host, port)
        }
    }

    /// Members come to these servers in turn; there is one at least.
    init(_ places: [Place]) {
        self.places = places
        poll = epoll_create1(0)
    }

    deinit { close(poll) }

    fileprivate static func resolve(_ host: String, _ port: Int) throws(LoadError) -> sockaddr_in {
        var hints = addrinfo()
        hints.ai_family = AF_INET
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let found = list else {
            throw LoadError(description: "\(host) is not known")
        }
        defer { freeaddrinfo(list) }
        return found.pointee.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
            $0.pointee
        }
    }

    /// Begins to connect a member; `nil` where that cannot be.
    func open(index: Int, room: Int, isEditor: Bool) -> LoadConnection? {
        let place = places[index % places.count]
        let descriptor = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var yes: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        let result = withUnsafePointer(to: place.address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 || errno == EINPROGRESS else {
            close(descriptor)
            return nil
        }
        let member = LoadConnection(
            index: index, room: room, isEditor: isEditor, host: place.name,
            descriptor: descriptor)
        members[descriptor] = member
        watch(member, EPOLL_CTL_ADD, writes: true)
        return member
    }

    /// Ends a connection without a word.
    func drop(_ member: LoadConnection) {
        member.stage = .ended
        members[member.descriptor] = nil
    }

    /// Watches the member's socket for writability if the member has bytes to send.
    func noteOutgoing(of member: LoadConnection) {
        if member.hasOutgoing { watch(member, EPOLL_CTL_MOD, writes: true) }
    }

    /// Handles whatever is ready.
    ///
    /// - Parameters:
    ///   - milliseconds: How long to wait for something.
    ///   - greet: Called for a member that is connected.
    ///   - arrived: Called for each thing that a member received.
    func pump(
        milliseconds: Int32, greet: (LoadConnection) -> Void,
        arrived: (LoadConnection.Arrival, LoadConnection) -> Void
    ) {
        let count = epoll_wait(poll, &ready, Int32(ready.count), milliseconds)
        guard count > 0 else { return }
        for index in 0..<Int(count) {
            let event = ready[index]
            guard let member = members[event.data.fd] else { continue }
            if member.stage == .connecting, event.events & EPOLLOUT.rawValue != 0 {
                greet(member)
                watch(member, EPOLL_CTL_MOD, writes: member.hasOutgoing)
            } else if event.events & EPOLLOUT.rawValue != 0 {
                member.flush()
                if !member.hasOutgoing { watch(member, EPOLL_CTL_MOD, writes: false) }
            }
            if event.events & ~EPOLLOUT.rawValue != 0 {
                member.receive(&buffer) { arrived($0, member) }
                noteOutgoing(of: member)
            }
            if member.stage == .ended { members[member.descriptor] = nil }
        }
    }

    private func watch(_ member: LoadConnection, _ operation: Int32, writes: Bool) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | (writes ? EPOLLOUT.rawValue : 0)
        event.data.fd = member.descriptor
        epoll_ctl(poll, operation, member.descriptor, &event)
    }
}
