import JSON
import SceneCluster

/// A NATS server's greeting to every connection, before TLS and before any key: the line
/// `INFO {…}`.
public struct ServerGreeting: Equatable, Sendable {
    /// Its name in the cluster.
    public var name: String
    /// Its version as it says it.
    public var version: String
    /// Whether JetStream is switched on.
    public var hasJetStream: Bool
    /// Whether it wants TLS.
    public var requiresTLS: Bool
    /// Whether it wants a key.
    public var requiresKey: Bool
    /// The largest message in bytes, headers included.
    public var payloadMaximum: Int
    /// The name of the cluster of NATS servers; nil for one that stands alone.
    public var clusterName: String?

    /// Reads the line.
    ///
    /// - Throws: A failure with the reason.
    init(_ line: [UInt8]) throws(PlainSocket.Failure) {
        let start = Array("INFO ".utf8)
        guard line.starts(with: start) else {
            throw PlainSocket.Failure(
                reason: "it does not begin with INFO, as NATS servers do unless they begin with TLS"
            )
        }
        let value: JSONValue
        do { value = try JSONReader.read(Array(line.dropFirst(start.count))) } catch {
            throw PlainSocket.Failure(reason: "its INFO cannot be read: \(error)")
        }
        guard let version = value["version"]?.string else {
            throw PlainSocket.Failure(reason: "its INFO has no version")
        }
        self.version = version
        name = value["server_name"]?.string ?? ""
        hasJetStream = value["jetstream"]?.bool ?? false
        requiresTLS = value["tls_required"]?.bool ?? false
        requiresKey = value["auth_required"]?.bool ?? false
        payloadMaximum = Int(clamping: value["max_payload"]?.count ?? 0)
        clusterName = value["cluster"]?.string
    }

    /// Throws unless the server fences.
    ///
    /// - Throws: `NATSError.serverTooOld`, or `noVersion` for a text that is no version.
    public func check(_ address: NATSAddress) throws(NATSError) {
        guard let number = ReleaseVersion(version) else {
            throw .noVersion(
                address: address.description, reason: "\"\(version)\" is no version")
        }
        guard number.fences else {
            throw .serverTooOld(address: address.description, version: version)
        }
    }
}

/// Asks a server for its greeting.
public enum ServerProbe {
    /// Why there is none, in words.
    public struct Failure: Error, Equatable, Sendable {
        /// The reason.
        public var reason: String
    }

    private static let lineMaximum = 1 << 16

    /// Connects, reads the greeting and closes.
    ///
    /// - Parameter timeout: For each of connecting and reading.
    public static func ask(
        _ address: NATSAddress, timeout: Duration = .seconds(2)
    ) -> Result<ServerGreeting, Failure> {
        do throws(PlainSocket.Failure) {
            let socket = try PlainSocket(
                host: address.host, port: address.port, timeout: timeout)
            let end = Array("\r\n".utf8)
            let bytes = try socket.read(maximum: lineMaximum) { bytes in
                bytes.contains(end[1])
            }
            let line = bytes.prefix { $0 != end[0] && $0 != end[1] }
            return .success(try ServerGreeting(Array(line)))
        } catch {
            return .failure(Failure(reason: error.reason))
        }
    }
}
