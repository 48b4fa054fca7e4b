/// A connection to the engine that replicates a cluster's records. Safe from any thread. Reports
/// `EngineNews` on a thread of the engine.
public protocol ClusterEngine: AnyObject, Sendable {
    /// Carries a request out; the reply comes as `EngineNews.replied`.
    ///
    /// - Parameter id: What the reply is known by; no number may be used twice.
    /// - Returns: False where too many requests wait; no reply comes then.
    func ask(_ request: EngineRequest, as id: UInt64) -> Bool

    /// Sends a message that nothing keeps; it arrives at most once.
    func send(_ bytes: [UInt8], to subject: String)

    /// Hears messages that nothing keeps.
    func hear(_ subject: String)

    /// Ends the connection and waits for that. Must not be called on the thread that reports news.
    func close()
}

/// A report of an engine.
public enum EngineNews: Equatable, Sendable {
    /// A request has its reply.
    case replied(UInt64, EngineReply)
    /// A message came that nothing keeps.
    case heard(subject: String, bytes: [UInt8])
    /// A server has taken the connection.
    case connected(server: String)
    /// The connection is lost, for the reason given; another server is looked for, and requests
    /// wait.
    case disconnected(String)
    /// The connection is given up. Another one takes another engine.
    case closed(String)
    /// Something is wrong that an operator has to see to.
    case trouble(String)
}
