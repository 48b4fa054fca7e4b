import Foundation
import JSON
import Logging
import SceneDocument
import SceneSession
import SceneWire
import Testing

@testable import SceneServer

/// A folder that is removed with the object.
private final class Folder {
    let path = NSTemporaryDirectory() + "scenesync-records-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func text(_ name: String) -> String? {
        try? String(contentsOfFile: path + "/" + name, encoding: .utf8)
    }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}

private func parse(_ text: String?) throws -> [[String: Any]] {
    try (text ?? "").split(separator: "\n").map { line in
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
}

@Suite("Lines of recorded events")
struct EventRecordLineTests {
    private let time = WallClockTime(milliseconds: 1_769_850_307_042)

    @Test(
        "times are RFC 3339 in UTC",
        arguments: [
            // By `date -u -d @SECONDS`.
            (0, "1970-01-01T00:00:00.000Z"), (1_769_850_307_042, "2026-01-31T09:05:07.042Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"), (-1, "1969-12-31T23:59:59.999Z"),
        ])
    func times(milliseconds: Int64, text: String) {
        #expect(WallClockTime(milliseconds: milliseconds).text == text)
    }

    @Test("an event's line has all that is known of it")
    func event() {
        var event = UserEvent()
        event.kind = .input
        event.view = "volume"
        event.tick = .max
        (event.x, event.y) = (3.5, -2)
        event.modifiers = EventModifiers.shift | EventModifiers.meta
        event.value = .number(0.25)
        let record = EventRecord(
            session: "s1", eventSequence: 7,
            .received(from: .init(client: 3, subject: "ann"), to: 9, event))
        #expect(
            EventRecordLine(record, room: "demo", at: time).text
                == #"{"time":"2026-01-31T09:05:07.042Z","room":"demo","step":"received","session":"s1","event":7,"#
                + #""client":3,"subject":"ann","to":9,"kind":"input","view":"volume","place":[3.5,-2],"#
                + #""modifiers":["shift","meta"],"tick":18446744073709551615,"value":0.25}"# + "\n")
    }

    @Test("texts cannot end a line, forge one, or drive a terminal")
    func hostile() throws {
        let text = "a\"}\n{\"step\":\"ended\"}\u{1B}[2J\u{202E}\u{85}\u{2028}"
        var event = UserEvent()
        event.kind = .message
        event.view = text
        event.value = .object([JSONMember(text, .string(text))])
        let record = EventRecord(
            session: text, eventSequence: 1,
            .received(from: .init(client: 1, subject: text), to: SentEvent.everyone, event))
        let line = EventRecordLine(record, room: "demo", at: time).text
        #expect(
            line.dropLast().unicodeScalars.allSatisfy {
                $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) && $0.value != 0x202E
                    && $0.value != 0x2028
            })
        let object = try #require(try parse(line).first)
        #expect(object["subject"] as? String == text)
        #expect(object["view"] as? String == text)
        #expect(object["to"] as? String == "everyone")
        #expect((object["value"] as? [String: String])?[text] == text)
    }
}

@Suite("Files of recorded events")
struct EventRecordFileTests {
    @Test("a full file makes way for a new one, and so many are kept")
    func rotation() throws {
        let folder = try Folder()
        let path = folder.path + "/a.jsonl"
        let file = try EventRecordFile(path: path, bytesMaximum: 10, keptFiles: 2)
        for number in 1...5 {
            #expect(file.append(Array("line \(number)\n".utf8)).byteCount == 7)
        }
        #expect(folder.names == ["a.jsonl", "a.jsonl.1", "a.jsonl.2"])
        #expect(folder.text("a.jsonl") == "line 5\n")
        #expect(folder.text("a.jsonl.1") == "line 4\n")
        #expect(folder.text("a.jsonl.2") == "line 3\n")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test("without kept files a full one is begun again")
    func noKeptFiles() throws {
        let folder = try Folder()
        let path = folder.path + "/a.jsonl"
        let file = try EventRecordFile(path: path, bytesMaximum: 10, keptFiles: 0)
        for number in 1...3 { _ = file.append(Array("line \(number)\n".utf8)) }
        #expect(folder.names == ["a.jsonl"])
        #expect(folder.text("a.jsonl") == "line 3\n")
    }

    @Test("a cut line is taken away when the file is opened again", arguments: [1, 5_000])
    func cutLine(length: Int) throws {
        let folder = try Folder()
        let path = folder.path + "/a.jsonl"
        let cut = String(repeating: "x", count: length)
        try Data("{}\n\(cut)".utf8).write(to: URL(fileURLWithPath: path))
        let file = try EventRecordFile(path: path, bytesMaximum: 1 << 20, keptFiles: 1)
        #expect(file.hadCutLine)
        #expect(file.append(Array("[]\n".utf8)).byteCount == 3)
        #expect(folder.text("a.jsonl") == "{}\n[]\n")
    }

    @Test("a link in a file's place is not followed")
    func link() throws {
        let folder = try Folder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/a.jsonl", withDestinationPath: folder.path + "/other")
        #expect(throws: EventRecordError.self) {
            _ = try EventRecordFile(
                path: folder.path + "/a.jsonl", bytesMaximum: 100, keptFiles: 1)
        }
        #expect(folder.text("other") == nil)
    }
}

@Suite("The recorder of events")
struct EventRecorderTests {
    private func end(_ sequence: UInt64) -> EventRecord {
        EventRecord(session: "s", eventSequence: sequence, .ended(.handled, code: ""))
    }

    private func recorder(
        _ options: EventRecordOptions, _ metrics: ServerMetrics
    ) throws -> EventRecorder {
        try EventRecorder(
            options, memory: MemoryLedger(), metrics: metrics,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test("what waits beyond a room's share is lost, counted, and told in its place")
    func overflow() throws {
        let folder = try Folder()
        let metrics = ServerMetrics()
        var options = EventRecordOptions(folder: folder.path)
        // An end counts as 300 bytes: three of one room, five of all.
        options.roomWaitingBytesMaximum = 1_000
        options.waitingBytesMaximum = 1_500
        let recorder = try recorder(options, metrics)
        // The thread does not run yet: the disk could not be slower.
        for sequence in 1...10 { recorder.append(end(UInt64(sequence)), of: "a") }
        for sequence in 1...4 { recorder.append(end(UInt64(sequence)), of: "b") }
        recorder.start()
        recorder.stop()
        let a = try parse(folder.text("a.jsonl"))
        #expect(a.map { $0["event"] as? Int } == [1, 2, 3, nil])
        #expect(a.last?["step"] as? String == "lost" && a.last?["lines"] as? Int == 7)
        let b = try parse(folder.text("b.jsonl"))
        #expect(b.map { $0["event"] as? Int } == [1, 2, nil])
        #expect(b.last?["lines"] as? Int == 2)
        #expect(metrics.eventRecords.value == 5)
        #expect(metrics.eventRecordsLost.value == 9)
    }

    @Test("rooms that no client can name have no file")
    func names() throws {
        let folder = try Folder()
        let metrics = ServerMetrics()
        let recorder = try recorder(EventRecordOptions(folder: folder.path + "/in"), metrics)
        recorder.append(end(1), of: "../out")
        recorder.append(end(1), of: "room")
        recorder.start()
        recorder.stop()
        #expect(folder.names == ["in"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/in") == [
                "room.jsonl"
            ])
        #expect(metrics.eventRecordsLost.value == 1)
    }

    @Test("more rooms than files are open at a time all have their lines")
    func manyRooms() throws {
        let folder = try Folder()
        let metrics = ServerMetrics()
        let recorder = try recorder(EventRecordOptions(folder: folder.path), metrics)
        for round in 1...2 {
            for room in 0..<150 { recorder.append(end(UInt64(round)), of: "room\(room)") }
        }
        recorder.start()
        recorder.stop()
        for room in 0..<150 {
            let lines = try parse(folder.text("room\(room).jsonl"))
            #expect(lines.map { $0["event"] as? Int } == [1, 2])
        }
    }

    @Test("a folder that cannot be made is an error that names it")
    func noFolder() throws {
        let folder = try Folder()
        #expect(throws: ServerError.self) {
            try EventRecordOptions(folder: folder.path + "/missing/records").prepareFolder()
        }
        try Data().write(to: URL(fileURLWithPath: folder.path + "/file"))
        #expect(throws: ServerError.self) {
            try EventRecordOptions(folder: folder.path + "/file").prepareFolder()
        }
    }
}
