import Dispatch
import Essentials
import Glibc

/// Reports when a file was written or replaced, by inotify(7), without polling.
///
/// The folder is watched instead of the file, since editors write a new file and rename it.
final class FileWatch {
    private let source: any DispatchSourceRead

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - path: The file, which must exist; a symbolic link is resolved.
    ///   - changed: Called on a queue of its own, one call at a time, when the file was closed
    ///     after writing or replaced; not while it is being written.
    init(_ path: String, changed: @escaping @Sendable () -> Void) throws(Descriptor.Failure) {
        guard let real = realpath(path, nil) else { throw Descriptor.Failure(number: errno) }
        defer { free(real) }
        let whole = String(cString: real)
        let slash = whole.lastIndex(of: "/") ?? whole.startIndex
        let folder = slash == whole.startIndex ? "/" : String(whole[..<slash])
        let name = Array(whole[whole.index(after: slash)...].utf8)
        let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { throw Descriptor.Failure(number: errno) }
        guard
            inotify_add_watch(descriptor, folder, UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO)) >= 0
        else {
            let number = errno
            close(descriptor)
            throw Descriptor.Failure(number: number)
        }
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "SceneSync file watch"))
        source.setEventHandler {
            if Self.take(from: descriptor, name) { changed() }
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
    }

    deinit { source.cancel() }

    /// Reads the waiting events.
    ///
    /// - Returns: Whether the file is concerned, or the kernel's queue overflowed.
    private static func take(from descriptor: Int32, _ name: [UInt8]) -> Bool {
        let head = MemoryLayout<inotify_event>.size
        var isConcerned = false
        // Space for many events; at least one fits, with a name of the maximum length.
        var buffer = [UInt8](repeating: 0, count: 16 * (head + Int(NAME_MAX) + 1))
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return isConcerned }
            var offset = 0
            while offset + head <= count {
                let event = buffer.withUnsafeBytes {
                    $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                }
                let end = min(offset + head + Int(event.len), count)
                let found = buffer[(offset + head)..<end].prefix { $0 != 0 }
                if found.elementsEqual(name) || event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                    isConcerned = true
                }
                offset = end
            }
        }
    }
}
