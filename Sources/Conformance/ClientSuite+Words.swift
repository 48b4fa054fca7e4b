import JSON
import SceneWire

/// Parts of a client that only its user sets off: the past, subtrees, questions, presence.
extension ClientSuite {
    private static func expect(_ found: JSONValue, _ wanted: String, _ what: String) throws {
        guard found == (try JSONReader.read(Array(wanted.utf8))) else {
            throw ScriptedServer.Failure(text: "\(what) is \(found.text()), not \(wanted)")
        }
    }

    private static func presence(
        _ client: UInt32, clock: UInt32, name: String, isGone: Bool = false
    ) -> ServerMessage {
        var presence = Presence()
        presence.client = client
        presence.clock = clock
        presence.name = name
        presence.isGone = isGone
        return .presence(presence)
    }

    /// The texts of an answer to a question in three messages.
    private static let answerParts = [#"{"tick": 100, "#, #""views": [], "#, #""broken": []}"#]

    static let wordCases: [Case] = [
        Case(driven: "3.4-3", "what was not granted is not sent, whoever asks for it") { client in
            try client.server.welcome(client.server.hearHello(), granting: 0)
            try client.server.sendState()
            try client.perform(#"{"seek": {"live": false, "tick": 50, "speed": 0}}"#)
            try client.perform(#"{"subscribe": {"roots": ["view-1"], "frameRateMaximum": 0}}"#)
            try client.perform(#"{"inspect": {"request": 1, "document": false, "views": []}}"#)
            try client.perform(#""undo""#)
            try client.expectNone("what was not granted") { message in
                switch message {
                case .seek, .subscribe, .inspect, .undo: true
                default: false
                }
            }
        },
        Case(driven: "6.25-1", "seek is sent, and the past and the present are shown") { client in
            try client.admit(needing: Capability.seek)
            try client.perform(#"{"seek": {"live": false, "tick": 50, "speed": -2.5}}"#)
            let past = try client.server.wait("seek") {
                if case .seek(let seek) = $0 { seek } else { nil }
            }
            guard !past.isLive, past.tick == 50, past.speed == -2.5 else {
                throw ScriptedServer.Failure(text: "it sent \(past)")
            }
            var snapshot = Sample.snapshot
            snapshot.tick = 50
            try client.server.play(.snapshot(snapshot))
            try client.server.expectAcknowledgement(since: 50)
            try client.perform(#"{"seek": {"live": true, "tick": 0, "speed": 0}}"#)
            let present = try client.server.wait("seek") {
                if case .seek(let seek) = $0 { seek } else { nil }
            }
            guard present.isLive else { throw ScriptedServer.Failure(text: "it sent \(present)") }
            try client.server.play(.snapshot(Sample.snapshot))
            try client.server.expectAcknowledgement(since: 100)
        },
        Case(driven: "6.24-1", "subscribe is sent, and the subtrees come as a snapshot") { client in
            try client.admit(needing: Capability.subscribe)
            try client.perform(
                #"{"subscribe": {"roots": ["view-1", "view-2"], "frameRateMaximum": 5}}"#)
            let subscribe = try client.server.wait("subscribe") {
                if case .subscribe(let subscribe) = $0 { subscribe } else { nil }
            }
            guard subscribe.roots == ["view-1", "view-2"], subscribe.frameRateMaximum == 5 else {
                throw ScriptedServer.Failure(text: "it sent \(subscribe)")
            }
            try client.server.sendState()
            try client.server.expectSameState()
        },
        Case(driven: "6.28-1", "an inspection in several chunks is one text") { client in
            try client.admit(needing: Capability.inspect)
            try client.perform(
                #"{"inspect": {"request": 3, "document": true, "views": ["view-1"]}}"#)
            let inspect = try client.server.wait("inspect") {
                if case .inspect(let inspect) = $0 { inspect } else { nil }
            }
            guard inspect.wantsDocument, inspect.views == ["view-1"] else {
                throw ScriptedServer.Failure(text: "it sent \(inspect)")
            }
            var chunk = Inspection()
            chunk.request = inspect.request
            chunk.chunkCount = UInt32(answerParts.count)
            for (index, text) in answerParts.enumerated() {
                // Before the last chunk there is no answer.
                try client.server.expectSameState()
                try expect(client.perform(#""inspection""#), "null", "the inspection")
                chunk.chunkIndex = UInt32(index)
                chunk.text = text
                client.server.send(.inspection(chunk))
            }
            try client.server.expectSameState()
            let found = try client.perform(#""inspection""#)
            guard found.string == answerParts.joined() else {
                throw ScriptedServer.Failure(text: "the inspection is \(found.text())")
            }
        },
        Case(driven: "6.11-1", "of one member's presences an older one is passed over") { client in
            try client.admit()
            for (clock, name) in [(5, "new"), (4, "old"), (9, "newer"), (8, "late")]
                as [(UInt32, _)]
            {
                client.server.send(presence(7, clock: clock, name: name))
            }
            client.server.send(presence(8, clock: 1, name: "other"))
            try client.server.expectSameState()
            try expect(
                client.perform(#""members""#), #"[[7, "newer"], [8, "other"]]"#, "the presence")
        },
        Case(driven: "6.11-2", "presence that is gone stays gone for what was sent before") {
            client in
            try client.admit()
            client.server.send(presence(7, clock: 5, name: "here"))
            client.server.send(presence(8, clock: 5, name: "other"))
            client.server.send(presence(7, clock: 6, name: "here", isGone: true))
            client.server.send(presence(7, clock: 5, name: "here"))
            try client.server.expectSameState()
            try expect(client.perform(#""members""#), #"[[8, "other"]]"#, "the presence")
        },
        Case(driven: "6.21-1", "presence is sent as its user has it") { client in
            try client.admit()
            try client.perform(
                #"{"presence": {"clock": 3, "name": "Ada", "selection": ["view-1"]}}"#)
            let presence = try client.server.wait("presence") {
                if case .presence(let presence) = $0 { presence } else { nil }
            }
            guard presence.client == 0, presence.clock == 3, presence.name == "Ada",
                presence.selection == ["view-1"]
            else { throw ScriptedServer.Failure(text: "it sent \(presence)") }
        },
    ]
}
