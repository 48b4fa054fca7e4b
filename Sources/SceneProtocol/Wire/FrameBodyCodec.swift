/// The bytes of a frame body.
///
/// | bytes | meaning |
/// |---|---|
/// | u8 flags | bits 0–3: sections of groups with 1, 2, 3, 4 deltas follow; bit 4: rows follow |
/// | sections | each: varint count (not 0), then that many groups |
/// | rows | varint count (not 0); each: varint `(number − previous − 1) << 4 | mask`, then its deltas |
///
/// A group begins with a head byte. Bit 7 set: a citation of the slot in bits 0–5 (bit 6 is 0). Bit 7 clear: bits
/// 0–3 the mask, bits 4–5 the form of the numbers (0 runs, 1 gaps, 2 bitmap), bit 6 whether to remember the
/// selection; the numbers follow. Then come the deltas, zigzag varints in the order x, y, width, height.
///
/// Sections let a reader know how many deltas follow a citation without knowing what is cited.
enum FrameBodyCodec {
    static func encode(_ body: FrameBody, to encoder: inout BinaryEncoder) {
        var counts = [0, 0, 0, 0, 0]
        for group in body.groups where (1...4).contains(group.deltas.count) {
            counts[group.deltas.count] += 1
        }
        var flags: UInt8 = body.rows.isEmpty ? 0 : 1 << 4
        for section in 1...4 where counts[section] > 0 { flags |= 1 << (section - 1) }
        encoder.byte(flags)
        for section in 1...4 where counts[section] > 0 {
            encoder.count(counts[section])
            for group in body.groups where group.deltas.count == section {
                switch group.source {
                case .cited(let slot): encoder.byte(0x80 | slot & 0x3F)
                case .new(let selection, let stores):
                    encode(selection, stores: stores, to: &encoder)
                }
                for delta in group.deltas { encoder.zigzag(delta) }
            }
        }
        guard !body.rows.isEmpty else { return }
        encoder.count(body.rows.count)
        var next: UInt32 = 0
        for row in body.rows {
            encoder.varint(UInt64(row.number &- next) << 4 | UInt64(row.mask.rawValue & 15))
            for delta in row.deltas { encoder.zigzag(delta) }
            next = row.number &+ 1
        }
    }

    static func encode(_ selection: Selection, stores: Bool, to encoder: inout BinaryEncoder) {
        let numbers = NumberSet.smallest(selection.numbers)
        let head = selection.mask.rawValue & 15 | numbers.form << 4 | (stores ? 0x40 : 0)
        encoder.byte(head)
        numbers.write(to: &encoder)
    }

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

    static func decode(_ decoder: inout BinaryDecoder) throws(DecodeError) -> FrameBody {
        var body = FrameBody()
        // No view changes twice in a frame, which bounds how far few bytes can expand.
        var budget = decoder.limits.viewMaximum + 1
        let start = decoder.offset
        let flags = try decoder.byte()
        guard flags < 32 else { throw .invalidValue(offset: start) }
        for section in 1...4 where flags & 1 << (section - 1) != 0 {
            for _ in 0..<(try sectionCount(&decoder)) {
                body.groups.append(try group(deltaCount: section, &budget, &decoder))
            }
        }
        guard flags & 1 << 4 != 0 else { return body }
        var next: UInt64 = 0
        for _ in 0..<(try sectionCount(&decoder)) {
            let start = decoder.offset
            let head = try decoder.varint(bits: 36)
            let mask = FieldMask(rawValue: UInt8(truncatingIfNeeded: head & 15))
            let number = next + head >> 4
            guard !mask.isEmpty, number < UInt64(Limits.viewNumberMaximum) else {
                throw .malformedSelection(offset: start)
            }
            var deltas = Array(repeating: Int32(0), count: mask.count)
            for index in deltas.indices { deltas[index] = try decoder.zigzag() }
            body.rows.append(
                FrameBody.Row(
                    number: UInt32(truncatingIfNeeded: number), mask: mask, deltas: deltas))
            next = number + 1
        }
        return body
    }

    private static func sectionCount(
        _ decoder: inout BinaryDecoder
    ) throws(DecodeError) -> Int {
        let start = decoder.offset
        let count = try decoder.count(maximum: decoder.limits.viewMaximum + 1, bytesEach: 2)
        guard count > 0 else { throw .invalidValue(offset: start) }
        return count
    }

    private static func group(
        deltaCount: Int, _ budget: inout Int, _ decoder: inout BinaryDecoder
    ) throws(DecodeError) -> FrameBody.Group {
        let start = decoder.offset
        let head = try decoder.byte()
        let source: FrameBody.Group.Source
        if head & 0x80 != 0 {
            guard head & 0x40 == 0 else { throw .invalidValue(offset: start) }
            source = .cited(slot: head & 0x3F)
        } else {
            let selection = try selection(head: head, at: start, &budget, &decoder)
            guard selection.mask.count == deltaCount else {
                throw .malformedSelection(offset: start)
            }
            source = .new(selection, stores: head & 0x40 != 0)
        }
        var deltas = Array(repeating: Int32(0), count: deltaCount)
        for index in deltas.indices { deltas[index] = try decoder.zigzag() }
        return FrameBody.Group(source: source, deltas: deltas)
    }
}
