import SceneDocument
import SceneWire
import Synchronization

extension ServerSuite {
    /// Sections 6.8, 6.18 and 15: ops and their results.
    static let opsCases: [Case] = [
        Case("6.8-1", "a change is committed") { suite in
            let client = try suite.editor()
            let outcome = try client.apply(
                #"[{"op": "setConstraint", "id": "w", "constant": 150}]"#, sequence: 2)
            try suite.wait(client) { $0.view(id: "a")?.frame.width == 150 }
            return .require(outcome == .committed(Commit()), "\(outcome)")
        },
        Case("6.8-2", "layoutIfNeeded tells the frames at its place") { suite in
            let client = try suite.editor()
            let outcome = try client.apply(
                #"""
                [{"op": "setConstraint", "id": "w", "constant": 160}, {"op": "layoutIfNeeded", "id": "root"},
                 {"op": "setConstraint", "id": "w", "constant": 170}]
                """#, sequence: 2)
            guard case .committed(let commit) = outcome else { return .bad("\(outcome)") }
            let width = commit.frames.first { $0.id == "a" }?.rect.width
            return .require(width == 160, "\(commit.frames)")
        },
        Case("6.18-2", "one wrong op is refused alone") { suite in
            let client = try suite.editor()
            let outcome = try client.apply(
                #"""
                [{"op": "removeView", "id": "nobody"}, {"op": "setConstraint", "id": "w", "constant": 150}]
                """#, sequence: 2)
            guard case .committed(let commit) = outcome else { return .bad("\(outcome)") }
            try suite.wait(client) { $0.view(id: "a")?.frame.width == 150 }
            return .require(
                commit.refusals.map(\.code) == [.unknownView]
                    && commit.refusals.map(\.opIndex) == [0], "\(commit.refusals)")
        },
        Case("6.18-3", "one wrong op refuses an atomic message") { suite in
            let client = try suite.editor()
            let outcome = try client.apply(
                #"[{"op": "addView", "id": "x"}, {"op": "removeView", "id": "nobody"}]"#,
                sequence: 2, atomic: true)
            guard case .refused(let refusal) = outcome else { return .bad("\(outcome)") }
            let later = try client.apply(#"[{"op": "addView", "id": "x"}]"#, sequence: 3)
            return .require(
                refusal.code == .unknownView && refusal.opIndex == 1
                    && later == .committed(Commit()), "\(refusal), then \(later)")
        },
        Case("6.18-4", "the same sequence is the same message") { suite in
            let client = try suite.editor()
            let op = #"[{"op": "addView", "id": "twice"}]"#
            let first = try client.apply(op, sequence: 2)
            let second = try client.apply(op, sequence: 2)
            return .require(first == second && first == .committed(Commit()), "\(first), \(second)")
        },
        Case("15-1", "a contradiction is refused and names the constraints") { suite in
            let client = try suite.editor()
            let outcome = try client.apply(
                #"[{"op": "addConstraint", "id": "too-wide", "rule": "a.width >= 360"}]"#,
                sequence: 2)
            guard case .refused(let refusal) = outcome else { return .bad("\(outcome)") }
            return .require(
                refusal.code == .unsatisfiable && refusal.conflicting.contains("limit"),
                "\(refusal)")
        },
        refusal("15-2", "an unknown op", #"{"op": "nonsense"}"#, [.badOp]),
        refusal("15-3", "an op without a key", #"{"op": "removeView"}"#, [.badOp]),
        refusal(
            "15-4", "an op with an unknown key", #"{"op": "removeView", "id": "a", "x": 1}"#,
            [.badOp]),
        refusal(
            "15-5", "an unknown constraint", #"{"op": "removeConstraint", "id": "none"}"#,
            [.unknownConstraint]),
        refusal("15-6", "an id that is taken", #"{"op": "addView", "id": "a"}"#, [.duplicateID]),
        refusal(
            "15-7", "a rule that is none", #"{"op": "addConstraint", "rule": "a.width = 3"}"#,
            [.badRule]),
        refusal(
            "15-8", "an impossible value", #"{"op": "setConstraint", "id": "w", "priority": 5000}"#,
            [.badValue]),
        refusal(
            "15-9", "a view below itself", #"{"op": "moveView", "id": "a", "parent": "b"}"#,
            [.cycle]),
        Case("3.1-7", "viewers change nothing") { suite in
            _ = try suite.editor()
            let client = try suite.client()
            try client.greet()
            let outcome = try client.apply(#"[{"op": "removeView", "id": "a"}]"#, sequence: 1)
            guard case .refused(let refusal) = outcome else { return .bad("\(outcome)") }
            return .require(refusal.code == .forbidden, "\(refusal)")
        },
    ]

    private static func refusal(
        _ id: String, _ title: String, _ op: String, _ codes: [RefusalCode]
    ) -> Case {
        Case(id, "\(title) is refused as \(codes[0].rawValue)") { suite in
            let client = try suite.editor()
            guard case .refused(let refusal) = try client.apply("[\(op)]", sequence: 2) else {
                return .bad("it was taken")
            }
            if !codes.contains(refusal.code) { return .weak("refused as \(refusal.code.rawValue)") }
            return .require(try client.isAlive(), "the connection ended")
        }
    }

    /// Sections 6.10, 6.11 and 6.13: between members.
    static let memberCases: [Case] = [
        Case("6.10-1", "a ping is answered with the server's clock") { suite in
            let client = try suite.client()
            try client.greet()
            var ping = Ping()
            ping.t0 = 123_456_789_012
            client.send(.ping(ping))
            let pong = try client.wait("pong") { message -> Pong? in
                if case .pong(let pong) = message { pong } else { nil }
            }
            return .require(pong.t0 == ping.t0 && pong.t1 <= pong.t2, "\(pong)")
        },
        Case("6.11-1", "presence reaches the others, with a number") { suite in
            let speaker = try suite.client()
            let listener = try suite.client()
            try speaker.greet()
            try listener.greet()
            var presence = Presence()
            presence.name = "conformance"
            presence.clock = 1
            speaker.send(.presence(presence))
            let heard = try listener.wait("presence") { message -> Presence? in
                if case .presence(let other) = message, other.name == "conformance" {
                    return other
                }
                return nil
            }
            speaker.close()
            let gone = try listener.wait("presence that is gone") { message -> UInt32? in
                if case .presence(let other) = message, other.isGone { other.client } else { nil }
            }
            return .require(heard.client > 0 && gone == heard.client, "\(heard), then \(gone)")
        },
        Case("6.13-1", "diagnostics come to those who can read them") { suite in
            _ = try suite.editor()
            let client = try suite.client()
            let welcome = try client.greet(capabilities: Capability.diagnostics)
            guard welcome.capabilities & Capability.diagnostics != 0 else {
                return .note("the server has none")
            }
            let diagnostics = try client.wait("diagnostics") { message -> Diagnostics? in
                if case .diagnostics(let diagnostics) = message { diagnostics } else { nil }
            }
            return .require(diagnostics.ambiguous.contains("b"), "\(diagnostics)")
        },
        Case("6.13-2", "and to nobody else") { suite in
            let client = try suite.client()
            try client.greet()
            while case .message(_, let bytes)? = client.next(0.5) {
                if bytes.first == 0x4D { return .bad("they came unasked") }
            }
            return .fine
        },
    ]
}
