public import SceneCluster

/// A report of the engine to its owner, one after another, on the engine's thread.
public enum EngineEvent: Equatable, Sendable {
    /// A request has its reply.
    case replied(RequestID, EngineReply)
    /// A message came on a subject that was subscribed to. Nothing keeps it, and it comes at most
    /// once.
    case heard(subject: String, bytes: [UInt8])
    /// A server has taken the connection; requests are carried out.
    case connected(ServerIdentity)
    /// The connection is lost; requests wait, and another server is looked for.
    case disconnected(reason: String)
    /// The server that took the connection cannot be used. Requests wait until it is lost and
    /// another one takes the connection.
    case refused(NATSError)
    /// The library has given up. Requests are answered with `unknown` from here on; connecting
    /// again takes a new engine.
    case closed(reason: String)
    /// Messages of subscriptions were dropped, since they came faster than they were taken.
    case dropped(messages: Int)
}
