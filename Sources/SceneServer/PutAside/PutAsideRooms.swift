/// The rooms that a data directory records as put aside, for commands such as `doctor`.
public enum PutAsideRooms {
    /// The rooms that the next server on the directory would put aside, by name, with the reasons.
    /// The crash of the last server counts once the next one has started.
    ///
    /// - Throws: `ServerError.store` for a file that cannot be read.
    public static func known(
        in directory: String
    ) throws(ServerError) -> [(room: String, reason: String)] {
        try CrashLedger(path: Quarantine.ledgerPath(directory)).putAside
            .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
