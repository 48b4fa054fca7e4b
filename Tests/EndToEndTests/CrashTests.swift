import CThreadSignal
import Foundation
import SceneTestSupport
import SceneWire
import Testing

@Suite("A room that ends the server", .serialized)
struct CrashTests {
    /// Something that takes seconds, so that the room goes to the slow lane: many wishes for few
    /// widths.
    private static let longWork: String = {
        let views = (0..<200).map { #"{"op":"addView","id":"v\#($0)"}"# }
        let wishes = (0..<5000).map { index in
            let (one, other) = (index % 200, (index * index * 7 + index * 3 + 1) % 200)
            let rule =
                "v\(one).width == 0.\(1 + index % 8) * v\(other == one ? (one + 1) % 200 : other).width"
                + " + \(index % 97) @\(1 + index % 900)"
            return #"{"op":"addConstraint","rule":"\#(rule)"}"#
        }
        return "[" + (views + wishes).joined(separator: ",") + "]"
    }()

    /// The thread of the slow lane, if it is at work in a room, as the server's own record has it.
    private func slowThread(in room: String, of directory: String) -> Int32? {
        guard let data = FileManager.default.contents(atPath: directory + "/at-work"),
            data.count == 3 * 256
        else { return nil }
        let slot = [UInt8](data.suffix(256))
        let words = slot.withUnsafeBytes { raw in
            (0..<4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
        }
        let name = slot[16..<(16 + Int(min(words[3], 200)))]
        return words[0] != 0 && name.elementsEqual(room.utf8) ? Int32(bitPattern: words[2]) : nil
    }

    /// Ends a server as a fault in a room does: by a signal to the thread that is at work there.
    private func crash(_ server: ServerProcess, in room: String, _ directory: String) throws {
        let editor = try Peer(server.url + "/" + room, role: .editor)
        #expect(editor.welcome?.role == .editor)
        _ = try editor.send(Self.longWork)
        let deadline = Date(timeIntervalSinceNow: 60)
        var thread: Int32?
        while thread == nil, Date() < deadline {
            sched_yield()
            thread = slowThread(in: room, of: directory)
        }
        #expect(
            signal_thread(server.process.processIdentifier, try #require(thread), SIGSEGV) == 0)
        server.process.waitUntilExit()
        #expect(server.process.terminationReason == .uncaughtSignal)
        #expect(server.process.terminationStatus == SIGSEGV)
    }

    @Test("the second crash in a room puts it aside; all others are served, and it can be released")
    func putAside() throws {
        let scratch = try Scratch()
        let directory = scratch.path + "/data"
        let scene = try scratch.write(sampleScene, as: "scene.json")
        // The runtime's own handler takes its time, and goes on after a signal that was sent.
        let start = {
            try ServerProcess(
                ["--data", directory, "--scene", scene],
                environment: ["SWIFT_BACKTRACE": "enable=no"])
        }
        for _ in 0..<2 {
            let server = try start()
            #expect(try Peer(server.url + "/innocent", role: .editor).firstMirror != nil)
            try crash(server, in: "bad", directory)
        }
        let log = scratch.path + "/log"
        let server = try ServerProcess(["--data", directory, "--scene", scene], log: log)
        let member = try Peer(server.url + "/bad", role: .editor)
        #expect(member.endCode == CloseCode.noSuchSession.rawValue)
        #expect(member.failureText?.contains("put aside") == true)
        #expect(member.failureText?.contains("2 times") == true)
        #expect(try Peer(server.url + "/innocent", role: .editor).firstMirror != nil)
        #expect(try Peer(server.url + "/demo").firstMirror != nil)
        #expect(server.metric("scenesync_rooms_put_aside") == 1)
        let list = try #require(http("GET", "/admin/rooms", port: server.port))
        #expect(list.contains(#""putAside":[{"room":"bad","reason":"the server crashed"#))
        #expect(try String(contentsOfFile: log, encoding: .utf8).contains("room bad is put aside"))
        let doctor = try Program.run(["doctor", "--data", directory, "--port", "0"])
        #expect(doctor.output.contains("room bad is put aside"))
        let released = http(
            "POST", "/admin/rooms/bad/release", port: server.port,
            headers: "Content-Length: 0\r\n")
        #expect(released?.hasPrefix("HTTP/1.1 200") == true)
        #expect(try Peer(server.url + "/bad", role: .editor).firstMirror != nil)
        server.process.terminate()
        server.process.waitUntilExit()
        #expect(!FileManager.default.fileExists(atPath: directory + "/at-work"))
        let again = try start()
        #expect(try Peer(again.url + "/bad", role: .editor).firstMirror != nil)
    }
}
