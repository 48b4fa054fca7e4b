import NATSEngine
import SceneCluster

/// What is right and wrong with a cluster's engine, by its status: each fault in words, with what
/// to do.
enum ClusterFindings {
    typealias Named = (check: String, finding: Finding)

    /// The largest message that the engine has to take, in bytes: a record and its headers.
    private static let payloadMinimum = 1 << 20
    /// How far a replica may be behind before it is told.
    private static let lagMaximum: UInt64 = 1000

    /// The findings of a status, in the order of their causes.
    static func of(_ status: ClusterStatus) -> [Named] {
        servers(status.servers) + [("cluster", description(status))] + streams(status)
    }

    // MARK: Servers

    private static func servers(_ servers: [ClusterStatus.Server]) -> [Named] {
        var findings: [Named] = servers.map { ("server \($0.address)", server($0)) }
        var names: [String: [String]] = [:]
        for server in servers {
            if case .success(let greeting) = server.greeting {
                names[greeting.name, default: []].append(server.address.description)
            }
        }
        for (name, addresses) in names.sorted(by: { $0.key < $1.key }) where addresses.count > 1 {
            findings.append(
                (
                    "servers",
                    .fault(
                        "\(addresses.joined(separator: " and ")) have the name \(name); they are one server, or two that need a server_name each"
                    )
                ))
        }
        if servers.count < 3 {
            findings.append(
                (
                    "servers",
                    .note(
                        "\(servers.count) named; name all servers, so that another one is reached when one is lost"
                    )
                ))
        }
        return findings
    }

    private static func server(_ server: ClusterStatus.Server) -> Finding {
        let greeting: ServerGreeting
        switch server.greeting {
        case .success(let found): greeting = found
        case .failure(let failure):
            return .fault(
                "does not answer: \(failure.reason); start it, or correct the address")
        }
        do throws(NATSError) {
            try greeting.check(server.address)
        } catch {
            return .fault(error.description)
        }
        guard greeting.hasJetStream else {
            return .fault(
                "\(greeting.name) has JetStream switched off; give it a jetstream section with a store_dir"
            )
        }
        guard greeting.payloadMaximum >= payloadMinimum else {
            return .fault(
                "\(greeting.name) takes messages of \(greeting.payloadMaximum) bytes; set max_payload to \(payloadMinimum) or more"
            )
        }
        return .ok("\(greeting.name), version \(greeting.version)")
    }

    // MARK: Streams

    private static func description(_ status: ClusterStatus) -> Finding {
        guard let description = status.description else {
            return status.isDescriptionCertain
                ? .fault("it was not created here; create it: scenesync cluster init")
                : .fault(
                    "its description was not found, and no leader says whether there is one; wait for the election, which takes up to 10 s"
                )
        }
        return .ok(
            "\(description.clusterText), \(description.shards.count) shards, \(status.nodes.count) nodes"
        )
    }

    private static func streams(_ status: ClusterStatus) -> [Named] {
        var findings: [Named] = status.missing.map { name in
            ("stream \(name)", .fault("it is missing; create it: scenesync cluster init"))
        }
        findings += status.streams.flatMap { stream in
            problems(of: stream).map { ("stream \(stream.name)", $0) }
        }
        if findings.isEmpty, !status.streams.isEmpty {
            findings.append(
                ("streams", .ok("\(status.streams.count), each with a leader and its replicas")))
        }
        let leaders = Set(
            status.streams.filter { $0.name.contains("journal") }.compactMap(\.leader))
        if leaders.count == 1, status.servers.count > 1, let leader = leaders.first {
            findings.append(
                (
                    "leaders",
                    .note(
                        "\(leader) leads all streams of records, so its loss stops every shard for some seconds; spread them: scenesync cluster init"
                    )
                ))
        }
        return findings
    }

    private static func problems(of stream: ClusterStatus.Stream) -> [Finding] {
        var findings: [Finding] = stream.differences.map {
            .fault("\($0); set it back: nats stream edit \(stream.name)")
        }
        if stream.leader == nil {
            findings.append(
                .fault(
                    "it has no leader, so nothing is acknowledged; start the servers of a majority, or wait for the election, which takes up to 10 s"
                ))
        }
        if stream.replicasWanted == 1 {
            findings.append(
                .note("it is kept on one server; what that one's disk loses is lost"))
        }
        for replica in stream.replicas {
            if replica.isOffline {
                findings.append(
                    .fault(
                        "\(replica.name) is lost; start it, for the next loss may stop the stream")
                )
            } else if !replica.isCurrent, replica.lag > lagMaximum {
                findings.append(
                    .note(
                        "\(replica.name) is \(replica.lag) operations behind; it catches up by itself unless its disk or network is slow"
                    ))
            }
        }
        return findings
    }
}
