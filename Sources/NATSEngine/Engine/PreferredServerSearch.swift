import SceneCluster
private import Threads

/// Looks for the preferred server, the first of the configuration, while the connection is to
/// another one. Nodes that stay at the server of one other machine are cut off together with it.
///
/// A search runs on a thread of its own, because connecting blocks. Its result is a second
/// connection, which the engine's thread tests before it uses it (`EngineConnections`).
enum PreferredServerSearch {
    /// A connection to the preferred server.
    ///
    /// Unchecked, because a connection belongs to one thread: the search's thread makes this one,
    /// hands it to the engine's thread, and does not use it afterwards.
    struct Found: @unchecked Sendable {
        var connection: NATSConnection
        var identity: ServerIdentity
    }

    /// The time between two searches. The preferred server has to answer two in a row, because one
    /// that has just started may not have routes to the others yet.
    static let interval = Duration.seconds(2)
    /// The time that a message from the present server to the preferred one may take.
    static let patience = Duration.seconds(1)
    /// The time for which the former connection keeps its subscriptions. Receivers recognise what
    /// comes twice by its number.
    static let overlap = Duration.milliseconds(500)
    /// The time for which the former connection receives answers.
    static let farewell = Duration.seconds(3)

    /// Asks the preferred server for its greeting, and connects to it if it also answered the last
    /// search.
    ///
    /// - Parameters:
    ///   - connects: Whether it answered the last search.
    ///   - listener: Receives changes of the connection.
    ///   - tell: Called once, with whether it answers and the connection.
    static func search(
        _ configuration: NATSConfiguration, connects: Bool,
        listener: @escaping ConnectionListeners.Listener,
        tell: @escaping @Sendable (_ answers: Bool, Found?) -> Void
    ) {
        guard let home = configuration.addresses.first else { return tell(false, nil) }
        OwnedThread(name: "server search", stackBytes: 1 << 20).start {
            defer { NATSConnection.leaveThread() }
            guard case .success = ServerProbe.ask(home, timeout: patience) else {
                return tell(false, nil)
            }
            guard connects else { return tell(true, nil) }
            do throws(NATSError) {
                let connection = try NATSConnection(configuration, listener: listener)
                let answer = try connection.request(
                    ServerIdentity.question, timeout: configuration.requestTimeout)
                let identity = try ServerIdentity(address: connection.address, answer)
                tell(
                    true,
                    identity.address == home.description
                        ? Found(connection: connection, identity: identity) : nil)
            } catch {
                // The next search tries again.
                tell(false, nil)
            }
        }
    }
}
