import Essentials
import Glibc

/// Writes a file of people's in one step.
enum FileReplacement {
    /// Replaces a file, whole or not at all: other programs see the old one or the new one. Its
    /// mode stays, and its owner where the system lets this user keep it; of a symbolic link the
    /// file behind it is replaced. A file that is not there yet is made.
    static func replace(_ path: String, with bytes: [UInt8]) throws(Descriptor.Failure) {
        guard let real = realpath(path, nil) else {
            guard errno == ENOENT else { throw failure() }
            let descriptor = try Descriptor.create(path)
            defer { descriptor.close() }
            return try descriptor.write(bytes)
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
                fsync(descriptor.number) == 0, rename(partial, file) == 0
            else { throw failure() }
        } catch {
            unlink(partial)
            throw error
        }
    }

    private static func failure() -> Descriptor.Failure { Descriptor.Failure(number: errno) }
}
