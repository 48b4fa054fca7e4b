import SceneWire
import Testing

@Suite("Frame diffs")
struct FrameEncoderTests {
    /// `count` views from number `first` on, `step` apart, moved down.
    private func shift(_ first: UInt32, _ count: Int, step: UInt32 = 1, by dy: Int32)
        -> [FrameChange]
    {
        (0..<count).map { index in
            let old = QuantisedFrame(x: 0, y: Int32(index) * 24, width: 300, height: 24)
            var new = old
            new.y += dy
            let number = first + UInt32(index) * step
            return FrameChange(number: ViewNumber(number), old: old, new: new)
        }
    }

    private func bodyBytes(_ body: FrameBody) -> [UInt8] {
        let frame = FrameDiff(tick: 1, baseTick: 0, durableTick: 0, body: body)
        return Array(bytes(.frame(frame)).dropFirst(2))
    }

    @Test("200 rows that move down take few bytes, and fewer when they move again")
    func listShift() {
        var encoder = FrameEncoder()
        let first = encoder.encode(shift(10, 200, by: 24))
        // Flags, count, head, one run (count, first number, length), delta.
        #expect(hexadecimal(bodyBytes(first)) == "01 01 42 01 0a 8e 03 30")
        let second = encoder.encode(shift(10, 200, by: 24))
        #expect(hexadecimal(bodyBytes(second)) == "80 30")
    }

    @Test("a selection takes its smallest form")
    func forms() {
        var encoder = FrameEncoder()
        // Every third view: one strided run.
        #expect(
            hexadecimal(bodyBytes(encoder.encode(shift(0, 50, step: 3, by: 1))))
                == "01 01 42 01 00 63 01 02")
        // Scattered far apart: gaps.
        let far = [5, 100, 131, 300].flatMap { shift($0, 1, by: 1) }
        #expect(
            hexadecimal(bodyBytes(encoder.encode(far))) == "01 01 52 04 05 5e 1e a8 01 02")
        // Scattered close together: a bitmap.
        let near = [0, 1, 3, 6, 7, 9, 12, 14, 15].flatMap { shift($0, 1, by: 1) }
        #expect(hexadecimal(bodyBytes(encoder.encode(near))) == "01 01 62 00 02 cb d2 02")
    }

    @Test("views that move alone become rows")
    func rows() {
        var encoder = FrameEncoder()
        let changes = shift(3, 1, by: 5) + shift(4, 1, by: -1)
        #expect(hexadecimal(bodyBytes(encoder.encode(changes))) == "10 02 02 10 f7 21")
        #expect(encoder.ring == SelectionRing())
    }

    @Test("several groups are told anew, and then cited together in few bits")
    func citations() {
        var encoder = FrameEncoder()
        var changes = shift(0, 3, by: 1)
        for index in changes.indices { changes[index].new.height += 7 }
        let body = encoder.encode(changes + shift(3, 3, by: 1))
        #expect(body.groups.map(\.deltas) == [[1, 7], [1]])
        #expect(hexadecimal(bodyBytes(body)) == "01 02 4a 01 00 04 02 0e 42 01 03 04 02")
        // Differences. Slot 0: 0, two deltas: 10, twice none: 0 0; slot 1: 0, one delta: 0, none:
        // 0.
        let again = encoder.encode(changes + shift(3, 3, by: 1))
        #expect(hexadecimal(bodyBytes(again)) == "02 02 08 02")
        // Back, which is told in fewer bits as it is: 1 for −1: 0 1, 13 for −7: 1111110 1.
        for index in changes.indices {
            let change = changes[index]
            changes[index].old = change.new
            changes[index].new = change.old
        }
        let back = encoder.encode(changes + shift(3, 3, by: -1))
        #expect(hexadecimal(bodyBytes(back)) == "02 02 10 f2 17 01")
    }

    @Test("a group that is made up of remembered selections cites those")
    func cover() {
        var encoder = FrameEncoder()
        // Numbers without a pattern, which take a byte each to name.
        let numbers: [UInt32] = [3, 40, 45, 90, 133, 140, 188, 230, 277, 300, 351, 400]
        func move(_ some: [UInt32]) -> [FrameChange] { some.flatMap { shift($0, 1, by: 5) } }
        _ = encoder.encode(move(numbers.filter { $0 % 2 == 0 }))
        _ = encoder.encode(move(numbers.filter { $0 % 2 == 1 }))
        let both = move(numbers)
        let body = encoder.encode(both)
        #expect(body.citesDifferences)
        #expect(
            body.citations == [
                FrameBody.Citation(slot: 0, deltas: [0]),
                FrameBody.Citation(slot: 1, deltas: [0]),
            ])
    }

    @Test("a view that moves alone in tick after tick is remembered")
    func alone() {
        var encoder = FrameEncoder()
        #expect(encoder.encode(shift(9, 1, by: 5)).rows.count == 1)
        let selection = Selection(mask: .y, numbers: [9])
        #expect(
            encoder.encode(shift(9, 1, by: 5)).groups == [
                FrameBody.Group(selection, stores: true, deltas: [5])
            ])
        #expect(
            encoder.encode(shift(9, 1, by: 5)).citations == [
                FrameBody.Citation(slot: 0, deltas: [5])
            ])
    }

    @Test("what changes nothing is left out, and extreme distances wrap")
    func extremes() throws {
        var encoder = FrameEncoder()
        let frame = QuantisedFrame(x: .min, y: .max, width: .max, height: .min)
        var opposite = QuantisedFrame(x: .max, y: .min, width: .min, height: .max)
        let same = FrameChange(number: ViewNumber(1), old: frame, new: frame)
        #expect(encoder.encode([same]).isEmpty)
        let root = ViewRecord(
            number: ViewNumber(1), id: "root", parent: nil, frame: frame, content: ViewContent())
        var copy = try mirror([root])
        for _ in 0..<2 {
            var message = FrameDiff()
            message.body = encoder.encode([
                FrameChange(
                    number: ViewNumber(1), old: copy.view(ViewNumber(1))?.frame ?? .zero,
                    new: opposite)
            ])
            try copy.apply(message)
            #expect(copy.view(ViewNumber(1))?.frame == opposite)
            opposite = frame
        }
    }

    @Test("views that jump to small numbers are told where they are, not how far they went")
    func absolute() {
        var encoder = FrameEncoder()
        let changes = (0..<9).map { index in
            let old = QuantisedFrame(x: 90_000 + Int32(index * index), y: 5, width: 1, height: 1)
            var new = old
            new.x = Int32(index)
            return FrameChange(number: ViewNumber(UInt32(index)), old: old, new: new)
        }
        let body = encoder.encode(changes)
        #expect(body.rows.isEmpty && body.groups.isEmpty && body.citations.isEmpty)
        #expect(body.absoluteRows.map { $0.deltas[0] } == Array(0..<9))
        #expect(encoder.encodeAnimation(changes).absoluteRows.isEmpty)
    }

    @Test("a merged diff cites nothing and stores nothing")
    func merged() {
        var encoder = FrameEncoder()
        _ = encoder.encode(shift(0, 10, by: 1))
        let before = encoder.ring
        let body = encoder.encodeMerged(shift(0, 10, by: 1))
        #expect(encoder.ring == before)
        let selection = Selection(mask: .y, numbers: Array(0..<10))
        #expect(
            body.groups == [
                FrameBody.Group(selection, stores: false, deltas: [1])
            ])
    }

    @Test("the ring forgets the oldest selection after 64, and sends what it holds in order")
    func ring() {
        var ring = SelectionRing()
        let selections = (0..<70).map { Selection(mask: .x, numbers: [UInt32($0)]) }
        for selection in selections { ring.store(selection, deltas: [7]) }
        #expect(ring.slot(of: selections[5]) == nil)
        #expect(ring.slot(of: selections[6]) == 6)
        #expect(ring.slot(of: selections[69]) == 5)
        #expect(ring.next == 6)
        var copy = SelectionRing()
        for select in Select.all(of: ring) {
            copy.store(select.selection, deltas: select.deltas, at: Int(select.slot))
        }
        #expect(copy == ring)
        #expect(ring[64] == nil)
        #expect(ring[-1] == nil)
    }

    @Test(
        "a malformed body is an error, and few bytes cannot ask for much memory",
        arguments: [
            "20", "01", "01 00", "01 01 c0 00", "01 01 40 01 00 00 00",
            "01 01 72 01 00 00 00", "01 01 52 00 02", "01 01 42 01 00 fe ff ff ff 0f 02",
            "01 01 42 01 00 01 00 02", "01 01 52 02 ff ff 3f 01 02", "01 01 62 00 01 02 02",
            "01 01 62 00 02 01 00 02", "10 01 00", "10 01 10 00", "10 01 81 80 80 08 00",
            "01 01 80 80 80 80 80 10", "01 01 80 80 00", "00 01 00", "01 ff ff ff ff 0f",
            "10 01 01 00 04", "10 01 01 00 ff ff 00 00 00 00 00", "10 01 01 00", "30 01 01 00 00",
            "02 00", "04", "08", "02 01 00 10", "40", "40 01", "80",
            "c0 00", "20 01 10 00 00",
        ])
    func malformed(text: String) throws {
        let body = try text.split(separator: " ").map { try #require(UInt8($0, radix: 16)) }
        #expect(throws: DecodeError.self) {
            try ServerMessage.decode([0x43, 5] + body)
        }
    }
}
