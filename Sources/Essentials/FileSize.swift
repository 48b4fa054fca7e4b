private import Glibc

/// The size of a file. `FileManager` tells it as a number of another type with
/// `FoundationEssentials` than with Foundation.
package enum FileSize {
    /// The size in bytes; `nil` if there is no such file, or it cannot be seen.
    package static func bytes(atPath path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }
}
