import SceneCluster
private import Threads

/// The way back to the server that is named first, which a connection has left for another one. Where several nodes stay at the server
/// of one machine, they are cut off together when that machine is.
///
/// It only makes another connection beside the present one, on a thread of its own, which may wait. Whether that connection is as good is
/// for the engine's thread to find out.
enum WayHome {
    /// A connection to the server that is named first.
    ///
    /// Unchecked, because a connection belongs to one thread: the search's thread makes this one, hands it to the engine's thread, and does
    /// not use it afterwards.
    struct Found: @unchecked Sendable {
        var connection: NATSConnection
        var identity: ServerIdentity
    }

    /// How often a connection to another server looks whether the first one is back. It has to answer twice: one that has just started knows
    /// the others no better than they know it.
    static let interval = Duration.seconds(2)
    /// So long a message from the present server to the first one may take.
    static let patience = Duration.seconds(1)
    /// So long the connection that was left hears what the present one does; what comes twice is known by its number.
    static let overlap = Duration.milliseconds(500)
    /// So long the connection that was left goes on hearing answers.
    static let farewell = Duration.seconds(3)

    /// Looks whether the server that is named first answers, and connects to it if it did so the last time, too.
    ///
    /// - Parameters:
    ///   - connects: Whether it answered the last time.
    ///   - listener: Is told what becomes of the connection.
    ///   - tell: Called once, with whether it answers and the connection.
    static func search(
        _ configuration: NATSConfiguration, connects: Bool,
        listener: @escaping ConnectionListeners.Listener,
        tell: @escaping @Sendable (_ answers: Bool, Found?) -> Void
    ) {
        guard let home = configuration.addresses.first else { return tell(false, nil) }
        OwnedThread(name: "way home", stackBytes: 1 << 20).start {
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
                // It is looked for again.
                tell(false, nil)
            }
        }
    }
}
