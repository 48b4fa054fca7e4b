/// The bytes of a frame body.
///
/// | bytes | meaning |
/// |---|---|
/// | u8 flags | bit 0: new groups follow; bit 1: citations; bit 4: rows; bit 5: absolute rows; bit 6: distances (frames only); bit 7: short form; the others 0 |
/// | distances | if bit 6: varint base distance, varint durable distance; otherwise both are 1 |
/// | citations | varint count (not 0); u8 Rice parameter of slots + 16 × that of deltas; then bits |
/// | new groups | varint count (not 0), then that many groups |
/// | rows, absolute rows | varint count (not 0); u8 mask of all rows, or 0 where each row has its own; u8 Rice parameter of gaps + 16 × that of deltas; then bits |
///
/// In the short form the body is one citation: flags bits 0–5 are the slot, bit 6 says whether two
/// deltas follow, or one, as zigzag varints.
///
/// The parameter of slots is at most 7; 8 more say that deltas are differences to the last ones of
/// their slots.
///
/// A citation is a Rice-coded `slot − (previous + 1)`, its number of deltas, so that a reader knows
/// it without knowing what is cited, and Rice-coded zigzag deltas; see `RiceCode`. The number of
/// deltas less one is so many ones, and a zero unless they are three.
///
/// A new group begins with a head byte: bits 0–3 the mask, bits 4–5 the form of the numbers (0
/// runs, 1 gaps, 2 bitmap), bit 6 whether to remember the selection, bit 7 is 0. The numbers
/// follow, then the deltas, zigzag varints in the order x, y, width, height, one for each bit of
/// the mask.
///
/// A row is a Rice-coded `number − (previous + 1)`, its mask in four bits unless all rows share
/// one, and a Rice-coded zigzag delta, or new value, for each bit of the mask.
enum FrameBodyCodec {
    /// How far the ticks of a frame are apart.
    struct Distances: Equatable {
        /// From the tick that it builds on.
        var base: UInt64 = 1
        /// From the last tick on disk.
        var durable: UInt64 = 1
    }

    static let newFlag: UInt8 = 0x01
    static let citationsFlag: UInt8 = 0x02
    static let reservedFlags: UInt8 = 0x0C
    static let rowsFlag: UInt8 = 0x10
    static let absoluteFlag: UInt8 = 0x20
    static let distancesFlag: UInt8 = 0x40
    static let shortFlag: UInt8 = 0x80

    /// - Parameters:
    ///   - distances: Those of a frame; nil for an animation's body, which has none.
    ///   - head: At most two bytes that come before the body: few words are written in less time
    ///     than many bytes.
    static func encode(
        _ body: FrameBody, _ distances: Distances? = nil, after head: BitWord = BitWord(),
        to encoder: inout BinaryEncoder
    ) {
        let near = distances ?? Distances()
        let isNear = near == Distances()
        var head = head
        if isNear, !body.citesDifferences, body.rows.isEmpty,
            body.absoluteRows.isEmpty, body.groups.isEmpty,
            body.citations.count == 1, let citation = body.citations.first,
            citation.deltas.count <= 2
        {
            let deltas = citation.deltas
            head.append(
                BitWord(byte: shortFlag | (deltas.count == 2 ? 0x40 : 0) | citation.slot & 0x3F))
            encoder.word(head)
            for index in 0..<deltas.count { encoder.zigzag(deltas[index]) }
            return
        }
        var flags: UInt8 = 0
        if !body.citations.isEmpty { flags |= citationsFlag }
        if !body.groups.isEmpty { flags |= newFlag }
        if !body.rows.isEmpty { flags |= rowsFlag }
        if !body.absoluteRows.isEmpty { flags |= absoluteFlag }
        if !isNear { flags |= distancesFlag }
        head.append(BitWord(byte: flags))
        if !isNear {
            encoder.word(head)
            encoder.varint(near.base)
            encoder.varint(near.durable)
            head = BitWord()
        }
        if !body.citations.isEmpty {
            encodeCitations(body, after: head, to: &encoder)
            head = BitWord()
        }
        if !body.groups.isEmpty {
            if head.count > 0 { encoder.word(head) }
            head = BitWord()
            encoder.count(body.groups.count)
            for group in body.groups {
                encode(group.selection, stores: group.stores, to: &encoder)
                for index in 0..<group.deltas.count { encoder.zigzag(group.deltas[index]) }
            }
        }
        if !body.rows.isEmpty {
            encode(body.rows, after: head, to: &encoder)
            head = BitWord()
        }
        if !body.absoluteRows.isEmpty {
            encode(body.absoluteRows, after: head, to: &encoder)
            head = BitWord()
        }
        if head.count > 0 { encoder.word(head) }
    }

    static let differencesFlag = 8
    /// What a section's count takes at most with what comes before it and two bytes after it: one
    /// word.
    private static let headBytesMaximum = 8

    /// - Parameter head: At most three bytes that come before the citations.
    private static func encodeCitations(
        _ body: FrameBody, after head: BitWord, to encoder: inout BinaryEncoder
    ) {
        var sums = EntrySums()
        let count = body.citations.count
        let citations = body.citations.span
        for index in citations.indices {
            let deltas = citations[index].deltas
            sums.add(UInt32(citations[index].slot), deltas.zigzag, deltas.count)
        }
        let code = EntryCode(sums)
        let differences = body.citesDifferences ? differencesFlag : 0
        var head = Self.head(count, after: head, to: &encoder)
        head.append(
            BitWord(
                byte: UInt8(
                    truncatingIfNeeded: code.gaps.parameter | differences | code.deltas.parameter
                        << 4)))
        let bytesMaximum = headBytesMaximum &+ code.bytesMaximum &+ count
        encoder.bits(bytesMaximum: bytesMaximum) { writer, bytes in
            let citations = body.citations.span
            // Copies of their own stay in the processor's registers.
            var (writer, code) = (writer, code)
            writer.put(head, to: &bytes)
            for index in citations.indices {
                let deltas = citations[index].deltas
                code.put(
                    UInt32(citations[index].slot),
                    BitWord(short: UInt32(truncatingIfNeeded: deltas.count &- 1)), deltas.zigzag,
                    deltas.lanes, mayExceedTwo: deltas.count > 2, &writer, to: &bytes)
            }
            return writer
        }
    }

    /// A section's count behind other bytes, of which there are three at most; with two bytes more
    /// it fits into a word.
    private static func head(
        _ count: Int, after head: BitWord, to encoder: inout BinaryEncoder
    ) -> BitWord {
        var head = head
        if count >= 0x4000 {
            encoder.word(head)
            head = BitWord()
        }
        head.append(BitWord(varint: UInt32(truncatingIfNeeded: count)))
        return head
    }

    /// - Parameter head: At most three bytes that come before the rows.
    private static func encode(
        _ rows: [FrameBody.Row], after head: BitWord, to encoder: inout BinaryEncoder
    ) {
        var sums = EntrySums()
        var union: FieldMask = []
        var common = FieldMask(rawValue: 15)
        let span = rows.span
        for index in span.indices {
            let row = span[index]
            sums.add(row.number, BinaryEncoder.zigzag(row.values), Int(row.mask.countOfFour))
            union.formUnion(row.mask)
            common.formIntersection(row.mask)
        }
        if union != common { common = [] }
        let code = EntryCode(sums)
        var head = Self.head(rows.count, after: head, to: &encoder)
        head.append(BitWord(byte: common.rawValue))
        head.append(
            BitWord(
                byte: UInt8(truncatingIfNeeded: code.gaps.parameter | code.deltas.parameter << 4)))
        let ownCount: UInt64 = common.isEmpty ? 4 : 0
        let bytesMaximum = headBytesMaximum &+ code.bytesMaximum &+ rows.count
        encoder.bits(bytesMaximum: bytesMaximum) { writer, bytes in
            let rows = rows.span
            // Copies of their own stay in the processor's registers.
            var (writer, code) = (writer, code)
            writer.put(head, to: &bytes)
            for index in rows.indices {
                let row = rows[index]
                let own = BitWord(
                    bits: UInt64(row.mask.rawValue) & (1 &<< ownCount &- 1), count: ownCount)
                code.put(
                    row.number, own, BinaryEncoder.zigzag(row.values), row.mask.lanes,
                    mayExceedTwo: true, &writer, to: &bytes)
            }
            return writer
        }
    }

    static func encode(_ selection: Selection, stores: Bool, to encoder: inout BinaryEncoder) {
        let numbers = NumberSet.smallest(selection.numbers)
        let head = selection.mask.rawValue & 15 | numbers.form << 4 | (stores ? 0x40 : 0)
        encoder.byte(head)
        numbers.write(to: &encoder)
    }
}
