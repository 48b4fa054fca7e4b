import Foundation
import SceneDocument
import SceneTestSupport
import SceneWire
import Testing

private let recordedScene = """
    {"scene": 1, "viewport": {"width": 640, "height": 384},
     "views": [{"id": "add", "kind": "button", "text": "Add", "events": ["tap"]}]}
    """

/// A server that records events in `records`, and a program that answers them.
private struct RecordedRoom {
    let scratch: Scratch
    let server: ServerProcess
    let program: Peer

    init(_ arguments: [String] = [], in scratch: Scratch, fileBlocks: Int? = nil) throws {
        self.scratch = scratch
        let scene = try scratch.write(recordedScene, as: "scene.json")
        server = try ServerProcess(
            ["--in-memory", "--scene", scene, "--record-events", scratch.path + "/records"]
                + arguments, log: scratch.path + "/log", fileBlocks: fileBlocks)
        program = try Peer(
            server.url + "/demo", role: .editor, capabilities: Capability.events,
            answersEvents: true)
        program.handle(["root"])
        // Its answer says that the server knows of the subtree.
        #expect(program.result(try program.send(#"[{"op":"setNeedsLayout"}]"#)) != nil)
    }

    func participant() throws -> Peer {
        let person = try Peer(
            server.url + "/demo", role: .participant, capabilities: Capability.events)
        #expect(person.interaction(of: "add") != nil)
        return person
    }

    /// Ends the server as an operator does, so that all is written.
    func drain() {
        server.process.terminate()
        server.process.waitUntilExit()
    }

    /// A file's lines, the last without its line feed where it was cut.
    static func lines(_ scratch: Scratch, _ name: String = "demo.jsonl") throws -> [Substring] {
        let data = try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/records/" + name))
        return String(decoding: data, as: UTF8.self).split(separator: "\n")
    }

    static func parse(_ lines: some Sequence<Substring>) throws -> [[String: Any]] {
        try lines.map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }
}

extension [String: Any] {
    fileprivate func text(_ key: String) -> String { self[key] as? String ?? "" }
    fileprivate func number(_ key: String) -> Int { self[key] as? Int ?? -1 }
}

@Suite("Events on record", .serialized)
struct EventRecordTests {
    @Test("the record says who did what, to whom it went, and what became of it")
    func audit() throws {
        let scratch = try Scratch()
        let room = try RecordedRoom(in: scratch)
        let person = try room.participant()
        #expect(person.outcome(person.send(.tap, "add"))?.outcome == .handled)
        #expect(person.outcome(person.send(.tap, "gone"))?.outcome == .refused)
        room.drain()
        let lines = try RecordedRoom.parse(try RecordedRoom.lines(scratch))
        #expect(
            lines.map { $0.text("step") } == [
                "received", "delivered", "ended", "received", "ended",
            ])
        #expect(lines.allSatisfy { $0.text("room") == "demo" && $0.text("time").hasSuffix("Z") })
        #expect(lines[0].text("view") == "add" && lines[0].text("kind") == "tap")
        #expect(lines[0].number("client") == 2 && lines[1].number("client") == 1)
        #expect(lines[2].text("outcome") == "handled")
        #expect(lines[4].text("outcome") == "refused" && lines[4].text("code") == "unknown-view")
        #expect(Set(lines.map { $0.text("session") }).count == 1)
        let folder = try FileManager.default.attributesOfItem(atPath: scratch.path + "/records")
        #expect(folder[.posixPermissions] as? Int == 0o700)
    }

    @Test("a file that was moved away is made anew after SIGHUP")
    func reopening() throws {
        let scratch = try Scratch()
        let room = try RecordedRoom(in: scratch)
        let person = try room.participant()
        #expect(person.outcome(person.send(.tap, "add"))?.outcome == .handled)
        #expect(scratch.waits(for: "\"ended\"", in: "records/demo.jsonl"))
        try FileManager.default.moveItem(
            atPath: scratch.path + "/records/demo.jsonl", toPath: scratch.path + "/moved")
        room.server.process.send(SIGHUP)
        #expect(scratch.waits(for: "read again", in: "log"))
        #expect(person.outcome(person.send(.tap, "add"))?.outcome == .handled)
        room.drain()
        #expect(
            try RecordedRoom.parse(try RecordedRoom.lines(scratch)).map { $0.number("event") } == [
                2, 2, 2,
            ])
    }

    @Test("a full disk delays nobody; the record says what it lost once there is room")
    func fullDisk() throws {
        let scratch = try Scratch()
        // Half a file of 16 KiB is about 40 lines.
        let room = try RecordedRoom(in: scratch, fileBlocks: 16)
        let person = try room.participant()
        for _ in 1...100 {
            #expect(person.outcome(person.send(.tap, "add"))?.outcome == .handled)
        }
        #expect(scratch.waits(for: "events are not recorded", in: "log"))
        let full = try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/records/demo.jsonl"))
        #expect(full.count <= 8_192 && full.last == UInt8(ascii: "\n"))
        try FileManager.default.moveItem(
            atPath: scratch.path + "/records/demo.jsonl", toPath: scratch.path + "/records/full")
        room.server.process.send(SIGHUP)
        #expect(scratch.waits(for: "recorded again", in: "log"))
        let lost = try #require(
            room.server.metric("scenesync_event_record_lines_lost_total").map { Int($0) })
        room.drain()
        let before = try RecordedRoom.parse(try RecordedRoom.lines(scratch, "full"))
        let after = try RecordedRoom.parse(try RecordedRoom.lines(scratch))
        // The last tap's line may come after the file was made anew: its result does not wait for
        // it.
        #expect(after.first?.text("step") == "lost")
        // Such a line is short, so that the full file may have taken one.
        let told = (before + after).filter { $0.text("step") == "lost" }
        #expect(told.reduce(0) { $0 + $1.number("lines") } == lost)
        // Three lines for each tap.
        #expect(before.count + after.count - told.count + lost == 300)
    }

    @Test("whoever floods a room fills no memory: each line is in the record or counted as lost")
    func flood() throws {
        let scratch = try Scratch()
        let room = try RecordedRoom(["--max-events-per-second", "100"], in: scratch)
        let person = try room.participant()
        let socket = try #require(
            RawWebSocket(port: room.server.port, path: "/demo", subprotocols: "scenesync.v1.json"))
        socket.send(
            #"{"type":"hello","capabilities":1024,"token":"","room":"","role":"participant","unitsPerPoint":0,"roots":[],"frameRateMaximum":0}"#
        )
        for sequence in 1...2_000 {
            socket.send(
                #"{"type":"event","eventSequence":\#(sequence),"to":0,"kind":"tap","view":"add","tick":0,"place":[0,0],"modifiers":0,"value":null}"#
            )
        }
        var isThrownOut = false
        while !isThrownOut, let message = socket.read() { isThrownOut = message.contains("4029") }
        #expect(isThrownOut)
        #expect(person.outcome(person.send(.tap, "add"))?.outcome == .handled)
        room.drain()
        let lines = try RecordedRoom.parse(try RecordedRoom.lines(scratch))
        let received = lines.filter { $0.text("step") == "received" }
        let ended = lines.filter { $0.text("step") == "ended" }
        #expect(!lines.contains { $0.text("step") == "lost" })
        // Eight times what it may send in a second ends the connection; until then each event is on
        // record.
        #expect(received.count > 100 && received.count == ended.count)
        #expect(ended.contains { $0.text("code") == "limit" })
    }

    @Test("a server that is killed leaves whole lines, but for the last, and goes on after them")
    func killed() throws {
        let scratch = try Scratch()
        let first = try RecordedRoom(in: scratch)
        let person = try first.participant()
        for _ in 1...200 { _ = person.send(.tap, "add") }
        #expect(scratch.waits(for: "\"ended\"", in: "records/demo.jsonl"))
        first.server.kill()
        let left = try RecordedRoom.lines(scratch)
        _ = try RecordedRoom.parse(left.dropLast())
        // As if the last write had been cut: the file system may do so.
        let path = scratch.path + "/records/demo.jsonl"
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(#"{"time":"20"#.utf8))
        try file.close()
        let second = try RecordedRoom(in: scratch)
        let other = try second.participant()
        #expect(other.outcome(other.send(.tap, "add"))?.outcome == .handled)
        second.drain()
        let lines = try RecordedRoom.parse(try RecordedRoom.lines(scratch))
        #expect(lines.count >= left.count + 4 - 1)
        #expect(
            lines.suffix(4).map { $0.text("step") }.sorted() == [
                "delivered", "ended", "lost", "received",
            ])
    }
}
