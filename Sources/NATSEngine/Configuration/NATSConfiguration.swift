internal import Essentials
private import FoundationEssentials

/// How the engine's servers are reached. Checked when it is made: a plain connection beyond
/// loopback cannot be written.
public struct NATSConfiguration: Sendable {
    /// The servers, the preferred first; the first that answers is taken, the next one when the
    /// connection is lost.
    public private(set) var addresses: [NATSAddress]
    /// A PEM file of certificates to trust; with one, every connection uses TLS.
    public let caFile: String?
    /// The nkey of the user; without one, the server has to accept connections without
    /// authentication.
    public let nkey: NKeySeed?
    /// The keys that prove messages between nodes; without them, every publisher is believed.
    public var clusterKeys: ClusterKeys?
    /// The name that the server shows for the connection.
    public var name = "scenesync"
    /// The time that each address has to answer.
    public var connectTimeout: Duration = .seconds(2)
    /// The time after which a request has an unknown outcome.
    public var requestTimeout: Duration = .seconds(2)
    /// The time after which a question to any replica is asked a second time, since a replica that
    /// is cut off does not answer.
    public var hedgeAfter: Duration = .milliseconds(50)
    /// The span between two pings; a server that leaves three unanswered counts as lost. Other
    /// nodes take a node's shards over within this time, so that it is of use only for as long.
    public var pingInterval: Duration = .milliseconds(250)

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - addresses: `nats://HOST:PORT,HOST:PORT`; see `NATSAddress.list`.
    ///   - caFile: A PEM file of certificates.
    ///   - nkeySeedFile: A file with the seed of a user's nkey.
    /// - Throws: `NATSError`, with `plainBeyondLoopback` for an address that is not on this machine
    ///   and no CA file.
    public init(
        addresses text: String, caFile: String? = nil, nkeySeedFile: String? = nil
    ) throws(NATSError) {
        addresses = try NATSAddress.list(text)
        self.caFile = caFile
        if let caFile { _ = try Self.contents(of: caFile) }
        for address in addresses where caFile == nil && (!address.isLoopback || address.asksForTLS)
        {
            throw address.asksForTLS
                ? .tlsFailed(
                    addresses: [address.description], reason: "no CA file says whom to trust")
                : .plainBeyondLoopback(address: address.description)
        }
        nkey =
            if let nkeySeedFile {
                try NKeySeed(file: nkeySeedFile, Self.contents(of: nkeySeedFile))
            } else {
                nil
            }
    }

    /// The same with one server of the list alone.
    func with(only address: NATSAddress) -> NATSConfiguration {
        var alone = self
        alone.addresses = [address]
        return alone
    }

    /// Whether connections use TLS.
    public var usesTLS: Bool { caFile != nil }

    /// The largest file that is read; keys and certificates are far smaller.
    private static let fileBytesMaximum = 1 << 20

    private static func contents(of file: String) throws(NATSError) -> [UInt8] {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: file))
        } catch {
            throw .unreadableFile(file, reason: FileFailure.reason(of: error))
        }
        guard data.count <= fileBytesMaximum else {
            throw .unreadableFile(file, reason: "it has more than \(fileBytesMaximum) bytes")
        }
        return [UInt8](data)
    }
}
