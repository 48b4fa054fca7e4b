import ArgumentParser

/// How the servers of a node's cluster are looked at more closely.
struct MonitorOptions: ParsableArguments {
    @Option(
        help:
            "The monitoring port of one of the cluster's servers, http://HOST:PORT, to see how it writes to its disk; may be repeated."
    )
    var clusterMonitor: [String] = []
}
