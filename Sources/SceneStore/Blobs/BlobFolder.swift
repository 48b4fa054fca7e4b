import ConstraintLanguage
import Essentials
import Glibc

/// The files of blobs: `HASH` for the bytes, and `rooms/ROOM/HASH`, a link to it, for each room
/// that has it. One process at a time has the folder, as it has the journal beside it.
struct BlobFolder: Sendable {
    let path: String

    private var roomsPath: String { path + "/rooms" }

    /// The bytes of each blob of each room, and when it was written, in seconds since 1970.
    ///
    /// - Complexity: O(links).
    func rooms() -> [String: [String: (byteCount: Int, time: Int64)]] {
        var result: [String: [String: (byteCount: Int, time: Int64)]] = [:]
        for room in Self.names(in: roomsPath) where Identifier.isValid(room) {
            for hash in Self.names(in: roomsPath + "/" + room) where SHA256Text.isValid(hash) {
                guard let status = Self.status(roomsPath + "/" + room + "/" + hash) else {
                    continue
                }
                result[room, default: [:]][hash] = (
                    Int(status.st_size), Int64(status.st_mtim.tv_sec)
                )
            }
        }
        return result
    }

    /// Writes a blob and has it belong to a room; both are on disk when it returns.
    ///
    /// - Throws: `BlobError.disk`.
    func write(_ bytes: [UInt8], hash: String, room: String) throws(BlobError) {
        let (file, roomPath) = (path + "/" + hash, roomsPath + "/" + room)
        for folder in [path, roomsPath, roomPath] { try Self.make(folder) }
        if Self.status(file)?.st_size != off_t(bytes.count) {
            // Under another name first: what has the hash for a name is whole.
            let partial = file + ".new"
            try Self.attempt { () throws(Descriptor.Failure) in
                let descriptor = try Descriptor.create(partial, mode: 0o600)
                defer { descriptor.close() }
                try descriptor.write(bytes)
                guard fsync(descriptor.number) == 0 else { throw Descriptor.Failure(number: errno) }
            }
            guard rename(partial, file) == 0 else { throw Self.failure() }
        }
        guard link(file, roomPath + "/" + hash) == 0 || errno == EEXIST else {
            throw Self.failure()
        }
        // All of them each time: a process that was killed may have made names that it did not
        // sync.
        for folder in [DurableNames.parent(of: path), path, roomsPath, roomPath] {
            try Self.sync(folder)
        }
    }

    /// The bytes of a blob; nil where there is no such file, or a longer one than there may be.
    func read(_ hash: String, byteMaximum: Int) -> [UInt8]? {
        let number = open(path + "/" + hash, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else { return nil }
        let descriptor = Descriptor(number)
        defer { descriptor.close() }
        var status = stat()
        guard fstat(number, &status) == 0, status.st_size <= off_t(byteMaximum) else { return nil }
        return try? descriptor.readAll()
    }

    /// Takes a blob from a room, and removes it if it was the last one.
    func remove(_ hash: String, room: String) {
        let roomPath = roomsPath + "/" + room
        unlink(roomPath + "/" + hash)
        rmdir(roomPath)
        if let status = Self.status(path + "/" + hash), status.st_nlink <= 1 {
            unlink(path + "/" + hash)
        }
    }

    // MARK: The system

    private static func make(_ folder: String) throws(BlobError) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure() }
    }

    private static func sync(_ folder: String) throws(BlobError) {
        guard let number = DurableNames.sync(folder) else { return }
        throw .disk(FileFailure.reason(number: number))
    }

    private static func failure() -> BlobError { .disk(FileFailure.reason(number: errno)) }

    private static func attempt(
        _ body: () throws(Descriptor.Failure) -> Void
    ) throws(BlobError) {
        do throws(Descriptor.Failure) { try body() } catch { throw .disk(error.description) }
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
