import JSON
public import SceneCluster

/// Which server a connection has reached, as the server says on the connection itself.
public struct ServerIdentity: Equatable, Sendable {
    /// HOST:PORT.
    public var address: String
    /// Its name in the cluster.
    public var name: String
    /// Its version.
    public var version: ReleaseVersion
    /// Whether it has JetStream switched on.
    public var hasJetStream: Bool

    /// The subject on which each server tells a user about itself.
    static let subject = "$SYS.REQ.USER.INFO"
    /// What asks for it.
    static let question = NATSOutgoing(subject: subject, bytes: [])

    /// Reads a server's answer.
    ///
    /// - Throws: `NATSError.noVersion`, or `serverTooOld` for a server that cannot fence.
    init(address: String, _ answer: NATSMessage) throws(NATSError) {
        if let status = answer.headers.status {
            throw .noVersion(
                address: address,
                reason: answer.headers.description ?? "status \(status) on \(Self.subject)")
        }
        let value: JSONValue
        do { value = try JSONReader.read(answer.bytes) } catch {
            throw .noVersion(address: address, reason: error.description)
        }
        guard let server = value["server"], let text = server["ver"]?.string else {
            throw .noVersion(address: address, reason: "its answer has no server.ver")
        }
        guard let version = ReleaseVersion(text) else {
            throw .noVersion(address: address, reason: "\"\(text)\" is no version")
        }
        guard version.fences else { throw .serverTooOld(address: address, version: text) }
        self.address = address
        self.version = version
        name = server["name"]?.string ?? ""
        hasJetStream = server["jetstream"]?.bool ?? false
    }
}

extension JSONValue {
    /// The number as an integer; nil for another kind, a fraction, or one below 0 or beyond 2^53,
    /// where numbers of JSON are not exact.
    var count: UInt64? {
        guard case .number(let number) = kind, (0...9_007_199_254_740_992).contains(number) else {
            return nil
        }
        return UInt64(exactly: number)
    }
}
