/// Texts in which every byte is a character one cell wide, which most are: some twenty times faster
/// than by characters, whose ends have to be found.
extension LineBreaker {
    private static let space = UInt8(ascii: " ")

    /// Whether a text is printable ASCII, with or without line breaks.
    static func isPlain(_ bytes: [UInt8]) -> Bool {
        // Without an early end, which would keep the compiler from comparing many bytes at once.
        var others: UInt8 = 0
        for byte in bytes {
            others |= byte &- 0x20 < 0x5F ? 0 : byte ^ 0x0A
        }
        return others == 0
    }

    /// The lines of a text of printable ASCII, as `anyLines` has them; `nil` for any other text.
    static func asciiLines(of text: String, columns: Int?) -> [Line]? {
        let bytes = Array(text.utf8)
        guard isPlain(bytes) else { return nil }
        var result: [Line] = []
        var start = 0
        while start <= bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            if let columns {
                wrap(bytes[start..<end], columns: max(columns, 1), into: &result)
            } else {
                result.append(line(bytes[start..<end]))
            }
            start = end + 1
        }
        return result
    }

    private static func line(_ bytes: ArraySlice<UInt8>) -> Line {
        Line(text: String(decoding: bytes, as: UTF8.self), columns: bytes.count)
    }

    private static func wrap(
        _ paragraph: ArraySlice<UInt8>, columns: Int, into result: inout [Line]
    ) {
        // A line is a part of its paragraph: what vanishes at a break is between two lines.
        var current = paragraph.startIndex..<paragraph.startIndex
        func finish() {
            var end = current.upperBound
            while end > current.lowerBound, paragraph[end - 1] == space { end -= 1 }
            result.append(line(paragraph[current.lowerBound..<end]))
            current = current.upperBound..<current.upperBound
        }
        var place = paragraph.startIndex
        while place < paragraph.endIndex {
            let isSpace = paragraph[place] == space
            let end =
                paragraph[place...].firstIndex { ($0 == space) != isSpace } ?? paragraph.endIndex
            let word = place..<end
            place = end
            if current.count + word.count <= columns {
                current = (current.isEmpty ? word.lowerBound : current.lowerBound)..<end
            } else if isSpace {
                finish()
            } else {
                if !current.isEmpty { finish() }
                current = word
                while current.count > columns {
                    let rest = (current.lowerBound + columns)..<current.upperBound
                    current = current.lowerBound..<rest.lowerBound
                    finish()
                    current = rest
                }
            }
        }
        finish()
    }
}
