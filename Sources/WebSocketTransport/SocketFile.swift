import CTransportShims
import Glibc

/// The file of a Unix socket that this process made, which only it removes. See `unix(7)`.
struct SocketFile: Sendable {
    private let path: String
    /// The file as it was made: another server may have replaced it since.
    private let (device, inode): (UInt, UInt)

    /// Binds a socket to a file and listens.
    ///
    /// A socket that nobody listens on any more, as a killed server leaves one behind, is replaced;
    /// another file is not.
    ///
    /// - Parameter mode: The permissions of the file; connecting takes the right to write it.
    /// - Throws: `TransportError.cannotListen`.
    static func listen(
        _ path: String, mode: UInt32
    ) throws(TransportError) -> (descriptor: Int32, file: SocketFile?) {
        func failure(_ reason: String) -> TransportError { .cannotListen(path, reason: reason) }
        guard var address = address(path) else {
            throw failure("the path of a socket has 1 to 107 bytes")
        }
        try removeStale(path, &address)
        let descriptor = socket(
            AF_UNIX,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
                | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
        // Nobody can connect before `listen`, so that the permissions hold from the first
        // connection on.
        guard withSocketAddress(&address, { bind(descriptor, $0, $1) }) == 0,
            chmod(path, mode) == 0, Glibc.listen(descriptor, 4096) == 0
        else {
            let reason = String(cString: strerror(errno))
            Glibc.close(descriptor)
            throw failure(reason)
        }
        let found = status(path)
        return (
            descriptor,
            found.map {
                SocketFile(path: path, device: UInt($0.st_dev), inode: UInt($0.st_ino))
            }
        )
    }

    private init(path: String, device: UInt, inode: UInt) {
        self.path = path
        (self.device, self.inode) = (device, inode)
    }

    /// Removes the file, unless another one has its place.
    func remove() {
        guard let found = Self.status(path), UInt(found.st_dev) == device,
            UInt(found.st_ino) == inode
        else { return }
        unlink(path)
    }

    private static func removeStale(
        _ path: String, _ address: inout sockaddr_un
    ) throws(TransportError) {
        guard let found = status(path) else { return }
        guard found.st_mode & S_IFMT == S_IFSOCK else {
            throw .cannotListen(path, reason: "there is a file that is no socket")
        }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard probe >= 0 else {
            throw .cannotListen(path, reason: String(cString: strerror(errno)))
        }
        defer { Glibc.close(probe) }
        let isRefused =
            withSocketAddress(&address) { connect(probe, $0, $1) } != 0 && errno == ECONNREFUSED
        guard isRefused else { throw .cannotListen(path, reason: "another process listens there") }
        unlink(path)
    }

    private static func status(_ path: String) -> stat? {
        var found = stat()
        return lstat(path, &found) == 0 ? found : nil
    }

    private static func address(_ path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        guard !name.isEmpty, !name.contains(0),
            name.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        return address
    }

    private static func withSocketAddress(
        _ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
