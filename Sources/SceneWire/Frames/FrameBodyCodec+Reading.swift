import SceneDocument

/// Reading a frame body.
extension FrameBodyCodec {
    private static let slotParameterMaximum = 7

    static func decodeSelection(
        _ decoder: inout BinaryDecoder
    ) throws(DecodeError) -> Selection {
        let start = decoder.offset
        let head = try decoder.byte()
        guard head & 0xC0 == 0x40 else { throw .invalidValue(offset: start) }
        var budget = decoder.limits.viewMaximum + 1
        return try selection(head: head, at: start, &budget, &decoder)
    }

    private static func selection(
        head: UInt8, at start: Int, _ budget: inout Int, _ decoder: inout BinaryDecoder
    ) throws(DecodeError) -> Selection {
        guard head & 15 != 0 else { throw .malformedSelection(offset: start) }
        let numbers = try NumberSet.decode(
            form: head >> 4 & 3, maximum: budget, &decoder)
        budget -= numbers.count
        return Selection(mask: FieldMask(rawValue: head & 15), numbers: numbers)
    }

    /// - Parameter distances: Filled for a frame; nil where none may stand.
    static func decode(
        _ distances: inout Distances?, _ decoder: inout BinaryDecoder
    ) throws(DecodeError) -> FrameBody {
        var body = FrameBody()
        let start = decoder.offset
        let flags = try decoder.byte()
        if flags & shortFlag != 0 {
            let deltas = try deltas(flags & 0x40 != 0 ? 2 : 1, &decoder)
            body.citations = [FrameBody.Citation(slot: flags & 0x3F, deltas: deltas)]
            return body
        }
        if flags & distancesFlag != 0 {
            guard distances != nil else { throw .invalidValue(offset: start) }
            distances = Distances(base: try decoder.varint(), durable: try decoder.varint())
        }
        guard flags & reservedFlags == 0 else { throw .invalidValue(offset: start) }
        if flags & citationsFlag != 0 { try readCitations(into: &body, &decoder) }
        if flags & newFlag != 0 {
            // No view changes twice in a frame, which bounds how far few bytes can expand.
            var budget = decoder.limits.viewMaximum + 1
            for _ in 0..<(try sectionCount(&decoder, bytesEach: 2)) {
                body.groups.append(try newGroup(&budget, &decoder))
            }
        }
        if flags & rowsFlag != 0 { body.rows = try rows(&decoder) }
        if flags & absoluteFlag != 0 { body.absoluteRows = try rows(&decoder) }
        return body
    }

    private static func rows(
        _ decoder: inout BinaryDecoder
    ) throws(DecodeError) -> [FrameBody.Row] {
        let start = decoder.offset
        let count = try sectionCount(&decoder, bytesEach: 0)
        // A row has at least two bits.
        guard (count + 3) / 4 <= decoder.remaining else {
            throw .truncated(offset: decoder.offset, neededBytes: (count + 3) / 4)
        }
        let common = try decoder.byte()
        guard common < 16 else { throw .invalidValue(offset: start) }
        let parameters = try decoder.byte()
        var bits = BitReader()
        var rows: [FrameBody.Row] = []
        rows.reserveCapacity(count)
        var next: UInt64 = 0
        for _ in 0..<count {
            let start = decoder.offset
            let number = next + UInt64(try bits.rice(Int(parameters & 15), &decoder))
            let mask =
                common != 0
                ? common : UInt8(truncatingIfNeeded: try bits.bits(4, &decoder))
            guard mask != 0, number < UInt64(Limits.viewNumberMaximum) else {
                throw .malformedSelection(offset: start)
            }
            var deltas = FieldDeltas()
            for _ in 0..<mask.nonzeroBitCount {
                deltas.append(
                    BinaryDecoder.signed(try bits.rice(Int(parameters >> 4), &decoder)))
            }
            rows.append(
                FrameBody.Row(
                    number: UInt32(truncatingIfNeeded: number), mask: FieldMask(rawValue: mask),
                    deltas: deltas))
            next = number + 1
        }
        try bits.finish(decoder)
        return rows
    }

    private static func sectionCount(
        _ decoder: inout BinaryDecoder, bytesEach: Int
    ) throws(DecodeError) -> Int {
        let start = decoder.offset
        let count = try decoder.count(
            maximum: decoder.limits.viewMaximum + 1, bytesEach: bytesEach)
        guard count > 0 else { throw .invalidValue(offset: start) }
        return count
    }

    private static func readCitations(
        into body: inout FrameBody, _ decoder: inout BinaryDecoder
    ) throws(DecodeError) {
        let start = decoder.offset
        let count = try decoder.count(maximum: SelectionRing.slotCount, bytesEach: 0)
        guard count > 0 else { throw .invalidValue(offset: start) }
        // A citation has at least three bits.
        let neededBytes = (3 * count + 7) / 8
        guard neededBytes <= decoder.remaining else {
            throw .truncated(offset: decoder.offset, neededBytes: neededBytes)
        }
        let parameters = try decoder.byte()
        body.citesDifferences = Int(parameters) & differencesFlag != 0
        var bits = BitReader()
        var next: UInt64 = 0
        for _ in 0..<count {
            let start = decoder.offset
            let slot =
                next + UInt64(try bits.rice(Int(parameters) & slotParameterMaximum, &decoder))
            guard slot < UInt64(SelectionRing.slotCount) else {
                throw .malformedSelection(offset: start)
            }
            let deltaCount = Int(try bits.short(&decoder)) + 1
            var deltas = FieldDeltas()
            for _ in 0..<deltaCount {
                deltas.append(
                    BinaryDecoder.signed(try bits.rice(Int(parameters >> 4), &decoder)))
            }
            body.citations.append(
                FrameBody.Citation(slot: UInt8(truncatingIfNeeded: slot), deltas: deltas))
            next = slot + 1
        }
        try bits.finish(decoder)
    }

    private static func newGroup(
        _ budget: inout Int, _ decoder: inout BinaryDecoder
    ) throws(DecodeError) -> FrameBody.Group {
        let start = decoder.offset
        let head = try decoder.byte()
        guard head & 0x80 == 0 else { throw .invalidValue(offset: start) }
        let selection = try selection(head: head, at: start, &budget, &decoder)
        return FrameBody.Group(
            selection, stores: head & 0x40 != 0,
            deltas: try deltas(selection.mask.count, &decoder))
    }

    private static func deltas(
        _ count: Int, _ decoder: inout BinaryDecoder
    ) throws(DecodeError) -> FieldDeltas {
        var deltas = FieldDeltas()
        for _ in 0..<count { deltas.append(try decoder.zigzag()) }
        return deltas
    }
}
