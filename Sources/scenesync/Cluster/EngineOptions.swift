import ArgumentParser
import NATSEngine

/// Where a cluster's engine is, for the commands about it.
struct EngineOptions: ParsableArguments {
    @Argument(help: "The NATS servers: nats://HOST:PORT,HOST:PORT; the port is 4222 unless given.")
    var address: String

    @Option(help: "A PEM file of certificates to trust; with it, connections use TLS.")
    var tlsCa: String?

    @Option(help: "A file with the seed of the nkey to sign in with.")
    var nkey: String?

    @Option(help: "A file with the cluster's key, as its nodes have it.")
    var clusterKey: String?

    @Option(help: "The first word of the cluster's subjects and streams.")
    var prefix = ClusterLayout.standardPrefix

    func configuration() throws(NATSError) -> NATSConfiguration {
        var configuration = try NATSConfiguration(
            addresses: address, caFile: tlsCa, nkeySeedFile: nkey)
        if let clusterKey { configuration.clusterKeys = try ClusterKeys(file: clusterKey) }
        return configuration
    }

    func layout() throws(NATSError) -> ClusterLayout { try ClusterLayout(prefix: prefix) }
}

extension Output {
    /// Reports why the engine cannot be used, and returns the error to throw.
    static func failure(_ error: NATSError) -> ExitCode {
        let code: ExitCode =
            switch error {
            case .badAddress, .plainBeyondLoopback, .badPrefix, .unreadableFile, .badSeed,
                .badClusterKey:
                .badConfiguration
            case .cannotConnect, .timedOut: .unavailable
            case .notAuthorised, .tlsFailed, .serverTooOld, .noVersion, .libraryFailed, .refused,
                .malformedAnswer, .foreignCluster, .noCluster, .noStream:
                .failure
            }
        return failure(code, error.fault, try: error.advice)
    }
}
