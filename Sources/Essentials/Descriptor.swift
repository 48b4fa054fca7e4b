private import Glibc

/// A file that is open in this process, by its number.
///
/// Bytes go in and out whole: where the system takes or gives a part, the rest follows.
package struct Descriptor: Sendable {
    /// What the program reads.
    package static let input = Descriptor(0)
    /// What the program prints.
    package static let output = Descriptor(1)
    /// Where it reports.
    package static let error = Descriptor(2)

    package let number: Int32

    package init(_ number: Int32) { self.number = number }

    /// Bytes that one call reads at most.
    private static let chunk = 1 << 16

    /// A failure of the system's, by its `errno`.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let number: Int32

        package init(number: Int32) { self.number = number }

        package var description: String { FileFailure.reason(number: number) }
    }

    /// Makes a file anew and opens it for writing; what it held is gone.
    ///
    /// - Parameter mode: Who may read and write it, less what the process takes off (umask).
    package static func create(
        _ path: String, mode: UInt32 = 0o666
    ) throws(Failure) -> Descriptor {
        let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard number >= 0 else { throw Failure(number: errno) }
        return Descriptor(number)
    }

    /// Writes all of the bytes.
    package func write(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                try wait(for: Int16(POLLOUT))
            }
        }
    }

    /// Reads to the end.
    package func readAll() throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            var count = 0
            let part = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, filled in
                count = Glibc.read(number, buffer.baseAddress, buffer.count)
                filled = max(count, 0)
            }
            if count == 0 { return bytes }
            if count < 0, errno != EINTR { try wait(for: Int16(POLLIN)) }
            bytes += part
        }
    }

    /// Waits where somebody has made the file one that does not wait by itself, as terminals are
    /// shared between programs.
    private func wait(for event: Int16) throws(Failure) {
        guard errno == EAGAIN else { throw Failure(number: errno) }
        var wanted = pollfd(fd: number, events: event, revents: 0)
        guard poll(&wanted, 1, -1) >= 0 || errno == EINTR else { throw Failure(number: errno) }
    }

    /// Whether somebody else reads what is written here: it is a pipe or a socket.
    package var hasReader: Bool {
        var status = stat()
        guard fstat(number, &status) == 0 else { return false }
        return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }

    /// Waits until nobody reads any more what is written here, a pipe or a socket.
    package func waitForEndOfReader() {
        while true {
            // Errors and hang-ups come without being asked for.
            var wanted = pollfd(fd: number, events: 0, revents: 0)
            let count = poll(&wanted, 1, -1)
            if count > 0 || count < 0 && errno != EINTR && errno != EAGAIN { return }
        }
    }

    /// Closes it; the number may then stand for another file.
    package func close() { _ = Glibc.close(number) }
}
