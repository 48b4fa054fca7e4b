import ConstraintLanguage
import SceneDocument

/// The views of a snapshot as columns: like stands beside like, so a later deflate finds more to
/// do.
///
/// | column | bytes for each view |
/// |---|---|
/// | count | once: varint |
/// | texts | once: varint count, then texts; each distinct line of text once, in the order of first use |
/// | styles | once: varint count, then contents without lines; likewise |
/// | numbers | zigzag `number − (previous + 1)`, the first against 0 |
/// | superviews | zigzag of `s − previous s`, with `s` = number of the superview plus one, 0 for none |
/// | names | three columns: varint bytes shared with the previous name; varint bytes of the rest; the rests' bytes |
/// | x, y, width, height | one column each: zigzag of the difference (modulo 2^32) to the previous view |
/// | styles | varint index |
/// | line counts | varint |
/// | lines | for each line: varint text index, then zigzag x, y, width |
enum SnapshotColumns {
    private static let bytesEachMinimum = 10

    static func encode(_ records: [ViewRecord], to encoder: inout BinaryEncoder) {
        var texts = Interner<TextBytes>()
        // Hashing a style takes longer than comparing it with a few.
        var styles = Interner<ViewContent>(scanned: 8)
        var styleColumn: [Int] = []
        var textColumn: [Int] = []
        styleColumn.reserveCapacity(records.count)
        for index in records.indices {
            var style = records[index].content
            for line in style.lines { textColumn.append(texts.index(of: TextBytes(line.text))) }
            style.lines = []
            if style.hasUnhashed { style.removeUnhashed() }
            styleColumn.append(styles.index(of: style))
        }
        encoder.count(records.count)
        encoder.count(texts.values.count)
        for text in texts.values { encoder.text(text.bytes) }
        encoder.count(styles.values.count)
        for var style in styles.values { style.codeStyle(&encoder) }
        var next: UInt32 = 0
        for index in records.indices {
            let number = records[index].number.rawValue
            encoder.zigzag(Int32(bitPattern: number &- next))
            next = number &+ 1
        }
        var previousParent: UInt32 = 0
        for index in records.indices {
            let parent = records[index].parent.map { $0.rawValue &+ 1 } ?? 0
            encoder.zigzag(Int32(bitPattern: parent &- previousParent))
            previousParent = parent
        }
        encodeNames(records, &encoder)
        for field in frameFields {
            var previous: Int32 = 0
            for index in records.indices {
                let value = records[index].frame.vector[field]
                encoder.zigzag(value &- previous)
                previous = value
            }
        }
        for index in styleColumn { encoder.count(index) }
        for index in records.indices { encoder.count(records[index].content.lines.count) }
        var textIndices = textColumn.makeIterator()
        for index in records.indices {
            for line in records[index].content.lines {
                encoder.count(textIndices.next() ?? 0)
                encoder.zigzag(line.x)
                encoder.zigzag(line.y)
                encoder.zigzag(line.width)
            }
        }
    }

    private static func encodeNames(_ records: [ViewRecord], _ encoder: inout BinaryEncoder) {
        var rests: [UInt8] = []
        var lengths: [Int] = []
        lengths.reserveCapacity(records.count)
        for index in records.indices {
            let name = records[index].id
            let previous = index == 0 ? "" : records[index - 1].id
            let bytes = name.utf8Span.span
            let before = previous.utf8Span.span
            let most = min(bytes.count, before.count)
            var shared = 0
            while shared < most, bytes[shared] == before[shared] { shared += 1 }
            encoder.count(shared)
            lengths.append(bytes.count - shared)
            for place in shared..<bytes.count { rests.append(bytes[place]) }
        }
        for length in lengths { encoder.count(length) }
        for byte in rests { encoder.byte(byte) }
    }

    /// The places of x, y, width and height in a frame's vector.
    private static var frameFields: Range<Int> { 0..<4 }

    static func decode(_ decoder: inout BinaryDecoder) throws(DecodeError) -> [ViewRecord] {
        let limits = decoder.limits
        let count = try decoder.count(
            maximum: limits.viewMaximum + 1, bytesEach: bytesEachMinimum)
        var texts: [String] = []
        for _ in 0..<(try decoder.count(maximum: limits.messageBytesMaximum)) {
            texts.append(try decoder.text(maximum: limits.textBytesMaximum))
        }
        var styles: [ViewContent] = []
        for _ in 0..<(try decoder.count(maximum: count)) {
            var style = ViewContent()
            try style.codeStyle(&decoder)
            styles.append(style)
        }
        var records = Array(repeating: ViewRecord(), count: count)
        try decodeTree(&records, &decoder)
        for field in frameFields {
            var previous: Int32 = 0
            for index in records.indices {
                previous = previous &+ (try decoder.zigzag())
                records[index].frame.vector[field] = previous
            }
        }
        for index in records.indices {
            let start = decoder.offset
            let style = Int(clamping: try decoder.varint32())
            guard styles.indices.contains(style) else { throw .invalidValue(offset: start) }
            records[index].content = styles[style]
        }
        try decodeLines(&records, texts, &decoder)
        return records
    }

    private static func decodeTree(
        _ records: inout [ViewRecord], _ decoder: inout BinaryDecoder
    ) throws(DecodeError) {
        let numberMaximum = UInt32(Limits.viewNumberMaximum)
        var next: UInt32 = 0
        for index in records.indices {
            let start = decoder.offset
            let number = next &+ UInt32(bitPattern: try decoder.zigzag())
            guard number < numberMaximum else { throw .invalidValue(offset: start) }
            records[index].number = ViewNumber(number)
            next = number + 1
        }
        var parent: UInt32 = 0
        for index in records.indices {
            let start = decoder.offset
            parent = parent &+ UInt32(bitPattern: try decoder.zigzag())
            guard parent <= numberMaximum else { throw .invalidValue(offset: start) }
            records[index].parent = parent == 0 ? nil : ViewNumber(parent - 1)
        }
        try decodeNames(&records, &decoder)
    }

    private static func decodeNames(
        _ records: inout [ViewRecord], _ decoder: inout BinaryDecoder
    ) throws(DecodeError) {
        var shares: [Int] = []
        var lengths: [Int] = []
        for _ in records.indices { shares.append(Int(clamping: try decoder.varint32())) }
        for _ in records.indices {
            lengths.append(try decoder.count(maximum: Identifier.byteMaximum))
        }
        var name: [UInt8] = []
        for index in records.indices {
            let start = decoder.offset
            guard shares[index] <= name.count else { throw .invalidValue(offset: start) }
            name.removeSubrange(shares[index]...)
            name.append(contentsOf: try decoder.take(lengths[index]))
            do {
                records[index].id = String(copying: try UTF8Span(validating: name.span))
            } catch {
                throw .invalidValue(offset: start)
            }
            guard Identifier.isValid(records[index].id) else {
                throw .invalidValue(offset: start)
            }
        }
    }

    private static func decodeLines(
        _ records: inout [ViewRecord], _ texts: [String], _ decoder: inout BinaryDecoder
    ) throws(DecodeError) {
        var counts: [Int] = []
        var total = 0
        for _ in records.indices {
            let count = try decoder.count(maximum: decoder.limits.textBytesMaximum)
            total += count
            counts.append(count)
        }
        guard total * 4 <= decoder.remaining else {
            throw .truncated(offset: decoder.offset, neededBytes: total * 4)
        }
        for (index, count) in counts.enumerated() {
            for _ in 0..<count {
                let start = decoder.offset
                let text = Int(clamping: try decoder.varint32())
                guard texts.indices.contains(text) else { throw .invalidValue(offset: start) }
                let (x, y, width) = (
                    try decoder.zigzag(), try decoder.zigzag(), try decoder.zigzag()
                )
                records[index].content.lines.append(
                    ContentLine(text: texts[text], x: x, y: y, width: width))
            }
        }
    }
}

/// A text that is equal to others by its bytes: texts that Unicode calls equal may differ, and the
/// state hash sees it. Hashed by its bytes too: texts that Unicode calls equal, of which a member
/// can make thousands, would all share one hash.
private struct TextBytes: Hashable {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }

    /// All bytes at once: an array hashes its elements one by one, which takes many times as long.
    func hash(into hasher: inout Hasher) {
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}

/// Gives equal values one index, in the order of first use.
private struct Interner<Value: Hashable> {
    private(set) var values: [Value] = []
    private var indices: [Value: Int] = [:]
    private let scanned: Int

    /// - Parameter scanned: How many of the first values are compared one by one before a value is
    ///   looked up by its hash.
    init(scanned: Int = 0) { self.scanned = scanned }

    mutating func index(of value: Value) -> Int {
        if let index = values.prefix(scanned).firstIndex(of: value) { return index }
        if let index = indices[value] { return index }
        indices[value] = values.count
        values.append(value)
        return values.count - 1
    }
}
