import ArgumentParser
import JSON
import NATSEngine
import SceneCluster

struct ClusterShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the servers, streams and nodes of a cluster.",
        discussion: """
            Lists the NATS servers with their versions, the streams with their leaders and replicas, and the \
            nodes. What is wrong comes last, in lines that begin with FAULT or note and say what to do; a \
            fault ends the command with 1. With --json, an object of servers, streams, nodes and findings.
            """)

    @OptionGroup var engine: EngineOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let status: ClusterStatus
        do throws(NATSError) {
            let configuration = try engine.configuration()
            let administrator = try ClusterAdministrator(configuration, layout: engine.layout())
            status = try administrator.status(of: configuration.addresses)
        } catch {
            throw Output.failure(error)
        }
        let findings = ClusterFindings.of(status).filter { !$0.finding.isOK }
        if json {
            Output.result(status.json(findings).text(pretty: true))
        } else {
            for line in status.lines { Output.result(line) }
            for (check, finding) in findings { Output.result(finding.line(check)) }
        }
        if findings.contains(where: { $0.finding.isFault }) { throw ExitCode.failure }
    }
}

extension ClusterStatus {
    /// The status for people.
    fileprivate var lines: [String] {
        var lines: [String] = []
        if let description {
            lines.append(
                "cluster \(description.clusterText): \(description.shards.count) shards, \(description.replicas) replicas, made by version \(description.version)"
            )
        }
        lines.append("servers")
        for server in servers {
            switch server.greeting {
            case .success(let greeting):
                lines.append("  \(server.address)  \(greeting.name)  \(greeting.version)")
            case .failure(let failure): lines.append("  \(server.address)  \(failure.reason)")
            }
        }
        lines.append("streams")
        for stream in streams {
            let replicas = stream.replicas.map { ", \($0.name) \($0.state)" }.joined()
            let contents =
                if let messages = stream.messages, let bytes = stream.bytes {
                    "  \(messages) messages, \(bytes) bytes"
                } else {
                    ""
                }
            lines.append(
                "  \(stream.name)  leader \(stream.leader ?? "none")\(replicas)\(contents)")
        }
        lines.append("nodes")
        if nodes.isEmpty { lines.append("  none has registered") }
        for (node, name) in nodes.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(node.rawValue)  \(name)")
        }
        return lines
    }

    /// The status for programs.
    fileprivate func json(_ findings: [(check: String, finding: Finding)]) -> JSONValue {
        .object([
            JSONMember(
                "cluster",
                description.map { description in
                    .object([
                        JSONMember("id", .string(description.clusterText)),
                        JSONMember("shards", .number(Double(description.shards.count))),
                        JSONMember("hash", .string(ShardMap.hashName)),
                        JSONMember("replicas", .number(Double(description.replicas))),
                        JSONMember("version", .string(description.version)),
                    ])
                } ?? .null),
            JSONMember("servers", .array(servers.map(\.json))),
            JSONMember("streams", .array(streams.map(\.json))),
            JSONMember("missing", .array(missing.map { .string($0) })),
            JSONMember(
                "nodes",
                .array(
                    nodes.sorted { $0.key < $1.key }.map { node, name in
                        .object([
                            JSONMember("number", .number(Double(node.rawValue))),
                            JSONMember("name", .string(name)),
                        ])
                    })),
            JSONMember("findings", .array(findings.map { $0.finding.json($0.check) })),
        ])
    }
}

extension ClusterStatus.Replica {
    /// Its state in words.
    fileprivate var state: String {
        if isOffline { return "offline" }
        return isCurrent ? "current" : "\(lag) behind"
    }
}

extension ClusterStatus.Server {
    fileprivate var json: JSONValue {
        switch greeting {
        case .success(let greeting):
            .object([
                JSONMember("address", .string(address.description)),
                JSONMember("name", .string(greeting.name)),
                JSONMember("version", .string(greeting.version)),
                JSONMember("jetstream", .bool(greeting.hasJetStream)),
                JSONMember("tls", .bool(greeting.requiresTLS)),
                JSONMember("key", .bool(greeting.requiresKey)),
            ])
        case .failure(let failure):
            .object([
                JSONMember("address", .string(address.description)),
                JSONMember("error", .string(failure.reason)),
            ])
        }
    }
}

extension ClusterStatus.Stream {
    fileprivate var json: JSONValue {
        .object([
            JSONMember("name", .string(name)),
            JSONMember("leader", leader.map { .string($0) } ?? .null),
            JSONMember(
                "replicas",
                .array(
                    replicas.map { replica in
                        .object([
                            JSONMember("name", .string(replica.name)),
                            JSONMember("current", .bool(replica.isCurrent)),
                            JSONMember("offline", .bool(replica.isOffline)),
                            JSONMember("lag", .number(Double(replica.lag))),
                        ])
                    })),
            JSONMember("messages", messages.map { .number(Double($0)) } ?? .null),
            JSONMember("bytes", bytes.map { .number(Double($0)) } ?? .null),
        ])
    }
}
