import Foundation
import SceneClient
import SceneTestSupport
import SceneWire
import Testing

/// The fault that these guard: a Swift client was closed when its token ended, unless its program
/// renewed it by hand.
@Suite("Renewed tokens", .serialized)
struct TokenRenewalTests {
    private struct World {
        let scratch: Scratch
        let server: ServerProcess
        private let secret: String
        let file: String

        init() throws {
            scratch = try Scratch()
            secret = try scratch.write(String(repeating: "k", count: 32), as: "secret")
            server = try ServerProcess(["--in-memory", "--auth-secret-file", secret])
            file = scratch.path + "/token"
        }

        /// Writes a new token in place of the old one, as programs that renew tokens do.
        func write(expires: String) throws {
            let made = try Program.run([
                "token", "--secret-file", secret, "--room", "*", "--role", "editor", "--subject",
                "s", "--expires", expires,
            ])
            #expect(made.status == 0, "\(made.errors)")
            let other = try scratch.write(made.output, as: "new-token")
            #expect(rename(other, file) == 0)
        }

        /// Reads the present token.
        var source: @Sendable () -> String? {
            { [file] in
                (try? String(contentsOfFile: file, encoding: .utf8))?
                    .trimmingCharacters(in: .whitespacesAndNewlines)
            }
        }
    }

    @Test("a client outlives its token where its source has another one")
    func renewed() throws {
        let world = try World()
        try world.write(expires: "4s")
        let peer = try Peer(
            world.server.url + "/demo", role: .editor, token: try #require(world.source()),
            tokenSource: world.source)
        let other = try Peer(
            world.server.url + "/demo", role: .editor, token: try #require(world.source()))
        #expect(peer.firstMirror != nil && other.firstMirror != nil)
        try world.write(expires: "1h")
        // The one that does not renew shows that the first token has ended.
        #expect(other.endCode == CloseCode.unauthenticated.rawValue)
        let sequence = try peer.send(#"[{"op":"addView","id":"a","parent":"root"}]"#)
        #expect(peer.result(sequence) == .committed(Commit()))
    }

    @Test("a connection after an outage begins with a new token")
    func afterOutage() throws {
        let world = try World()
        try world.write(expires: "2s")
        // The first token comes from the source too.
        let peer = try Peer(
            world.server.url + "/demo", role: .editor, reconnects: true,
            tokenSource: world.source)
        #expect(peer.firstMirror != nil)
        let port = world.server.port
        world.server.kill()
        try world.write(expires: "1h")
        sleep(2)
        let again = try ServerProcess([
            "--in-memory", "--port", "\(port)", "--auth-secret-file",
            world.scratch.path + "/secret",
        ])
        #expect(again.port == port)
        #expect(peer.isWelcomed(times: 2))
    }

    @Test(
        "view reads its token's file again, and runs its token's command again",
        arguments: [true, false])
    func view(readsFile: Bool) throws {
        let world = try World()
        try world.write(expires: "4s")
        let output = world.scratch.path + "/frames"
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        let source =
            readsFile ? ["--token-file", world.file] : ["--token-command", "cat '\(world.file)'"]
        let viewer = try ChildProcess(
            [Program.path, "view", "--follow"] + source + [world.server.url + "/demo"],
            output: .file(try #require(FileHandle(forWritingAtPath: output))), errors: .null)
        defer {
            viewer.send(SIGKILL)
            viewer.waitUntilExit()
        }
        let editor = try Peer(
            world.server.url + "/demo", role: .editor, token: try #require(world.source()),
            tokenSource: world.source)
        #expect(editor.firstMirror != nil)
        #expect(world.scratch.waits(for: "root", in: "frames"))
        try world.write(expires: "1h")
        sleep(6)
        let sequence = try editor.send(#"[{"op":"addView","id":"late","parent":"root"}]"#)
        #expect(editor.result(sequence) == .committed(Commit()))
        #expect(world.scratch.waits(for: "late", in: "frames"))
    }

    @Test("a command that fails or prints nothing is said")
    func failedCommand() throws {
        for command in ["exit 1", "true"] {
            let outcome = try Program.run([
                "view", "--once", "--token-command", command, "ws://127.0.0.1:1/x",
            ])
            #expect(outcome.status == 78 && outcome.errors.contains("--token-command"))
        }
    }
}
