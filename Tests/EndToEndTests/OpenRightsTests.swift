import Foundation
import SceneTestSupport
import Testing

@Suite("What clients without tokens are shown and may change")
struct OpenRightsTests {
    private func start(_ arguments: [String]) throws -> ServerProcess {
        let server = try ServerProcess(["--in-memory"] + arguments)
        let scene = """
            {"scene": 1, "viewport": {"width": 400, "height": 300},
             "views": [{"id": "shown"}, {"id": "secret"}, {"id": "within", "parent": "secret"}],
             "constraints": ["shown.width == 10", "secret.width == 20"]}
            """
        let put = http("PUT", "/admin/rooms/room/scene", port: server.port, body: scene)
        try #require(put?.contains("HTTP/1.1 2") == true, "\(put ?? "")")
        return server
    }

    private func views(_ server: ServerProcess) throws -> String {
        let seen = try Program.run(
            ["view", "--once", "--shared", "--format", "json", "\(server.url)/room"])
        #expect(seen.status == 0, "\(seen.errors)")
        return seen.output
    }

    private func hide(_ id: String, _ server: ServerProcess) throws -> Program.Outcome {
        try Program.run(
            ["apply", "\(server.url)/room", "-"],
            input: #"{"op": "setView", "id": "\#(id)", "hidden": true}"#)
    }

    @Test("a part that is not shown is not sent, and not there for ops")
    func seen() throws {
        let server = try start(["--see", "!secret"])
        let shown = try views(server)
        #expect(shown.contains("shown"))
        #expect(!shown.contains("secret") && !shown.contains("within"))
        #expect(try hide("shown", server).status == 0)
        let refused = try hide("within", server)
        #expect(refused.status != 0)
        #expect((refused.output + refused.errors).contains("unknown-view"))
        server.kill()
    }

    @Test("a part that is shown alone is refused as forbidden")
    func edited() throws {
        let server = try start(["--edit", "shown"])
        #expect(try views(server).contains("within"))
        #expect(try hide("shown", server).status == 0)
        let refused = try hide("secret", server)
        #expect(refused.status != 0)
        #expect((refused.output + refused.errors).contains("forbidden"))
        server.kill()
    }

    @Test("patterns that are none are refused at the start and by doctor, and any beside keys")
    func refused() throws {
        for command in ["serve", "doctor"] {
            let wrong = try Program.run([command, "--in-memory", "--port", "0", "--see", "a/b"])
            #expect(wrong.status != 0)
            #expect((wrong.output + wrong.errors).contains("see is a/b, expected 1 to 64 patterns"))
        }
        let scratch = try Scratch()
        let secret = try scratch.write(String(repeating: "k", count: 40), as: "secret")
        let both = try Program.run(
            ["serve", "--in-memory", "--port", "0", "--auth-secret-file", secret, "--edit", "a"])
        #expect(both.status != 0)
        #expect(both.errors.contains("put them into the tokens"))
    }
}
