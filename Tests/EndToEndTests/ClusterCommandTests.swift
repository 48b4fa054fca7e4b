import Foundation
import SceneTestSupport
import Testing

/// The commands about a cluster's engine, against three servers on loopback.
@Suite("A cluster's engine on the command line", .serialized)
struct ClusterCommandTests {
    private static let servers = Result { try NATSServers() }

    private let servers: NATSServers

    init() throws { servers = try Self.servers.get() }

    private func json(_ arguments: String..., status: Int32 = 0) throws -> [String: Any] {
        let outcome = try Program.run(arguments)
        #expect(outcome.status == status, "\(outcome.output) \(outcome.errors)")
        return try #require(
            JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    private static let streams = [
        "journal-0", "journal-1", "journal-2", "snapshots", "index", "metadata",
    ]

    @Test("init makes the streams once, says what was there, and keeps the cluster's number")
    func create() throws {
        let first = try Program.run(
            ["cluster", "init", servers.address, "--prefix", "once", "--shards", "12"])
        #expect(first.status == 0, "\(first.errors)")
        var lines = first.output.split(separator: "\n").map(String.init)
        let last = try #require(lines.last)
        lines.removeLast()
        #expect(last.hasPrefix("made cluster "))
        let number = last.dropFirst("made cluster ".count)
        #expect(number.count == 16)
        #expect(lines == Self.streams.map { "made stream once-\($0)" })
        let again = try Program.run(
            ["cluster", "init", servers.address, "--prefix", "once", "--shards", "12"])
        #expect(
            again.output.split(separator: "\n").map(String.init)
                == Self.streams.map { "there stream once-\($0)" } + ["there cluster \(number)"])
        let told = try json("cluster", "status", servers.address, "--prefix", "once", "--json")
        let cluster = try #require(told["cluster"] as? [String: Any])
        #expect(cluster["id"] as? String == String(number))
        #expect(cluster["shards"] as? Int == 12 && cluster["replicas"] as? Int == 3)
        let streams = try #require(told["streams"] as? [[String: Any]])
        #expect(streams.map { $0["name"] as? String } == Self.streams.map { "once-\($0)" })
        // One of the streams of records is led by each server.
        #expect(Set(streams.prefix(3).map { $0["leader"] as? String }) == ["n1", "n2", "n3"])
        for stream in streams {
            #expect((stream["replicas"] as? [Any])?.count == 2)
        }
    }

    @Test("init with other numbers than the cluster has changes nothing and says so")
    func differing() throws {
        #expect(
            try Program.run(["cluster", "init", servers.address, "--prefix", "fixed"]).status == 0)
        for (arguments, words) in [
            (["--shards", "32"], "has 64 shards and 3 replicas, asked for were 32 and 3"),
            (["--replicas", "1"], "has num_replicas 3, expected 1"),
        ] {
            let outcome = try Program.run(
                ["cluster", "init", servers.address, "--prefix", "fixed"] + arguments)
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    @Test("status of a cluster that was not created names all that is missing")
    func missing() throws {
        let told = try json(
            "cluster", "status", servers.address, "--prefix", "none", "--json", status: 1)
        #expect(told["missing"] as? [String] == Self.streams.map { "none-\($0)" })
        #expect(told["cluster"] is NSNull)
    }

    private func doctor(_ arguments: [String]) throws -> (
        status: Int32, findings: [String: [String]]
    ) {
        let outcome = try Program.run(
            ["doctor", "--in-memory", "--port", "0", "--json"] + arguments)
        let told = try #require(
            JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        var findings: [String: [String]] = [:]
        for finding in try #require(told["findings"] as? [[String: String]]) {
            let check = finding["check"] ?? ""
            guard check.hasPrefix("engine, ") else { continue }
            findings[String(check.dropFirst("engine, ".count))] = [
                finding["level"] ?? "", finding["text"] ?? "",
            ]
        }
        return (outcome.status, findings)
    }

    @Test(
        "doctor looks at versions, streams, disks, the fence and times, and leaves nothing behind")
    func wellDoctored() throws {
        #expect(
            try Program.run(["cluster", "init", servers.address, "--prefix", "well"]).status == 0)
        let monitors = servers.monitors.flatMap {
            ["--cluster-monitor", "http://127.0.0.1:\($0)"]
        }
        for _ in 0..<2 {
            let (status, findings) = try doctor(
                ["--cluster", servers.address, "--cluster-prefix", "well"] + monitors)
            #expect(status == 0, "\(findings)")
            for (check, finding) in findings {
                // Without a key, whoever may publish is believed.
                let level = check == "key" ? "note" : "ok"
                #expect(finding.first == level, "\(check): \(finding)")
            }
            #expect(
                findings["fence"]?.last == "40 of 40 races of 24 publishers had one winner")
            for port in servers.ports {
                #expect(findings["server 127.0.0.1:\(port)"] != nil)
                #expect(findings["round trip 127.0.0.1:\(port)"] != nil)
            }
            for port in servers.monitors {
                #expect(findings["sync http://127.0.0.1:\(port)"] != nil)
            }
            #expect(findings["commits"] != nil && findings["streams"] != nil)
        }
    }

    @Test("doctor names a server that is down, and the address that leads nowhere, and goes on")
    func unwell() throws {
        #expect(
            try Program.run(["cluster", "init", servers.address, "--prefix", "ill"]).status == 0)
        let (status, findings) = try doctor([
            "--cluster", servers.address + ",127.0.0.1:1", "--cluster-prefix", "ill",
            "--cluster-monitor", "http://127.0.0.1:1", "--cluster-monitor", "nowhere",
        ])
        #expect(status == 1)
        #expect(
            findings["server 127.0.0.1:1"] == [
                "fault",
                "does not answer: Connection refused; start it, or correct the address",
            ])
        #expect(findings["round trip 127.0.0.1:1"]?.first == "fault")
        #expect(findings["sync http://127.0.0.1:1"]?.last?.contains("Connection refused") == true)
        #expect(findings["sync nowhere"]?.first == "fault")
        #expect(findings["fence"]?.first == "ok")
    }

    @Test("every help text fits 80 columns", arguments: ["", "init", "status"])
    func help(_ command: String) throws {
        let outcome = try Program.run(
            (["cluster", command] + ["--help"]).filter { !$0.isEmpty })
        #expect(outcome.status == 0)
        for line in outcome.output.split(separator: "\n") where !line.hasPrefix("USAGE:") {
            #expect(line.count <= 80, "\(line)")
        }
    }

    // The last one: it ends a server for good.
    @Test("status tells of a server that was lost, and of the streams that it led")
    func lost() throws {
        #expect(
            try Program.run(["cluster", "init", servers.address, "--prefix", "lost"]).status == 0)
        try servers.kill(2)
        let told = try json(
            "cluster", "status", servers.address, "--prefix", "lost", "--json", status: 1)
        let found = try #require(told["servers"] as? [[String: Any]])
        #expect(found.map { $0["error"] as? String } == [nil, nil, "Connection refused"])
        let findings = try #require(told["findings"] as? [[String: String]])
        #expect(
            findings.contains {
                $0["check"] == "server 127.0.0.1:\(servers.ports[2])" && $0["level"] == "fault"
            })
        // It led one of the three, which has another leader by now or none.
        let streams = try #require(told["streams"] as? [[String: Any]])
        #expect(streams.count == 6)
        for stream in streams where stream["leader"] is NSNull {
            #expect(stream["messages"] is NSNull)
            #expect(findings.contains { $0["check"] == "stream \(stream["name"] ?? "")" })
        }
        // A replica that lags may not have the description yet; then this is said.
        let shards = (told["cluster"] as? [String: Any])?["shards"] as? Int
        let isUncertain = findings.contains {
            $0["check"] == "cluster" && $0["text"]?.contains("no leader says whether") == true
        }
        #expect(shards == (isUncertain ? nil : 64))
    }
}
