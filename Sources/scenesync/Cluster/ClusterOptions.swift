import ArgumentParser
import NATSEngine

/// Where the engine of a node's cluster is.
struct ClusterOptions: ParsableArguments {
    @Option(help: "The NATS servers of the cluster: nats://HOST:PORT,HOST:PORT.")
    var cluster: String?

    @Option(help: "A PEM file of certificates to trust; with it, connections to them use TLS.")
    var clusterCa: String?

    @Option(help: "A file with the seed of the nkey to sign in with.")
    var clusterNkey: String?

    @Option(help: "The first word of the cluster's subjects and streams.")
    var clusterPrefix = ClusterLayout.standardPrefix

    @Option(
        help:
            "The monitoring port of one of these servers, http://HOST:PORT, to see how it writes to its disk; may be repeated."
    )
    var clusterMonitor: [String] = []
}
