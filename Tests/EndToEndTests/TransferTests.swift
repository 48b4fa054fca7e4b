import Foundation
import SceneClient
import SceneStore
import SceneWire
import Testing

@Suite("A room's journal, checked and moved", .serialized)
struct TransferTests {
    /// A data directory whose room `demo` was changed three times.
    private func journal(_ scratch: Scratch) throws -> (data: String, hash: String) {
        let scene = try scratch.write(sampleScene, as: "scene.json")
        let data = scratch.path + "/data"
        let server = try ServerProcess(["--data", data, "--scene", scene])
        let editor = try Peer(server.url + "/demo", role: .editor)
        var last: UInt64 = 0
        for width in [300, 310, 320] {
            last = try editor.send(
                #"[{"op":"setConstraint","id":"sidebar-width","constant":\#(width)}]"#)
        }
        #expect(editor.result(last) == .committed(Commit()))
        let mirror = try #require(editor.mirror(where: "sidebar", isWide: 320))
        server.kill()
        return (data, ViewHash.text(mirror.stateHash))
    }

    @Test("replay --verify finds a whole journal whole, and a damaged one damaged")
    func verify() throws {
        let scratch = try Scratch()
        let (data, hash) = try journal(scratch)
        let whole = try Program.run(["replay", "--data", data, "--verify", "demo"])
        #expect(whole.status == 0, "\(whole.errors)")
        #expect(whole.output.contains(hash))
        let path = data + "/journal.sqlite"
        // Whatever the write-ahead log holds goes into the file, where a byte of a record is turned
        // over.
        _ = try Program.run(["import", "--data", data, path, "nothing"])
        var found = false
        for file in [path, path + "-wal"] {
            guard var bytes = FileManager.default.contents(atPath: file),
                let place = bytes.range(of: Data(#""constant":310"#.utf8))
            else { continue }
            bytes[place.lowerBound + 12] = UInt8(ascii: "9")
            try bytes.write(to: URL(fileURLWithPath: file))
            found = true
        }
        try #require(found)
        let damaged = try Program.run(["replay", "--data", data, "--verify", "demo"])
        // A flipped byte of the log makes SQLite drop the commit, one of the database makes us
        // refuse the record.
        #expect(damaged.status == 65 || !damaged.output.contains(hash))
    }

    /// A data directory with a room whose only snapshot has a text.
    private func journal(_ scratch: Scratch, _ name: String, snapshot: String) throws -> String {
        let data = scratch.path + "/" + name
        let store = try SQLiteStore(directory: data)
        let record = JournalRecord(
            sequence: 1, epoch: 1, tick: 1, previous: 0, kind: .snapshot,
            payload: Array(snapshot.utf8))
        try store.append([RoomRecord(room: "demo", record: record)], time: 1)
        store.finish()
        return data
    }

    @Test("replay --verify and doctor say why a room does not open, or what it lacks")
    func unreadable() throws {
        let scratch = try Scratch()
        func snapshot(_ frame: String) -> String {
            #"""
            {"author":"","clientSequence":"0","tickRate":60,"clients":[],
             "snapshot":{"tick":1,"nextNumber":2,"overrides":{},"numbers":{"root":0,"a":1},
              "document":{"scene":1,"viewport":{"width":9,"height":9},"views":[{"id":"a","frame":\#(frame)}]}}}
            """#
        }
        let lacking = try journal(scratch, "lacking", snapshot: snapshot("[0,0,5e6,1]"))
        let verified = try Program.run(["replay", "--data", lacking, "--verify", "demo"])
        #expect(verified.status == 65)
        #expect(verified.errors.contains("views[0].frame[2]"), "\(verified.errors)")
        let replayed = try Program.run(["replay", "--data", lacking, "--document", "demo"])
        #expect(replayed.status == 0 && replayed.output.contains("1000000"))
        let fair = try Program.run(["doctor", "--port", "0", "--data", lacking])
        #expect(
            fair.output.contains("note  rooms: room demo opens with parts missing"),
            "\(fair.output)")
        let broken = try journal(scratch, "broken", snapshot: #"{"author":""}"#)
        let refused = try Program.run(["replay", "--data", broken, "--verify", "demo"])
        #expect(refused.status == 65)
        #expect(
            refused.errors.contains("record 1 cannot be read: line 1: the key \"snapshot\""),
            "\(refused.errors)")
        let ill = try Program.run(["doctor", "--port", "0", "--data", broken])
        #expect(ill.status == 1)
        #expect(ill.output.contains("FAULT rooms: room demo would be put aside"), "\(ill.output)")
    }

    @Test("an exported room is the same room elsewhere, bit for bit")
    func transfer() throws {
        let scratch = try Scratch()
        let (data, hash) = try journal(scratch)
        let file = scratch.path + "/demo.scene"
        let export = try Program.run(["export", "--data", data, "demo", file])
        #expect(export.status == 0, "\(export.errors)")
        let other = scratch.path + "/other"
        let first = try Program.run(["import", "--data", other, file, "copy"])
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.output == hash + "\n")
        #expect(try Program.run(["import", "--data", other, file, "copy"]).status == 1)
        let replay = try Program.run(["replay", "--data", other, "--verify", "copy"])
        #expect(replay.status == 0 && replay.output.contains(hash), "\(replay.errors)")
        let server = try ServerProcess(["--data", other])
        let viewer = try Peer(server.url + "/copy")
        #expect(viewer.mirror(where: "sidebar", isWide: 320) != nil)
        let garbage = try scratch.write("no room", as: "garbage")
        #expect(try Program.run(["import", "--data", other, garbage, "x"]).status == 65)
        #expect(try Program.run(["export", "--data", other, "none", file]).status == 65)
        #expect(try Program.run(["replay", "--data", data, "--tick", "0", "demo"]).status == 0)
    }
}
