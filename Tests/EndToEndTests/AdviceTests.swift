import Foundation
import SceneTestSupport
import Testing

@Suite("Errors of the command line")
struct AdviceTests {
    /// A command that fails: its arguments, its exit code, and words of the two halves of its
    /// message.
    struct Failure: CustomStringConvertible, Sendable {
        var arguments: [String]
        var status: Int32
        var fault: String
        var advice: String
        var input = ""
        var environment: [String: String] = [:]

        init(
            _ arguments: String, _ status: Int32, _ fault: String, try advice: String,
            input: String = "", environment: [String: String] = [:]
        ) {
            self.arguments = arguments.split(separator: " ").map(String.init)
            self.status = status
            self.fault = fault
            self.advice = advice
            self.input = input
            self.environment = environment
        }

        var description: String { arguments.joined(separator: " ") }
    }

    /// In each, DIR is an empty directory but for the files that `prepare` writes, and PORT a port
    /// that is taken.
    private static let failures = [
        // Settings, from wherever they come.
        Failure("serve --port 70000", 64, "70000", try: "scenesync serve --help"),
        Failure("demo --crowd 1000", 64, "--crowd takes 0 to 200", try: "scenesync demo --help"),
        Failure(
            "demo --in-memory --port 0 --auth-secret-file DIR/secret", 78,
            "the demo's programs have no token", try: "leave the keys out"),
        Failure("serve --port x", 64, "'x' is invalid", try: "scenesync serve --help"),
        Failure("serve --prt 1", 64, "--prt", try: "Did you mean '--port'?"),
        Failure("serve --tick-rate 0", 78, "--tick-rate is 0", try: "expected 1 to 240"),
        Failure("serve --profile big", 78, "--profile is", try: "trusted or internet"),
        Failure("serve --log-level loud", 78, "--log-level is", try: "warning, error or critical"),
        Failure("serve --max-rooms 0 --in-memory --port 0", 78, "rooms is 0", try: "--help"),
        Failure(
            "serve", 78, "SCENESYNC_PORT is \"x\"", try: "a whole number",
            environment: ["SCENESYNC_PORT": "x"]),
        Failure(
            "serve", 78, "SCENESYNC_THREADS is 99", try: "expected 1 to 64",
            environment: ["SCENESYNC_THREADS": "99"]),
        Failure("serve --config DIR/none", 78, "DIR/none: cannot be read", try: "--help"),
        Failure("serve --config DIR/junk", 78, "DIR/junk: line 1", try: "--help"),
        Failure(
            "serve --config DIR/stray", 78, "stray, line 1: there is no setting prot", try: "--help"
        ),
        Failure("serve --config DIR/kinds", 78, "port is a text", try: "a whole number"),
        Failure("serve --trusted-proxy proxy", 78, "\"proxy\"", try: "an IPv4 or IPv6 address"),
        // Listening.
        Failure("serve --in-memory --port PORT", 78, "already in use", try: "another --port"),
        Failure("open DIR/good --port PORT", 1, "already in use", try: "another --port"),
        Failure("conformance --serve --port PORT", 78, "already in use", try: "another --port"),
        Failure(
            "serve --in-memory --host 203.0.113.1 --insecure-bind", 78,
            "cannot listen on 203.0.113.1",
            try: "--host"),
        Failure(
            "serve --in-memory --host 0.0.0.0", 78, "every client there could edit",
            try: "--insecure-bind"),
        // TLS and keys.
        Failure("serve --in-memory --tls-cert DIR/junk", 78, "must both be given", try: "--help"),
        Failure(
            "serve --in-memory --port 0 --tls-cert DIR/none --tls-key DIR/none", 78, "cannot read",
            try: "--tls-self-signed"),
        Failure(
            "serve --in-memory --port 0 --tls-cert DIR/junk --tls-key DIR/junk", 78,
            "no certificate and its key", try: "PEM"),
        Failure(
            "serve --in-memory --auth-secret-file DIR/none", 78, "none: cannot be read",
            try: "scenesync token --help"),
        Failure(
            "serve --in-memory --auth-secret-file DIR/junk", 78, "at least 256",
            try: "make a longer one"),
        Failure(
            "serve --in-memory --auth-public-key DIR/junk", 78, "no key in PEM",
            try: "scenesync token --help"),
        Failure(
            "serve --in-memory --auth-jwks DIR/junk", 78, "not valid JSON",
            try: "scenesync token --help"),
        // The journal.
        Failure(
            "serve --port 0 --data /proc/none", 78, "No such file or directory", try: "--in-memory"),
        Failure("serve --port 0 --data DIR/junk", 78, "File exists", try: "--in-memory"),
        Failure("replay demo --data DIR/none", 78, "unable to open", try: "--data"),
        Failure("export demo DIR/out --data DIR/none", 78, "unable to open", try: "--data"),
        Failure("import DIR/none room", 65, "No such file", try: "scenesync export"),
        Failure("import DIR/junk room", 65, "not an exported room", try: "scenesync export"),
        Failure("import DIR/junk 9", 64, "cannot be a room's name", try: "begin with a letter"),
        // Documents and ops.
        Failure(
            "serve --in-memory --port 0 --scene DIR/none", 65, "cannot read", try: "scenesync new"),
        Failure("serve --in-memory --port 0 --scene DIR/junk", 65, "line 1", try: "scenesync new"),
        Failure("layout DIR/none", 65, "No such file", try: "scenesync new"),
        Failure("layout -", 65, "line 1", try: "scenesync new"),
        Failure("layout DIR/good --device q", 65, "names no devices", try: "add \"devices\""),
        Failure("layout DIR/contrary", 65, "#0", try: "a lower priority"),
        Failure("layout", 64, "<file>", try: "scenesync layout --help"),
        Failure("open DIR/none", 65, "No such file", try: "scenesync new"),
        Failure("scenario DIR/none", 65, "No such file", try: "scenesync new"),
        Failure("apply ws://127.0.0.1:1/x DIR/none", 65, "No such file", try: "scenesync new"),
        Failure("apply ws://127.0.0.1:1/x DIR/junk", 65, "line 1", try: "LANGUAGE.md"),
        Failure("new nothing", 64, "\"nothing\"", try: "dashboard"),
        // Servers that are not there.
        Failure(
            "view --once http://h/r", 64, "no ws:// or wss:// address", try: "ws://HOST:PORT/ROOM"),
        Failure("view --once ws://127.0.0.1:1/r", 69, "cannot connect", try: "scenesync serve"),
        Failure("view --follow ws://127.0.0.1:1/r", 69, "cannot connect", try: "scenesync serve"),
        Failure("apply ws://127.0.0.1:1/r DIR/op", 69, "cannot connect", try: "scenesync serve"),
        Failure(
            "view --once --ca-file DIR/none wss://127.0.0.1:1/r", 65, "No such file",
            try: "check the name"),
        Failure(
            "view --once --token-file DIR/none ws://127.0.0.1:1/r", 65, "No such file",
            try: "check the name"),
        Failure("view ws://127.0.0.1:1/r", 64, "must be a terminal", try: "--once"),
        Failure("view --play DIR/none", 65, "No such file", try: "check the name"),
        Failure("view --play DIR/junk", 65, "junk", try: "view --record"),
        Failure("load nonsense", 69, "nonsense", try: "ws://HOST:PORT"),
        Failure("conformance", 64, "address", try: "--serve"),
        Failure(
            "conformance ws://127.0.0.1:1/r --only none-1", 64, "no case none-1", try: "--list"),
        // Tokens.
        Failure(
            "token --secret-file DIR/none --room a", 78, "cannot be read",
            try: "scenesync token --help"),
        Failure(
            "token --private-key DIR/junk --room a", 78, "no key in PEM",
            try: "scenesync token --help"),
        Failure("token --secret-file DIR/secret --check abc", 1, "not valid", try: "the key"),
        Failure("token --secret-file DIR/secret", 64, "--room", try: "scenesync token --help"),
        Failure(
            "token --secret-file DIR/secret --room a --role king", 64, "king",
            try: "viewer, participant, editor or admin"),
        Failure("token --secret-file DIR/secret --room a --expires never", 64, "never", try: "8h"),
        Failure("nonsense", 64, "nonsense", try: "scenesync --help"),
        // The engine of a cluster.
        Failure("cluster nonsense", 64, "nonsense", try: "scenesync cluster --help"),
        Failure("cluster init", 64, "<address>", try: "scenesync cluster init --help"),
        Failure(
            "cluster init nats://127.0.0.1:1 --shards 0", 64, "--shards takes 1 to 4096",
            try: "scenesync cluster init --help"),
        Failure(
            "cluster init nats://127.0.0.1:1 --replicas 2", 64, "--replicas takes 1, 3 or 5",
            try: "scenesync cluster init --help"),
        Failure(
            "cluster status 127.0.0.1", 78, "it has no scheme", try: "nats://HOST:PORT,HOST:PORT"),
        Failure(
            "cluster status nats://192.0.2.1", 78, "192.0.2.1:4222 is not on this machine",
            try: "give the engine's CA file"),
        Failure(
            "cluster status tls://127.0.0.1:1", 1, "no CA file says whom to trust",
            try: "give the CA file"),
        Failure(
            "cluster status nats://127.0.0.1:1", 69, "no NATS server answers at 127.0.0.1:1",
            try: "start the servers"),
        Failure(
            "cluster status nats://127.0.0.1:1 --prefix a.b", 78, "\"a.b\" cannot be the prefix",
            try: "letters, digits"),
        Failure(
            "cluster status nats://127.0.0.1:1 --nkey DIR/junk", 78, "holds no seed",
            try: "nk -gen user"),
        Failure(
            "cluster status nats://127.0.0.1:1 --tls-ca DIR/none", 78, "none cannot be read",
            try: "a file that this user may read"),
        Failure(
            "cluster status nats://127.0.0.1:1 --tls-ca DIR/junk", 78, "has no certificate",
            try: "a file"),
    ]

    private static func prepare(_ scratch: Scratch) throws {
        for (name, text) in [
            ("junk", "nonsense"), ("stray", #"{"prot": 1}"#), ("kinds", #"{"port": "x"}"#),
            ("secret", String(repeating: "s", count: 48)), ("good", sampleScene),
            ("op", #"{"op": "layoutIfNeeded", "id": "root"}"#),
            (
                "contrary",
                #"{"scene":1,"viewport":{"width":9,"height":9},"views":[{"id":"a"}],"constraints":["a.width == 1","a.width == 2"]}"#
            ),
        ] {
            _ = try scratch.write(text, as: name)
        }
    }

    @Test("every error says what is wrong, and ends with what to try", arguments: failures)
    func failing(_ failure: Failure) throws {
        let scratch = try Scratch()
        try Self.prepare(scratch)
        let taken = try #require(ListeningSocket())
        func filled(_ text: String) -> String {
            text.replacing("DIR", with: scratch.path).replacing("PORT", with: "\(taken.port)")
        }
        let outcome = try Program.run(
            failure.arguments.map(filled), input: failure.input, environment: failure.environment)
        #expect(outcome.status == failure.status, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        let fault = failure.fault.replacing("DIR", with: scratch.path)
        let place = try #require(outcome.errors.firstRange(of: fault), "\(outcome.errors)")
        #expect(
            outcome.errors[place.upperBound...].contains(failure.advice), "\(outcome.errors)")
        // Neither Swift's descriptions of values nor backtraces are for people.
        for word in ["Error(", "Optional(", "rawValue", "userInfo"] {
            #expect(!outcome.errors.contains(word), "\(outcome.errors)")
        }
    }

    @Test("a room that is not in the journal is answered with those that are")
    func rooms() async throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let data = scratch.path + "/data"
        let server = try ServerProcess(["--data", data])
        // Its result is printed when the room is on disk.
        let applied = try Program.run(["apply", "ws://127.0.0.1:\(server.port)/demo", scene])
        #expect(applied.status == 0)
        server.kill()
        let outcome = try Program.run(["replay", "other", "--data", data])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("there is no room other in the journal; it has demo"))
    }
}
