import Foundation
import SceneClient
import SceneClientSession
import SceneWire
import Testing

/// A scene with something to tap and something to change.
private let eventScene = """
    {"scene": 1, "viewport": {"width": 640, "height": 384},
     "views": [{"id": "panel"}, {"id": "add", "parent": "panel", "kind": "button", "text": "Add", "events": ["tap"]},
               {"id": "volume", "parent": "panel", "kind": "slider", "events": ["input"], "value": 0}]}
    """

/// A server that limits events, with a program that answers each and a participant.
private struct LimitedRoom {
    private let scratch: Scratch
    let server: ServerProcess
    private let program: Peer
    let person: Peer

    init(eventsPerSecond: Int) throws {
        scratch = try Scratch()
        let scene = try scratch.write(eventScene, as: "scene.json")
        server = try ServerProcess([
            "--in-memory", "--scene", scene, "--max-events-per-second", "\(eventsPerSecond)",
        ])
        let room = server.url + "/demo"
        program = try Peer(
            room, role: .editor, capabilities: Capability.events, answersEvents: true)
        program.handle(["panel"])
        // Its answer says that the server knows of the subtree.
        #expect(program.result(try program.send(#"[{"op":"setNeedsLayout"}]"#)) != nil)
        person = try Peer(room, role: .participant, capabilities: Capability.events)
        #expect(person.interaction(of: "add") != nil)
    }
}

@Suite("Events over the network", .serialized)
struct EventTests {
    @Test("a participant's tap reaches the program behind the scene, and only editors change it")
    func roles() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(eventScene, as: "scene.json")
        let secret = try scratch.write(
            Data((0..<32).map { UInt8($0 * 7) }).base64EncodedString(), as: "secret")
        let server = try ServerProcess([
            "--in-memory", "--scene", scene, "--auth-secret-file", secret,
        ])
        func token(_ role: String, _ subject: String) throws -> String {
            let made = try Program.run([
                "token", "--secret-file", secret, "--room", "demo", "--role", role, "--subject",
                subject,
            ])
            #expect(made.status == 0)
            return made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let program = try Peer(
            server.url + "/demo", role: .editor, token: try token("editor", "program"),
            capabilities: Capability.events)
        // Who asks for more than the token allows gets what it allows.
        let person = try Peer(
            server.url + "/demo", role: .editor, format: .json,
            token: try token("participant", "ann"), capabilities: Capability.events)
        #expect(program.welcome?.role == .editor)
        #expect(person.welcome?.role == .participant)
        #expect(person.interaction(of: "add")?.control == .button)
        program.handle(["panel"])
        // Its answer says that the server knows of the subtree.
        let laidOut = try program.send(#"[{"op":"setNeedsLayout"}]"#)
        #expect(program.result(laidOut) == .committed(Commit()))
        let tap = person.send(.tap, "add")
        let event = try #require(program.events(atLeast: 1)?.first)
        #expect(event.delivered.subject == "ann")
        #expect(event.delivered.event.view == "add")
        program.answer(event)
        #expect(person.outcome(tap)?.outcome == .handled)
        let forbidden = try person.send(#"[{"op":"removeView","id":"add"}]"#)
        guard case .refused(let refusal)? = person.result(forbidden) else {
            Issue.record("a participant changed the scene")
            return
        }
        #expect(refusal.code == .forbidden)
        person.handle(["panel"])
        #expect(person.failure?.code == 4003)
        // A client that knows no events is a viewer.
        let old = try Peer(
            server.url + "/demo", role: .editor, token: try token("participant", "old"))
        #expect(old.welcome?.role == .viewer)
    }

    @Test("a program that is killed loses no event that it was not sent, and nobody waits for ever")
    func killed() throws {
        let scratch = try Scratch()
        let scene = try scratch.write(eventScene, as: "scene.json")
        let server = try ServerProcess(["--in-memory", "--scene", scene])
        let room = server.url + "/demo"
        let person = try Peer(room, role: .participant, capabilities: Capability.events)
        #expect(person.interaction(of: "volume") != nil)
        #expect(person.outcome(person.send(.tap, "add"))?.outcome == .unhandled)
        let first = try Peer(room, role: .editor, capabilities: Capability.events)
        first.handle(["panel"])
        #expect(first.result(try first.send(#"[{"op":"setNeedsLayout"}]"#)) != nil)
        first.introduce(as: "first")
        let sent = (1...20).map { person.send(.input, "volume", .number(Double($0))) }
        let delivered = try #require(first.events(atLeast: 20))
        #expect(delivered.map(\.delivered.event.value) == (1...20).map { .number(Double($0)) })
        for event in delivered.prefix(5) { first.answer(event) }
        for sequence in sent.prefix(5) { #expect(person.outcome(sequence)?.outcome == .handled) }
        first.close()
        #expect(person.isGone("first"))
        // While it is waited for, what comes is kept; another takes that over.
        let late = person.send(.tap, "add")
        let second = try Peer(room, role: .editor, capabilities: Capability.events)
        second.handle(["panel"])
        let taken = try #require(second.events(atLeast: 1)?.first)
        #expect(taken.delivered.event.view == "add")
        second.answer(taken)
        #expect(person.outcome(late)?.outcome == .handled)
        for sequence in sent.dropFirst(5) { #expect(person.outcome(sequence)?.outcome == .unknown) }
    }

    @Test("what a client may send comes back with time, also where nothing else happens")
    func allowance() throws {
        let room = try LimitedRoom(eventsPerSecond: 20)
        let person = room.person
        let first = (1...40).map { _ in person.send(.tap, "add") }
        let refused = first.filter { person.outcome($0)?.outcome == .refused }
        #expect(!refused.isEmpty && refused.count < 40)
        var outcome = EventOutcome.refused
        var tries = 0
        while outcome == .refused, tries < 500 {
            // Fewer than end the connection.
            usleep(20_000)
            outcome = person.outcome(person.send(.tap, "add"))?.outcome ?? .unknown
            tries += 1
        }
        #expect(outcome == .handled)
    }

    @Test("who floods a room with events is thrown out, and loses nobody else's")
    func flood() throws {
        let room = try LimitedRoom(eventsPerSecond: 100)
        let person = room.person
        let socket = try #require(
            RawWebSocket(
                port: room.server.port, path: "/demo", subprotocols: "scenesync.v1.json"))
        socket.send(
            #"{"type":"hello","capabilities":1024,"token":"","room":"","role":"participant","unitsPerPoint":0,"roots":[],"frameRateMaximum":0}"#
        )
        for sequence in 1...2_000 {
            socket.send(
                #"{"type":"event","eventSequence":\#(sequence),"to":0,"kind":"tap","view":"add","tick":0,"place":[0,0],"modifiers":0,"value":null}"#
            )
        }
        // Refusals may be on their way when the connection ends.
        var isThrownOut = false
        while !isThrownOut, let message = socket.read() { isThrownOut = message.contains("4029") }
        #expect(isThrownOut)
        let taps = (1...20).map { _ in person.send(.tap, "add") }
        for tap in taps { #expect(person.outcome(tap)?.outcome == .handled) }
    }
}
