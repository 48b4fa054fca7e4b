import Glibc

/// The reason why a file of records cannot be used.
struct EventRecordError: Error, CustomStringConvertible {
    var description: String

    /// Describes the failure of a system call on a file.
    init(_ path: String, _ call: String, _ code: Int32) {
        description = "\(path): \(call): \(String(cString: strerror(code)))"
    }
}

/// The file that a room's lines are appended to. A full file is renamed to `NAME.1`, that to
/// `NAME.2`, and so on.
///
/// It contains whole lines: a line cut off by a full disk, or by the end of the process, is
/// removed.
final class EventRecordFile {
    private let path: String
    private let bytesMaximum: Int
    private let keptFiles: Int
    private var descriptor: Int32
    private var byteCount: Int
    /// Whether a cut line was removed when the file was opened.
    let hadCutLine: Bool

    /// Opens a file, readable for its owner only.
    ///
    /// - Complexity: O(*n*), where *n* is the length of a cut line at its end.
    init(path: String, bytesMaximum: Int, keptFiles: Int) throws(EventRecordError) {
        self.path = path
        self.bytesMaximum = bytesMaximum
        self.keptFiles = keptFiles
        descriptor = try Self.open(path)
        let size = lseek(descriptor, 0, SEEK_END)
        let whole = Self.endOfLastLine(descriptor, size)
        guard size >= 0, let whole, whole == size || ftruncate(descriptor, whole) == 0 else {
            let code = errno
            Glibc.close(descriptor)
            throw EventRecordError(path, "reading its end", code)
        }
        byteCount = Int(whole)
        hadCutLine = whole != size
    }

    deinit { Glibc.close(descriptor) }

    private static func open(_ path: String) throws(EventRecordError) -> Int32 {
        // Refuses a link in its place, which would redirect the writes.
        let flags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
        let descriptor = Glibc.open(path, flags, 0o600)
        guard descriptor >= 0 else { throw EventRecordError(path, "open", errno) }
        return descriptor
    }

    /// The bytes of a file up to its last line feed; `nil` if they cannot be read.
    private static func endOfLastLine(_ descriptor: Int32, _ size: off_t) -> off_t? {
        var end = size
        var block = [UInt8](repeating: 0, count: 4096)
        while end > 0 {
            let start = max(0, end - off_t(block.count))
            let count = pread(descriptor, &block, Int(end - start), start)
            guard count == Int(end - start) else { return nil }
            if let last = block[..<count].lastIndex(of: UInt8(ascii: "\n")) {
                return start + off_t(last) + 1
            }
            end = start
        }
        return 0
    }

    /// Appends lines that end with a line feed, to a new file if they do not fit.
    ///
    /// - Returns: The bytes of the lines that were written whole, and the failure for the rest. A
    ///   file with a failure must be closed.
    func append(_ lines: [UInt8]) -> (byteCount: Int, failure: EventRecordError?) {
        if byteCount > 0, byteCount + lines.count > bytesMaximum {
            do {
                try rotate()
            } catch {
                return (0, error)
            }
        }
        var written = 0
        while written < lines.count {
            let count = lines[written...].withUnsafeBytes {
                unsafe write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = EventRecordError(path, "write", count < 0 ? errno : ENOSPC)
                let whole =
                    lines[..<written].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
                // If this fails too, the next opening removes the cut line.
                if whole < written { _ = ftruncate(descriptor, off_t(byteCount + whole)) }
                byteCount += whole
                return (whole, failure)
            }
            written += count
        }
        byteCount += lines.count
        return (lines.count, nil)
    }

    private func rotate() throws(EventRecordError) {
        if keptFiles == 0 {
            guard unlink(path) == 0 || errno == ENOENT else {
                throw EventRecordError(path, "unlink", errno)
            }
        } else {
            // From the oldest on, which is replaced.
            for number in stride(from: keptFiles, through: 1, by: -1) {
                let from = number == 1 ? path : "\(path).\(number - 1)"
                // The file may have been moved away.
                guard rename(from, "\(path).\(number)") == 0 || errno == ENOENT else {
                    throw EventRecordError(from, "rename", errno)
                }
            }
        }
        let next = try Self.open(path)
        Glibc.close(descriptor)
        descriptor = next
        byteCount = 0
    }
}
