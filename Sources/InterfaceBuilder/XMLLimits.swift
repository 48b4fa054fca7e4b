/// The most that an XML file may ask for, checked before memory is taken.
public struct XMLLimits: Sendable {
    /// Bytes of a file.
    public var bytesMaximum = 16 << 20
    /// Elements of a file.
    public var elementMaximum = 200_000
    /// Levels of elements.
    public var depthMaximum = 512
    /// Attributes of one element.
    public var attributeMaximum = 512
    /// Bytes of one tag with its attributes.
    public var tagBytesMaximum = 1 << 18

    /// Creates the standard limits.
    public init() {}

    /// Checks the size of a file, its encoding and the size of each tag, in one pass over the
    /// bytes. The parser takes memory by these, so they are checked before it sees the file.
    func check(_ bytes: [UInt8]) throws(InterfaceError) {
        guard bytes.count <= bytesMaximum else {
            throw InterfaceError(
                "the file has \(bytes.count) bytes, the most are \(bytesMaximum); split it into smaller files"
            )
        }
        // With a byte order mark, or the first "<" in two bytes.
        let wide: [[UInt8]] = [[0xFE, 0xFF], [0xFF, 0xFE], [0x3C, 0], [0, 0x3C]]
        guard !wide.contains(where: bytes.starts) else {
            throw InterfaceError(line: 1, "the file is UTF-16; save it as UTF-8, as Xcode does")
        }
        guard bytes.contains(where: { $0 > 32 }) else { throw InterfaceError("the file is empty") }
        var scanner = TagScanner(bytes: bytes)
        while let tag = scanner.next() {
            guard tag.bytes <= tagBytesMaximum, tag.equalSigns <= attributeMaximum else {
                throw InterfaceError(
                    line: scanner.line(of: tag.start),
                    "a tag has more than \(attributeMaximum) attributes or \(tagBytesMaximum) bytes, which no file of Xcode has"
                )
            }
        }
    }
}

/// Finds tags without understanding them: comments, CDATA and instructions are passed over.
private struct TagScanner {
    let bytes: [UInt8]
    private var place = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    struct Tag {
        var start: Int
        var bytes: Int
        /// The equal signs outside of quotes.
        var equalSigns: Int
    }

    func line(of offset: Int) -> Int {
        1 + bytes.prefix(offset).reduce(0) { $0 + ($1 == 10 ? 1 : 0) }
    }

    mutating func next() -> Tag? {
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "<") else {
                place += 1
                continue
            }
            if skip("<!--", to: "-->") || skip("<![CDATA[", to: "]]>") || skip("<?", to: "?>") {
                continue
            }
            return tag()
        }
        return nil
    }

    private mutating func tag() -> Tag {
        let start = place
        var quote: UInt8?
        var equalSigns = 0
        place += 1
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "=") {
                equalSigns += 1
            } else if byte == UInt8(ascii: ">") {
                break
            }
        }
        return Tag(start: start, bytes: place - start, equalSigns: equalSigns)
    }

    private mutating func skip(_ opening: StaticString, to closing: StaticString) -> Bool {
        guard matches(opening, at: place) else { return false }
        place += opening.utf8CodeUnitCount
        while place < bytes.count, !matches(closing, at: place) { place += 1 }
        place = min(bytes.count, place + closing.utf8CodeUnitCount)
        return true
    }

    private func matches(_ text: StaticString, at place: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard place + count <= bytes.count else { return false }
        return text.withUTF8Buffer { buffer in
            for index in 0..<count where buffer[index] != bytes[place + index] { return false }
            return true
        }
    }
}
