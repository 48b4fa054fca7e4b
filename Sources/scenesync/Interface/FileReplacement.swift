import Essentials
import Glibc

/// Writes a file of people's in one step.
enum FileReplacement {
    /// Replaces a file, whole or not at all: other programs see the old one or the new one. Its
    /// mode stays, and its owner where the system lets this user keep it; of a symbolic link the
    /// file behind it is replaced. A file that is not there yet is made.
    ///
    /// - Parameter isStill: Asked last of all, when the new file is on the disk: whether the old
    ///   one is still to be replaced.
    /// - Returns: Whether the file was replaced.
    @discardableResult
    static func replace(
        _ path: String, with bytes: [UInt8], where isStill: (String) -> Bool = { _ in true }
    ) throws(Descriptor.Failure) -> Bool {
        guard let real = realpath(path, nil) else {
            guard errno == ENOENT else { throw failure() }
            let descriptor = try Descriptor.create(path)
            defer { descriptor.close() }
            try descriptor.write(bytes)
            return true
        }
        defer { free(real) }
        var status = stat()
        guard stat(real, &status) == 0 else { throw failure() }
        let file = String(cString: real)
        let partial = "\(file).\(getpid()).new"
        let descriptor = try Descriptor.create(partial, mode: 0o600)
        defer { descriptor.close() }
        do throws(Descriptor.Failure) {
            try descriptor.write(bytes)
            // Before the mode, which a change of the owner may lessen.
            _ = fchown(descriptor.number, status.st_uid, status.st_gid)
            guard fchmod(descriptor.number, status.st_mode & 0o7777) == 0,
                fsync(descriptor.number) == 0
            else { throw failure() }
            guard isStill(file) else {
                unlink(partial)
                return false
            }
            guard rename(partial, file) == 0 else { throw failure() }
            return true
        } catch {
            unlink(partial)
            throw error
        }
    }

    private static func failure() -> Descriptor.Failure { Descriptor.Failure(number: errno) }
}
