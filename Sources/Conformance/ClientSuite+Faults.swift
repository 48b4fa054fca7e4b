import SceneWire
import Synchronization
import WebSocketTransport

/// What servers and wires do wrong, and what a client does about it.
extension ClientSuite {
    static let faultCases: [Case] = nastyCases + longCases + lostCases

    /// What must end the connection with 4000, in either format.
    private static let nastyCases: [Case] =
        [
            Nasty(
                "4.1-1", "an overlong varint, or a member twice", [0x4A, 0x80, 0x00, 0, 0],
                #"{"type": "pong", "t0": 1, "t0": 1, "t1": 1, "t2": 1}"#),
            Nasty(
                "4.1-2", "a text that is not UTF-8, or half of a surrogate pair",
                [0x49, 0, 0, 0, 2, 0xC3, 0x28],
                #"{"type": "error", "code": 4005, "retryable": true, "retryAfterMilliseconds": 0, "text": "\ud800"}"#
            ),
            Nasty(
                "4.2-1", "an extension that must be understood", [0x4A, 0, 0, 0, 3, 0],
                #"{"type": "pong", "t0": 1, "t1": 1, "t2": 1, "extensions": {"3": ""}}"#),
            Nasty(
                "4.3-1", "a message that is cut short", [0x43, 0xAC],
                #"{"type": "pong", "t0": 1, "t1": 1, "t2": 1"#),
            Nasty(
                "4.3-2", "a count of 2^32 − 1, or a number of 2^32",
                [0x46, 5, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F],
                #"{"type": "error", "code": 4294967296, "retryable": true, "retryAfterMilliseconds": 0, "text": ""}"#
            ),
            Nasty(
                "8.1-2", "few bytes that mean very many views, or a view beyond all",
                [
                    0x43, 0x65, 0x01, 0x01, 0x42, 0x01, 0x00, 0xFE, 0xFF, 0xFF, 0xFF, 0x0F, 0x02,
                ],
                #"{"type": "select", "slot": 0, "selection": {"mask": 1, "numbers": [1048576]}, "deltas": [1]}"#
            ),
            Nasty("12-2", "an unknown type", [0x60], #"{"type": "later"}"#),
            Nasty(
                "7.3-2", "a snapshot that inflates beyond its word, or an unknown member",
                // One stored byte where a thousand are promised.
                [0x42, 1, 0x70, 0, 1, 1] + Array(repeating: 0, count: 8)
                    + [0xE8, 0x07, 6, 0x01, 0x01, 0x00, 0xFE, 0xFF, 0x00],
                #"{"type": "pong", "t0": 1, "t1": 1, "t2": 1, "t9": 1}"#),
        ].map(\.asCase)

    /// A message that no client takes, in either format.
    private struct Nasty {
        let id: String
        let title: String
        let bytes: [UInt8]
        let text: String

        init(_ id: String, _ title: String, _ bytes: [UInt8], _ text: String) {
            (self.id, self.title, self.bytes, self.text) = (id, title, bytes, text)
        }

        var asCase: Case {
            let (bytes, text) = (bytes, text)
            return Case(id: id, title: "\(title) closes with 4000") { server in
                try server.greet()
                switch server.format {
                case .binary: server.send(raw: bytes)
                case .json: server.send(raw: Array(text.utf8), .text)
                }
                try server.expectClose()
            }
        }
    }

    /// What no client takes whole.
    private static let longCases: [Case] = [
        Case(id: "13-1", title: "a message above limits.messageBytes closes with 1009 or 4000") {
            server in
            var limits = GrantedLimits()
            limits.messageBytes = 70_000
            try server.greet(limits: limits)
            let filling = [UInt8](repeating: 0x78, count: 1 << 20)
            switch server.format {
            case .binary:
                // A pong with an extension that would be passed over.
                server.send(raw: [0x4A, 0, 0, 0, 2, 0x80, 0x80, 0x40] + filling)
            case .json:
                server.send(
                    raw: Array(#"{"type": "x-later", "text": ""#.utf8) + filling
                        + Array(#""}"#.utf8), .text)
            }
            try server.expectClose(with: [1009, 4000])
        }
    ]

    /// States that do not fit: the client asks for a snapshot, once, and goes on.
    private static let lostCases: [Case] = [
        Case(id: "6.7-1", title: "another hash is answered with resync", isEssential: true) {
            server in
            try server.greet()
            server.send(server.hash(wrong: true))
            try server.expectResync()
        },
        Case(id: "6.7-2", title: "the hash of another tick says nothing") { server in
            try server.greet()
            var hash = StateHash()
            hash.tick = server.tick + 50
            server.send(.hash(hash))
            try server.expectSameState()
        },
        Case(
            id: "6.3-1", title: "a frame on another base is answered with resync", isEssential: true
        ) { server in
            try server.greet()
            let tick = server.tick
            server.send(.frame(FrameDiff(tick: tick + 9, baseTick: tick + 8, durableTick: tick)))
            try server.expectResync()
        },
        Case(id: "8.3-2", title: "an empty slot is answered with one resync", isEssential: true) {
            server in
            try server.greet()
            for _ in 0..<3 {
                server.send(server.frame(FrameBody(citations: [cited(40, [1])])))
            }
            try server.expectResync()
        },
        Case(id: "6.5-2", title: "a tree change that does not fit is answered with resync") {
            server in
            try server.greet()
            var tree = Tree()
            tree.tick = server.tick + 1
            tree.changes = [.remove(ViewNumber(999))]
            server.send(.tree(tree))
            try server.expectResync()
        },
        Case(
            id: "7.1-1", title: "a snapshot with another hash is answered with resync",
            isEssential: true
        ) { server in
            try server.greet()
            var snapshot = Sample.snapshot
            snapshot.stateHash ^= 1
            server.send(.snapshot(snapshot))
            try server.expectResync()
        },
        Case(id: "7.2-2", title: "a chunk that does not follow is answered with resync") { server in
            try server.greet()
            let chunks = try server.snapshots(byteMaximum: 2000)
            server.send(.snapshot(chunks[0]))
            server.send(.snapshot(chunks[2]))
            try server.expectResync()
        },
    ]
}
