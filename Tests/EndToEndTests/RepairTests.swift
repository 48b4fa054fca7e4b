import Foundation
import JSON
import SQLite
import SceneClient
import SceneTestSupport
import Testing

@Suite("One data directory, damaged or in use", .serialized)
struct RepairTests {
    private static let scene =
        #"{"scene":1,"viewport":{"width":400,"height":300},"views":[{"id":"a"}],"constraints":[]}"#

    /// A directory in which a killed server has left the rooms `b` with six more views, and then
    /// `c`, a record in each group.
    private func journal(_ scratch: Scratch) throws -> String {
        let data = scratch.path + "/data"
        let server = try ServerProcess(["--data", data])
        for room in ["b", "c"] {
            let made = try Program.run(["apply", "\(server.url)/\(room)", "-"], input: Self.scene)
            try #require(made.status == 0, "\(made.errors)")
        }
        for number in 1...6 { try #require(try add("v\(number)", to: "b", server)) }
        try #require(try add("last", to: "c", server))
        server.kill()
        return data
    }

    private func add(_ id: String, to room: String, _ server: ServerProcess) throws -> Bool {
        try Program.run(
            ["apply", "\(server.url)/\(room)", "-"], input: #"{"op":"addView","id":"\#(id)"}"#
        ).status == 0
    }

    /// The views of a room; `nil` with the reason if it cannot be joined.
    private func views(_ room: String, _ server: ServerProcess) throws -> (Set<String>?, String) {
        let seen = try Program.run(["view", "--once", "--format", "json", "\(server.url)/\(room)"])
        guard seen.status == 0 else { return (nil, seen.errors) }
        let value = try JSONReader.read(Array(seen.output.utf8))
        guard let members = value["frames"]?.members else { return ([], "") }
        return (Set(members.map(\.key)), "")
    }

    /// Turns over a bit of the record by which room `b` got a view.
    private func damage(_ data: String, view: String) throws {
        let database = try Connection(path: data + "/journal.sqlite", access: .writing)
        let rows = try database.rows("SELECT id, data FROM groups ORDER BY id")
        for row in rows {
            guard var bytes = row[1].blob,
                let place = bytes.firstRange(of: Array("\"\(view)\"".utf8))
            else { continue }
            bytes[place.lowerBound + 1] ^= 1
            try database.run("UPDATE groups SET data = ? WHERE id = ?", .blob(bytes), row[0])
            return
        }
        Issue.record("no group has \(view)")
    }

    @Test(
        "a second server, and an import, are refused while a server has the directory, and nothing is lost"
    )
    func inUse() throws {
        let scratch = try Scratch()
        let data = scratch.path + "/data"
        let server = try ServerProcess(["--data", data])
        let made = try Program.run(["apply", "\(server.url)/b", "-"], input: Self.scene)
        #expect(made.status == 0)
        let second = try Program.run(["serve", "--port", "0", "--data", data])
        #expect(second.status == 78)
        #expect(second.errors.contains(data), "\(second.errors)")
        #expect(second.errors.contains("process \(server.process.processIdentifier)"))
        #expect(second.errors.contains(server.url))
        let file = scratch.path + "/b.scene"
        #expect(try Program.run(["export", "--data", data, "b", file]).status == 0)
        let moved = try Program.run(["import", "--data", data, file, "other"])
        #expect(moved.status == 78)
        #expect(moved.errors.contains("is in use by"), "\(moved.errors)")
        #expect(try Program.run(["replay", "--data", data, "--verify", "b"]).status == 0)
        let doctor = try Program.run(["doctor", "--port", "0", "--data", data])
        #expect(doctor.output.contains("FAULT journal: the directory \(data) is in use by"))
        #expect(try add("kept", to: "b", server))
        server.kill()
        // The lock went with its process.
        let next = try ServerProcess(["--data", data])
        #expect(try views("b", next).0 == ["root", "a", "kept"])
    }

    @Test(
        "a room whose journal is damaged is put aside with all its bytes, told of, and restored by repair"
    )
    func repair() throws {
        let scratch = try Scratch()
        let data = try journal(scratch)
        try damage(data, view: "v3")
        let verified = try Program.run(["replay", "--data", data, "--verify", "b"])
        #expect(verified.status == 65)
        let doctor = try Program.run(["doctor", "--port", "0", "--data", data])
        #expect(
            doctor.output.contains("FAULT rooms: room b would be put aside"), "\(doctor.output)")
        let shown = try Program.run(["repair", "--data", data])
        #expect(shown.status == 1)
        #expect(shown.output.contains("before   records 1 to"), "\(shown.output)")
        #expect(shown.output.contains("all fit"), "\(shown.output)")
        do {
            let log = scratch.path + "/log"
            let server = try ServerProcess(["--data", data], log: log)
            #expect(try views("c", server).0 == ["root", "a", "last"])
            let (none, reason) = try views("b", server)
            #expect(none == nil)
            #expect(reason.contains("its journal is damaged"), "\(reason)")
            #expect(try !add("stranger", to: "b", server))
            let rooms = httpGet("/admin/rooms", port: server.port) ?? ""
            #expect(rooms.contains(#""putAside":[{"room":"b","reason":"its journal is damaged"#))
            #expect(server.metric("scenesync_rooms_put_aside") == 1)
            let replaced = http(
                "PUT", "/admin/rooms/b/scene", port: server.port, body: Self.scene)
            #expect(replaced?.contains("503") == true)
            server.kill()
            let text = try String(contentsOfFile: log, encoding: .utf8)
            #expect(text.contains("room b is put aside: its journal is damaged"), "\(text)")
        }
        let restored = try Program.run(["repair", "--data", data, "--apply"])
        #expect(restored.status == 0, "\(restored.output) \(restored.errors)")
        #expect(try Program.run(["repair", "--data", data]).output == "the journal is whole\n")
        #expect(try Program.run(["replay", "--data", data, "--verify", "b"]).status == 0)
        for id in ["again", "more"] {
            let server = try ServerProcess(["--data", data])
            let expected =
                ["root", "a", "v1", "v2", "v4", "v5", "v6"] + (id == "more" ? ["again"] : [])
            #expect(try views("b", server).0 == Set(expected))
            #expect(try add(id, to: "b", server))
            server.kill()
        }
    }

    @Test(
        "repair restores the scene before the damage where that is asked for, or deletes the room")
    func choices() throws {
        let scratch = try Scratch()
        let data = try journal(scratch)
        try damage(data, view: "v3")
        try FileManager.default.copyItem(atPath: data, toPath: scratch.path + "/second")
        let before = try Program.run(["repair", "--data", data, "--apply", "--take", "before"])
        #expect(before.status == 0, "\(before.errors)")
        let server = try ServerProcess(["--data", data])
        #expect(try views("b", server).0 == ["root", "a", "v1", "v2"])
        server.kill()
        let second = scratch.path + "/second"
        #expect(try Program.run(["repair", "--data", second, "--take", "nothing"]).status == 64)
        let none = try Program.run(
            ["repair", "--data", second, "--apply", "--take", "nothing", "b"])
        #expect(none.status == 0, "\(none.errors)")
        let other = try ServerProcess(["--data", second])
        #expect(try views("c", other).0 == ["root", "a", "last"])
        #expect(try views("b", other).0 == nil)
        other.kill()
    }

    @Test(
        "helper files that hold anything do not keep a server from starting; a lost journal is told of"
    )
    func helpers() throws {
        let scratch = try Scratch()
        let data = try journal(scratch)
        for name in ["crashes.json", "at-work", "lock", "journal.sqlite-shm"] {
            try Data("{\u{0}".utf8).write(to: URL(fileURLWithPath: "\(data)/\(name)"))
        }
        let server = try ServerProcess(["--data", data])
        #expect(try views("b", server).0?.count == 8)
        server.kill()
        for name in ["crashes.json", "at-work"] {
            try? FileManager.default.removeItem(atPath: "\(data)/\(name)")
            try FileManager.default.createDirectory(
                atPath: "\(data)/\(name)/x", withIntermediateDirectories: true)
        }
        let next = try ServerProcess(["--data", data])
        #expect(try views("b", next).0?.count == 8)
        next.kill()
        for name in ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"] {
            try? FileManager.default.removeItem(atPath: "\(data)/\(name)")
        }
        let doctor = try Program.run(["doctor", "--port", "0", "--data", data])
        #expect(doctor.output.contains("note  journal: \(data)/journal.sqlite is missing"))
        try FileManager.default.removeItem(atPath: "\(data)/journal.sqlite")
        let log = scratch.path + "/log"
        let last = try ServerProcess(["--data", data], log: log)
        last.kill()
        let text = try String(contentsOfFile: log, encoding: .utf8)
        #expect(text.contains("journal.sqlite is missing, although"), "\(text)")
    }
}
