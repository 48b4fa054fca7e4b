import Foundation
import JSON
import SceneTestSupport
import Testing

@Suite("The conformance suite", .serialized)
struct ConformanceTests {
    private func counts(_ path: String) throws -> [String: Double] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let report = try JSONReader.read([UInt8](data))
        guard let members = report["counts"]?.members else { return [:] }
        var counts: [String: Double] = [:]
        for member in members {
            if let number = member.value.number { counts[member.key] = number }
        }
        return counts
    }

    @Test("our server keeps every promise of the specification")
    func server() throws {
        let scratch = try Scratch()
        let server = try ServerProcess(["--in-memory"])
        let json = scratch.path + "/report.json"
        let html = scratch.path + "/report.html"
        let outcome = try Program.run(
            ["conformance", server.url + "/trial", "--json", json, "--html", html])
        #expect(outcome.status == 0, "\(outcome.output)")
        let counts = try counts(json)
        #expect(counts["FAILED"] == 0 && counts["NON-STRICT"] == 0)
        #expect((counts["OK"] ?? 0) >= 60)
        let page = try String(contentsOfFile: html, encoding: .utf8)
        #expect(page.contains("<td>6.8-1</td>"))
    }

    @Test("a server that asks for tokens and where little is too much keeps them too")
    func guardedServer() throws {
        let scratch = try Scratch()
        let secret = try scratch.write("a secret that has more than 32 bytes", as: "secret")
        let tokens = try ["ada", "ada", "eve"].map { subject in
            try Program.run(
                ["token", "--secret-file", secret, "--room", "trial", "--role", "editor"]
                    + ["--subject", subject]
            ).output
        }
        let ending = try Program.run(
            ["token", "--secret-file", secret, "--room", "trial", "--role", "editor"]
                + ["--subject", "ada", "--expires", "10s"]
        ).output
        let partial = try Program.run(
            ["token", "--secret-file", secret, "--room", "trial", "--role", "editor"]
                + ["*", "!hidden", "shown"].flatMap { ["--see", $0] }
        ).output
        let file = try scratch.write((tokens + [ending, partial]).joined(), as: "tokens")
        let server = try ServerProcess(
            ["--in-memory", "--auth-secret-file", secret]
                + ["op", "message", "tick"].flatMap { ["--max-work-per-\($0)", "100000"] })
        let outcome = try Program.run(
            ["conformance", server.url + "/trial", "--tokens", file]
                + ["3.2-*", "6.8-*", "13.1-1", "15-10", "21-*"].flatMap { ["--only", $0] })
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("0 NON-STRICT, 0 FAILED, 0 INFORMATIONAL"))
        for id in ["3.2-6", "3.2-7", "3.2-8", "3.2-9", "13.1-1", "21-1", "21-5"] {
            #expect(outcome.output.contains("OK\t\(id)\t"))
        }
        let two = try scratch.write(tokens.dropFirst().joined(), as: "two")
        #expect(
            try Program.run(["conformance", server.url + "/trial", "--tokens", two]).status == 78)
        #expect(try Program.run(["conformance", "--serve", "--slow"]).status == 64)
    }

    @Test("a server that is none fails, and what is left out is not tried")
    func failure() throws {
        let scratch = try Scratch()
        let json = scratch.path + "/report.json"
        let outcome = try Program.run(
            ["conformance", "ws://127.0.0.1:1/trial", "--json", json]
                + [
                    "3.2*", "3.3*", "3.4*", "3.5*", "4*", "5*", "6*", "7*", "8*", "10*", "12*",
                    "13*", "14*", "15*", "16*", "17*", "18*", "19*", "20*", "21*",
                ]
                .flatMap { ["--exclude", $0] })
        #expect(outcome.status == 1)
        // Of section 3.1, only the refused handshake looks alike.
        #expect(try counts(json)["FAILED"] == 7)
        #expect(!outcome.output.contains("15-1"))
        #expect(try Program.run(["conformance"]).status == 64)
        #expect(try Program.run(["conformance", "--serve", "ws://127.0.0.1:1/x"]).status == 64)
    }

    @Test("cases are listed, chosen, and told apart by what they guard")
    func choice() throws {
        let cases = try Program.run(["conformance", "--list"]).output.split(separator: "\n")
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        #expect(cases.allSatisfy { $0.count == 4 })
        #expect(Set(cases.map { "\($0[0]) \($0[1])" }).count == cases.count)
        let essential = cases.filter { $0[0] == "client" && $0[2] == "essential" }
        #expect(essential.count > 10 && essential.count < cases.count / 3)
        let some = ["conformance", "--serve", "--patience", "0.2"]
        let guarding = try Program.run(some + ["--essential"]).output
        #expect(guarding.contains(", \(essential.count) cases\n"))
        let one = try Program.run(some + ["--only", "3.5-1"]).output
        #expect(one.contains(", 1 cases\n") && one.contains("0 OK, 0 NON-STRICT, 1 FAILED"))
        #expect(try Program.run(["conformance", "--essential", "ws://127.0.0.1:1/x"]).status == 64)
    }

    @Test("a report that nobody reads ends with 1")
    func closedOutput() throws {
        let output = Pipe()
        try output.fileHandleForReading.close()
        // This case holds where there is no server.
        let process = try ChildProcess(
            [Program.path, "conformance", "ws://127.0.0.1:1/trial", "--only", "3.1-4"],
            output: .pipe(output))
        #expect(process.terminationReason == .exit && process.terminationStatus == 1)
    }

    @Test("a client that never comes fails every case")
    func absent() throws {
        let outcome = try Program.run(["conformance", "--serve", "--patience", "0.2"])
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("0 OK"))
    }
}
