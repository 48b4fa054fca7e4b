import JSON
import SceneWire

/// Requests of a client that is not live: between connections, before `welcome`, and while it is
/// lost.
extension ClientSuite {
    private static let first = #"[{"op": "removeView", "id": "view-9"}]"#
    private static let second = #"[{"op": "setNeedsLayout", "id": "view-1"}]"#
    private static let grouped =
        #"{"ops": [{"op": "removeView", "id": "view-8"}], "atomic": true, "undoGroup": 7}"#

    private static func expect(_ ops: Ops, _ text: String) throws {
        guard ops.ops == (try JSONReader.read(Array(text.utf8))) else {
            throw ScriptedServer.Failure(text: "its ops are \(ops.ops.text()), not \(text)")
        }
    }

    /// What `grouped` has to become.
    private static func expectGrouped(_ ops: Ops) throws {
        guard ops.isAtomic, ops.undoGroup == 7 else {
            throw ScriptedServer.Failure(
                text: "atomic is \(ops.isAtomic), undoGroup \(ops.undoGroup)")
        }
        try expect(ops, #"[{"op": "removeView", "id": "view-8"}]"#)
    }

    /// All requests so far have come once.
    private static func expectNoMore(_ client: DrivenClient) throws {
        try client.expectNone("ops again") { if case .ops = $0 { true } else { false } }
    }

    static let awayCases: [Case] = [
        Case(driven: "3.5-12", "ops asked for between connections are sent after welcome") {
            client in
            try client.admit()
            try client.cut()
            try client.perform(first)
            try client.admitAgain()
            try expect(client.hearOps(sequence: 1), first)
            try expectNoMore(client)
        },
        Case(driven: "3.5-13", "ops asked for before welcome are sent after it, once") { client in
            let hello = try client.server.hearHello()
            try client.perform(first)
            guard client.server.inbox.next(0.3) == nil else {
                throw ScriptedServer.Failure(text: "it did not wait for welcome")
            }
            try client.welcome(hello)
            try expect(client.hearOps(sequence: 1), first)
            try expectNoMore(client)
        },
        Case(driven: "3.5-14", "ops asked for while lost are sent, once") { client in
            try client.admit()
            client.server.send(client.server.hash(wrong: true))
            try client.server.wait("resync") { if case .resync = $0 { () } else { nil } }
            try client.perform(first)
            try client.server.sendState()
            try expect(client.hearOps(sequence: 1), first)
            try expectNoMore(client)
        },
        Case(driven: "3.5-15", "ops from before and after a cut keep their order and sequences") {
            client in
            try client.admit()
            try client.perform(first)
            try expect(client.hearOps(sequence: 1), first)
            try client.cut()
            try client.perform(second)
            try client.perform(grouped)
            try client.admitAgain()
            try expect(client.hearOps(sequence: 1), first)
            try expect(client.hearOps(sequence: 2), second)
            try expectGrouped(client.hearOps(sequence: 3))
            try expectNoMore(client)
        },
        Case(driven: "3.5-16", "undo asked for between connections keeps its place") { client in
            try client.admit(needing: Capability.undo)
            try client.perform(first)
            _ = try client.hearOps(sequence: 1)
            try client.cut()
            try client.perform(#""undo""#)
            try client.perform(second)
            try client.admitAgain()
            _ = try client.hearOps(sequence: 1)
            try client.server.wait("undo with sequence 2, before other ops") { message -> Void? in
                if case .undo(let undo) = message, undo.clientSequence == 2 { return () }
                guard case .ops = message else { return nil }
                throw ScriptedServer.Failure(text: "it sent ops before undo")
            }
            try expect(client.hearOps(sequence: 3), second)
        },
        Case(driven: "6.18-4", "an atomic batch of an undo group stays one when it is sent again") {
            client in
            try client.admit()
            try client.perform(grouped)
            try expectGrouped(client.hearOps(sequence: 1))
            try client.cut()
            try client.admitAgain()
            try expectGrouped(client.hearOps(sequence: 1))
        },
        Case(driven: "3.5-17", "a client that saw the past comes back for a snapshot") { client in
            try client.admit(needing: Capability.seek | Capability.mergedResume)
            try client.perform(#"{"seek": {"live": false, "tick": 50, "speed": 0}}"#)
            try client.server.wait("seek") { if case .seek = $0 { () } else { nil } }
            try client.cut()
            let hello = try client.reconnect()
            guard hello.capabilities & Capability.mergedResume == 0 else {
                throw ScriptedServer.Failure(text: "it offers to go on from the past")
            }
            try client.welcome(hello)
            try client.server.expectAcknowledgement()
        },
    ]
}
