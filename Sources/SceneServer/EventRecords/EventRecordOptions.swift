import Glibc

/// Where and how a server records events.
public struct EventRecordOptions: Sendable, Equatable {
    /// The directory; each room has a file of its own there. It is made if it does not exist.
    public var folder: String
    /// Bytes of a file after which a new one is begun.
    public var fileBytesMaximum = 64 << 20
    /// Files of a room that are kept besides the one that is being written, 0 or more.
    public var keptFiles = 8
    /// Bytes of memory, about, of the lines that wait to be written; those being written may take as much again.
    var waitingBytesMaximum = 16 << 20
    /// The same for the lines of one room, so that a busy room takes no other's place.
    var roomWaitingBytesMaximum = 4 << 20

    /// Makes options with defaults.
    public init(folder: String) { self.folder = folder }

    /// Makes the folder if it does not exist, for its owner alone; its parent has to exist.
    ///
    /// - Throws: `ServerError.records` where it cannot be made, or no files in it.
    public func prepareFolder() throws(ServerError) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .records(EventRecordError(folder, "mkdir", errno).description)
        }
        // The dot, since a file of that name is none.
        guard access(folder + "/.", W_OK | X_OK) == 0 else {
            throw .records(EventRecordError(folder, "access", errno).description)
        }
    }
}
