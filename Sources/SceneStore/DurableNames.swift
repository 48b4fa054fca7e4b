import Glibc

/// Makes the names of files and directories durable: a sync of a file does not keep its name.
enum DurableNames {
    /// Has the names in a directory on disk.
    ///
    /// - Returns: The number of the system's error; `nil` if all went well, and on a file system
    ///   that cannot sync directories.
    static func sync(_ directory: String) -> Int32? {
        let number = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { return errno }
        defer { close(number) }
        guard fsync(number) != 0 else { return nil }
        return errno == EINVAL ? nil : errno
    }

    /// Has the name of a directory on disk, also where the one that it is in cannot be read.
    ///
    /// - Returns: The number of the system's error; `nil` if all went well.
    static func syncName(of directory: String) -> Int32? {
        guard let failure = sync(parent(of: directory)) else { return nil }
        guard failure == EACCES || failure == EPERM else { return failure }
        // All file systems, since the directory cannot be opened; on Linux it waits for the disks.
        Glibc.sync()
        return nil
    }

    /// The directories of a path that do not exist, the innermost first.
    static func missing(in directory: String) -> [String] {
        var missing: [String] = []
        var path = directory
        while access(path, F_OK) != 0, errno == ENOENT, path != "." {
            missing.append(path)
            path = parent(of: path)
        }
        return missing
    }

    /// The directory that a path lies in.
    static func parent(of path: String) -> String {
        var name = path[...]
        while name.count > 1, name.hasSuffix("/") { name = name.dropLast() }
        guard let slash = name.lastIndex(of: "/") else { return "." }
        let parent = name[..<slash]
        return parent.isEmpty ? "/" : String(parent)
    }
}
