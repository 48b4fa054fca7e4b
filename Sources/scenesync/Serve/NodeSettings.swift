import ArgumentParser
import NATSEngine
import SceneCluster
import SceneServer

/// Options of a node of a cluster.
struct ClusterSettings: ParsableArguments {
    @Option(
        help:
            "Keep the journal in the cluster on these NATS servers, nats://HOST:PORT,HOST:PORT, the nearest first, where other nodes serve the same rooms. (default: none, the journal is in --data)"
    )
    var cluster: String?

    @Option(
        help:
            "The node's name in the cluster; no two processes may have the same. Needed with --cluster."
    )
    var node: String?

    @Option(
        help:
            "Where clients reach this node, ws://HOST:PORT or wss://HOST:PORT. (default: the address and port that it listens on)"
    )
    var advertise: String?

    @Option(
        help:
            "The part of the installation that fails as one, such as a building, that the node is in. A room goes from its node to one in another zone. (default: none)"
    )
    var zone: String?

    @Option(help: "A file with the seed of the nkey to sign in to the cluster with.")
    var clusterNkey: String?

    @Option(
        help:
            "A PEM file of certificates to trust; with it, connections to the cluster use TLS. Needed beyond this machine."
    )
    var clusterCa: String?

    @Option(
        help:
            "A file with the cluster's key, which proves messages between nodes; SIGHUP reads it again. (default: none, whoever may publish to NATS is believed)"
    )
    var clusterKey: String?

    @Option(help: "The first word of the cluster's subjects and streams. (default: ss)")
    var clusterPrefix: String?

    /// Resolves these settings and stores them.
    ///
    /// - Parameter needsName: Whether a node is to be made, and not only looked at.
    /// - Throws: `SettingError` for the first invalid one.
    func resolve(
        into configuration: inout ServeConfiguration, needsName: Bool
    ) throws(SettingError) {
        var settings = configuration.settings
        defer { configuration.settings = settings }
        var values = NodeSettings()
        let addresses = try settings.optionalText("cluster", cluster)
        let name = try settings.optionalText("node", node)
        values.advertisedAddress = try settings.optionalText("advertise", advertise)
        values.zone = try settings.text("zone", zone, "")
        values.nkeyFile = try settings.optionalText("cluster-nkey", clusterNkey)
        values.caFile = try settings.optionalText("cluster-ca", clusterCa)
        values.keyFile = try settings.optionalText("cluster-key", clusterKey)
        values.prefix = try settings.text(
            "cluster-prefix", clusterPrefix, ClusterLayout.standardPrefix)
        guard let addresses else {
            for stray in [
                "node", "advertise", "zone", "cluster-nkey", "cluster-ca", "cluster-key",
                "cluster-prefix",
            ]
            where settings.isGiven(stray) {
                throw SettingError(
                    description: "\(stray) is of a cluster's node, and cluster is not given")
            }
            return
        }
        values.addresses = addresses
        guard !settings.isGiven("alternate") else {
            throw SettingError(
                description:
                    "cluster and alternate are given; the nodes of a cluster name one another, leave alternate out"
            )
        }
        if needsName {
            values.name = try check(name: name)
            guard values.zone.utf8.count <= Beat.zoneBytesMaximum,
                values.zone.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
            else {
                throw SettingError(
                    description:
                        "zone is \"\(values.zone)\", expected at most \(Beat.zoneBytesMaximum) ASCII characters without blanks"
                )
            }
            try check(values.advertisedAddress, configuration.server)
        }
        configuration.node = values
    }

    private func check(name: String?) throws(SettingError) -> String {
        guard let name else {
            throw SettingError(
                description: "cluster is given and node is not; give this node a name of its own")
        }
        guard 1...64 ~= name.utf8.count, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw SettingError(
                description:
                    "node is \"\(name)\", expected 1 to 64 ASCII characters without blanks")
        }
        return name
    }

    private func check(_ address: String?, _ server: ServerOptions) throws(SettingError) {
        guard let address else {
            guard server.host != "0.0.0.0", server.host != "::" else {
                throw SettingError(
                    description:
                        "the node listens on all addresses, and advertise is not given; name the one that clients reach it at"
                )
            }
            return
        }
        let isURL = address.hasPrefix("ws://") || address.hasPrefix("wss://")
        guard isURL, address.utf8.count <= Beat.addressBytesMaximum,
            address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else {
            throw SettingError(
                description:
                    "advertise is \"\(address)\", expected ws://HOST:PORT or wss://HOST:PORT")
        }
    }
}

/// The settings of a node, resolved.
struct NodeSettings: Sendable {
    var addresses = ""
    var name = ""
    var prefix = ""
    var advertisedAddress: String?
    var zone = ""
    var nkeyFile: String?
    var caFile: String?
    var keyFile: String?

    /// How the engine is reached, with the cluster's keys.
    ///
    /// - Throws: `NATSError`.
    func configuration() throws(NATSError) -> NATSConfiguration {
        var configuration = try NATSConfiguration(
            addresses: addresses, caFile: caFile, nkeySeedFile: nkeyFile)
        if let keyFile { configuration.clusterKeys = try ClusterKeys(file: keyFile) }
        return configuration
    }

    /// Looks at the cluster, registers the node's name, and makes what a server takes.
    ///
    /// - Throws: `NATSError` for an engine that cannot be used, or a cluster that is not there.
    ///
    /// - Parameter configuration: That of these settings, whose keys may be read again later.
    func options(_ configuration: NATSConfiguration) throws(NATSError) -> NodeOptions {
        let layout = try ClusterLayout(prefix: prefix)
        let administrator = try ClusterAdministrator(configuration, layout: layout)
        guard let description = try administrator.settledDescription() else {
            throw .noCluster(prefix: prefix)
        }
        try administrator.requireStreams()
        let node = try administrator.number(of: name)
        return NodeOptions(
            name: name, node: node, cluster: description.cluster, map: description.shards,
            subjects: ClusterSubjects(prefix: prefix), advertisedAddress: advertisedAddress,
            zone: zone
        ) { (tell) throws(NodeFailure) in
            do throws(NATSError) {
                return try NATSEngine.connect(configuration, layout: layout, telling: tell)
            } catch {
                throw NodeFailure(error.description)
            }
        }
    }
}
