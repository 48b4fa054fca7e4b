import Foundation
import SceneClient
import SceneTestSupport
import SceneWire
import Testing

/// The fault that these guard: a room could come into a running server as a document alone, and
/// could neither be copied nor renamed.
@Suite("Rooms moved in a running server", .serialized)
struct MovingTests {
    /// A server with the room `demo`, whose sidebar is 300 wide.
    private func server(_ scratch: Scratch, _ arguments: [String] = []) throws -> ServerProcess {
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let server = try ServerProcess(
            ["--data", scratch.path + "/data", "--scene", scene] + arguments)
        try widen(server, to: 300)
        return server
    }

    private func widen(_ server: ServerProcess, to width: Int) throws {
        let editor = try Peer(server.url + "/demo", role: .editor)
        let sequence = try editor.send(
            #"[{"op":"setConstraint","id":"sidebar-width","constant":\#(width)}]"#)
        #expect(editor.result(sequence) == .committed(Commit()))
    }

    private func address(of server: ServerProcess) -> String { "http://127.0.0.1:\(server.port)" }

    @Test("a running server imports an exported room, which is there after kill -9")
    func importRunning() throws {
        let scratch = try Scratch()
        let first = try server(scratch)
        let file = scratch.path + "/demo.scene"
        let exported = try Program.run(["export", "--server", address(of: first), "demo", file])
        #expect(exported.status == 0, "\(exported.errors)")
        let imported = try Program.run(["import", "--server", address(of: first), file, "copy"])
        // At once: what was said to be done has to be on the disk.
        first.kill()
        #expect(imported.status == 0, "\(imported.errors)")
        let replay = try Program.run(
            ["replay", "--data", scratch.path + "/data", "--verify", "copy"])
        #expect(replay.status == 0 && imported.output.count == 17, "\(replay.errors)")
        #expect(replay.output.contains(imported.output.dropLast()))
        let second = try ServerProcess(["--data", scratch.path + "/data"])
        #expect(try Peer(second.url + "/copy").mirror(where: "sidebar", isWide: 300) != nil)
        // The directory is in use, so the file goes through the server.
        let beside = try Program.run(["import", "--data", scratch.path + "/data", file, "x"])
        #expect(beside.errors.contains("scenesync import --server"), "\(beside.errors)")
    }

    @Test("an import replaces no room, and refuses what is no room")
    func refusedImports() throws {
        let scratch = try Scratch()
        let server = try server(scratch)
        let file = scratch.path + "/demo.scene"
        _ = try Program.run(["export", "--server", address(of: server), "demo", file])
        func put(_ file: String, _ room: String) throws -> Program.Outcome {
            try Program.run(["import", "--server", address(of: server), file, room])
        }
        // In memory, and after it was unloaded too.
        let taken = try put(file, "demo")
        #expect(taken.status == 1)
        #expect(taken.errors.contains("there is such a room already"), "\(taken.errors)")
        #expect(try put(try scratch.write("no room", as: "garbage"), "x").status == 65)
        let garbage = http(
            "PUT", "/admin/rooms/x/snapshot", port: server.port, body: "no room at all")
        #expect(garbage?.contains("no exported room") == true, "\(garbage ?? "")")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: file))
        let flipped = try put(file, "x")
        #expect(flipped.errors.contains("not an exported room"), "\(flipped.errors)")
        // A whole record whose scene no engine takes.
        let record = JournalRecord(
            sequence: 1, epoch: 1, tick: 1, previous: 0, kind: .snapshot,
            payload: Array(#"{"author":""}"#.utf8))
        try Data(record.encoded()).write(to: URL(fileURLWithPath: file))
        let foreign = try put(file, "x")
        #expect(foreign.errors.contains("the file is no room"), "\(foreign.errors)")
        #expect(try Program.run(["replay", "--data", scratch.path + "/data", "x"]).status == 65)
        #expect(
            try Program.run(["export", "--server", address(of: server), "none", file]).errors
                .contains("there is no such room"))
        #expect(try Peer(server.url + "/demo").mirror(where: "sidebar", isWide: 300) != nil)
    }

    @Test("with keys and TLS an administrator alone imports, and trusts the certificate named")
    func secured() throws {
        let scratch = try Scratch()
        let certificate = try scratch.certificate("tls")
        let secret = try scratch.write(String(repeating: "k", count: 32), as: "secret")
        let server = try ServerProcess([
            "--data", scratch.path + "/data", "--auth-secret-file", secret, "--tls-cert",
            certificate.path, "--tls-key", certificate.key,
        ])
        func token(_ role: String) throws -> String {
            let made = try Program.run([
                "token", "--secret-file", secret, "--role", role, "--room", "*",
            ])
            return try scratch.write(made.output, as: role)
        }
        let document = try scratch.write(sampleScene, as: "scene.json")
        let other = try ServerProcess(["--data", scratch.path + "/other", "--scene", document])
        let file = scratch.path + "/demo.scene"
        _ = try Program.run(["export", "--server", address(of: other), "demo", file])
        let secure = "https://localhost:\(server.port)"
        func put(_ role: String, _ arguments: [String]) throws -> Program.Outcome {
            try Program.run(
                ["import", "--token-file", try token(role)] + arguments + [file, "copy"])
        }
        let trusted = ["--server", secure, "--ca-file", certificate.path]
        #expect(try put("editor", trusted).errors.contains("administrator's token"))
        let untrusted = try put("admin", ["--server", secure])
        #expect(untrusted.status == 78)
        #expect(untrusted.errors.contains("not trusted"), "\(untrusted.errors)")
        // The certificate is for another name.
        let misnamed = try put(
            "admin", ["--server", "https://127.1:\(server.port)", "--ca-file", certificate.path]
        )
        #expect(misnamed.errors.contains("mismatch"), "\(misnamed.errors)")
        let clear = try put("admin", ["--server", "http://192.0.2.1:\(server.port)"])
        #expect(clear.status == 78 && clear.errors.contains("without TLS"), "\(clear.errors)")
        let done = try put("admin", trusted)
        #expect(done.status == 0 && done.output.count == 17, "\(done.errors)")
    }

    @Test("a copy is another room with the same scene, on the disk when it is said to be made")
    func copy() throws {
        let scratch = try Scratch()
        let first = try server(scratch)
        func copy(_ room: String, _ name: String) throws -> Program.Outcome {
            try Program.run(["room", "copy", room, name, "--server", address(of: first)])
        }
        #expect(try copy("demo", "second").output == "demo was copied to second\n")
        try widen(first, to: 320)
        #expect(try copy("demo", "second").errors.contains("there is such a room already"))
        #expect(try copy("none", "third").errors.contains("there is no such room"))
        #expect(try copy("demo", "demo").status == 64)
        first.kill()
        let second = try ServerProcess(["--data", scratch.path + "/data"])
        #expect(try Peer(second.url + "/second").mirror(where: "sidebar", isWide: 300) != nil)
        #expect(try Peer(second.url + "/demo").mirror(where: "sidebar", isWide: 320) != nil)
        // A room that is not in memory is loaded for its copy.
        second.kill()
        let third = try ServerProcess(["--data", scratch.path + "/data"])
        let made = try Program.run([
            "room", "copy", "second", "fourth", "--server", address(of: third),
        ])
        #expect(made.status == 0, "\(made.errors)")
        #expect(try Peer(third.url + "/fourth").mirror(where: "sidebar", isWide: 300) != nil)
    }

    @Test("a renamed room keeps its past and what can be undone; members are told its name")
    func rename() throws {
        let scratch = try Scratch()
        let first = try server(scratch)
        let viewer = try Peer(first.url + "/demo")
        #expect(viewer.firstMirror != nil)
        func rename(_ server: ServerProcess, _ room: String, _ name: String) throws
            -> Program.Outcome
        {
            try Program.run(["room", "rename", room, name, "--server", address(of: server)])
        }
        let records = try Program.run(["replay", "--data", scratch.path + "/data", "demo"]).output
        #expect(try rename(first, "demo", "archive").output == "demo is called archive\n")
        #expect(viewer.endCode == CloseCode.noSuchSession.rawValue)
        let told = viewer.failureText ?? ""
        #expect(told.contains("the room is called archive"), "\(told)")
        // A new room may have the old name.
        let fresh = try Peer(first.url + "/demo", role: .editor)
        #expect(fresh.firstMirror?.records.count == 1)
        #expect(try Peer(first.url + "/archive").mirror(where: "sidebar", isWide: 300) != nil)
        #expect(try rename(first, "archive", "demo").status == 1)
        #expect(try rename(first, "none", "other").errors.contains("there is no such room"))
        first.kill()
        let kept = try Program.run(["replay", "--data", scratch.path + "/data", "archive"]).output
        #expect(kept == records)
        // Of a room that is not in memory too.
        let second = try ServerProcess(["--data", scratch.path + "/data"])
        #expect(try rename(second, "archive", "again").status == 0)
        second.kill()
        let third = try ServerProcess(["--data", scratch.path + "/data"])
        #expect(try Peer(third.url + "/again").mirror(where: "sidebar", isWide: 300) != nil)
        #expect(
            try Program.run(["replay", "--data", scratch.path + "/data", "archive"]).status == 65)
    }

    @Test(
        "a server that is killed while it renames and copies leaves each room whole, under one name"
    )
    func killed() throws {
        let scratch = try Scratch()
        var server = try server(scratch)
        let data = scratch.path + "/data"
        func isThere(_ room: String) throws -> Bool {
            let found = try Program.run(["replay", "--data", data, "--verify", room])
            #expect(found.status == 0 || found.errors.contains("no room"), "\(found.errors)")
            return found.status == 0
        }
        var room = "demo"
        var moved = 0
        for round in 0..<12 {
            let (name, copy) = ("room-\(round)", "copy-\(round)")
            let sockets = [("rename", name), ("copy", copy)].compactMap { verb, other in
                let socket = TCPSocket(port: server.port)
                socket?.send(
                    "POST /admin/rooms/\(room)/\(verb)?to=\(other) HTTP/1.1\r\nHost: localhost\r\n"
                        + "Content-Length: 0\r\n\r\n")
                return socket
            }
            #expect(sockets.count == 2)
            usleep(UInt32(1_500 * round))
            server.kill()
            let hasMoved = try isThere(name)
            #expect(try isThere(room) == !hasMoved, "\(round)")
            _ = try isThere(copy)
            if hasMoved {
                room = name
                moved += 1
            }
            server = try ServerProcess(["--data", data])
            #expect(
                try Peer(server.url + "/" + room).mirror(where: "sidebar", isWide: 300) != nil)
        }
        // The last ones have 15 ms and more.
        #expect(moved > 0)
    }

    @Test("a change that was acknowledged before a renaming is in the room after it")
    func renameWhileEdited() throws {
        let scratch = try Scratch()
        let server = try server(scratch)
        var (room, wide) = ("demo", 300)
        for round in 0..<8 {
            let editor = try Peer(server.url + "/" + room, role: .editor)
            #expect(editor.firstMirror != nil)
            var last: UInt64 = 0
            for _ in 0..<5 {
                wide += 1
                last = try editor.send(
                    #"[{"op":"setConstraint","id":"sidebar-width","constant":\#(wide)}]"#)
            }
            if round % 2 == 0 { #expect(editor.result(last) == .committed(Commit())) }
            let name = "room-\(round)"
            #expect(
                try Program.run(["room", "rename", room, name, "--server", address(of: server)])
                    .status == 0)
            room = name
            if round % 2 == 0 {
                #expect(
                    try Peer(server.url + "/" + room).mirror(where: "sidebar", isWide: Int32(wide))
                        != nil)
            }
        }
        server.kill()
        let verified = try Program.run([
            "replay", "--data", scratch.path + "/data", "--verify", room,
        ])
        #expect(verified.status == 0, "\(verified.errors)")
    }
}
