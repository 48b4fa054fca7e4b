import SceneCluster

/// Why the engine cannot be used. Each text says what is wrong, where, what was expected, and what
/// to do next.
public enum NATSError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text gives no addresses, or one that cannot be read.
    case badAddress(String, reason: String)
    /// The connection would be plain, and the address is not loopback.
    case plainBeyondLoopback(address: String)
    /// The prefix of subjects is no token that NATS takes.
    case badPrefix(String)
    /// A file cannot be read.
    case unreadableFile(String, reason: String)
    /// A file holds no seed of a user's nkey.
    case badSeed(file: String, reason: String)
    /// A file holds no keys of a cluster.
    case badClusterKey(file: String, reason: String)
    /// No server of the list takes the connection.
    case cannotConnect(addresses: [String], reason: String)
    /// The server does not accept the key, or wants one.
    case notAuthorised(addresses: [String], reason: String)
    /// TLS fails: the certificate is not trusted, or one side does not use TLS.
    case tlsFailed(addresses: [String], reason: String)
    /// The server is older than the first version that fences conditional publishes.
    case serverTooOld(address: String, version: String)
    /// The server does not tell its version.
    case noVersion(address: String, reason: String)
    /// A call of the library fails.
    case libraryFailed(call: String, reason: String)
    /// No answer comes within the time.
    case timedOut(subject: String, milliseconds: Int)
    /// The server answers with an error of JetStream's.
    case refused(subject: String, code: Int, description: String)
    /// An answer cannot be read.
    case malformedAnswer(subject: String, reason: String)
    /// The streams hold something other than this version makes.
    case foreignCluster(String)
    /// The cluster has not been created.
    case noCluster(prefix: String)
    /// A stream of the cluster is missing.
    case noStream(String)

    /// The fault, its place, the expected value, and what to do next.
    public var description: String { "\(fault); \(advice)" }

    /// The fault, its place, and the expected value.
    public var fault: String {
        switch self {
        case .badAddress(let text, let reason):
            "\"\(text)\" gives no address of the engine: \(reason)"
        case .plainBeyondLoopback(let address):
            "\(address) is not on this machine, and the connection would not be encrypted"
        case .badPrefix(let text):
            "\"\(text)\" cannot be the prefix of subjects"
        case .unreadableFile(let name, let reason):
            "\(name) cannot be read: \(reason)"
        case .badSeed(let file, let reason):
            "\(file) holds no seed of a user's nkey: \(reason)"
        case .badClusterKey(let file, let reason):
            "\(file) holds no keys of a cluster: \(reason)"
        case .cannotConnect(let addresses, let reason):
            "no NATS server answers at \(Self.list(addresses)): \(reason)"
        case .notAuthorised(let addresses, let reason):
            "the NATS server at \(Self.list(addresses)) does not accept this user: \(reason)"
        case .tlsFailed(let addresses, let reason):
            "TLS with \(Self.list(addresses)) fails: \(reason)"
        case .serverTooOld(let address, let version):
            "the NATS server at \(address) is version \(version), which cannot fence"
        case .noVersion(let address, let reason):
            "the NATS server at \(address) does not tell its version: \(reason)"
        case .libraryFailed(let call, let reason):
            "\(call) of the NATS library fails: \(reason)"
        case .timedOut(let subject, let milliseconds):
            "no answer on \(subject) within \(milliseconds) ms"
        case .refused(let subject, let code, let description):
            "the NATS server refuses \(subject): \(description) (error \(code))"
        case .malformedAnswer(let subject, let reason):
            "the answer on \(subject) cannot be read: \(reason)"
        case .foreignCluster(let what):
            "the streams hold something else than this version makes: \(what)"
        case .noCluster(let prefix):
            "there is no cluster under the prefix \"\(prefix)\""
        case .noStream(let name):
            "the stream \(name) of the cluster is missing"
        }
    }

    /// What to do next.
    public var advice: String {
        switch self {
        case .badAddress:
            "write nats://HOST:PORT,HOST:PORT"
        case .plainBeyondLoopback:
            "give the engine's CA file, so that TLS is used"
        case .badPrefix:
            "take 1 to 32 letters, digits, - and _"
        case .unreadableFile:
            "give a file that this user may read"
        case .badSeed:
            "make one with `nk -gen user`"
        case .badClusterKey:
            "make one with scenesync cluster init --cluster-key FILE"
        case .cannotConnect:
            "start the servers, or correct the addresses"
        case .notAuthorised:
            "give the seed of an nkey that its configuration lists"
        case .tlsFailed:
            "give the CA file that signed the servers' certificates"
        case .serverTooOld:
            "run nats-server \(ReleaseVersion.leastServer) or newer"
        case .noVersion:
            "permit the user to publish to \(ServerIdentity.subject)"
        case .libraryFailed:
            "check memory and descriptors with scenesync doctor"
        case .timedOut:
            "check that a majority of the NATS servers runs: scenesync cluster status"
        case .refused:
            "scenesync doctor --cluster explains what is missing"
        case .malformedAnswer:
            "check that a NATS server of version \(ReleaseVersion.leastServer) or newer runs there"
        case .foreignCluster:
            "take another --prefix, or the version that made them"
        case .noCluster, .noStream:
            "create it: scenesync cluster init"
        }
    }

    private static func list(_ addresses: [String]) -> String {
        addresses.joined(separator: ", ")
    }
}
