private import Essentials
private import FoundationEssentials
import Glibc
import JSON
import Synchronization

/// An exclusive lock on a data directory: `flock` on its file `lock`, which names the holder.
///
/// Whatever writes to a data directory holds its lock meanwhile; readers need none. The kernel
/// releases the lock with the process, however it ends, so a file that is left behind never blocks.
/// The lock works between the machines of an NFS mount, but SQLite's write-ahead log does not: a
/// data directory belongs on a local file system.
public final class DirectoryLock: Sendable {
    /// The process that holds a lock.
    public struct Holder: Equatable, Sendable, CustomStringConvertible {
        /// Its number, in its own namespace; `nil` if the file does not tell.
        public var process: Int?
        /// Its command, such as `scenesync serve`.
        public var command: String
        /// The name of its machine or container.
        public var host: String
        /// The address that it listens on, such as `ws://127.0.0.1:7070`, once it does.
        public var address: String?

        /// The text for people.
        public var description: String {
            let number = process.map { "process \($0)" } ?? "another process"
            let details = [
                command.isEmpty ? nil : command, host.isEmpty ? nil : "on \(host)",
                address.map { "at \($0)" },
            ].compactMap(\.self)
            return details.isEmpty ? number : "\(number) (\(details.joined(separator: " ")))"
        }
    }

    /// The directory.
    public let directory: String
    /// Whether another process had held the lock before: the directory was in use once.
    public let wasUsedBefore: Bool
    private let descriptor: Int32
    private let holder: Mutex<Holder>

    /// The number of attempts, `pauseMicroseconds` apart: `holder(of:)` in another process holds a
    /// shared lock for a moment.
    private static let attempts = 10
    private static let pauseMicroseconds: UInt32 = 20_000
    private static let contentsMaximum = 4096

    /// Locks a directory, which is created if missing.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - command: The name of the command for the message that other processes print.
    /// - Throws: `StoreError.inUse` if another process, or another lock of this one, holds it;
    ///   `.cannotOpen` if the file cannot be created, or the file system has no locks.
    public init(_ directory: String, command: String = DirectoryLock.ownCommand) throws(StoreError)
    {
        let missing = DurableNames.missing(in: directory)
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotOpen(path: directory, reason: FileFailure.reason(of: error))
        }
        // Else a power failure takes the directory, with all that is synced in it.
        for made in missing {
            guard let number = DurableNames.syncName(of: made) else { continue }
            throw .cannotOpen(path: made, reason: FileFailure.reason(number: number))
        }
        let path = Self.path(in: directory)
        let created = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        wasUsedBefore = created < 0
        descriptor =
            created >= 0 ? created : open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure(path) }
        self.directory = directory
        holder = Mutex(
            Holder(process: Int(getpid()), command: command, host: Self.hostName, address: nil))
        // An error from here on runs `deinit`, which closes the file. A second `close` here could
        // close a file that another thread has opened under the same number meanwhile.
        try Self.acquire(descriptor, path, directory)
        try write()
    }

    deinit { close(descriptor) }

    private static func acquire(
        _ descriptor: Int32, _ path: String, _ directory: String
    ) throws(StoreError) {
        for attempt in 1...attempts {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            guard errno == EWOULDBLOCK || errno == EINTR else { throw failure(path) }
            if attempt < attempts { usleep(pauseMicroseconds) }
        }
        throw .inUse(directory: directory, read(descriptor))
    }

    private static func failure(_ path: String) -> StoreError {
        .cannotOpen(path: path, reason: String(cString: strerror(errno)))
    }

    /// Tells other processes the address that this one listens on.
    ///
    /// - Throws: `StoreError.cannotOpen` if the file cannot be written.
    public func note(address: String) throws(StoreError) {
        holder.withLock { $0.address = address }
        try write()
    }

    private func write() throws(StoreError) {
        var bytes: [UInt8] = []
        let holder = holder.withLock(\.self)
        var members = [
            JSONMember("pid", .number(Double(holder.process ?? 0))),
            JSONMember("command", .string(holder.command)),
            JSONMember("host", .string(holder.host)),
        ]
        if let address = holder.address { members.append(JSONMember("address", .string(address))) }
        JSONValue.object(members).append(to: &bytes)
        bytes.append(0x0A)
        // Padded rather than truncated first: a reader never sees an empty file.
        let written = bytes.withUnsafeBytes { bytes in
            pwrite(descriptor, bytes.baseAddress, bytes.count, 0)
        }
        guard written == bytes.count, ftruncate(descriptor, off_t(bytes.count)) == 0 else {
            throw Self.failure(Self.path(in: directory))
        }
    }

    // MARK: Other processes' locks

    /// The process that holds the lock of a directory; `nil` if none does, or this process may not
    /// read the file.
    public static func holder(of directory: String) -> Holder? {
        let descriptor = open(
            path(in: directory), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return nil }
        return read(descriptor)
    }

    /// The holder that a file names. Anything may stand in the file; it only informs.
    private static func read(_ descriptor: Int32) -> Holder {
        var bytes = [UInt8](repeating: 0, count: contentsMaximum)
        let count = bytes.withUnsafeMutableBytes { bytes in
            pread(descriptor, bytes.baseAddress, bytes.count, 0)
        }
        let value = try? JSONReader.read(Array(bytes.prefix(max(count, 0))))
        func text(_ key: String) -> String {
            guard let text = value?[key]?.string else { return "" }
            // A terminal prints it.
            return String(text.unicodeScalars.filter { $0.properties.generalCategory != .control })
        }
        var process: Int?
        if let number = value?["pid"]?.number { process = Int(exactly: number) }
        let address = text("address")
        return Holder(
            process: process, command: text("command"), host: text("host"),
            address: address.isEmpty ? nil : address)
    }

    /// The path of the file that is locked.
    public static func path(in directory: String) -> String { directory + "/lock" }

    private static var hostName: String { ProcessInfo.processInfo.hostName }

    /// The name of this program and its first argument, such as `scenesync serve`.
    public static var ownCommand: String {
        let arguments = CommandLine.arguments
        let name = arguments.first?.split(separator: "/").last.map(String.init) ?? ""
        guard arguments.count > 1, !arguments[1].hasPrefix("-") else { return name }
        return "\(name) \(arguments[1])"
    }
}
