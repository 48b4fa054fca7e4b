import Foundation
import Testing

/// What programs read of the commands that people read too.
@Suite("JSON on standard output")
struct JSONOutputTests {
    private func json(
        _ arguments: String..., status: Int32 = 0, environment: [String: String] = [:]
    ) throws -> Any {
        let outcome = try Program.run(arguments, environment: environment)
        #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
        return try JSONSerialization.jsonObject(
            with: Data(outcome.output.utf8), options: .fragmentsAllowed)
    }

    private func object(_ value: Any) throws -> [String: Any] {
        try #require(value as? [String: Any])
    }

    @Test("doctor gives each check its level, and counts the faults that it ends with 1 for")
    func doctor() throws {
        let fine = try object(json("doctor", "--in-memory", "--port", "0", "--json"))
        #expect(fine["faults"] as? Int == 0)
        let findings = try #require(fine["findings"] as? [[String: String]])
        #expect(
            findings.map { $0["check"] } == [
                "settings", "access", "port", "TLS", "keys", "faces", "journal", "rooms",
                "recorded events", "crashes", "scene", "descriptors", "clock", "memory",
            ])
        #expect(findings.first { $0["check"] == "journal" }?["level"] == "note")
        let faulty = try object(
            json("doctor", "--in-memory", "--port", "0", "--scene", "/none", "--json", status: 1))
        #expect(faulty["faults"] as? Int == 1)
        let scene = try #require(faulty["findings"] as? [[String: String]])
            .first { $0["level"] == "fault" }
        #expect(scene?["check"] == "scene" && scene?["text"]?.contains("/none") == true)
        let unset = try object(
            json("doctor", "--json", status: 1, environment: ["SCENESYNC_PORT": "x"]))
        #expect(unset["faults"] as? Int == 1)
    }

    @Test("scenario tells of each file what differs, or why it is no scenario")
    func scenario() throws {
        let scratch = try Scratch()
        func scenario(_ width: Int, as name: String) throws -> String {
            try scratch.write(
                """
                {"name": "\(name)",
                 "scene": {"scene": 1, "viewport": {"width": 100, "height": 50},
                           "views": [{"id": "a"}],
                           "constraints": ["a.leading == root.leading", "a.width == 20",
                                           "a.top == root.top", "a.height == 10"]},
                 "steps": [{"expect": {"frames": {"a": [0, 0, \(width), 10]}}}]}
                """, as: name + ".json")
        }
        let files = [
            try scenario(20, as: "right"), try scenario(21, as: "wrong"),
            try scratch.write("{}", as: "none.json"),
        ]
        let report = try object(
            json("scenario", files[0], files[1], files[2], "--json", status: 65))
        #expect(report["passed"] as? Int == 1 && report["failed"] as? Int == 2)
        let entries = try #require(report["scenarios"] as? [[String: Any]])
        #expect(entries.map { $0["file"] as? String } == files)
        #expect((entries[0]["differences"] as? [String])?.isEmpty == true)
        #expect((entries[1]["differences"] as? [String])?.count == 1)
        #expect(entries[2]["error"] != nil && entries[2]["differences"] == nil)
    }

    @Test(
        "new lists its examples, token names its end, conformance its cases, a simulation its seed")
    func lists() throws {
        let names = try #require(try json("new", "--json") as? [String])
        #expect(
            names == (try Program.run(["new"]).output).split(separator: "\n").map(String.init))
        let scratch = try Scratch()
        let secret = try scratch.write(String(repeating: "s", count: 48), as: "secret")
        let now = Date().timeIntervalSince1970
        let token = try object(
            json("token", "--secret-file", secret, "--room", "a", "--expires", "1h", "--json"))
        let end = try #require(token["expires"] as? Double)
        #expect((now + 3598...now + 3700).contains(end))
        let check = try object(
            json("token", "--secret-file", secret, "--check", token["token"] as? String ?? ""))
        #expect(check["rooms"] as? [String] == ["a"])
        let cases = try #require(
            try json("conformance", "--list", "--json", "-") as? [[String: Any]])
        let lines = try Program.run(["conformance", "--list"]).output.split(separator: "\n")
        #expect(cases.count == lines.count)
        #expect(Set(cases.compactMap { $0["subject"] as? String }) == ["server", "client"])
        let run = try object(json("simulate", "--seed", "7", "--json"))
        #expect(run["seed"] as? Int == 7 && (run["faults"] as? [String])?.isEmpty == true)
    }

    @Test("conformance prints its results as JSON and nothing else")
    func conformance() throws {
        let server = try ServerProcess(["--in-memory"])
        let report = try object(
            json(
                "conformance", "ws://127.0.0.1:\(server.port)/trial", "--only", "3.1-*", "--json",
                "-"))
        #expect((report["cases"] as? [Any])?.isEmpty == false)
    }
}
