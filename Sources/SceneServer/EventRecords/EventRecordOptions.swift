import Glibc

/// Where and how a server records events.
public struct EventRecordOptions: Sendable, Equatable {
    /// The directory; each room has its own file there. Created if it does not exist.
    public var folder: String
    /// Bytes of a file after which a new one is started.
    public var fileBytesMaximum = 64 << 20
    /// The number of full files kept for a room, 0 or more.
    public var keptFiles = 8
    /// Approximate bytes of the lines that wait to be written; those being written may take as much
    /// again.
    var waitingBytesMaximum = 16 << 20
    /// The same for one room, so that a busy room does not displace the lines of others.
    var roomWaitingBytesMaximum = 4 << 20

    /// Makes options with defaults.
    public init(folder: String) { self.folder = folder }

    /// Creates the folder if it does not exist, accessible to its owner only; its parent must
    /// exist.
    ///
    /// - Throws: `ServerError.records` if the folder, or files in it, cannot be created.
    public func prepareFolder() throws(ServerError) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw .records(EventRecordError(folder, "mkdir", errno).description)
        }
        // The dot, since no file has that name.
        guard access(folder + "/.", W_OK | X_OK) == 0 else {
            throw .records(EventRecordError(folder, "access", errno).description)
        }
    }
}
