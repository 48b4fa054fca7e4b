import Foundation
import SceneClient
import SceneTestSupport
import SceneWire
import Testing

/// The fault that these guard: a server listened on one TCP port alone, which it had to open
/// itself.
@Suite("Unix sockets and sockets that were passed", .serialized)
struct ListeningTests {
    private func socket(_ scratch: Scratch, _ name: String = "s") -> String {
        scratch.path + "/" + name
    }

    /// A room's address behind a socket.
    private func address(_ socket: String, _ room: String = "demo") -> String {
        "ws+unix://\(socket):/\(room)"
    }

    @Test("clients and administrators come over a Unix socket, in all formats, beside TCP")
    func unix() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let path = socket(scratch)
        let server = try ServerProcess([
            "--data", scratch.path + "/data", "--scene", scene, "--listen", "unix:" + path,
            "127.0.0.1:0", "--socket-mode", "600",
        ])
        // The first of two lines.
        #expect(server.url == "ws+unix://" + path)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        for format in [Subprotocol.binary, .json] {
            let editor = try Peer(address(path), role: .editor, format: format)
            let width = format == .binary ? 300 : 310
            let sequence = try editor.send(
                #"[{"op":"setConstraint","id":"sidebar-width","constant":\#(width)}]"#)
            #expect(editor.result(sequence) == .committed(Commit()))
        }
        let shown = try Program.run(["view", "--once", "--format", "json", address(path)])
        #expect(shown.status == 0 && shown.output.contains("310"), "\(shown.errors)")
        let copied = try Program.run([
            "room", "copy", "demo", "copy", "--server", "http+unix://" + path,
        ])
        #expect(copied.status == 0, "\(copied.errors)")
        #expect(try Peer(address(path, "copy")).mirror(where: "sidebar", isWide: 310) != nil)
        #expect(try Program.run(["load", address(path)]).errors.contains("no ws:// address"))
    }

    @Test(
        "a socket that a killed server left behind is replaced; another server's and other files are not"
    )
    func stale() throws {
        let scratch = try Scratch()
        let path = socket(scratch)
        func serve() throws -> ServerProcess {
            try ServerProcess(["--in-memory", "--listen", "unix:" + path])
        }
        let first = try serve()
        let refused = try Program.run(["serve", "--in-memory", "--listen", "unix:" + path])
        #expect(refused.status == 78)
        #expect(refused.errors.contains("another process listens there"), "\(refused.errors)")
        first.kill()
        #expect(FileManager.default.fileExists(atPath: path))
        let second = try serve()
        #expect(try Peer(address(path, "x"), role: .editor).firstMirror != nil)
        // One that ends in order takes its file with it.
        second.process.send(SIGTERM)
        second.process.waitUntilExit()
        #expect(!FileManager.default.fileExists(atPath: path))
        let file = try scratch.write("no socket", as: "file")
        let kept = try Program.run(["serve", "--in-memory", "--listen", "unix:" + file])
        #expect(kept.errors.contains("a file that is no socket"), "\(kept.errors)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "no socket")
        let long = "unix:/" + String(repeating: "x", count: 108)
        for wrong in [long, "unix:relative", "127.0.0.1", "::1:70", "host:70000"] {
            let outcome = try Program.run(["serve", "--in-memory", "--listen", wrong])
            #expect(outcome.status == 78, "\(wrong): \(outcome.errors)")
        }
        #expect(
            try Program.run(["serve", "--in-memory", "--socket-mode", "999"]).status == 78)
    }

    /// What systemd does: it passes sockets from descriptor 3 on, and tells their count and the
    /// process.
    private func activate(_ program: String) throws -> ServerProcess {
        let script = """
            import os, socket, sys
            \(program)
            passed = [s.fileno() for s in sockets]
            saved = [os.dup2(os.dup(n), 20 + i) for i, n in enumerate(passed)]
            for i, n in enumerate(saved): os.dup2(n, 3 + i, inheritable=True)
            os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS=str(len(passed)))
            os.execv(sys.argv[1], sys.argv[1:])
            """
        return try ServerProcess(
            launcher: ["/usr/bin/env", "python3", "-c", script], ["--in-memory"])
    }

    @Test("sockets that systemd passes take the place of a port, and their file stays")
    func activation() throws {
        let scratch = try Scratch()
        let path = socket(scratch)
        let server = try activate(
            """
            a = socket.socket(socket.AF_UNIX); a.bind('\(path)'); a.listen()
            sockets = [a]
            """)
        #expect(server.url == "ws+unix://" + path)
        #expect(try Peer(address(path, "x"), role: .editor).firstMirror != nil)
        server.process.send(SIGTERM)
        server.process.waitUntilExit()
        // It is systemd's.
        #expect(FileManager.default.fileExists(atPath: path))
        let tcp = try activate(
            """
            a = socket.socket(); a.bind(('127.0.0.1', 0)); a.listen()
            sockets = [a]
            """)
        #expect(tcp.port > 0)
        #expect(try Peer(tcp.url + "/x", role: .editor).firstMirror != nil)
        // Of a socket that other machines reach, keys are asked for as of a port.
        #expect(throws: ServerProcess.Failure.self) {
            try activate(
                """
                a = socket.socket(); a.bind(('0.0.0.0', 0)); a.listen()
                sockets = [a]
                """)
        }
        #expect(throws: ServerProcess.Failure.self) {
            try activate("sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM)]")
        }
    }

    @Test("a proxy on a Unix socket speaks for the clients that it names, if it is trusted")
    func proxy() throws {
        let scratch = try Scratch()
        let path = socket(scratch)
        let server = try ServerProcess([
            "--in-memory", "--listen", "unix:" + path, "--trusted-proxy", "unix", "--log-level",
            "notice",
        ])
        #expect(server.url.hasPrefix("ws+unix:"))
        func status(_ headers: [String]) throws -> String {
            let output = Pipe()
            let curl = try ChildProcess(
                ["/usr/bin/env", "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}"]
                    + ["--unix-socket", path] + headers.flatMap { ["-H", $0] }
                    + ["http://localhost/admin/rooms"], output: .pipe(output))
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            curl.waitUntilExit()
            return String(decoding: text, as: UTF8.self)
        }
        #expect(try status([]) == "200")
        // Another machine's, this machine's by a proxy, and a page's.
        #expect(try status(["X-Forwarded-For: 192.0.2.7"]) == "403")
        #expect(try status(["Forwarded: for=127.0.0.1"]) == "403")
        #expect(try status(["Origin: https://example.org"]) == "403")
        let wrong = try Program.run(["serve", "--in-memory", "--trusted-proxy", "unixx"])
        #expect(wrong.status == 78 && wrong.errors.contains("or unix"), "\(wrong.errors)")
    }

    @Test("variables that are another process's are ignored")
    func strangersVariables() throws {
        let server = try ServerProcess(
            ["--in-memory"], environment: ["LISTEN_PID": "1", "LISTEN_FDS": "1"])
        #expect(server.port > 0)
    }
}
