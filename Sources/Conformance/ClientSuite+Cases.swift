import LayoutValues
import SceneDocument
import SceneWire
import Synchronization
import WebSocketTransport

extension ClientSuite {
    static let cases: [Case] =
        goodCases + faultCases + frameCases + awayCases + wordCases
        + EmbeddedDialogues.parsed(EmbeddedDialogues.clients).map(Case.init)

    private static func row(_ number: UInt32, _ mask: FieldMask, _ deltas: FieldDeltas)
        -> FrameBody.Row
    {
        FrameBody.Row(number: number, mask: mask, deltas: deltas)
    }

    /// The client has to acknowledge one of so many frames when it may owe so many.
    private static func expectAcknowledgements(_ server: ScriptedServer, each: Int, owing: UInt32)
        throws
    {
        var limits = GrantedLimits()
        limits.unacknowledgedFrames = owing
        try server.greet(limits: limits)
        try server.expectAcknowledgement()
        for _ in 0..<5 {
            let earliest = server.tick + 1
            for _ in 0..<each { try server.play(server.frame()) }
            try server.expectAcknowledgement(since: earliest)
        }
    }

    private static func group(
        _ mask: FieldMask, _ numbers: [UInt32], _ deltas: FieldDeltas, stores: Bool = true
    ) -> FrameBody.Group {
        FrameBody.Group(Selection(mask: mask, numbers: numbers), stores: stores, deltas: deltas)
    }

    static func cited(_ slot: UInt8, _ deltas: FieldDeltas) -> FrameBody.Citation {
        FrameBody.Citation(slot: slot, deltas: deltas)
    }

    /// A server that does everything right, in every way that it may.
    private static let goodCases: [Case] = [
        Case(id: "3.2-1", title: "a plain snapshot is acknowledged", isEssential: true) { server in
            try server.greet(deflated: false)
            try server.expectAcknowledgement()
        },
        Case(id: "7.3-1", title: "a deflated snapshot is acknowledged", isEssential: true) {
            server in
            try server.greet()
            try server.expectAcknowledgement()
            try server.expectSameState()
        },
        Case(id: "7.2-1", title: "a snapshot in chunks is acknowledged") { server in
            try server.greet(byteMaximum: 2000)
            try server.expectAcknowledgement()
            try server.expectSameState()
        },
        Case(id: "6.17-1", title: "one in a quarter of what it may owe is acknowledged") {
            server in
            try expectAcknowledgements(server, each: 8, owing: 32)
        },
        Case(id: "6.17-2", title: "with other limits as well") { server in
            try expectAcknowledgements(server, each: 3, owing: 14)
        },
        Case(id: "8.1-1", title: "sets as runs, gaps and bitmaps", isEssential: true) { server in
            try server.greet()
            let sets: [[UInt32]] = [
                [5], Array(10..<40), Array(stride(from: 0, to: 60, by: 7)), [1, 30, 59],
                [0, 1, 3, 6, 7, 9, 12, 14, 15],
            ]
            for (index, numbers) in sets.enumerated() {
                let mask = FieldMask(rawValue: UInt8(index % 15 + 1))
                let deltas = FieldDeltas((0..<mask.count).map { Int32($0 * 7 - 3) })
                try server.play(server.frame(FrameBody(groups: [group(mask, numbers, deltas)])))
            }
            try server.expectSameState()
        },
        Case(id: "8.3-1", title: "a hundred selections through a ring of 64", isEssential: true) {
            server in
            try server.greet()
            for index in 0..<100 as Range<UInt32> {
                let numbers = [index % 60, (index + 29) % 60].sorted()
                var body = FrameBody(groups: [group(.x, numbers, [1])])
                var both = body
                both.citations = [cited(UInt8(index % 64), [3])]
                // Not every remembered selection keeps off the new one.
                if index > 70, fits(server, both) { body = both }
                try server.play(server.frame(body))
            }
            try server.expectSameState()
        },
        Case(id: "8.2-1", title: "the short form", isEssential: true) { server in
            try server.greet()
            try server.play(server.frame(FrameBody(groups: [group(.y, Array(3..<50), [4])])))
            try server.play(
                server.frame(FrameBody(groups: [group([.x, .width], [1, 2], [4, -4])])))
            try server.play(server.frame(FrameBody(citations: [cited(0, [-100_000])])))
            try server.play(server.frame(FrameBody(citations: [cited(1, [9, 70_000])])))
            try server.expectSameState()
        },
        Case(id: "8.4-1", title: "rows, absolute rows, and numbers that wrap", isEssential: true) {
            server in
            try server.greet()
            try server.play(
                server.frame(
                    FrameBody(
                        rows: [
                            row(1, .x, [.max]), row(2, [.x, .y, .width, .height], [1, -1, 0, 5]),
                        ],
                        absoluteRows: [row(9, .y, [.min]), row(59, [.x, .height], [0, 7])])))
            try server.play(server.frame(FrameBody(rows: [row(1, .x, [.max])])))
            try server.expectSameState()
        },
        Case(id: "6.4-1", title: "selects fill the ring of one who joins") { server in
            try server.greet()
            var select = Select()
            for slot in [63, 0, 1] as [UInt8] {
                select.slot = slot
                select.selection = Selection(mask: .width, numbers: [UInt32(slot % 50), 55])
                try server.play(.select(select))
            }
            try server.play(
                server.frame(FrameBody(citations: [cited(63, [5])], groups: [group(.x, [1], [1])])))
            try server.play(server.frame(FrameBody(citations: [cited(2, [1])])))
            try server.expectSameState()
        },
        Case(id: "6.5-1", title: "the tree changes", isEssential: true) { server in
            try server.greet()
            var tree = Tree()
            tree.tick = server.tick + 1
            var added = Sample.snapshot.views[5]
            added.number = ViewNumber(1000)
            added.id = "added"
            added.parent = ViewNumber(2)
            tree.changes = [
                .add(added, index: 0), .remove(ViewNumber(3)),
                .move(ViewNumber(1), parent: ViewNumber(1000), index: 0),
            ]
            try server.play(.tree(tree))
            try server.play(server.frame(FrameBody(rows: [row(1000, .y, [3])])))
            try server.expectSameState()
        },
        Case(id: "6.6-1", title: "contents change", isEssential: true) { server in
            try server.greet()
            var content = Content()
            content.tick = server.tick + 1
            var change = ContentChange()
            change.number = ViewNumber(7)
            change.content.border = .rounded
            change.content.opacity = 3
            change.content.lines = [ContentLine(text: "\u{0}e\u{301}", x: -1, y: 2, width: 3)]
            content.changes = [change]
            try server.play(.content(content))
            try server.play(server.frame())
            try server.expectSameState()
        },
        Case(id: "6.12-1", title: "animations, if the client can show them") { server in
            try server.greet(needing: Capability.animations)
            var start = AnimationStart()
            start.id = 1
            start.durationTicks = 5
            start.curve = .easeInOut
            start.body.groups = [group([.x, .width], Array(4..<20), [10, -10])]
            var anim = Anim()
            anim.tick = server.tick + 1
            anim.changes = [.start(start), .cancel(id: 9)]
            try server.play(.anim(anim))
            try server.play(server.frame(FrameBody(citations: [cited(0, [1, 1])])))
            try server.expectSameState()
        },
        Case(id: "6.15-1", title: "a keyframe") { server in
            try server.greet(needing: Capability.keyframes)
            var keyframe = Keyframe()
            keyframe.tick = server.tick
            keyframe.numbers = server.scene.withLock { $0.mirror.preorder().map(\.rawValue) }
            try server.play(.keyframe(keyframe))
            try server.play(
                server.frame(FrameBody(groups: [group(.y, [2, 3], [5])], rows: [row(59, .x, [1])])))
            try server.expectSameState()
        },
        Case(id: "12-1", title: "later versions' messages and extensions are passed over") {
            server in
            try server.greet()
            switch server.format {
            case .binary:
                server.send(raw: [0x80, 1, 2, 3])
                server.send(raw: [0x4A, 0, 0, 0, 0x02, 0x01, 0xFF])
            case .json:
                server.send(raw: Array(#"{"type": "x-later"}"#.utf8), .text)
            }
            try server.expectSameState()
        },
        Case(id: "3.2-2", title: "messages that are no state do no harm") { server in
            try server.greet()
            server.send(.presence(Presence()))
            if server.grants(Capability.diagnostics) { server.send(.diagnostics(Diagnostics())) }
            if server.grants(Capability.trace) { server.send(.trace(Trace())) }
            server.send(.pong(Pong()))
            server.send(.result(OpsResult()))
            var error = ErrorMessage()
            error.code = 4005
            server.send(.error(error))
            try server.expectSameState()
        },
    ]

    /// Whether a body names no view twice. SPEC.md, section 8.2.
    private static func fits(_ server: ScriptedServer, _ body: FrameBody) -> Bool {
        let ring = server.scene.withLock { $0.mirror.ring }
        var numbers = body.groups.flatMap(\.selection.numbers)
        for citation in body.citations {
            guard let selection = ring[Int(citation.slot)] else { return false }
            numbers += selection.numbers
        }
        return Set(numbers).count == numbers.count
    }
}
