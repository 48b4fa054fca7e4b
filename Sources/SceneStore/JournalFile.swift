private import Essentials

/// The file of a journal as it is found, before it is opened.
public enum JournalFile {
    /// The sign that there was a journal once.
    public struct Loss: Equatable, Sendable, CustomStringConvertible {
        /// The path of the file.
        public var path: String
        /// Whether there is a file, without contents.
        public var isEmpty: Bool
        /// A file beside it that a server wrote.
        public var trace: String

        /// The text for people.
        public var description: String {
            "\(path) is \(isEmpty ? "empty" : "missing"), although \(trace) shows that a server wrote to this "
                + "directory; if rooms are expected here, stop the server and restore the file from a backup"
        }
    }

    /// The files that a server with a journal leaves beside it.
    private static let traces = ["at-work", "crashes.json", "journal.sqlite-wal", "lock"]

    /// The loss of a directory's journal: files beside it show that there was one, but it is
    /// missing or empty; `nil` if there is one, or never was.
    ///
    /// - Parameter lock: The directory's lock, if this process holds it.
    public static func loss(in directory: String, lock: DirectoryLock? = nil) -> Loss? {
        let path = directory + "/journal.sqlite"
        let size = FileSize.bytes(atPath: path)
        guard size ?? 0 == 0 else { return nil }
        let trace = traces.first { name in
            // This process may have created the lock itself.
            FileSize.bytes(atPath: directory + "/" + name) != nil
                && (name != "lock" || lock?.wasUsedBefore != false)
        }
        guard let trace else { return nil }
        return Loss(path: path, isEmpty: size != nil, trace: trace)
    }
}
