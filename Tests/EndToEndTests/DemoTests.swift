import Foundation
import JSON
import SceneDocument
import SceneTestSupport
import SceneWire
import Testing

@Suite("The demo as a program", .serialized)
struct DemoTests {
    /// Somebody in a room of the demo. The program behind it makes the room, which a participant
    /// cannot.
    private func person(_ server: ServerProcess, in room: String) throws -> Peer {
        for _ in 0..<500 {
            let peer = try Peer(
                "\(server.url)/\(room)", role: .participant, capabilities: Capability.events)
            if peer.welcomeOrEnd == 0 { return peer }
            usleep(20_000)
        }
        throw ServerProcess.Failure(text: "nobody makes the room \(room)")
    }

    /// Sends an event until the program is there to deal with it; false if it never is.
    private func use(_ person: Peer, _ kind: EventKind, _ view: String, _ value: JSONValue) -> Bool
    {
        for _ in 0..<500 {
            switch person.outcome(person.send(kind, view, value))?.outcome {
            case .handled: return true
            case .unhandled: usleep(20_000)
            default: return false
            }
        }
        return false
    }

    /// The first line of a view's text.
    private static func text(_ view: String, _ mirror: SceneMirror) -> String {
        mirror.view(id: view)?.content.lines.first?.text ?? ""
    }

    private static func children(_ view: String, _ mirror: SceneMirror) -> [ViewRecord] {
        let numbers = mirror.number(id: view).map { mirror.subviews(of: $0) } ?? []
        return numbers.compactMap { mirror.view($0) }
    }

    /// The cards of the board, by columns, and what stands on them.
    private static func cards(_ mirror: SceneMirror) -> [[String]] {
        ["todo-cards", "doing-cards", "done-cards"].map { column in
            children(column, mirror).map { card in
                let label = children(card.id, mirror).first
                return card.id + " " + (label?.content.lines.map(\.text).joined() ?? "")
            }
        }
    }

    @Test("it says where it listens, shows the monitor, and ends in time when it is told to")
    func ends() throws {
        let server = try ServerProcess(["--in-memory"], as: "demo")
        #expect(server.url == "ws://127.0.0.1:\(server.port)")
        let person = try person(server, in: "demo")
        let mirror = try #require(person.mirror { Self.text("status", $0) == "1 person here" })
        #expect(mirror.view(id: "wave")?.content.lines.first?.text.contains("Wave") == true)
        server.process.terminate()
        server.process.waitUntilExit()
        #expect(server.process.terminationReason == .exit)
        // What is not drained within --drain-timeout ends with 1.
        #expect(server.process.terminationStatus == 0)
        #expect(person.endCode == CloseCode.draining.rawValue)
    }

    @Test("robots take part as people do")
    func crowd() throws {
        let server = try ServerProcess(["--in-memory", "--crowd", "5"], as: "demo")
        // Numbers 1, 2 and 4 watch the monitor, 0 and 3 are at the board.
        let watcher = try person(server, in: "demo")
        let mirror = try #require(
            watcher.mirror { mirror in
                Int(Self.text("waves", mirror).prefix { $0.isNumber }) ?? 0 >= 3
                    && Self.text("status", mirror) == "4 people here"
            })
        let lines = (1...4).map { Self.text("event-\($0)", mirror) }
        #expect(lines.contains { $0.contains("robot-") && $0.hasSuffix("waved") }, "\(lines)")
        let player = try person(server, in: "board")
        let before = try #require(player.mirror { Self.cards($0).joined().count == 6 })
        #expect(player.mirror { Self.cards($0) != Self.cards(before) } != nil)
    }

    @Test("the board's cards come back after a kill, and its program goes on with them")
    func killed() throws {
        let scratch = try Scratch()
        let data = scratch.path + "/data"
        let first = try ServerProcess(["--data", data], as: "demo")
        let person = try person(first, in: "board")
        let start = try #require(person.mirror { Self.cards($0).map(\.count) == [3, 2, 1] })
        let moved = try #require(Self.children("todo-cards", start).first?.id)
        #expect(use(person, .key, moved, .string("ArrowRight")))
        #expect(use(person, .input, "new-card", .string("Buy tea")))
        let known = try #require(person.mirror { Self.cards($0).map(\.count) == [3, 3, 1] })
        #expect(Self.cards(known)[0].last?.hasSuffix(" Buy tea") == true)
        #expect(Self.cards(known)[1].last == moved + " Write the handbook")
        first.kill()
        let second = try ServerProcess(["--data", data], as: "demo")
        let again = try self.person(second, in: "board")
        let restored = try #require(again.mirror { Self.text("count", $0) == "7 cards" })
        #expect(Self.cards(restored) == Self.cards(known))
        #expect(use(again, .key, moved, .string("ArrowLeft")))
        let last = try #require(again.mirror { Self.cards($0).map(\.count) == [4, 2, 1] })
        #expect(Self.cards(last)[0].last == moved + " Write the handbook")
        second.kill()
    }
}
