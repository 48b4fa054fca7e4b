import SceneWire
import Synchronization
import WebSocketTransport

extension ServerSuite {
    /// Sections 4, 5, 12 and 13: unreadable messages.
    static let messageCases: [Case] =
        bytes.map { id, title, bytes in
            Case(id, title + " closes with 4000") { try $0.expectClose(bytes) }
        }
        + texts.map { id, title, text in
            Case(id, title + " in JSON closes with 4000") {
                try $0.expectClose(Array(text.utf8), .text, .json)
            }
        } + toleranceCases

    private static let bytes: [(String, String, [UInt8])] = [
        ("4.1-1", "an overlong varint", [0x05, 0x80, 0x00]),
        ("4.1-2", "a varint of 65 bits", [0x05] + Array(repeating: 0xFF, count: 9) + [0x02]),
        ("4.1-3", "a flag of 2", [0x03, 1, 0, 0, 2, 2, 0x5B, 0x5D]),
        ("4.1-4", "a double that is no number", [0x0A, 0, 0, 0, 0, 0, 0, 0, 0, 0xF8, 0x7F]),
        ("4.1-5", "a text that is not UTF-8", [0x06, 0, 0, 0, 2, 0xC3, 0x28, 0, 0, 0]),
        ("4.2-1", "an extension that must be understood", [0x05, 0x01, 0x03, 0x00]),
        ("4.3-1", "a message that is cut short", [0x02, 0x80]),
        ("4.3-2", "a count beyond what is left", [0x09, 0x3F, 0x00]),
        ("12-1", "an unknown type below 80", [0x3F, 0x00]),
        ("12-2", "a server's type", [0x47, 0x00]),
        ("6.18-1", "ops that are no JSON", [0x03, 1, 0, 0, 0, 1, 0x5B]),
    ]

    private static let texts: [(String, String, String)] = [
        ("5-1", "an unknown member", #"{"type": "ping", "t0": 1, "t9": 1}"#),
        ("5-2", "a missing member", #"{"type": "ping"}"#),
        ("5-3", "a key twice", #"{"type": "ping", "t0": 1, "t0": 2}"#),
        ("5-4", "text after the message", #"{"type": "ping", "t0": 1} {}"#),
        ("5-5", "an unknown type", #"{"type": "nonsense"}"#),
        (
            "5-6", "too many levels",
            #"{"type": "ping", "t0": "# + String(repeating: "[", count: 100)
                + String(repeating: "]", count: 100) + "}"
        ),
    ]

    private static let toleranceCases: [Case] = [
        Case("4.2-2", "an extension with an even id is skipped") { suite in
            let client = try suite.client()
            try client.greet()
            client.send(raw: [0x05, 0x4D, 0x02, 0x03, 9, 9, 9])
            let t0 = try client.wait("pong") {
                if case .pong(let pong) = $0 { pong.t0 } else { nil }
            }
            return .require(t0 == 0x4D, "the pong said \(t0)")
        },
        Case("12-3", "an unknown type of 80 or more is passed over") { suite in
            let client = try suite.client()
            try client.greet()
            client.send(raw: [0x85, 1, 2, 3])
            return .require(try client.isAlive(), "no answer")
        },
        Case("12-4", "a JSON type that begins with x- is passed over") { suite in
            let client = try suite.client(.json)
            try client.greet()
            client.send(raw: Array(#"{"type": "x-later", "n": [1]}"#.utf8), .text)
            return .require(try client.isAlive(), "no answer")
        },
        Case("13-1", "welcome announces limits that make sense") { suite in
            let limits = try suite.client().greet().limits
            let all = [
                limits.messageBytes, limits.views, limits.constraints, limits.ops,
                limits.depth, limits.textBytes, limits.inflatedBytes,
                limits.unacknowledgedFrames,
            ]
            return .require(all.allSatisfy { $0 > 0 }, "one of them is 0: \(limits)")
        },
        Case("13-2", "a message above limits.messageBytes ends the connection") { suite in
            let client = try suite.client()
            let welcome = try client.greet()
            client.send(raw: Array(repeating: 0x05, count: Int(welcome.limits.messageBytes) + 1))
            let code = try client.end()
            return .require(
                [4000, 4009, 1009].contains(code), "closed with \(code.map(String.init) ?? "-")"
            )
        },
        Case("14-2", "nothing that others are sent has a member's session or resume token") {
            suite in
            let listener = try suite.editor(capabilities: Capability.inspect)
            let speaker = try suite.client()
            let secrets = try speaker.greet(.editor, capabilities: Capability.undo)
            var presence = Presence()
            presence.name = "speaker"
            speaker.send(.presence(presence))
            _ = try speaker.apply(#"[{"op": "addView", "id": "told"}]"#, sequence: 1)
            var inspect = Inspect()
            inspect.wantsDocument = true
            listener.send(.inspect(inspect))
            listener.send(.ping(Ping()))
            var heard: [UInt8] = []
            while case .message(_, let bytes)? = listener.next(0.5) { heard += bytes + [0] }
            speaker.close()
            let text = String(decoding: heard, as: UTF8.self)
            return .require(
                text.contains("told") && !text.contains(secrets.session)
                    && !text.contains(secrets.resumeToken), "the others were told it")
        },
        Case("14-1", "a hundred messages of random bytes do no harm") { suite in
            var state: UInt64 = 1
            func random() -> UInt8 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 33)
            }
            for _ in 0..<100 {
                let client = try suite.client()
                client.send(.hello(Hello()))
                client.send(raw: (0...Int(random())).map { _ in random() })
                client.close()
            }
            let client = try suite.client()
            try client.greet()
            return .require(try client.isAlive(), "no answer")
        },
    ]
}
